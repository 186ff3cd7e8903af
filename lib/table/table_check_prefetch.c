/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of prefetchers: what each kind has. */
#include "table_check.h"

#define OF_NEXT (1 << PREFETCH_NEXT)
#define OF_STRIDE (1 << PREFETCH_STRIDE)
#define OF_STREAM (1 << PREFETCH_STREAM)
#define OF_ALL (OF_NEXT | OF_STRIDE | OF_STREAM)

/* A number, the kinds that have it, and what it can be for those. */
struct prefetch_key {
	const char *key;
	u32 value;
	unsigned kinds;
	u32 most;
};

static int
check_keys(struct table_check *check, u32 i, const struct prefetch_config *p)
{
	const struct prefetch_key keys[] = {
		{"degree", p->degree, OF_ALL, 16},
		{"buffers", p->buffers, OF_ALL, SIM_PREFETCH_BUFFERS},
		{"entries", p->entries, OF_STRIDE | OF_STREAM, 4096},
		{"confidence", p->confidence, OF_STRIDE | OF_STREAM, 100},
		{"distance", p->distance, OF_STREAM, 64},
	};

	for (size_t k = 0; k < SIM_COUNT(keys); k++) {
		bool has = keys[k].kinds >> p->kind & 1;

		table_at(check, "machine.prefetchers[%u].%s", i, keys[k].key);
		if (!has && keys[k].value)
			return table_fail(check,
					  "this kind of prefetcher has no %s",
					  keys[k].key);
		if (has && (!keys[k].value || keys[k].value > keys[k].most))
			return table_fail(check,
					  "%s is %u, but can be 1 to %u",
					  keys[k].key, keys[k].value,
					  keys[k].most);
	}
	table_at(check, "machine.prefetchers[%u].reach", i);
	if (p->reach && p->kind != PREFETCH_STREAM)
		return table_fail(check,
				  "this kind of prefetcher has no reach");
	table_at(check, "machine.prefetchers[%u].entries", i);
	if (p->kind == PREFETCH_STRIDE && p->entries & (p->entries - 1))
		return table_fail(check, "entries is %u, not a power of two",
				  p->entries);
	return 0;
}

int
table_check_prefetchers(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	int rc = 0;

	for (u32 i = 0; i < c->n_prefetchers && !rc; i++) {
		table_at(check, "machine.prefetchers[%u].fills", i);
		if (c->prefetcher[i].fills == PREFETCH_FILLS_L2 && !c->l2.size)
			return table_fail(check, "there is no l2 to fill");
		rc = check_keys(check, i, &c->prefetcher[i]);
	}
	table_at(check, "machine.prefetchers");
	if (!rc && c->n_prefetchers && c->topo.tcs > 1)
		rc = table_fail(check, "prefetchers are for one context");
	return rc;
}
