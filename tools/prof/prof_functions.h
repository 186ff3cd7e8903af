/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a profile, each once, by numbers from 0 on in the order in
 * which they are asked for. */
#ifndef PROF_FUNCTIONS_H
#define PROF_FUNCTIONS_H

#include "prof.h"

struct prof_functions {
	const struct tool *tool;
	struct pmcsim_profile_row *row;	/* counts are the caller's */
	size_t n, room;
	unsigned *index;	/* a hash table of numbers, plus 1; 0: empty */
	size_t mask;
};

/* Ends the tool without memory, here and below. */
void prof_functions_init(struct prof_functions *f, const struct tool *tool);
void prof_functions_free(struct prof_functions *f);

/* The number of a frame's function. */
unsigned prof_function(struct prof_functions *f, unsigned module,
		       const struct pmcsim_symbol *frame);

#endif
