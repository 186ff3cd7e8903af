/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls led to a block: a path of a tree.
 *
 * The tree belongs to a process: a path is one call behind another path, 0 is
 * none.  A thread's calls under way are a stack; a return takes off all from
 * the call on whose end it goes to.
 *
 * longjmp() goes to where a call has returned already: that of setjmp().  If
 * such a jump, or a return to where no call has been made, comes from another
 * function, it takes off all down to the innermost activation from where that
 * call has been made, or one by the same path: where it really goes to is that
 * or farther out, so that nothing is taken off too early.
 *
 * An exception goes on where its call says that it is caught: that takes off
 * all down to the innermost one that does.
 *
 * A return to anywhere else (a trampoline, the end of a signal handler) takes
 * off none.  Calls that are left so stay until a function farther out returns.
 */
#ifndef SIM_CALLS_H
#define SIM_CALLS_H

#include "code/block.h"
#include "calls_seen.h"

/* Names a new path: a call at that address behind another path.  0: there is
 * no room. */
typedef u32 calls_name_fn(void *arg, u32 parent, u64 site);

/* Whether an exception goes on there that ends the call at *site, or, if that
 * is NULL, any call. */
typedef bool calls_catch_fn(u64 address, const u64 *site);

struct calls_edge {
	u64 site;
	u64 taken;		/* so often since calls_tell() */
	u32 parent;
	u32 path;		/* 0: the place is empty */
};

/* The tree, as a hash table of its edges. */
struct calls {
	struct calls_edge *edge;
	u32 mask, n;
	struct calls_seen seen;
	calls_name_fn *name;
	calls_catch_fn *catches; /* NULL: not known */
	void *arg;
};

struct calls_frame {
	u64 back;		/* where its call ends */
	u64 site;
	u32 path;
};

/* A thread. */
struct calls_thread {
	const struct block *last; /* that it has entered, or NULL */
	struct calls_frame *frame;
	u32 n, room;
	u32 path;		/* to that block */
};

/*
 * What a context of the pipeline is in: in turns, that is behind what its
 * thread executes.  While it is entered, what happens may be of the block
 * before.
 */
struct calls_context {
	const struct block *block, *over;
	u32 path, before;
};

static inline void
calls_arrive(struct calls_context *x, const struct block *b, u32 path)
{
	x->over = x->block;
	x->before = x->path;
	x->block = b;
	x->path = path;
}

/* It has been entered. */
static inline void
calls_arrived(struct calls_context *x)
{
	x->over = NULL;
}

/* What led to one of these two blocks; NULL: the one that it is in. */
static inline u32
calls_to(const struct calls_context *x, const struct block *b)
{
	return b && (b == x->over || b != x->block) ? x->before : x->path;
}

/* An empty tree; 0 or -ENOMEM. */
int calls_init(struct calls *c, calls_name_fn *name, void *arg);

/* Calls fn, if that is not NULL, with each path that has been taken, which has
 * not any more then. */
void calls_tell(struct calls *c, void (*fn)(u32 path, u64 taken));
void calls_free(struct calls *c);

/* The thread enters block b: path is what leads to it.  -ENOMEM. */
int calls_enter(struct calls *c, struct calls_thread *t,
		const struct block *b);
void calls_thread_free(struct calls_thread *t);

#endif
