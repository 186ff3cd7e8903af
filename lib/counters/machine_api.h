/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What struct pmcsim_machine is inside the library. */
#ifndef MACHINE_API_H
#define MACHINE_API_H

#include "machine/machine.h"
#include "machine/pmu.h"
#include "pmcsim.h"

struct pmcsim_machine {
	struct machine_map map;
	int fd;		/* of the file: a map that is detached has none */
	char *path;	/* by which the engine opens the machine */
	bool asked;	/* for events by name, which need no counter */
};

/* Signals of all modes of the region of that number: the caller's, or NULL. */
struct machine_totals *region_totals(struct pmcsim_machine *m,
				     unsigned number);

/* See "unknown" of struct pmcsim_value. */
const char *unknown_text(enum pmu_others others, unsigned modes);
const char *unknown_modes(const struct sim_config *config, bool system,
			  unsigned counter, unsigned code, unsigned modes);

#endif
