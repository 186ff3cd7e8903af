/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The procedures of a profile as a tree of those that called each other.  A
 * profile without calls has one of depth 1.
 */
#ifndef PROF_TREE_H
#define PROF_TREE_H

#include "prof.h"

/* A procedure that the one of the parent has called, directly or through
 * others that left no trace (jumps). */
struct prof_node {
	unsigned parent;	/* a smaller number; of the first one, which
				   stands for the thread: its own */
	unsigned function;	/* index */
	uint64_t self[PMCSIM_PROFILE_EVENTS]; /* costs */
	uint64_t all[PMCSIM_PROFILE_EVENTS]; /* ... with those it called */
};

struct prof_tree {
	struct pmcsim_profile_row *function; /* by prof_by_function(); counts:
						inclusive costs */
	size_t n_functions;
	unsigned *of_call;	/* which of them that call of the profile is in */
	unsigned *of_place;
	struct prof_node *node;
	size_t n;
};


/* The caller's; ends the tool without memory. */
struct prof_tree *prof_tree_new(const struct prof *p);
void prof_tree_free(struct prof_tree *t);

/* What a walk through a tree does with each of its n nodes but the first, whose
 * parents have smaller numbers. */
struct prof_walk {
	const unsigned *parent;
	size_t n;
	void (*enter)(void *arg, unsigned node);
	void (*leave)(void *arg, unsigned node); /* all below it are left */
	void *arg;
};

void prof_walk(const struct prof *p, const struct prof_walk *walk);

#endif
