/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions of a program that is nothing else: no library, no stack. */
#include <pmcsim/region.h>

#include "loop.h"

void
entry(void)
{
	PMCSIM_REGION_BEGIN("outer");
	PMCSIM_REGION_BEGIN("inner");
	LOOP;
	PMCSIM_REGION_END("inner");
	LOOP;
	PMCSIM_REGION_BEGIN("outer");
	LOOP;
	PMCSIM_REGION_END("outer");
	PMCSIM_REGION_END("outer");
	PMCSIM_REGION_BEGIN("empty");
	PMCSIM_REGION_END("empty");
	EXIT;
}
