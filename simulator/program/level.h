/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels of x86-64: which features of a processor programs see. */
#ifndef PROGRAM_LEVEL_H
#define PROGRAM_LEVEL_H

#include "strings.h"

#include "machine/types.h"

enum level {
	LEVEL_V1,
	LEVEL_V2,
	LEVEL_V3,	/* what QEMU shows unless told otherwise */
	LEVEL_V4,
	LEVEL_N,	/* also: none of these */
	LEVEL_NONE = LEVEL_N
};

#define LEVEL_USUAL LEVEL_V3

enum level_register { LEVEL_EAX, LEVEL_EBX, LEVEL_ECX, LEVEL_EDX };

/* A bit of what CPUID answers. */
struct level_feature {
	u8 level;		/* from which on programs see it */
	u8 reg;			/* enum level_register */
	u8 bit;
	u32 leaf;
	const char *qemu;	/* QEMU's name; NULL: not for it */
	const char *linux;	/* ... in /proc/cpuinfo */
	bool answered;		/* for programs by the engine, or privileged: the host
				   needs it not */
};

extern const struct level_feature level_feature[];
extern const unsigned level_features;

/* The level of that name, "v1" to "v4", or LEVEL_N; and its name. */
enum level level_named(const char *name);
const char *level_name(enum level level);

/* What this host does not have of what programs of that level will believe to
 * have, as /proc/cpuinfo names it; NULL: nothing. */
const char *level_lacks(enum level level);

/* What QEMU's option -cpu takes for it, the caller's: NULL, for its default or
 * where memory is short, which *failed tells.  There is none for LEVEL_V4. */
char *level_qemu(enum level level, bool *failed);

#endif
