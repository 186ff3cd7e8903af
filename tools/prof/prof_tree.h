/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The procedures of a profile as a tree of those that called each other, or
 * that compilers have put into each other.  A profile without calls has trees
 * of the latter alone.
 */
#ifndef PROF_TREE_H
#define PROF_TREE_H

#include "prof_functions.h"

/* Where a procedure is called, or would be if it had not been put there. */
struct prof_site {
	unsigned module;
	uint64_t offset;	/* of the call, or of the first of its
				   instructions that is known */
	const char *file;	/* of the line; or NULL */
	unsigned line;
	bool inlined;
};

/* A procedure that the one of the parent has called, directly or through
 * others that left no trace (jumps). */
struct prof_node {
	unsigned parent;	/* a smaller number; of the first one, which
				   stands for the thread: its own */
	unsigned function;	/* number */
	unsigned site;		/* of a tree by sites; 0: none */
	uint64_t taken;		/* how often it was called there */
	uint64_t self[PMCSIM_PROFILE_EVENTS]; /* costs */
	uint64_t all[PMCSIM_PROFILE_EVENTS]; /* ... with those it called */
};

struct prof_tree {
	struct prof_functions functions; /* counts: inclusive costs */
	struct prof_node *node;
	size_t n, room;
	struct prof_site *site;	/* of a tree by sites; the first is none */
	size_t n_sites, sites_room;
};

/* by_site: calls of a procedure in different places have nodes of their own.
 * The caller's; ends the tool without memory. */
struct prof_tree *prof_tree_new(const struct prof *p, bool by_site);
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

/* The same through all nodes of a tree. */
void prof_walk_tree(const struct prof *p, const struct prof_tree *t,
		    void (*enter)(void *arg, unsigned node),
		    void (*leave)(void *arg, unsigned node), void *arg);

#endif
