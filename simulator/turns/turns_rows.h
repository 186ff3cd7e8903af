/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls as the turns tell them apart, by number and instruction set. */
#ifndef TURNS_ROWS_H
#define TURNS_ROWS_H

#include "machine/types.h"

#include <stdbool.h>

enum row_kind {
	ROW_NONE,	/* none of these */
	ROW_CLONE,
	ROW_EXIT,
	ROW_EXIT_GROUP,
	ROW_LAST,
	ROW_AFFINITY,
	ROW_FILE,	/* blocks unless nothing waits for such a file */
	ROW_SPLICE,	/* the same of the first of two */
	ROW_LOCK,	/* fcntl: blocks if it waits for a lock */
	ROW_BLOCK,
	ROW_YIELD,	/* wakes none; counts as a call that may wait for others */
	ROW_PLAIN,	/* see turn_call_is_plain() */
	ROW_QUIET,	/* see turn_call_is_quiet(): always, */
	ROW_CLOSE,	/* if the file is a regular one, */
	ROW_OPEN,	/* ... or what the path leads to is, */
	ROW_OPENAT,
	ROW_PLACE,	/* ... or the first argument's: at a place of it */
	ROW_IOCTL,	/* ... if it only asks for what a terminal is like */

	/* With a time in one argument: see times[]. */
	ROW_CLOCK,	/* clock_gettime(clock, time) */
	ROW_CLOCK_64,
	ROW_DAY,	/* gettimeofday(time, ...) */
	ROW_FUTEX,
	ROW_FUTEX_64,
	ROW_SLEEP,	/* nanosleep(time, ...) */
	ROW_CLOCK_SLEEP, /* clock_nanosleep(clock, flags, time, ...) */
	ROW_CLOCK_SLEEP_64,
	ROW_POLL,
	ROW_PPOLL,
	ROW_PPOLL_64,
	ROW_SELECT,
	ROW_PSELECT,
	ROW_PSELECT_64,
	ROW_EPOLL,
	ROW_EPOLL_64,
	ROW_SIGNAL,
	ROW_SIGNAL_64,
	ROW_SEMAPHORE,
	ROW_SEMAPHORE_64,
	ROW_MESSAGE,
	ROW_MESSAGE_64,
	ROW_KINDS
};

enum row_form {
	TIME_NONE,
	TIME_SPEC,	/* struct timespec */
	TIME_SPEC_64,	/* the same with numbers of 64 bits */
	TIME_VAL,	/* struct timeval */
	TIME_MS		/* milliseconds, not in memory */
};

/* The time that a call reads, or waits for at most. */
struct row_time {
	u8 form;
	u8 arg;
	short result;		/* once it is over */
	bool updated;		/* the call says what is left */
	bool absolute;
	u8 found;		/* enum turn_found */
};

/* What kind the call with that number of the target's instruction set is. */
enum row_kind turn_row(s64 number);

const struct row_time *turn_row_time(enum row_kind kind);

#endif
