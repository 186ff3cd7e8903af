/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of calls, as they come from a machine: numbered in the order in which
 * they were first taken, each process with its own.  A profile has those that
 * lead to its places, each once, in an order that depends on nothing else.
 */
#ifndef LIB_PROFILE_CALLS_H
#define LIB_PROFILE_CALLS_H

#include "pmcsim.h"

struct call_entry {
	struct pmcsim_call call; /* its parent's number is the machine's */
	unsigned depth;		/* 0: there is no such path */
	bool used;
	unsigned path;		/* in the profile */
};

struct call_list {
	struct call_entry *entry; /* by number */
	size_t n, room;
};

/* Path number n, from 1, behind those that it needs; 0 or -ENOMEM. */
int call_list_add(struct call_list *l, unsigned n,
		  const struct pmcsim_call *call);

/* It was taken so often more. */
void call_list_take(struct call_list *l, unsigned n, uint64_t taken);

/* It leads to a place. */
void call_list_use(struct call_list *l, unsigned n);

/* Numbers those that are used; the list is the caller's.  0 or -ENOMEM. */
int call_list_number(struct call_list *l, struct pmcsim_call **call,
		     size_t *n);

/* The number that path n has got; 0: none. */
unsigned call_list_path(const struct call_list *l, unsigned n);

void call_list_free(struct call_list *l);

#endif
