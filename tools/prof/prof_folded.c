/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of procedures, a line each. */
#include "prof_tree.h"

#include <inttypes.h>
#include <stdlib.h>

/* A frame: semicolons are between two. */
static void
put_frame(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		fputc(c == ';' ? ':' : c < ' ' || c == 0x7f ? '?' : c, out);
	}
}

/* From the outermost one on. */
static void
put_stack(const struct prof *p, const struct prof_tree *t,
	  const struct prof_node *n, unsigned *frame, FILE *out)
{
	size_t depth = 0;

	for (; n != t->node; n = &t->node[n->parent])
		frame[depth++] = n->function;
	while (depth--) {
		put_frame(prof_export_name(
				  p, &t->functions.row[frame[depth]]),
			  out);
		if (depth)
			fputc(';', out);
	}
}

static unsigned folded_event;

static int
by_self(const void *a, const void *b)
{
	const struct prof_node *x = *(const struct prof_node *const *)a;
	const struct prof_node *y = *(const struct prof_node *const *)b;
	uint64_t m = x->self[folded_event], n = y->self[folded_event];

	if (m != n)
		return m > n ? -1 : 1;
	return x < y ? -1 : x > y;
}

void
prof_folded(const struct prof *p, FILE *out)
{
	unsigned event = folded_event = prof_chosen(p);
	uint64_t rest = p->u->profile->rest[event];
	struct prof_tree *t = prof_tree_new(p, false);
	const struct prof_node **node = tool_alloc(p->tool, t->n,
						   sizeof *node);
	unsigned *frame = tool_alloc(p->tool, t->n, sizeof *frame);

	for (size_t i = 0; i < t->n; i++)
		node[i] = &t->node[i];
	qsort(node, t->n, sizeof *node, by_self);
	for (size_t i = 0; i < t->n && node[i]->self[event]; i++) {
		put_stack(p, t, node[i], frame, out);
		fprintf(out, " %" PRIu64 "\n", node[i]->self[event]);
	}
	if (rest)
		fprintf(out, PROF_NOWHERE " %" PRIu64 "\n", rest);
	free(frame);
	free(node);
	prof_tree_free(t);
}
