/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The step or move that comes next, found where it came last; included by
 * window_internal.h, behind struct window. */
#ifndef PIPELINE_WINDOW_FIND_H
#define PIPELINE_WINDOW_FIND_H

/* The next step's key: that is looked at, or the block is over.  Beside it
 * are w->from and the block that is entered. */
SIM_INLINE u64
move_key(const struct window *w, u32 what)
{
	return (u64)w->how << 32 | what;
}

SIM_INLINE bool
move_is(const struct window_move *m, const struct window *w, u64 what,
	const struct block *next)
{
	return m->from == w->from && m->next == next && m->what == what;
}

/*
 * Where w->at keeps what comes behind it with that key, first of all.  Of what
 * became of a look it matters most whether it had to wait.  Ends of blocks that
 * may lead anywhere are told by where they do.
 */
SIM_INLINE unsigned
move_place_of(u64 what, const struct block *next, bool anywhere)
{
	u64 place = what ^ (u64)(what >> 32 != 0) << 1;

	if (anywhere)
		place ^= (uintptr_t)next >> 6 ^ (uintptr_t)next >> 9;
	return place & (MOVE_NEXT - 1);
}

SIM_INLINE unsigned
move_place(const struct window *w, u64 what, const struct block *next)
{
	return move_place_of(what, next,
			     next && w->block->kind == KIND_SLOW);
}

SIM_INLINE struct window_move *
move_followed(const struct window *w, const struct window_move *m, unsigned i)
{
	return (struct window_move *)((char *)w->move + m->follow[i]);
}

/* The step or move that is made now.  What came behind it last will be asked
 * for when the target has executed something: it is on its way until then. */
SIM_INLINE void
move_make(struct window *w, struct window_move *m)
{
	w->at = m;
#pragma GCC unroll 4
	for (unsigned i = 0; i < MOVE_NEXT; i++)
		__builtin_prefetch(move_followed(w, m, i));
}

/* The step or move with that key, or NULL: mostly that which came last. */
SIM_INLINE struct window_move *
move_find(struct window *w, u64 what, const struct block *next)
{
	struct window_move *m = move_followed(w, w->at,
					      move_place(w, what, next));

	return SIM_LIKELY(move_is(m, w, what, next))
		       ? m : move_look_up(w, what, next);
}

#endif
