/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The native engine: executes x86-64 programs on an x86-64 host, by copies of
 * their own instructions.
 *
 *	main.c		arguments, start
 *	loader.c	the program's file, and its interpreter's
 *	stack.c		what a program finds on its stack
 *	space.c		where things are mapped
 *	blocks.c	where blocks end, and their execution
 *	count.c		what C counts of blocks and accesses
 *	calls.c		system calls
 *	answers.c	instructions that the engine answers
 *	proc.c		... that open /proc's files
 *	proc_program.c	... that name the program as /proc has it
 *	proc_self.c	what is in these
 *	proc_others.c	other processes of the engine's
 *	limits.c	... that limit memory
 *	clocks.c	... that read clocks
 *	timers.c	... that let signals come in time
 *	waits.c		... that wait
 *	guard.c		code in pages that may be written
 *	signals.c	signals
 *	children.c	when their ends are told
 *	threads.c	threads, which take turns
 *	filters.c	calls that the program does not let itself make
 *	bpf.c		what it says which these are
 *	follow.c	exec
 *	periods.c	a part of each is modelled
 *	executed.c	... and how much all of it is
 *	keep.c		code that the next process has not to make again
 *	vfork.c		children whose parent waits until they exec
 *	bare.c		functions of the C library without vector registers
 *
 * What depends on the host's instruction set is in x86_64/.  Programs see what
 * QEMU 7.2 shows them: its processor, its places in memory, its cuts of blocks.
 * So the counts of both engines are the same.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include "program/isa.h"
#include "program/level.h"
#include "program/strings.h"
#include "target/engine.h"
#include "x86_64/code.h"

#include <elf.h>

#define NATIVE_PAGE 4096ull
#define NATIVE_FIRST 0x4000000000ull	/* where QEMU begins to map */
/* Memory of the engine's own, in each process at the same place: slabs, lists of code,
 * and near each other blocks and the code.  Sanitizers map nothing there. */
#define NATIVE_OWN 0x3000000000ull
#define NATIVE_SLABS NATIVE_OWN
#define NATIVE_LISTS 0x3e00000000ull
#define NATIVE_SEGMENTS (NATIVE_FIRST - 0x78000000)

/* So many bytes, in whole pages; or the end of the last page below an address. */
static inline u64
native_pages(u64 bytes)
{
	return (bytes + NATIVE_PAGE - 1) & ~(NATIVE_PAGE - 1);
}

/* How this process was started. */
struct native {
	const char *machine;	/* path of the machine */
	const char *qemu;	/* folder of QEMUs, or NULL; then also: */
	const char *plugin;	/* what their option takes */
	const char *sysroot[ISA_N]; /* of their libraries, or NULL */
	enum level level;	/* of the processor that programs see */
	int fd;			/* the machine is open there, or -1 */
	unsigned retire;	/* slot of the program before */
	unsigned tc;
	bool pin;		/* the target has chosen that */
	const char *path;	/* of the program */
	struct strings argv, env; /* as it is to see them */
	u64 entry;		/* first address of its code */
	struct {
		u64 first, end;	/* addresses of the stack's mapping */
		u64 pointer;	/* at the program's start */
		int prot;	/* how it may be accessed */
	} stack;
	Elf64_auxv_t auxiliary[24]; /* what the program finds there, */
	unsigned n_auxiliary;	/* ... so many, with the end */
};

extern struct native native;

/* count.c: what the target's code calls; sets that up for the machine. */
const struct host_calls *count_calls(void);
void count_begin(void);
enum code_enter count_enter(void);

/* Whether $PMCSIM_NATIVE_CALLS asks for all to be counted by calls of C. */
bool count_calls_only(void);

/* space.c: the target's memory. */
u64 space_map(u64 at, u64 bytes, int prot, int flags, int fd, u64 offset);
void space_begin_break(u64 at);
u64 space_break(u64 at);
s64 space_move(const u64 arg[6]);
s64 space_attach(const u64 arg[6]);
s64 space_detach(const u64 arg[6]);

/* What may be done where the target asks for that: the processor that it sees can
 * read what it can execute, also where the host has keys of protection. */
u64 space_rights(u64 prot);

/* Whether what is mapped there is the target's, not the engine's; whether these
 * addresses are those of its break. */
bool space_is_target(u64 at);
bool space_is_break(u64 from, u64 to);

/* What an image that has been mapped is like. */
struct image {
	u64 bias, entry, header, end;
	u64 first;		/* of its code */
	u16 headers;		/* how many */
	int stack;		/* PROT_EXEC: it executes code on its stack; 0 */
	char interpreter[4096];	/* empty: none */
};

/* loader.c: maps the program; where it starts and its pointer; 0 or -errno. */
int loader_run(u64 *start, u64 *pointer);

/* stack.c: fills the stack that ends there; the pointer. */
u64 stack_fill(u64 end, const struct image *program, u64 interpreter);

/* blocks.c: executes the target from there on, until the thread ends.  Or
 * block t of there, which has been entered. */
void blocks_run(u64 pc);
void blocks_go_on(u64 pc, struct block *t);

/* The code has been left in that block, or by its exit; NULL: in none. */
struct code_block;
void blocks_left(const struct code_block *b);

/* The block of there, for a thread that is to begin with it. */
struct block *blocks_first(u64 pc);

/*
 * What another process of the same program has made, before this one comes to it: the
 * block there; an exit of that number, if it is one of the block at from that leads
 * to pc; what indirect branches to pc find.  Left out where it does not fit.
 */
void blocks_make(u64 pc);
void blocks_link(u32 number, u64 from, u64 pc);
void blocks_know(u64 pc);

/* Code at these addresses may be another one from now on. */
void blocks_changed(u64 at, u64 bytes);

/*
 * In a signal's handler, while copied code is executed, whose instruction at by
 * writes to that page.  Whether it has to leave, to execute that instruction
 * alone, since its own block may be what is written.
 */
bool blocks_written(u64 page, const u8 *by);

/* Code is to be made anew behind this system call. */
void blocks_forget(void);

/* Whether it is, before anything else is executed. */
bool blocks_will_change(void);

/* calls.c: the system call that the target's registers ask for. */
void calls_kernel(void);

/* answers.c: the instruction at pc, which the engine answers. */
void calls_ask(u64 pc);

#endif
