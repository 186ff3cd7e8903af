/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the target through execve.
 *
 *	follow.c	the system call: the next program under its engine
 *	follow_engine.c	how this QEMU was started, how to start the next one
 *	follow_fd.c	the plugin's descriptor, out of the target's way
 */
#ifndef QEMU_FOLLOW_H
#define QEMU_FOLLOW_H

#include "target/call.h"
#include "plugin.h"
#include "target/guest_strings.h"

#include "program/program.h"

/* How this QEMU was started. */
struct engine {
	char *path;		/* of QEMU itself */
	char *plugin;		/* argument of -plugin, without what changes */
	struct strings option;	/* others that the next QEMU gets too */
	char *cpu, *sysroot;	/* -cpu, -L, NULL: not given */
};

/* 0, or -errno; engine_free() in any case. */
int engine_read(struct engine *e);
void engine_free(struct engine *e);

/* Path of the QEMU for an instruction set, the caller's; NULL: there is
 * none. */
char *engine_for(const struct engine *e, enum isa isa);

/* Appends the options for a program of that set, the plugin's included. */
void engine_options(const struct engine *e, enum isa isa,
		    struct strings *args);

/*
 * Before a system call: moves the machine's descriptor if the call is about
 * to close or replace it.  after() when the call has returned.
 */
void follow_fd_before(enum call call, const u64 arg[8]);
void follow_fd_after(void);

/* A copy of a descriptor, at a number that the target does not expect to be
 * given; -1: none is free. */
int follow_fd_aside(int fd);

/* The call has returned: a program that was counted as running without
 * engine has not been executed. */
void follow_returned(void);

#endif
