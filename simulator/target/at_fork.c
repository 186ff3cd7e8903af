/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "at_fork.h"

#include <errno.h>
#include <pthread.h>

#define HOOKS 8

static struct {
	void (*before)(void), (*parent)(void), (*child)(void);
} hook[HOOKS];
static unsigned n_hook;

int
at_fork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
	int error = n_hook ? 0 : pthread_atfork(at_fork_before, at_fork_parent,
						at_fork_child);

	if (error || n_hook == HOOKS)
		return error ? -error : -ENOMEM;
	hook[n_hook].before = before;
	hook[n_hook].parent = parent;
	hook[n_hook++].child = child;
	return 0;
}

void
at_fork_before(void)
{
	for (unsigned i = n_hook; i-- > 0;)
		if (hook[i].before)
			hook[i].before();
}

void
at_fork_parent(void)
{
	for (unsigned i = 0; i < n_hook; i++)
		if (hook[i].parent)
			hook[i].parent();
}

void
at_fork_child(void)
{
	for (unsigned i = 0; i < n_hook; i++)
		if (hook[i].child)
			hook[i].child();
}
