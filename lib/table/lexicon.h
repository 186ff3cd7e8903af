/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What struct pmcsim_lexicon is inside the library. */
#ifndef LEXICON_H
#define LEXICON_H

#include "table.h"

struct pmcsim_lexicon {
	const struct pmcsim_cpu *cpu;
	struct table_file file;		/* owns the strings */
	struct pmcsim_named *named;	/* those of the file, then the CPU's */
	struct sim_event *event;	/* of each of them: its signals */
	struct pmcsim_quotient_of *metric;
	size_t n, n_words, n_metrics;
};

#endif
