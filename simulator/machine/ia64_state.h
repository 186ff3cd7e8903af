/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine keeps for the registers of Itanium (ia64.h). */
#ifndef DEVICE_IA64_STATE_H
#define DEVICE_IA64_STATE_H

#include "types.h"

#define IA64_FIRST 4		/* the first generic monitor, after PMC0..3 */
#define IA64_MONITORS 4
#define IA64_REGISTERS (IA64_FIRST + IA64_MONITORS)

/* Registers that act on the monitors; 0 throughout: least privileged. */
struct ia64_control {
	u64 bits;		/* of the PSR, its cpl apart */
	u8 raised;		/* levels above the least: 3 - PSR.cpl */
	u64 pmc[IA64_REGISTERS]; /* what differs from ia64_pmc_reset() */
};

struct ia64_machine {
	struct ia64_control now;  /* as it acts */
	struct ia64_control next; /* as written: acts once serialized */
	u64 pmd[IA64_MONITORS];	  /* written and not yet serialized ... */
	u8 pmd_written;		  /* ... bit per monitor */
	u32 wraps[IA64_MONITORS]; /* overflows since the PMD was written */
	u32 interrupts;		  /* so far */
};

#endif
