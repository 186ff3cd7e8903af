/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "turns_patience.h"

#define CALL_LOOKS 32u		/* before a call is taken for one that blocks */
#define ESCAPE_LOOKS 256u	/* while others leave their blocks */
#define STUCK_LOOKS 16u
#define LAST_RESORT_NS 30000000000u /* a child that works, or only polls */
#define DOZE_NS 1000000000u	/* one that sleeps, until a thread may end it */

void
patience_reset(struct patience *p)
{
	*p = (struct patience){0};
}

enum patience_says
patience_look(struct patience *p, enum watched why, u64 now)
{
	if (why == WATCH_RUNS) {
		patience_reset(p);
		return PATIENCE_WAIT;
	}
	if (!p->since)
		p->since = now;
	if (why != p->last)
		p->looks = 0;
	p->last = why;
	p->looks++;
	switch (why) {
	case WATCH_CALL:
		return p->looks < CALL_LOOKS ? PATIENCE_WAIT
					     : PATIENCE_TAKE_OVER;
	case WATCH_EXCLUSIVE:
		return p->looks < ESCAPE_LOOKS ? PATIENCE_ESCAPE
					       : PATIENCE_FREE;
	case WATCH_STUCK:
		return p->looks < STUCK_LOOKS ? PATIENCE_WAIT : PATIENCE_FREE;
	case WATCH_DOZES:
		return now - p->since < DOZE_NS ? PATIENCE_WAIT
						: PATIENCE_TAKE_OVER;
	default:
		return now - p->since < LAST_RESORT_NS ? PATIENCE_WAIT
						       : PATIENCE_TAKE_OVER;
	}
}
