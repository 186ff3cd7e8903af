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

/* Whether there are events of all names that the CPU's fixed counters have;
 * -EINVAL with file and line. */
int lexicon_check_fixed(const struct pmcsim_lexicon *l,
			struct pmcsim_error *error);

#endif
