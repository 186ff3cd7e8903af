/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where what happens is put down. */
#ifndef SIM_PROFILE_INTERNAL_H
#define SIM_PROFILE_INTERNAL_H

#include "profile.h"

#include "calls.h"

/* The record of block b behind that path of calls; NULL: nothing is put down of
 * context tc, or there is no room. */
SIM_INLINE struct profile_block *
profile_record_behind(const struct core *c, unsigned tc, const struct block *b,
		      u32 path)
{
	struct profile_block *r = block_profile(b);

	if (SIM_UNLIKELY(c->profiler->closed >> tc & 1))
		return NULL;
	return SIM_UNLIKELY(path && r) ? c->profiler->behind(r, path) : r;
}

/* The record of the block that a context is in. */
SIM_INLINE struct profile_block *
profile_record_of(const struct core *c, unsigned tc, const struct block *b)
{
	return profile_record_behind(c, tc, b,
				     c->calls ? c->calls[tc].path : 0);
}

/* A place that happenings are put down at: an instruction of a record. */
struct spot {
	struct profile_block *r;	/* NULL: it is put down nowhere */
	unsigned insn;
};

/* Where each kind of what has happened is put down. */
struct spots {
	struct spot end, branch, entry; /* of the block entered */
	struct spot elsewhere;
};

/* So many of a signal, at that spot. */
void profile_put_down(const struct profiler *p, const struct spot *spot,
		      unsigned signal, u64 n);

/* What has happened on context tc since the last look. */
void profile_look(struct profiler *p, unsigned tc, const struct spots *spots);

/* The same, all of it at one instruction. */
void profile_look_at(struct profiler *p, unsigned tc, struct profile_block *r,
		     unsigned insn);

/* What is still open goes to the end of the last block. */
void profile_look_last(struct profiler *p, unsigned tc);

/* What the context's signals are now has been put down. */
void profile_know(struct profiler *p, unsigned tc);

#endif
