/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the target through execve.
 *
 *	follow.c	the system call: the next program under its engine
 *	follow_engine.c	how this QEMU was started, how to start the next one
 *	follow_native.c	how to start the native engine
 */
#ifndef QEMU_FOLLOW_H
#define QEMU_FOLLOW_H

#include "target/call.h"
#include "target/follow_fd.h"
#include "target/follow_path.h"
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

/* The value of a plugin argument "word=", the caller's; NULL if not there. */
char *engine_item(const char *plugin, const char *word);

/* The native engine's program, the caller's, if it is to execute programs of
 * that set: or NULL.  Its options. */
char *follow_native(const struct engine *e, enum isa isa);
void follow_native_options(const struct engine *e, struct strings *args);

/* The call has returned: a program that was counted as running without
 * engine has not been executed. */
void follow_returned(void);

#endif
