/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of what the target may call: prctl(PR_SET_SECCOMP) and seccomp().
 *
 * Filters are asked here, about the target's calls as it makes them.  Those that the
 * engine makes are its own: under filters of the kernel's a program that allows a
 * list of calls would be ended by one of them.  Filters that another process
 * listens to are the kernel's, and all are once a program executes that is not this
 * engine's.
 */
#ifndef NATIVE_FILTERS_H
#define NATIVE_FILTERS_H

#include "native.h"

/* A filter, and those from before that; NULL: none.  They are not changed, and
 * stay for as long as the process. */
struct filter;

/* What they say of a call. */
struct verdict {
	u32 action;		/* SECCOMP_RET_..., or FILTERS_STRICT */
	u16 data;
};

#define FILTERS_STRICT 1u	/* the thread ends as by SIGKILL */

/* ... of the calling thread's, whose instruction is in front of that address. */
struct verdict filters_ask(u64 number, const u64 arg[6], u64 behind);

/* Whether that call is made; and the number of what is called in its place, if
 * anything is. */
bool filters_allow(const struct verdict *says);
u64 filters_instead(const struct verdict *says, u64 number);

/* The result of a call that is not made, if the thread goes on. */
s64 filters_refuse(const struct verdict *says, u64 number);

/* System calls. */
s64 filters_prctl(const u64 arg[6]);
s64 filters_seccomp(const u64 arg[6]);

/* Whether the older ones are among all of these. */
bool filters_are_among(const struct filter *older, const struct filter *all);

/* How many the calling thread has, for /proc. */
unsigned filters_count(void);

/* Those of the program before, by the argument that it has given; once, when the
 * first thread is there. */
void filters_inherit(const char *text);
void filters_begin(void);

/* This process is about to execute another program: an argument for this engine,
 * 0, or -1: it cannot be had; and afterwards, that has failed.  Or the kernel has
 * to have them, for a program that is not this engine's. */
int filters_give(struct strings *args);
void filters_take_back(void);
void filters_lend(void);

#endif
