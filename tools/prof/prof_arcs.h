/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls of a profile, each once, with what they cost. */
#ifndef PROF_ARCS_H
#define PROF_ARCS_H

#include "prof_tree.h"

/* A place of a procedure and one that it called, or that has been put there:
 * costs are of that one with all that it called.  Those of a call within
 * itself count once. */
struct prof_arc {
	unsigned site;		/* number */
	unsigned caller, callee; /* procedures of the tree */
	uint64_t taken;		/* 0 of what has been put there */
	uint64_t cost[PMCSIM_PROFILE_EVENTS];
};

struct prof_arcs {
	struct prof_arc *arc;	/* by place */
	size_t n;
};

/* Those of a tree by sites. */
void prof_arcs_find(const struct prof *p, const struct prof_tree *t,
		    struct prof_arcs *arcs);
void prof_arcs_free(struct prof_arcs *arcs);

#endif
