/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU table of the processor that we run on: "host". */
#ifndef TABLE_HOST_H
#define TABLE_HOST_H

#include "pmcsim.h"

#include <stdbool.h>

/* The name that stands for it. */
#define HOST_NAME "host"

/* 0: not known. */
struct host_cache {
	unsigned size, ways, line;	/* bytes; lines of a set; bytes */
};

struct host_tlb {
	unsigned entries, ways;		/* ways 0: fully associative */
};

/* What is known of a processor.  4 kB pages. */
struct host_facts {
	char vendor[13], brand[49];
	unsigned long long hz;		/* highest */
	struct host_cache l1i, l1d, l2, l3;
	/* The second level for both, or for instructions and data. */
	struct host_tlb itlb, dtlb, both, second_i, second_d;
};

/* Asks cpuid, and the folder that is /sys/devices/system/cpu, or
 * $PMCSIM_HOST_CPU if that is set. */
void host_ask(struct host_facts *f);

/* The same in two parts: caches and clock, of the folder; and the rest. */
void host_ask_folder(struct host_facts *f, const char *folder);
void host_ask_processor(struct host_facts *f);

/*
 * A table in YAML, which the caller frees: the numbers that are known on the
 * core of the nearest processor that there is a table of.  What is not known,
 * or cannot be modelled, is said in it.  -ENOENT, -ENOMEM and others, with
 * the sentence in error.
 */
int host_table(const struct host_facts *f, char **text,
	       struct pmcsim_error *error);

#endif
