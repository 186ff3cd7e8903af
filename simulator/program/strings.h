/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PROGRAM_STRINGS_H
#define PROGRAM_STRINGS_H

#include "machine/types.h"

/* A NULL-terminated list of strings that it owns; zeroed: empty. */
struct strings {
	char **s;
	size_t n, room;
	bool failed;		/* there was no memory for one */
};

/* Appends text, which the list owns from now on; NULL counts as no memory. */
void strings_own(struct strings *list, char *text);

/* Appends a copy. */
void strings_add(struct strings *list, const char *text);

/* Appends an option and its number. */
void strings_add_number(struct strings *list, const char *option,
			unsigned number);

/* Puts a copy in front. */
void strings_push(struct strings *list, const char *text);

void strings_free(struct strings *list);

#endif
