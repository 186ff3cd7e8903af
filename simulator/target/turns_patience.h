/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to do about a holder of the token that does not move.  It rests on
 * what sleeps, not on how long anything took; but for a last resort, so that
 * the target never stops for good.
 */
#ifndef QEMU_TURNS_PATIENCE_H
#define QEMU_TURNS_PATIENCE_H

#include "machine/types.h"

/* What a look at a holder that has not moved since the last one has shown. */
enum watched {
	WATCH_RUNS,	 /* it executes, or will without help */
	WATCH_SLEEPS,	 /* it sleeps, but a process that it started runs, */
	WATCH_DOZES,	 /* or sleeps for some time */
	WATCH_EXCLUSIVE, /* all sleep, it in QEMU until others leave a block */
	WATCH_CALL,	 /* all sleep, it in a system call */
	WATCH_STUCK	 /* all sleep, and it is not known why */
};

enum patience_says {
	PATIENCE_WAIT,
	PATIENCE_ESCAPE,    /* a thread has to leave the block it is in */
	PATIENCE_TAKE_OVER, /* the holder loses the token */
	PATIENCE_FREE	    /* no thread takes turns any more */
};

struct patience {
	enum watched last;
	unsigned looks;		/* that have shown the same */
	u64 since;		/* ns: the first one that it sleeps */
};

/* Something has moved. */
void patience_reset(struct patience *p);

/* A look, at the time now in ns. */
enum patience_says patience_look(struct patience *p, enum watched why,
				 u64 now);

#endif
