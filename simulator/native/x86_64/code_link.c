/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exits that lead to edges, and all of them to the engine again. */
#include "explain.h"
#include "targets.h"

#define LINKS (1u << 15)

/* Exits of each kind of copies that have been linked since all were not; more than
 * there is room for, or not known which: all. */
static struct links {
	u32 exit[LINKS], n;
	bool all;
} links[CODE_COPIES];

/* How often exits have been unlinked, which a handler of signals may do at any time. */
static volatile u32 unlinked;

void
links_begin(void)
{
	memset(links, 0, sizeof links);
}

void
links_taken(void)
{
	for (unsigned i = 0; i < CODE_COPIES; i++)
		links[i].all = true;
}

/* Where the exit's jump begins. */
static u8 *
jump_of(const struct code_exit *x)
{
	return x->site - 1;
}

/* In the place of the exit's jump: most exits that are taken are those. */
static void
link_inside(struct code_exit *x)
{
	struct emitter e = {.p = jump_of(x)};

	x->edge = e.p;
	edge_enter(&e, x->from, x->to);
	explain_edge(x->from, x->to, x->edge, e.p);
}

static void
link_anew(struct code_exit *x)
{
	struct emitter *e = code_emitter();
	const u8 *at;

	if (!edge_is_there(x->from, x->to) &&
	    edge_fits(jump_of(x), x->room, x->from, x->to)) {
		link_inside(x);
		return;
	}
	at = e->p;
	x->edge = edge_between(e, x->from, x->to);
	explain_edge(x->from, x->to, at, e->p);
	emit_reach(x->site, x->edge);
}

static void
note(const struct code_exit *x, u64 number)
{
	struct links *l = &links[x->from->copy];

	if (l->n == LINKS)
		l->all = true;
	else
		l->exit[l->n++] = (u32)number;
}

void *
code_link(u64 number, struct code_block *t)
{
	struct code_exit *x = code_exit_of(number);
	u32 before = unlinked;

	if (t->checked)
		return code_entry(t);
	if (!x->edge || x->to != t) {
		if (code_is_full())
			return code_entry(t);
		if (x->edge)
			code_unlink_exit(x);
		drop_link(number, t);
		link_anew(x);
	} else if (x->edge == jump_of(x)) {
		link_inside(x);
	} else {
		emit_reach(x->site, x->edge);
	}
	note(x, number);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* What a handler has found need not have been all. */
	if (unlinked != before)
		code_unlink_exit(x);
	return x->edge;
}

void
code_unlink_exit(struct code_exit *x)
{
	struct emitter e = {.p = jump_of(x)};

	if (x->edge == e.p)
		emit_jump(&e);
	emit_reach(x->site, x->leave);
}

static void
unlink_all(void)
{
	for (u32 i = 0; i < code_exits(); i++) {
		struct code_exit *x = code_exit_of(i);

		if (x->edge && x->from->copy == code_copy)
			code_unlink_exit(x);
	}
}

void
code_unlink(void)
{
	struct links *l = &links[code_copy];

	if (l->all)
		unlink_all();
	else
		for (u32 i = 0; i < l->n; i++)
			code_unlink_exit(code_exit_of(l->exit[i]));
	l->n = 0;
	l->all = false;
	unlinked++;
	targets_forget();
}
