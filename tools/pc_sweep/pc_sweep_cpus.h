/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "pc_sweep --cpus" counts, and what its report shows. */
#ifndef PC_SWEEP_CPUS_H
#define PC_SWEEP_CPUS_H

#include "pc_sweep.h"

#include "common/tidy.h"

#define CPUS 16
#define ROWS 20

/* A count or metric, and the groups that it is of. */
struct row {
	const char *name;
	bool metric;
	const char *unit;	/* "": a ratio */
	const char *groups;	/* each with a blank behind it */
};

/* What a row is on a processor. */
struct figure {
	bool known;
	double value;
};

struct sides {
	const struct sweep_options *o;
	char *names[CPUS];
	struct pmcsim_cpu *cpu[CPUS];
	size_t n;
	bool chosen[ROWS];
	struct figure figure[ROWS][CPUS];
	unsigned doubts;	/* of any processor, see pmcsim_machine_doubts() */
	bool partial;
	int status;
};

extern const struct row sides_row[ROWS];

/* Writes them in the format that is asked for. */
#define SIDES_COLUMNS "kind,name,value,unit,reason"
void sides_write(const struct sides *s, FILE *out);

#endif
