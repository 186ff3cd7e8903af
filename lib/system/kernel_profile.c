/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile of a system learns the names of its kernel's code. */
#include "kernel.h"

#include "machine/machine.h"
#include "counters/machine_api.h"
#include "profile/profile_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Code that the kernel has written itself: exception vectors. */
static const struct {
	unsigned start, size;
	const char *name;
} vectors[] = {
	{0, 0x100, "(TLB refill)"},
	{0x100, 0x80, "(cache error)"},
	{0x180, 0x80, "(exception entry)"},
	{0x200, 0x800, "(interrupt entry)"},
};

#define VECTORS (sizeof vectors / sizeof *vectors)
#define VECTORS_SIZE 0xa00
#define MORE_MODULES 256

struct naming {
	const struct pmcsim_kernel *kernel;
	struct pmcsim_umon *umon;
	const char **module;
	size_t n_modules;
	uint64_t vectors;	/* their address, or 0 */
};

/* The number of a module; 0, no file, without room or memory. */
static unsigned
module_of(struct naming *n, const char *name)
{
	for (size_t i = n->n_modules; i--;)
		if (!strcmp(n->module[i], name))
			return (unsigned)i;
	if (n->n_modules == MORE_MODULES)
		return 0;
	n->module[n->n_modules] = strdup(name);
	return n->module[n->n_modules] ? (unsigned)n->n_modules++ : 0;
}

static int
list(struct naming *n, const char *module, const char *name, uint64_t start,
     uint64_t size)
{
	struct pmcsim_umon *u = n->umon;
	struct pmcsim_listed *l = &u->listed[u->n_listed];

	*l = (struct pmcsim_listed){module_of(n, module), start, size,
				    strdup(name)};
	if (!l->name)
		return -ENOMEM;
	u->n_listed++;
	return 0;
}

static int
list_all(struct naming *n)
{
	const struct pmcsim_kernel *k = n->kernel;
	int rc = 0;

	n->umon->listed = calloc(k->n + VECTORS, sizeof *n->umon->listed);
	if (!n->umon->listed)
		return -ENOMEM;
	for (size_t i = 0; i < k->n && !rc; i++)
		rc = list(n, k->function[i].module, k->function[i].name,
			  k->function[i].start, k->function[i].size);
	for (size_t i = 0; i < VECTORS && n->vectors && !rc; i++)
		rc = list(n, "vectors", vectors[i].name,
			  n->vectors + vectors[i].start, vectors[i].size);
	return rc;
}

static unsigned
module_at(struct naming *n, const struct pmcsim_place *at)
{
	const struct kernel_function *f;

	if (at->image == SYSTEM_USER)
		return module_of(n, "user code");
	f = kernel_find(n->kernel, at->pc);
	if (f)
		return module_of(n, f->module);
	if (n->vectors && at->pc - n->vectors < VECTORS_SIZE)
		return module_of(n, "vectors");
	return at->module;
}

int
pmcsim_kernel_name(const struct pmcsim_kernel *kernel,
		   const struct pmcsim_machine *m, struct pmcsim_umon *u)
{
	struct pmcsim_profile *p = u->profile;
	struct pmcsim_place *at = (struct pmcsim_place *)(void *)p->place;
	struct naming n = {
		.kernel = kernel, .umon = u,
		.module = calloc(MORE_MODULES, sizeof *n.module),
		.vectors = m->map.m->facts.vectors,
	};
	int rc;

	if (!n.module || p->n_modules > MORE_MODULES) {
		free(n.module);
		return -ENOMEM;
	}
	for (size_t i = 0; i < p->n_modules; i++)
		n.module[n.n_modules++] = p->module[i];
	free((void *)p->module);
	if (!n.n_modules)
		module_of(&n, "");
	rc = list_all(&n);
	for (size_t i = 0; i < p->n_places; i++)
		at[i].module = module_at(&n, &at[i]);
	p->module = (const char *const *)n.module;
	p->n_modules = n.n_modules;
	profile_sort_places(p);
	return rc;
}
