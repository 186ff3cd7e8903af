/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine keeps for pfm(7): the device, and with each process. */
#ifndef DEVICE_PFM_STATE_H
#define DEVICE_PFM_STATE_H

#include "distance.h"

#define PFM_COUNTERS 3
#define PFM_CPUS 16
#define PFM_CAUSES 11	/* of the ledger */
#define PFM_RANGES 4		/* that PCNTCALLER adds */
#define PFM_BUCKETS 65536	/* of a profile, of all CPUs together */

/* Rows of counts: what the user's programs do, and the kernel for them. */
enum { PFM_USER, PFM_KERNEL, PFM_ROWS };

struct pfm_counts {
	u64 n[PFM_CPUS][PFM_COUNTERS][PFM_ROWS];
};

/* A process's. */
struct pfm_process {
	bool pme;		/* the bit in its PCB */
	struct pfm_counts start; /* its events when it came to count */
};

struct pfm_range {
	u64 start, end;
};

struct pfm_machine {
	s32 owner;		/* that has it open; 0: none */
	u64 key;		/* of its descriptor */
	u8 mode;		/* enum pfm_mode */
	u8 cpu;			/* of PFM_ONE */
	u8 items;		/* mask of enum pfm_item */
	bool interrupts;
	bool selected;		/* only processes with the bit */
	bool caller;
	u8 on;			/* mask of the counters that are enabled */
	u8 modes[PFM_ROWS];	/* that count, bit per enum sim_mode */
	s32 event[PFM_COUNTERS]; /* index, or -1 */
	u8 shift[PFM_COUNTERS];	/* an interrupt each 1 << shift happenings */
	bool sampled;		/* ProfileMe: of counter 0 it is recorded what
				   each instruction has that counter 1 samples */
	bool pairs;		/* ... and with it whether it retired */
	u32 changes;		/* of what is watched, to be noticed */
	struct pfm_counts kept;	/* up to when counting began or changed */
	struct pfm_counts levels; /* the same since the IPLs were cleared */
	struct pfm_counts start; /* the machine's events then */
	u64 cycle[PFM_CPUS];	/* when the cycle counts were cleared */

	/* The profile. */
	bool user, kernel;	/* which one is on */
	struct pfm_range range;
	u32 n_ranges;
	struct pfm_range more[PFM_RANGES];
	u64 instructions;	/* per bucket; 0: one for all of the range */
	u64 stride;		/* bytes per bucket */
	u32 n_buckets;		/* of a CPU, two of a pair; 0: no profile */
	u32 bucket[PFM_BUCKETS];
	sample_distance left[PFM_COUNTERS]; /* to the next tick */

	/* Of the kernel's: what the ledger had when it was looked at last, and
	 * what each cause has on top of its ticks. */
	u64 kernel_known[PFM_CPUS][PFM_COUNTERS];
	u64 cause_known[PFM_CPUS][PFM_CAUSES];
	u64 cause_rest[PFM_CPUS][PFM_COUNTERS][PFM_CAUSES];
};

#endif
