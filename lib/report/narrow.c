/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Narrowing a plan to one hardware thread or processing element. */
#include "device/procperf.h"
#include "pmcsim.h"

#define MT_EN_VPE 1u
#define MT_EN_TC 2u

static void
narrow_to_tc(struct pmcsim_slot *slot, int tc)
{
	slot->tc = tc;
	slot->control |= MT_EN_TC << PROCPERF_MT_EN_SHIFT |
			 (uint32_t)tc << PROCPERF_TCID_SHIFT;
}

static void
narrow_to_vpe(struct pmcsim_slot *slot, int vpe)
{
	slot->vpe = vpe;
	slot->control |= MT_EN_VPE << PROCPERF_MT_EN_SHIFT |
			 (uint32_t)vpe << PROCPERF_VPEID_SHIFT;
}

void
pmcsim_plan_narrow(struct pmcsim_plan *plan, int tc, int vpe)
{
	for (size_t k = 0; k < plan->n; k++) {
		for (size_t i = 0; i < plan->run[k].n; i++) {
			if (tc >= 0)
				narrow_to_tc(&plan->run[k].slot[i], tc);
			else if (vpe >= 0)
				narrow_to_vpe(&plan->run[k].slot[i], vpe);
		}
	}
}
