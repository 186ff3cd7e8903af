/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of source files, by line. */
#ifndef PROF_TEXT_H
#define PROF_TEXT_H

#include "prof.h"

/* A source file; without lines if it was not found. */
struct prof_text {
	const char *name;	/* as DWARF has it */
	char *bytes;
	char **line;		/* each ends with a null character */
	size_t n;
};

/* All that a run of the tool has asked for. */
struct prof_texts;
struct prof_texts *prof_texts_open(const struct prof *p);

/* A file by its name in DWARF, looked for there and below the folders of
 * -source; until the texts are closed. */
const struct prof_text *prof_text(struct prof_texts *t, const char *name);

/* Says in one note which were not found, and in another which are newer than
 * the data. */
void prof_texts_tell(const struct prof_texts *t);
void prof_texts_close(struct prof_texts *t);

#endif
