/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the records of profile_block.h are: segments of the machine, kept until
 * it goes. */
#ifndef SIM_MACHINE_PROFILE_H
#define SIM_MACHINE_PROFILE_H

#include "profile_block.h"

/* A mapped segment for records of that image; NULL without room. */
struct profile_segment *machine_profile_take(struct machine_map *map,
					     u32 image);

/* Nothing has happened in a record. */
void machine_profile_clear(struct profile_block *r);

/*
 * In a child just forked: replaces a mapped segment of its parent's by one of
 * its own with the same records, of which nothing has happened.  0 or -errno.
 */
int machine_profile_fork(struct machine_map *map, u32 image, void *old);

/* Calls fn with each record, until it returns something other than 0, which
 * is returned; -EINVAL if they cannot be read. */
int machine_profile_read(struct machine_map *map,
			 int (*fn)(void *arg, u32 image,
				   const struct profile_block *r), void *arg);

#endif
