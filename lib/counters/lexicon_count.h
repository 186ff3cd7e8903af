/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an event that has been asked for counts of signals. */
#ifndef LEXICON_COUNT_H
#define LEXICON_COUNT_H

#include "machine_api.h"

#include "table/lexicon.h"

#define MODES_ALL ((1u << MODE_N) - 1)

/* A count, or nanoseconds. */
u64 lexicon_count(const struct pmcsim_lexicon *l,
		  const struct sim_config *config,
		  const struct pmcsim_ask *ask, const u64 sig[SIG_N]);

/* The same of totals, in the modes that are asked for. */
void lexicon_value(const struct pmcsim_lexicon *l,
		   const struct machine *machine,
		   const struct machine_totals *t,
		   const struct pmcsim_ask *ask, struct pmcsim_value *value);

#endif
