/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regions: parts of the target's execution that have names, with what the
 * machine has counted in them (simulator/watch/regions.h).  They are of the
 * machine, all processes together.
 */
#ifndef SIM_MACHINE_REGION_H
#define SIM_MACHINE_REGION_H

#include "machine.h"

/*
 * The number of the region of that name and kind, which is made if there is
 * none; -ENOSPC if there is no room for another one, which is counted.  A name
 * is cut to what there is room for.
 */
int machine_region_find(struct machine_map *map, const char *name,
			enum region_kind kind);

/* Adds counts of a context to those of a region; other processes may do so,
 * too.  n may be negative, as u64. */
void machine_region_add(struct machine_map *map, unsigned region, unsigned tc,
			const u64 n[SIG_N]);

/* Signals of all modes of a region, as machine_totals_modes() has those of a
 * machine: the totals to be asked, in place of *t. */
void machine_region_totals(struct machine_map *map, unsigned region,
			   struct machine_totals *t);

/* Forgets all regions: before another run. */
void machine_regions_clear(struct machine_map *map);

/* Whether names end. */
bool machine_regions_are_sound(const struct machine *m);

#endif
