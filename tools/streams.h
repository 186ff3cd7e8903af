/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The standard streams of targets that are run more than once. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stdbool.h>

struct streams {
	int fd[3];	/* -1: ours */
	bool kept;
};

/*
 * Before a run.  One at a time (kept false), it has our own streams, and a
 * standard input that is a file is read from where it stood at the first
 * run.  Side by side, each opens that file for itself or reads nothing, and
 * its output is kept.  0, or negative errno code.
 */
int streams_open(struct streams *streams, bool kept);

/* What the run is to be given, or NULL for our own. */
const int *streams_fd(const struct streams *streams);

/* Writes kept output to our own streams; 0, or negative errno code. */
int streams_replay(const struct streams *streams);
void streams_close(struct streams *streams);

#endif
