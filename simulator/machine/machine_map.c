/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's file: made, mapped, locked, and kept from running full. */
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

static int
map_head(struct machine_map *map, int fd)
{
	void *p = mmap(NULL, machine_head_bytes(), PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	*map = (struct machine_map){
		.m = p, .fd = fd, .totals = malloc(sizeof *map->totals),
	};
	if (map->totals)
		return 0;
	machine_detach(map);
	return -ENOMEM;
}

static int
init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;
	int error = pthread_mutexattr_init(&attr);

	if (error)
		return -error;
	error = pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	if (!error)
		error = pthread_mutexattr_setrobust(&attr,
						    PTHREAD_MUTEX_ROBUST);
	if (!error)
		error = pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
	return -error;
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
static int
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
	return init_lock(&m->lock);
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
	error = init_machine(map->m, config, cpu_name);
	if (error) {
		machine_detach(map);
		return error;
	}
	map->m->lasting = lasting;
	__atomic_store_n(&map->m->magic, MACHINE_MAGIC, __ATOMIC_RELEASE);
	return 0;
}

/* Whether the numbers that index something are in range, and the configuration
 * of a file is what it was. */
static bool
is_sound(const struct machine *m)
{
	return __atomic_load_n(&m->magic, __ATOMIC_ACQUIRE) == MACHINE_MAGIC &&
	       m->version == MACHINE_VERSION &&
	       m->size_check == sizeof(struct machine) &&
	       m->n_counters <= SIM_WIDE_COUNTERS &&
	       m->config.n_counters <= SIM_MAX_COUNTERS &&
	       m->config.n_events <= SIM_MAX_EVENTS &&
	       m->config.topo.tcs <= SIM_MAX_TC &&
	       (!m->lasting || m->config_sum == sum_config(&m->config)) &&
	       memchr(m->boot_id, 0, sizeof m->boot_id) &&
	       m->slots_used >= 1 && m->slots_used <= MACHINE_SLOTS;
}

/*
 * After the host went down: the lock may be held by nobody, and pids mean
 * other processes.  What the journal says is finished first.
 */
static int
put_in_order(struct machine_map *map)
{
	struct machine *m = map->m;
	int error;

	memset(&m->lock, 0, sizeof m->lock);
	error = init_lock(&m->lock);
	if (error)
		return error;
	journal_apply(map);
	for (unsigned i = 1; i < m->slots_used; i++) {
		machine_slot_retire(map, i);
		while (m->slot[i].forks)
			machine_fork_cancel(map, i);
	}
	return 0;
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
	int error = 0;

	read_boot_id(id);
	if (!map->m->lasting || !id[0] || !map->m->boot_id[0] ||
	    !strcmp(id, map->m->boot_id))
		return 0;
	while (flock(map->fd, LOCK_EX))
		if (errno != EINTR)
			return -errno;
	if (strcmp(id, map->m->boot_id)) {
		error = put_in_order(map);
		if (!error)
			strcpy(map->m->boot_id, id);
	}
	flock(map->fd, LOCK_UN);
	return error;
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
	error = is_sound(map->m) ? check_boot(map) : -EINVAL;
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
	map->m = NULL;
	free(map->totals);
	map->totals = NULL;
	map->fd = -1;
}

void
machine_lock(struct machine_map *map)
{
	struct machine *m = map->m;

	if (pthread_mutex_lock(&m->lock) != EOWNERDEAD)
		return;
	journal_apply(map);
	pthread_mutex_consistent(&m->lock);
}

void
machine_unlock(struct machine_map *map)
{
	pthread_mutex_unlock(&map->m->lock);
}
