/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of pfm(7) share; with the machine's lock held. */
#ifndef DEVICE_PFM_INTERNAL_H
#define DEVICE_PFM_INTERNAL_H

#include "pfm.h"

/* Of the calls that a CPU has: 4, 5 or 6; 0: none. */
unsigned pfm_family(const struct sim_config *config);

/* Before something changes: what has been counted is kept. */
void pfm_settle(struct machine_map *map);

/* And behind: counting begins anew, and watches take notice. */
void pfm_restart(struct machine_map *map);

#define PFM_INSTRUCTIONS 4	/* per bucket of a profile, if not given */

#define PFM_KERNEL_TEXT 0xfffffc0000230000ull
#define PFM_KERNEL_STEP 0x1000

/* A profile of the kernel begins; and it has what has been kept so far. */
void pfm_kernel_begin(struct machine_map *map);
void pfm_kernel_settle(struct machine_map *map);

static inline u64
pfm_total(const struct pfm_counts *c, unsigned cpu, unsigned n)
{
	return c->n[cpu][n][PFM_USER] + c->n[cpu][n][PFM_KERNEL];
}

/* What a counter has since its last interrupt. */
static inline u64
pfm_rest(const struct pfm_machine *p, const struct pfm_counts *c,
	 unsigned cpu, unsigned n)
{
	return pfm_total(c, cpu, n) & ((1ull << p->shift[n]) - 1);
}

/* Gives it another, with the interrupts so far or none. */
static inline void
pfm_set_rest(struct pfm_machine *p, unsigned cpu, unsigned n, u64 rest,
	     bool keep)
{
	u64 *kept = p->kept.n[cpu][n];
	u64 all = pfm_total(&p->kept, cpu, n) >> p->shift[n] << p->shift[n];

	kept[PFM_USER] = (keep ? all : 0) + rest;
	kept[PFM_KERNEL] = 0;
	p->kernel_known[cpu][n] = 0;
}

#endif
