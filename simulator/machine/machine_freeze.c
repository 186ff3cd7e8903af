/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view of a machine that nothing but its owner changes: of the configuration
 * while a target runs, of all of it when it has ended.  Processes of the target
 * may be left that still write to the mapping.
 */
#include "machine_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_BYTES                                                     \
	((sizeof(struct sim_config) + MACHINE_PAGE - 1) / MACHINE_PAGE * \
	 MACHINE_PAGE)

_Static_assert(offsetof(struct machine, config) % MACHINE_PAGE == 0 &&
	       offsetof(struct machine, config_sum) ==
	       offsetof(struct machine, config) + CONFIG_BYTES, "own pages");

static void *
own_memory(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

int
machine_guard(struct machine_map *map)
{
	void *copy = map->guarded ? NULL : own_memory(CONFIG_BYTES);

	if (map->guarded)
		return 0;
	if (!copy)
		return -errno;
	memcpy(copy, &map->m->config, sizeof map->m->config);
	if (mremap(copy, CONFIG_BYTES, CONFIG_BYTES,
		   MREMAP_MAYMOVE | MREMAP_FIXED, &map->m->config) ==
	    MAP_FAILED) {
		munmap(copy, CONFIG_BYTES);
		return -errno;
	}
	map->guarded = true;
	return 0;
}

/* Copies what there is of the head: most of it was never written to. */
static int
copy_head(int fd, char *to)
{
	off_t end = (off_t)machine_head_bytes(), at = 0, hole;

	while ((at = lseek(fd, at, SEEK_DATA)) >= 0 && at < end) {
		hole = lseek(fd, at, SEEK_HOLE);
		if (hole < 0)
			return -errno;
		if (hole > end)
			hole = end;
		if (pread(fd, to + at, (size_t)(hole - at), at) != hole - at)
			return -EIO;
		at = hole;
	}
	return at < 0 && errno != ENXIO ? -errno : 0;
}

/* So many segments can have been written to: each has a page at least.  One
 * more may be in the hands of each process. */
static u64
most_segments(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return 0;
	return (u64)st.st_blocks * 512 / MACHINE_PAGE + MACHINE_SLOTS;
}

/* Copies the headers of a list; false if it has a segment that is in another
 * one, or there already. */
static bool
copy_list(struct machine_map *map, u32 segments, u32 k)
{
	struct machine_segment *header = map->header;

	for (; k; k = header[k].next) {
		off_t at = (off_t)(machine_head_bytes() +
				   (size_t)(k - 1) * MACHINE_SEGMENT);

		if (k > segments || header[k].used ||
		    pread(map->fd, &header[k], sizeof header[k], at) !=
		    sizeof header[k] || header[k].used < sizeof header[k] ||
		    header[k].used > MACHINE_SEGMENT)
			return false;
	}
	return true;
}

static int
copy_headers(struct machine_map *map, const struct machine *m)
{
	bool sound = true;

	if (m->segments > most_segments(map->fd) ||
	    !machine_has_segments(m, map->fd))
		return -EINVAL;
	map->header = calloc((size_t)m->segments + 1, sizeof *map->header);
	if (!map->header)
		return -ENOMEM;
	for (u32 i = 0; i < m->slots_used && sound; i++)
		if (!i || m->slot[i].state == SLOT_RUNNING)
			sound = copy_list(map, m->segments, m->slot[i].segment);
	return sound && copy_list(map, m->segments, m->log_first) &&
	       copy_list(map, m->segments, m->profile_segment) ? 0 : -EINVAL;
}

int
machine_freeze(struct machine_map *map)
{
	struct machine *copy = map->live ? NULL
					 : own_memory(machine_head_bytes());
	int error;

	if (map->live)
		return 0;
	if (!copy)
		return -errno;
	machine_lock(map);
	error = copy_head(map->fd, (char *)copy);
	copy->config = map->m->config;
	copy->lock = 0;
	if (!error)
		error = machine_is_sound(copy) ? copy_headers(map, copy)
					       : -EINVAL;
	machine_unlock(map);
	if (error) {
		munmap(copy, machine_head_bytes());
		free(map->header);
		map->header = NULL;
		return error;
	}
	map->live = map->m;
	map->m = copy;
	return 0;
}

int
machine_thaw(struct machine_map *map)
{
	struct machine *copy = map->m;

	if (map->guarded && !machine_map_head(map->fd,
					      map->live ? map->live : map->m))
		return -errno;
	map->guarded = false;
	if (!map->live)
		return 0;
	/* What is behind the lock, and slots that have been used. */
	memcpy(&map->live->config, &copy->config,
	       offsetof(struct machine, slot) +
	       copy->slots_used * sizeof copy->slot[0] -
	       offsetof(struct machine, config));
	map->m = map->live;
	map->live = NULL;
	munmap(copy, machine_head_bytes());
	free(map->header);
	map->header = NULL;
	return 0;
}
