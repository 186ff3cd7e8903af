/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_tlb.h"

#include <errno.h>
#include <stdlib.h>

/* A micro-TLB is moved: its array's parts go with it. */
static void
put(struct micro_tlb *to, const struct micro_tlb *from)
{
	*to = *from;
	to->array.key = to->page;
	to->array.stamp = to->stamp;
	to->array.next = to->next;
}

/* *own: copies of m, which is empty, for all that have one of their own. */
static int
make(struct own_tlbs **own, const struct sim_config *config, u8 owner,
     const struct micro_tlb *m)
{
	struct own_tlbs *o;
	u32 n = owner == TLB_OF_VPE ? config->topo.vpes : config->topo.tcs;

	if (owner == TLB_OF_ALL || !contexts_share(config))
		return 0;
	o = calloc(1, sizeof *o + n * sizeof *m);
	if (!o)
		return -ENOMEM;
	o->n = n;
	for (u32 tc = 0; tc < config->topo.tcs; tc++)
		o->of_tc[tc] = owner == TLB_OF_VPE ? config->topo.vpe_of_tc[tc]
						   : (u8)tc;
	o->here = o->of_tc[0];
	for (u32 i = 0; i < n; i++)
		put(&o->tlb[i], m);
	*own = o;
	return 0;
}

int
own_tlbs_init(struct core *c)
{
	const struct sim_config *config = c->config;

	return make(&c->own_itlbs, config, config->itlb.owner, &c->itlb) ||
			       make(&c->own_dtlbs, config, config->dtlb.owner,
				    &c->dtlb)
		       ? -ENOMEM : 0;
}

void
own_tlbs_free(struct core *c)
{
	free(c->own_itlbs);
	free(c->own_dtlbs);
	c->own_itlbs = c->own_dtlbs = NULL;
}

static void
use(struct micro_tlb *m, struct own_tlbs *own, unsigned tc)
{
	if (!own || own->of_tc[tc] == own->here)
		return;
	put(&own->tlb[own->here], m);
	own->here = own->of_tc[tc];
	put(m, &own->tlb[own->here]);
}

void
own_tlbs_use(struct core *c, unsigned tc)
{
	use(&c->itlb, c->own_itlbs, tc);
	use(&c->dtlb, c->own_dtlbs, tc);
}

void
own_tlbs_renorm(struct own_tlbs *own)
{
	for (u32 i = 0; own && i < own->n; i++)
		array_renorm(&own->tlb[i].array);
}
