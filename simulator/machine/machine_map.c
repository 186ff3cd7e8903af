/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's file: made, mapped, and kept from running full. */
#include "machine_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LOCK_PATIENCE 3000	/* ms; the longest that it is kept is some ms */

size_t
machine_head_bytes(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (sizeof(struct machine) + page - 1) / page * page;
}

/*
 * A memfd grows with the memory there is, and dies with its processes; any
 * other file is taken for one on a file system of limited size.
 */
static bool
is_lasting(int fd)
{
	struct statfs fs;
	struct stat st;

	return fstatfs(fd, &fs) || fstat(fd, &st) ||
	       fs.f_type != TMPFS_MAGIC || st.st_nlink;
}

int
machine_reserve(struct machine_map *map, size_t offset, size_t bytes)
{
	int error;

	if (!map->m->lasting)
		return 0;
	do
		error = posix_fallocate(map->fd, (off_t)offset, (off_t)bytes);
	while (error == EINTR);
	return -error;
}

int
machine_file_extend(int fd, off_t need, off_t wish)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit))
		return -errno;
	if (limit.rlim_cur < (rlim_t)need)
		return -EFBIG;
	if (wish < need || limit.rlim_cur < (rlim_t)wish)
		wish = need;
	return ftruncate(fd, wish) ? -errno : 0;
}

void *
machine_map_head(int fd, void *addr)
{
	void *p = mmap(addr, machine_head_bytes(), PROT_READ | PROT_WRITE,
		       MAP_SHARED | (addr ? MAP_FIXED : 0), fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int
map_head(struct machine_map *map, int fd)
{
	void *p = machine_map_head(fd, NULL);

	if (!p)
		return -errno;
	*map = (struct machine_map){
		.m = p, .fd = fd, .totals = malloc(sizeof *map->totals),
		.patience = LOCK_PATIENCE,
	};
	machine_lock_look(map);
	if (map->totals)
		return 0;
	machine_detach(map);
	return -ENOMEM;
}

/* Which start of the host this is; empty if the host does not say. */
static void
read_boot_id(char id[40])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, id, 36);

	id[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* FNV-1a, by words, and by characters of the signals' names: counts are kept
 * by their numbers, which are others where signals are. */
_Static_assert(sizeof(struct sim_config) % sizeof(u64) == 0, "words");
static u64
sum_config(const struct sim_config *config)
{
	const char *at = (const char *)config;
	const u64 prime = 0x100000001b3;
	u64 sum = 0xcbf29ce484222325, word;

	for (size_t i = 0; i < sizeof *config / sizeof word; i++) {
		memcpy(&word, at + i * sizeof word, sizeof word);
		sum = (sum ^ word) * prime;
	}
	for (enum sim_signal s = 0; s < SIG_N; s++)
		for (const char *name = signal_name(s); *name; name++)
			sum = (sum ^ (u64)*name) * prime;
	return sum;
}

void
machine_seal(struct machine *m)
{
	m->config_sum = sum_config(&m->config);
}

/* Everything but the magic number, which says that the rest is there. */
static void
init_machine(struct machine *m, const struct sim_config *config,
	     const char *cpu_name)
{
	m->version = MACHINE_VERSION;
	m->size_check = sizeof(struct machine);
	m->config = *config;
	machine_seal(m);
	m->n_counters = config->n_counters;
	m->need = NEED_COUNT;
	m->slots_used = 1;
	m->slot[0].mode = MODE_USER;
	for (unsigned n = 0; n < SIM_WIDE_COUNTERS; n++)
		m->counter[n].event = -1;
	snprintf(m->cpu_name, sizeof m->cpu_name, "%s", cpu_name);
	read_boot_id(m->boot_id);
}

/* Reserves what is written from the beginning: all before the slots of
 * processes.  The slots follow as they are taken. */
static int
reserve_head(int fd)
{
	off_t bytes = offsetof(struct machine, slot[1]);
	int error;

	do
		error = posix_fallocate(fd, 0, bytes);
	while (error == EINTR);
	return -error;
}

int
machine_create(struct machine_map *map, int fd,
	       const struct sim_config *config, const char *cpu_name)
{
	bool lasting = is_lasting(fd);
	int error;

	if (config->n_counters > SIM_MAX_COUNTERS ||
	    config->n_events > SIM_MAX_EVENTS ||
	    config->topo.tcs > SIM_MAX_TC)
		return -EINVAL;
	if (ftruncate(fd, 0))
		return -errno;
	error = machine_file_extend(fd, (off_t)machine_head_bytes(), 0);
	if (error)
		return error;
	if (lasting) {
		error = reserve_head(fd);
		if (error)
			return error;
	}
	error = map_head(map, fd);
	if (error)
		return error;
	init_machine(map->m, config, cpu_name);
	map->m->lasting = lasting;
	__atomic_store_n(&map->m->magic, MACHINE_MAGIC, __ATOMIC_RELEASE);
	return 0;
}

/* Only what is written takes memory, which is at most an eighth of what the host
 * has. */
#define KEPT_MOST ((off_t)512 << 20)

static off_t
kept_bytes(void)
{
	off_t page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_PHYS_PAGES);
	off_t most = pages / 8 * page;

	return most < KEPT_MOST ? most : KEPT_MOST;
}

int
machine_keep_new(void)
{
	int fd = memfd_create("pmcsim-code", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (!machine_file_extend(fd, kept_bytes(), 0) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fd;
	close(fd);
	return -1;
}

void
machine_keep(struct machine_map *map, int fd, bool again)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return;
	map->m->kept.device = st.st_dev;
	map->m->kept.inode = st.st_ino;
	map->m->kept.again = again;
	map->m->kept.fd = fd;
	map->m->kept.pid = getpid();
}

bool
machine_is_sealed(const struct machine *m)
{
	return m->config_sum == sum_config(&m->config);
}

/*
 * After the host went down: the lock's owner may be gone, and pids mean
 * other processes.  What the journal says is finished first.
 */
static void
put_in_order(struct machine_map *map)
{
	struct machine *m = map->m;

	m->lock = 0;
	journal_apply(map);
	for (unsigned i = 1; i < m->slots_used; i++) {
		machine_slot_retire(map, i);
		while (m->slot[i].forks)
			machine_fork_cancel(map, i);
	}
}

/*
 * Lets the first one that attaches after a start of the host put a lasting
 * machine in order, while others wait.  Where /proc is out of reach, nothing
 * is known, and nothing done: the machine may be running.
 */
static int
check_boot(struct machine_map *map)
{
	char id[sizeof map->m->boot_id];

	read_boot_id(id);
	if (!map->m->lasting || !id[0] || !map->m->boot_id[0] ||
	    !strcmp(id, map->m->boot_id))
		return 0;
	while (flock(map->fd, LOCK_EX))
		if (errno != EINTR)
			return -errno;
	if (strcmp(id, map->m->boot_id)) {
		put_in_order(map);
		strcpy(map->m->boot_id, id);
	}
	flock(map->fd, LOCK_UN);
	return 0;
}

int
machine_attach(struct machine_map *map, int fd)
{
	struct stat st;
	int error;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)machine_head_bytes())
		return -EINVAL;
	error = map_head(map, fd);
	if (error)
		return error;
	error = machine_is_sound(map->m) && machine_has_segments(map->m, fd)
			? check_boot(map) : -EINVAL;
	if (error)
		machine_detach(map);
	return error;
}

void
machine_detach(struct machine_map *map)
{
	if (map->log)
		munmap(map->log, MACHINE_SEGMENT);
	map->log = NULL;
	map->log_mapped = 0;
	munmap(map->m, machine_head_bytes());
	if (map->live)
		munmap(map->live, machine_head_bytes());
	map->m = map->live = NULL;
	free(map->header);
	map->header = NULL;
	free(map->totals);
	map->totals = NULL;
	map->fd = -1;
}
