/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's file: made, mapped, locked, and kept from running full. */
#include "machine_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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

static int
map_head(struct machine_map *map, int fd)
{
	void *p = mmap(NULL, machine_head_bytes(), PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	map->m = p;
	map->fd = fd;
	return 0;
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

/* Everything but the magic number, which says that the rest is there. */
static int
init_machine(struct machine *m, const struct sim_config *config,
	     const char *cpu_name)
{
	m->version = MACHINE_VERSION;
	m->size_check = sizeof(struct machine);
	m->config = *config;
	m->n_counters = config->n_counters;
	m->need = NEED_COUNT;
	m->slots_used = 1;
	for (unsigned n = 0; n < SIM_WIDE_COUNTERS; n++)
		m->counter[n].event = -1;
	snprintf(m->cpu_name, sizeof m->cpu_name, "%s", cpu_name);
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
	if (ftruncate(fd, 0) ||
	    ftruncate(fd, (off_t)machine_head_bytes()))
		return -errno;
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

/* Whether the numbers that index something are in range. */
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
	       m->slots_used >= 1 && m->slots_used <= MACHINE_SLOTS;
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
	if (!is_sound(map->m)) {
		machine_detach(map);
		return -EINVAL;
	}
	return 0;
}

void
machine_detach(struct machine_map *map)
{
	munmap(map->m, machine_head_bytes());
	map->m = NULL;
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
