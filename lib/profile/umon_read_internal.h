/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of umon.out(5) while it is read: umon_read.c, umon_lines.c. */
#ifndef LIB_UMON_READ_INTERNAL_H
#define LIB_UMON_READ_INTERNAL_H

#include "umon.h"

#include <stddef.h>

struct umon_reader {
	const char *path;
	struct pmcsim_umon *u;
	struct pmcsim_profile *p;
	char **module, **build;
	struct pmcsim_image *image;
	struct pmcsim_place *place;
	struct pmcsim_call *call;
	size_t modules_room, builds_room, images_room, places_room,
	       calls_room, listed_room;
	char version;
	size_t n_command, command_room;
	uint64_t cost[PMCSIM_PROFILE_EVENTS];	/* at places so far */
	uint64_t sum;
	unsigned long line;
	bool ended;
};

/*
 * Takes the next line, its end included, of that length; false if it is not as
 * in a profile, or without memory.  The text is changed.
 */
bool umon_take_line(struct umon_reader *r, char *text, size_t length);

/* The version of a file that begins so; 0: of none that we know. */
char umon_version_of(const char *line);

/* The next word, up to a blank, or NULL behind the last. */
char *umon_word(char **rest);
/* The text that the writer has made a word of; the caller's, NULL if it is
 * bad. */
char *umon_text(char **rest);
/* The number that the next word is, of that base; false if it is none, or
 * larger than max. */
bool umon_number(char **rest, unsigned base, uint64_t max, uint64_t *number);

#endif
