/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at the program to be run: where it is, what executes it. */
#ifndef TARGET_H
#define TARGET_H

#include "pmcsim.h"

/* An instruction set that there is an engine for. */
struct isa {
	const char *name;	/* as QEMU's programs are called */
	const char *cpu;	/* -cpu, or NULL for QEMU's default */
	const char *sysroot;	/* Debian's folder of its libraries, or NULL */
	const char *variable;	/* that names another one */
};

/* The instruction set of that name, NULL if there is none. */
const struct isa *isa_named(const char *name);

/* The folder of its libraries, NULL if there is none here. */
const char *isa_sysroot(const struct isa *isa);

struct target {
	const struct isa *isa;
	char *program;		/* the ELF file that is started */
	char **argv;		/* its arguments, argv[0] first */
};

/*
 * Finds the program as the shell would and works out what starts it: a
 * script is started through its interpreter.  -ENOENT, -EACCES, -ENOEXEC,
 * -ENOTSUP with a sentence in error.  Release with target_free.
 */
int target_find(struct target *target, char *const *argv,
		struct pmcsim_error *error);
void target_free(struct target *target);

#endif
