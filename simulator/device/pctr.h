/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * OpenBSD's pctr(4): two counters of 40 bits, the time stamp counter and the
 * idle count.
 *
 * A function is what PCIOCS0 and PCIOCS1 take: 9 bits on a Pentium, a whole
 * event select register on a Pentium Pro.
 */
#ifndef DEVICE_PCTR_H
#define DEVICE_PCTR_H

#include "machine/pmu.h"

#define PCTR_COUNTERS 2

/* Pentium. */
#define PCTR_P5_EVENT 0x3fu
#define PCTR_P5_KERNEL 0x40u
#define PCTR_P5_USER 0x80u
#define PCTR_P5_CYCLES 0x100u	/* cycles of the event, not events */
#define PCTR_P5_LIMIT 0x200u

/* Pentium Pro. */
#define PCTR_P6_EVENT 0xffu
#define PCTR_P6_MASK_SHIFT 8
#define PCTR_P6_USER 0x010000u
#define PCTR_P6_KERNEL 0x020000u
#define PCTR_P6_EDGE 0x040000u
#define PCTR_P6_RESERVED 0x380000u
#define PCTR_P6_ENABLE 0x400000u
#define PCTR_P6_INVERT 0x800000u
#define PCTR_P6_THRESHOLD_SHIFT 24

/* struct pctrst of the manual, with fields of one size everywhere. */
struct pctr_state {
	u32 function[PCTR_COUNTERS];
	u64 tsc;
	u64 counter[PCTR_COUNTERS];
	u64 idle;
};

/*
 * Whether counter n can be given a function: 0, -ENODEV on a CPU without
 * counters, -EINVAL for a function that does not exist, or asks for something
 * that the model cannot tell: edges, or cycles by how often an event happens in
 * them, of an event of which that is not known.
 */
int pctr_check(const struct sim_config *config, unsigned n, u32 function);

/* Selects what counter n counts and sets it to zero.  As pctr_check(), or
 * -EPERM where the descriptor is not open for writing. */
int pctr_select(struct machine_map *map, unsigned n, u32 function,
		bool writable);

/*
 * Reads everything at one time.  The time stamp counter has all cycles of
 * the machine, of all processes and modes, since it was made.
 */
void pctr_read(struct machine_map *map, struct pctr_state *state);

/* Family, model and stepping as cpuid(1) has them: what the table says, or
 * 0x52c for a Pentium, 0x619 for a Pentium Pro; 0 without counters. */
u32 pctr_cpuid(const struct sim_config *config);

/* What is known of kernel mode in what counter n counts, once it is enabled. */
enum pmu_others pctr_others(const struct machine *m, unsigned n);

#endif
