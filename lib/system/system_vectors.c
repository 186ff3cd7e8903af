/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a kernel is entered, from its symbols. */
#include "system_internal.h"

#include "machine/machine.h"
#include "kernel.h"

#include <string.h>

/* Linux's names for x86-64; the first that fits counts. */
static const struct {
	const char *name;
	bool begins;		/* ... with that name */
	bool table;		/* all of it: entries one beside the other */
	enum system_vector vector;
} ways[] = {
	{"entry_SYSCALL_64", false, false, VECTOR_CALL},
	{"entry_SYSCALL_compat", false, false, VECTOR_CALL},
	{"entry_SYSENTER_compat", false, false, VECTOR_CALL},
	{"asm_int80_emulation", false, false, VECTOR_CALL},
	{"asm_exc_page_fault", false, false, VECTOR_PAGE},
	{"asm_exc_", true, false, VECTOR_GENERAL},
	{"asm_sysvec_", true, false, VECTOR_INTERRUPT},
	{"irq_entries_start", false, true, VECTOR_INTERRUPT},
	{"spurious_entries_start", false, true, VECTOR_INTERRUPT},
};

static void
add(struct system_vectors *v, const struct kernel_function *f)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (ways[i].begins ? strncmp(f->name, ways[i].name,
					     strlen(ways[i].name))
				   : strcmp(f->name, ways[i].name))
			continue;
		if (v->n == SYSTEM_VECTORS)
			return;
		v->range[v->n].start = f->start;
		v->range[v->n].end = f->start +
				     (ways[i].table ? f->size : 1);
		v->range[v->n++].vector = ways[i].vector;
		return;
	}
}

void
system_vectors(const struct pmcsim_kernel *k, struct system_vectors *v)
{
	v->n = 0;
	for (size_t i = 0; i < k->n; i++)
		add(v, &k->function[i]);
}
