/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine that a whole system runs on keeps of it; a part of machine.h. */
#ifndef SIM_SYSTEM_STATE_H
#define SIM_SYSTEM_STATE_H

#include "types.h"

/* What a system has done beside executing instructions. */
struct system_facts {
	u64 refill;		/* TLB refill exceptions */
	u64 page;		/* page faults, where they are known */
	u64 exception;		/* others, system calls and interrupts too */
	u64 interrupt;
	u64 syscall;
	u64 wait;		/* times that it had nothing to do */
	u32 started, stopped;	/* marks that were seen */
	u64 vectors;		/* address of the exception vectors, or 0 */
};

/* What a system can be in; the number of a program in the log. */
enum system_state {
	SYSTEM_USER = 1,
	SYSTEM_ENABLED,		/* kernel code, interrupts are let in */
	SYSTEM_DISABLED,	/* kernel code, they are not */
	SYSTEM_EXCEPTION,	/* exception level */
	SYSTEM_STATES
};

/* Code of a system whose profile is its callers'. */
#define SYSTEM_UTILITIES 256
struct system_utilities {
	u32 n;
	struct {
		u64 start, end;
	} range[SYSTEM_UTILITIES];
};

/* A way into a kernel. */
enum system_vector {
	VECTOR_NONE,
	VECTOR_REFILL,
	VECTOR_GENERAL,
	VECTOR_INTERRUPT,
	VECTOR_PAGE,		/* a page fault */
	VECTOR_CALL		/* a system call */
};

/* Where they begin, for systems that have them anywhere: by the kernel's
 * symbols. */
#define SYSTEM_VECTORS 128
struct system_vectors {
	u32 n;
	struct {
		u64 start, end;
		u32 vector;	/* enum system_vector */
	} range[SYSTEM_VECTORS];
};

#endif
