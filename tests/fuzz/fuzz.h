/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the fuzzer share. */
#ifndef FUZZ_H
#define FUZZ_H

#include "../../lib/table.h"
#include "../unit/oracle.h"

/* What a run has counted, as far as that was asked for. */
struct fuzz_counts {
	bool asked[SIG_N];
	u64 n[SIG_N];
	u64 cycles;
	int status;	/* that the command has ended with */
};

/* Another machine, which the checks of tables let pass. */
void fuzz_change(struct pmcsim_cpu *cpu, struct dice *d);

/* A law that these counts of all signals break, from the i-th on; its number,
 * or -1. */
int fuzz_broken(const struct sim_config *config,
		const struct fuzz_counts *counts, int i);
/* Its text. */
const char *fuzz_law(int i);

#endif
