/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instruction sets, and what QEMU is told for programs of each. */
#ifndef PROGRAM_ISA_H
#define PROGRAM_ISA_H

#include "machine/types.h"

enum isa {
	ISA_X86_64,
	ISA_I386,
	ISA_MIPSEL,
	ISA_MIPS,
	ISA_ALPHA,
	ISA_N		/* also: none of these */
};

struct isa_row {
	const char *name;	/* as QEMU's programs are called */
	const char *cpu;	/* -cpu, NULL for QEMU's default */
	const char *sysroot;	/* Debian's folder of its libraries, or NULL */
	const char *variable;	/* that names another one */
	const char *stack;	/* where the host has no limit of stacks */
};

extern const struct isa_row isa_row[ISA_N];

/* The instruction set of that name, or ISA_N. */
enum isa isa_named(const char *name);

/* The folder of its libraries, NULL if there is none here. */
const char *isa_sysroot(enum isa isa);

#define ISA_HEADER 52	/* bytes of an ELF file that isa_of_elf() looks at */

/* What an ELF file begins with tells its instruction set: or ISA_N. */
enum isa isa_of_elf(const u8 head[ISA_HEADER]);

#endif
