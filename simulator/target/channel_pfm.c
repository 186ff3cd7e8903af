/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /dev/pfcntr for the target. */
#include "channel.h"
#include "engine.h"
#include "pfm_watch.h"

#include "device/pfm.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANGE_KERNEL 1
#define RANGE_STRIDE 2

/* The file is opened for reading; a file that is never written needs no
 * superuser. */
static bool
may_write(const char *path)
{
	(void)path;
	return true;
}

static bool
is_superuser(void)
{
	return target_slot()->uid == 0;
}

/* Each open() has a file of its own behind it. */
static u64
key_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : (u64)st.st_ino << 20 ^ (u64)st.st_dev;
}

/* What reading gives: the counts, four bytes each; nothing where files may not
 * be as long. */
static void
pour(int fd)
{
	const struct machine *m = target.map.m;
	size_t bytes = pfm_profile_bytes(m);
	const char *data = (const char *)m->pfm.bucket;

	pfm_profile_settle(&target.map);
	if (!device_file_fits(bytes))
		return;
	while (bytes) {
		ssize_t n = write(fd, data, bytes);

		if (n <= 0)
			return;
		data += n;
		bytes -= (size_t)n;
	}
}

/* A process that has lost it, or never had it, gets no counts of others. */
static bool
may_read(int fd)
{
	const struct pfm_machine *p = &target.map.m->pfm;

	return !p->owner || p->key == key_of(fd);
}

static void
close_file(int fd)
{
	if (target.map.m->pfm.key == key_of(fd))
		pfm_close(&target.map, getpid());
}

static s64
give_counts(struct device_call *call)
{
	u64 count[PFM_CPUS][1 + PFM_COUNTERS], *word = call->word;
	bool full = call->command == PMCSIM_PFM_READCNTRS;
	unsigned n;
	int error;

	if (call->n != 2 || call->room < 1 + sizeof count / sizeof *word)
		return -EINVAL;
	error = pfm_counts(&target.map, (unsigned)word[0], full, count, &n);
	if (!error && !word[1])
		error = -EFAULT;
	if (error)
		return error;
	*word++ = n;
	for (unsigned row = 0; row < n; row++)
		for (unsigned i = 0; i < 1 + PFM_COUNTERS; i++)
			*word++ = count[row][i];
	call->n = (size_t)(word - call->word);
	return 0;
}

static s64
give_levels(struct device_call *call)
{
	u64 level[PFM_CPUS][PFM_LEVELS], *word = call->word;
	unsigned n;
	int error;

	if (call->n != 1 || call->room < 1 + sizeof level / sizeof *word)
		return -EINVAL;
	error = pfm_levels(&target.map, level, &n);
	if (!error && !word[0])
		error = -EFAULT;
	if (error)
		return error;
	*word++ = n;
	for (unsigned row = 0; row < n; row++)
		for (unsigned i = 0; i < PFM_LEVELS; i++)
			*word++ = level[row][i];
	call->n = (size_t)(word - call->word);
	return 0;
}

static s64
give_registers(struct device_call *call)
{
	u64 word = call->word[1];
	int error = pfm_registers(&target.map, (unsigned)call->word[0], &word);

	return error ? error : device_call_give(call, word);
}

/* Words that each command takes. */
static size_t
arguments(u32 command)
{
	switch (command) {
	case PMCSIM_PFM_OPEN:
	case PMCSIM_PFM_ITEMS:
	case PMCSIM_PFM_FREQUENCY:
	case PMCSIM_PFM_CONTEXTS:
	case PMCSIM_PFM_IPLHIS:
		return 1;
	case PMCSIM_PFM_MUX:
	case PMCSIM_PFM_REGISTERS:
	case PMCSIM_PFM_GETCNT:
	case PMCSIM_PFM_READCNTRS:
		return 2;
	case PMCSIM_PFM_ACT:
		return 3;
	case PMCSIM_PFM_RANGE:
		return 4;
	default:
		return 0;
	}
}

static int
set_range(const u64 *word)
{
	return pfm_range(&target.map, word[0] & RANGE_KERNEL, word[1], word[2],
			 word[0] & RANGE_STRIDE ? (s64)(word[3] & INT64_MAX)
						: -1);
}

/* Those that give nothing. */
static int
change(u32 command, const u64 *word)
{
	struct machine_map *map = &target.map;

	switch (command) {
	case PMCSIM_PFM_ENABLE:
	case PMCSIM_PFM_DISABLE:
		return pfm_interrupts(map, command == PMCSIM_PFM_ENABLE);
	case PMCSIM_PFM_LOGALL:
	case PMCSIM_PFM_LOGSELECT:
		return pfm_log(map, command == PMCSIM_PFM_LOGSELECT,
			       target.slot);
	case PMCSIM_PFM_CLEARPME:
		return pfm_clear_pme(map, target.slot);
	case PMCSIM_PFM_CLEARCNT:
		return pfm_clear(map);
	case PMCSIM_PFM_CALLER:
		return pfm_caller(map);
	case PMCSIM_PFM_ITEMS:
		return pfm_items(map, word[0]);
	case PMCSIM_PFM_MUX:
		return pfm_mux(map, (unsigned)word[0], word[1]);
	case PMCSIM_PFM_FREQUENCY:
		return pfm_frequency(map, word[0], is_superuser());
	case PMCSIM_PFM_CONTEXTS:
		return pfm_contexts(map, word[0], target.slot);
	case PMCSIM_PFM_ACT:
		return pfm_act(map, (unsigned)word[0], (unsigned)word[1],
			       word[2]);
	case PMCSIM_PFM_RANGE:
		return set_range(word);
	}
	return -EINVAL;
}

static s64
pfm_call(struct device_call *call)
{
	u64 key = key_of(call->fd);
	int error;

	target_settle();
	if (call->n < arguments(call->command))
		return call->n ? -EINVAL : -EFAULT;
	if (call->command == PMCSIM_PFM_OPEN) {
		call->n = 0;
		return pfm_open(&target.map, (unsigned)call->word[0],
				target_slot()->tc, getpid(),
				key, is_superuser());
	}
	error = pfm_check(&target.map, getpid(), key);
	if (error)
		return error;
	switch (call->command) {
	case PMCSIM_PFM_GETCNT:
	case PMCSIM_PFM_READCNTRS:
		return give_counts(call);
	case PMCSIM_PFM_IPLHIS:
		return give_levels(call);
	case PMCSIM_PFM_REGISTERS:
		return give_registers(call);
	case PMCSIM_PFM_RSIZE:
		return device_call_give(call, pfm_profile_bytes(target.map.m));
	}
	call->n = 0;
	error = change(call->command, call->word);
	return error ? error : pfm_watch_refresh();
}

const struct device_file pfm_file = {
	.system = SYSTEM_TRU64,
	.path = "/dev/pfcntr",
	.like = {"/dev", "null"},
	.pour = pour,
	.may_write = may_write,
	.may_read = may_read,
	.close = close_file,
	.call = pfm_call,
};
