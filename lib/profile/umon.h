/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of umon.out(5), as its writer and its reader share it. */
#ifndef LIB_UMON_H
#define LIB_UMON_H

#include "pmcsim.h"

/* The first line but for the version. */
#define UMON_MAGIC "pmcsim-umon "
#define UMON_OLDEST '2'		/* without build ids */
#define UMON_PLAIN '3'		/* without calls */
#define UMON_CALLS '4'
#define UMON_REGIONS 2		/* more, with regions */
#define UMON_VERSION '6'
#define UMON_SUM UINT64_C(0xcbf29ce484222325)	/* of nothing */

/* The checksum of what has that sum and the text behind it. */
uint64_t umon_sum(uint64_t sum, const char *text, size_t length);

/* ---- umon_regions.c */
void umon_free_regions(struct pmcsim_umon *u);

/* Puts one behind the others; false without memory.  The name is copied. */
bool umon_add_region(struct pmcsim_umon *u,
		     const struct pmcsim_umon_region *region);

/* Whether the regions of two profiles can be added up. */
bool umon_regions_alike(const struct pmcsim_umon *a,
			const struct pmcsim_umon *b);

/* Adds those of another one up by name: 0 or -ENOMEM; with that, to is as it
 * was. */
int umon_sum_regions(struct pmcsim_umon *to, const struct pmcsim_umon *other);

#endif
