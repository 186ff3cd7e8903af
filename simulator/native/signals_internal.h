/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of signals share. */
#ifndef NATIVE_SIGNALS_INTERNAL_H
#define NATIVE_SIGNALS_INTERNAL_H

#include "signals.h"

#include <signal.h>
#include <ucontext.h>

#define SIGNALS 65
#define USUAL_SIGNALS 32	/* from there on all are queued */
#define QUEUE 64
#define STACK_BYTES 65536
#define MASK_BYTES 8		/* of a set of the kernel's */
#define KEPT 32			/* frames whose vector registers are kept */
#define RESTORER 0x04000000	/* SA_RESTORER */

/* As the kernel has it. */
struct action {
	u64 handler, flags, restorer, mask;
};

/* A fault that the target is to be told of. */
struct fault {
	volatile bool is;	/* there is one */
	siginfo_t info;
	u64 tells[3];		/* trap, error code, address */
};

/* What a thread has of its own.  It stands below the stack of the engine's
 * handler, whose address leads to it: FS may be the target's there. */
struct signals {
	stack_t alternate;
	struct {
		siginfo_t info[QUEUE];
		volatile u32 first, n;
	} queue;
	/* Of an instruction, whose registers are in the state. */
	struct fault fault;
	struct {
		u64 frame;
		u8 *vectors;
	} kept[KEPT];
	unsigned kept_last;
	volatile u32 stop;	/* no system call is to begin */
	volatile bool here;	/* its registers are in the state */
	volatile bool endless;	/* it is in a call that a signal of the turns
				   ends, */
	volatile bool ended;	/* ... which has come */
};

/* ---- signals.c ---------------------------------------------------------- */

extern struct action signals_of[SIGNALS];	/* the target's, by number */
extern u64 signals_caught;	/* those that are the engine's in any case */
extern struct signals *signals_now;	/* of the thread that executes */

/* The order of registers in a context, by their numbers. */
extern const u8 signals_place[HOST_REGS];

/* A system call, unless the flag is set; and its instruction. */
s64 signals_enter(u64 number, const u64 arg[6], const volatile u32 *flag);
extern const u8 signals_at[];

/* Blocks all signals of the calling thread: those that were, for when they may come
 * again. */
u64 signals_block_all(void);
void signals_let_come(u64 blocked);

/* Whether the target has still to be told that signal, by the calling thread or any
 * of the process. */
bool signals_are_pending(int sig);

/* The calling thread gets a signal that is not the kernel's. */
void signals_put(const siginfo_t *info);

/* No signal is there that keeps calls from beginning, but those of the queue. */
void signals_may_begin(void);

/* Lets the kernel do what the target asks for: 0 or -errno. */
s64 signals_set(u64 sig, const struct action *a);

/* Lets the signal end the process when it comes.  Raw: FS may be the target's. */
void signals_die_of(int sig);

/* Whether the target executes on its alternate stack. */
bool signals_on_alternate(void);

/* ---- signals_fault.c: raw, FS may be the target's --------------------------- */

/* Whether the processor has told a fault, and not another process. */
bool signals_is_fault(const siginfo_t *info);

/* A fault of the target's code: it is left before the instruction.  false: it is
 * of the engine's. */
bool signals_take_fault(const siginfo_t *info, ucontext_t *uc);

/* The target writes to a page with code: what of C's is under way may look at
 * it, but copied code may not. */
void signals_take_store(u64 at, greg_t *g);

#endif
