/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the target's code and the engine's have in common: the registers while
 * the engine executes, and where to go.  GS leads here while the target's code
 * executes, so that none of its own registers has to.
 */
#ifndef NATIVE_STATE_H
#define NATIVE_STATE_H

#include "core/core.h"
#include "host.h"

#define HOST_TARGETS 32768u
#define HOST_TARGET_SHIFT 2	/* bits of a target that do not choose its place */
#define HOST_TARGET_FOLD 15	/* bits higher by so many choose the other one, too */

/* A function that changes no register but RAX. */
#define HOST_KEEPS __attribute__((no_caller_saved_registers))
typedef HOST_KEEPS bool host_page_fn(const struct block_access *a, u32 what,
				     u64 va);

/* Enters a block behind a branch that cost that many cycles. */
typedef void behind_fn(struct core *c, struct block *t, u64 cycles);

/* How C enters a block: any; when the deadline has come; behind_fn. */
enum host_enter { HOST_ANY, HOST_DUE, HOST_BEHIND, HOST_ENTERS };

/* Kinds of branches that arrive.c resolves. */
enum host_arrive {
	HOST_BY_RETURN, HOST_BY_JUMP, HOST_BY_CALL,
	HOST_BRIEFLY,		/* any of them, where no more is done */
	HOST_ARRIVES
};

struct host_state {
	u64 reg[HOST_REGS];	/* the target's, as far as they are saved */
	u64 flags;
	u64 target;		/* of the indirect branch under way */
	u64 fs, engine_fs;	/* bases of FS */
	u64 stack;		/* the engine's, while the target's code runs */
	u64 pointer;		/* the target's, while C is called from there */
	u64 exit;		/* which exit the code has left by */
	u64 entry;		/* where it is entered */
	void *leave;		/* code that goes back to host_run()'s caller */
	void *indirect;		/* ... or to the target, if that is known */
	void *unused;
	void *ask;		/* code that calls on_ask() */
	void *on_access, *on_missed, *on_ask; /* those */
	u64 vectors;		/* where vector registers are saved: vectors.h */
	u64 slot[8];		/* registers that code has spilled */
	u64 has_fsbase;		/* instructions for FS's base may be used */
	u64 inside;		/* FS is the target's */
	enter_fn *on_enter[6];	/* struct host_calls' enter */
	host_page_fn *on_page;	/* struct host_calls' page */
	u64 no_page;		/* 1: it is to be called */
	void *miss;		/* code that calls that and missed(), until one
				   does it, and changes HOST_MISS_CHANGES */
	u64 block;		/* that code below enters, and goes on in: behind
				   code_first(), so that it is put by one store,
				   which the load is forwarded */
	void *enters[HOST_ENTERS];
	void *arrive[HOST_ARRIVES]; /* code that resolves a branch */
	u64 cycles;		/* that the branch has cost */
	behind_fn *on_behind;	/* struct host_calls' behind */
	u64 kept;		/* as vectors, for C that the code has called */
	void *on_record;	/* enters a block whose turn is recorded */
	void *next;		/* ... where the code goes on then */
	struct code_block *turn; /* that it was about to enter: CODE_TURN */
	u64 alignment;		/* the target's flag for checks of it */
	u64 gs;			/* the base of the target's: GS is the engine's */
	/* Where indirect branches went, by bits of that: each is at its place, or
	 * at its other one (targets.c). */
	_Alignas(1024) struct host_target {
		u64 pc;
		void *code;
		void *arrive;	/* as arrive.c has it */
		u64 unused;
	} known[HOST_TARGETS];
};

extern struct host_state host_state;

/* Where something of the engine's is, from GS. */
#define HOST_AT(object) \
	((s32)((const u8 *)&(object) - (const u8 *)&host_state))

#define HOST_MISS_CHANGES \
	(1u << HOST_RAX | 1u << HOST_RDX | 1u << HOST_RSI | 1u << HOST_RDI)
/* What of that is a thread's, while another one's is there. */
struct host_thread {
	u64 reg[HOST_REGS];
	u64 flags, target, exit;
	u64 fs, engine_fs, gs;
	u64 vectors, kept;
	u64 alignment;
};

struct code_block;

/* Functions that the target's code calls. */
struct host_calls {
	/* An access, by its number, with what a register has that leads further;
	 * one that the tables do not show. */
	void (*access)(u64 number, u64 va, u64 value);
	void (*missed)(const struct block_access *a, u32 what, u64 va);
	/* The same where only the page is not shown, and is where most are;
	 * false: it is not, and nothing is done. */
	host_page_fn *page;	/* NULL: that is not asked */
	void (*ask)(u64 pc);
	/* The block is about to be entered: sets host_state.next. */
	void (*record)(struct code_block *t);
	behind_fn *behind;
};

/* Functions that enter blocks of one, two, three and more lines; the one when
 * the deadline has come; and one for blocks that end with a marker. */
#define HOST_ATTEND 4
#define HOST_MARKED 5

/* Sets GS and the rest up, for programs that see registers beyond sixteen of 32 bytes,
 * or not; 0 or -errno. */
int host_begin(const struct host_calls *calls, bool beyond);

/* Puts the calling thread's state aside, and back. */
void host_put_aside(struct host_thread *thread);
void host_take_back(const struct host_thread *thread);

/* In a thread of the process that has just begun: GS leads to the state. */
int host_thread_begin(struct host_thread *thread);

/* A copy of the present state for another thread, with room of its own for
 * vector registers: 0 or -ENOMEM; gives that back. */
int host_thread_copy(struct host_thread *thread);
void host_thread_free(struct host_thread *thread);

/* A system call of four arguments, whose result is -errno if it fails; needs
 * no FS. */
s64 host_kernel(u64 number, u64 a, u64 b, u64 c, u64 d);

/* Code that goes back to host_run()'s caller, registers being saved. */
void host_left(void);

/* Executes code from there on, until it leaves by an exit. */
void host_run(void *code);

/*
 * C that the target's code has called is about to call what needs FS and vector
 * registers, and has done so.  false: nothing had to be done, and end() is not
 * to be called.
 */
bool host_library_begin(void);
void host_library_end(void);

/* Puts a copy of the vector registers, all that XSAVE saves, to
 * host_state.kept. */
void host_keep_vectors(void);

/* The base of FS, as the kernel has it. */
void host_set_fs(u64 base);
u64 host_get_fs(void);

#endif
