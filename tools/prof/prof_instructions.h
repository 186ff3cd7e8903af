/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instructions of a profile, each once, with their procedures and lines. */
#ifndef PROF_INSTRUCTIONS_H
#define PROF_INSTRUCTIONS_H

#include "prof.h"

/* An address, as a row of its procedure, and what has been put there that it
 * is of; or NULL. */
struct prof_instruction {
	struct pmcsim_profile_row row; /* with its line */
	uint64_t offset;
	const char *inlined;
};

/* Those that are listed, by procedure and offset; the caller's. */
struct prof_instruction *prof_instructions(const struct prof *p, size_t *n);

/* Adds what happened at a row to another. */
void prof_add(struct pmcsim_profile_row *to,
	      const struct pmcsim_profile_row *row);

/* Instructions as text: their files are opened when they are first asked
 * for. */
struct prof_code;
struct prof_code *prof_code_open(const struct prof *p);
/* The instruction's text until the next call, or NULL. */
const char *prof_code_text(struct prof_code *c,
			   const struct prof_instruction *at);
void prof_code_close(struct prof_code *c);

#endif
