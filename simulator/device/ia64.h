/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The performance monitors of Itanium: PMC and PMD registers and the bits of
 * the PSR that rule them (architecture manual, volume 2, 7.2).
 *
 * A monitor i counts while
 *	!PMC0.fr && PMC[i].plm[PSR.cpl] && (PMC[i].pm ? PSR.pp : PSR.up)
 * There is one processor, whose registers all processes see.  Its cpl is the
 * one that programs have; what the accounts add for the operating system
 * happens at level 0, with the same PSR.up and PSR.pp.
 *
 * What is written acts at the next serialization and not before.  cpl is the
 * level that executes an operation, 0 to 3.  Functions return 0, -EPERM for
 * a Privileged Operation fault, -EINVAL for a Reserved Register/Field fault.
 */
#ifndef DEVICE_IA64_H
#define DEVICE_IA64_H

#include "machine/pmu.h"

#define IA64_PSR_UP (1ull << 2)	 /* monitors of users run */
#define IA64_PSR_SP (1ull << 20) /* ... are secured */
#define IA64_PSR_PP (1ull << 21) /* privileged monitors run */
#define IA64_PSR_CPL_SHIFT 32

#define IA64_PMC0_FR 1ull	/* freeze */
#define IA64_PMC_PLM 0xfull	/* levels, a bit each */
#define IA64_PMC_EV (1ull << 4)
#define IA64_PMC_OI (1ull << 5)	/* overflow freezes and interrupts */
#define IA64_PMC_PM (1ull << 6)	/* privileged monitor */
#define IA64_PMC_ES_SHIFT 8
#define IA64_PMC_UMASK_SHIFT 16
#define IA64_PMC_THRESHOLD_SHIFT 20
#define IA64_PMC4_ENABLE (1ull << 23) /* Itanium 2: all monitors have power */

#define IA64_NUMBERS 256	/* of registers that can be named */

/* mov pmc[], = mov pmc[]: privileged.  Of a register that there is not,
 * writes are ignored and reads give 0. */
int ia64_set_pmc(struct machine_map *map, unsigned cpl, u64 i, u64 value);
int ia64_get_pmc(struct machine_map *map, unsigned cpl, u64 i, u64 *value);

/* mov pmd[]: privileged; = mov pmd[]: for everybody, but 0 at other levels
 * than 0 for a privileged monitor, or while PSR.sp secures them. */
int ia64_set_pmd(struct machine_map *map, unsigned cpl, u64 i, u64 value);
int ia64_get_pmd(struct machine_map *map, unsigned cpl, u64 i, u64 *value);

/* sum, rum: bits 1 to 5; PSR.up stays as it is while PSR.sp is set. */
int ia64_user_mask(struct machine_map *map, u64 mask, bool set);

/* ssm, rsm: bits of PSR{23:0}; privileged. */
int ia64_system_mask(struct machine_map *map, unsigned cpl, u64 mask,
		     bool set);

/* srlz.d */
void ia64_serialize(struct machine_map *map);

/* The PSR as it was last written. */
u64 ia64_psr(const struct machine_map *map);

/* The level that programs have, and what enters another one: an interruption
 * or a return from it, which serializes.  -EINVAL for more than 3. */
unsigned ia64_cpl(const struct machine_map *map);
int ia64_set_cpl(struct machine_map *map, u64 cpl);

/* What PMC i reads before it is written: software writes these bits as it
 * has read them. */
u64 ia64_pmc_reset(const struct sim_config *config, u64 i);

/* The enable rule, for monitor i from IA64_FIRST on, at a level. */
bool ia64_enabled(const struct ia64_control *control, unsigned i,
		  unsigned cpl);

/*
 * Looks for overflows: sets overflow bits; if PMC.oi asks for it, freezes
 * all and interrupts.  How many interrupts there have been.
 */
u32 ia64_settle(struct machine_map *map);

/* How much monitor n (0: PMD4) can count until it interrupts; 0: it does
 * not, or is not counting. */
u64 ia64_distance(struct machine_map *map, unsigned n);

/* What monitor n, of those there are, has come to in 64 bits. */
u64 ia64_count(struct machine_map *map, unsigned n);

/* The code of the event that a PMC selects: es, the unit mask from bit 8. */
unsigned ia64_code(const struct sim_config *config, u64 pmc);

#endif
