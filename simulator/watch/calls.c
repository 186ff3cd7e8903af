/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calls.h"

#include <errno.h>
#include <stdlib.h>

#define EDGES_FIRST 1024u
#define FRAMES_FIRST 64u

int
calls_init(struct calls *c, calls_name_fn *name, void *arg)
{
	*c = (struct calls){
		.edge = calloc(EDGES_FIRST, sizeof *c->edge),
		.mask = EDGES_FIRST - 1,
		.name = name,
		.arg = arg,
	};
	if (c->edge && !calls_seen_init(&c->seen))
		return 0;
	calls_free(c);
	return -ENOMEM;
}

void
calls_free(struct calls *c)
{
	free(c->edge);
	calls_seen_free(&c->seen);
	*c = (struct calls){0};
}

void
calls_thread_free(struct calls_thread *t)
{
	free(t->frame);
	*t = (struct calls_thread){0};
}

/* ---- The tree -------------------------------------------------------- */

/* The place of an edge, or the empty one where it would be. */
static struct calls_edge *
place_of(const struct calls *c, u32 parent, u64 site)
{
	u64 hash = (site ^ (u64)parent << 40) * 0x9e3779b97f4a7c15ull;
	u32 at = (u32)(hash >> 32) & c->mask;

	while (c->edge[at].path && (c->edge[at].parent != parent ||
				    c->edge[at].site != site))
		at = (at + 1) & c->mask;
	return &c->edge[at];
}

static int
grow(struct calls *c)
{
	struct calls old = *c;

	c->mask = 2 * old.mask + 1;
	c->edge = calloc((size_t)c->mask + 1, sizeof *c->edge);
	if (!c->edge) {
		*c = old;
		return -ENOMEM;
	}
	for (u32 i = 0; i <= old.mask; i++)
		if (old.edge[i].path)
			*place_of(c, old.edge[i].parent, old.edge[i].site) =
				old.edge[i];
	free(old.edge);
	return 0;
}

/* Where there is no room for a path, the call, of entry, is as if it were not
 * there. */
static int
path_behind(struct calls *c, u32 parent, u64 site, u64 entry, u32 *path)
{
	struct calls_edge *e = place_of(c, parent, site);

	*path = e->path;
	if (*path) {
		e->taken++;
		return 0;
	}
	if (calls_see_entry(&c->seen, entry))
		return -ENOMEM;
	if (c->n > c->mask / 2) {
		if (grow(c))
			return -ENOMEM;
		e = place_of(c, parent, site);
	}
	*path = c->name(c->arg, parent, site);
	if (*path) {
		*e = (struct calls_edge){.site = site, .taken = 1,
					 .parent = parent, .path = *path};
		c->n++;
	} else {
		*path = parent;
	}
	return 0;
}

void
calls_tell(struct calls *c, void (*fn)(u32 path, u64 taken))
{
	for (u32 i = 0; i <= c->mask; i++) {
		struct calls_edge *e = &c->edge[i];

		if (fn && e->taken)
			fn(e->path, e->taken);
		e->taken = 0;
	}
}

/* ---- Threads --------------------------------------------------------- */

static int
push(struct calls *c, struct calls_thread *t, const struct block *p, u64 entry)
{
	struct calls_frame f = {.back = p->fall, .site = block_branch_pc(p)};
	int error;

	if (t->n == t->room) {
		u32 room = t->room ? 2 * t->room : FRAMES_FIRST;
		void *frame = realloc(t->frame, room * sizeof *t->frame);

		if (!frame)
			return -ENOMEM;
		t->frame = frame;
		t->room = room;
	}
	error = path_behind(c, t->path, f.site, entry, &f.path);
	if (error)
		return error;
	t->frame[t->n++] = f;
	t->path = f.path;
	return 0;
}

/* The path to what n calls lead to. */
static u32
path_at(const struct calls_thread *t, u32 n)
{
	return n ? t->frame[n - 1].path : 0;
}

static void
leave(struct calls_thread *t, u32 n)
{
	t->n = n;
	t->path = path_at(t, n);
}

static void
catch(const struct calls *c, struct calls_thread *t, u64 to)
{
	u32 n = t->n;

	while (n && !c->catches(to, &t->frame[n - 1].site))
		n--;
	if (n)
		leave(t, n - 1);
}

/* From p to an address that no call under way ends at. */
static void
jump(const struct calls *c, struct calls_thread *t, const struct block *p,
     u64 to)
{
	u64 site = calls_returned(&c->seen, to);
	u32 n = t->n;

	if (!site && c->catches && c->catches(to, NULL))
		catch(c, t, to);
	if (!site || calls_together(&c->seen, block_branch_pc(p), site))
		return;
	while (n && !place_of(c, path_at(t, n), site)->path)
		n--;
	if (place_of(c, path_at(t, n), site)->path)
		leave(t, n);
}

static int
pop(struct calls *c, struct calls_thread *t, const struct block *p, u64 to)
{
	u32 n = t->n;

	while (n && t->frame[n - 1].back != to)
		n--;
	if (!n) {
		jump(c, t, p, to);
		return 0;
	}
	leave(t, n - 1);
	return calls_see_return(&c->seen, to, t->frame[n - 1].site);
}

int
calls_enter(struct calls *c, struct calls_thread *t, const struct block *b)
{
	const struct block *p = t->last;

	t->last = b;
	if (!p)
		return 0;
	switch (p->branch) {
	case BRANCH_CALL:
	case BRANCH_IND_CALL:
	case BRANCH_COND_CALL:
		return b->vaddr == p->fall ? 0 : push(c, t, p, b->vaddr);
	case BRANCH_RETURN:
		return pop(c, t, p, b->vaddr);
	case BRANCH_IND_JUMP:
		jump(c, t, p, b->vaddr);
		return 0;
	default:
		return 0;
	}
}
