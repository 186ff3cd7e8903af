/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The standard streams of targets that are run more than once. */
#ifndef STREAMS_H
#define STREAMS_H

#include "tool.h"

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

/*
 * Reads a standard input that is no file to its end and keeps it in one, which
 * all runs then read; a signal that tool_stop counts ends that.  Ends the tool
 * with a sentence if it cannot be.
 */
void streams_keep_input(const struct tool *tool);

/* Whether standard input is a pipe or socket: what a run has read is gone. */
bool streams_input_passes(void);

/* Whether there is something in it that could be read now. */
bool streams_input_waits(void);

/* What the run is to be given, or NULL for our own. */
const int *streams_fd(const struct streams *streams);

/* Writes kept output to our own streams; 0, or negative errno code. */
int streams_replay(const struct streams *streams);
void streams_close(struct streams *streams);

#endif
