/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "touch.h"

#include <string.h>

struct touched touched;

void
touch_emit(struct emitter *e, const struct host_memory *m, s32 bytes,
	   u16 names, struct code_live live)
{
	struct code_scratch s;
	u8 line, place;

	if (m->base == HOST_RSP)
		return;
	scratch_take(e, &s, 2, names, live);
	line = s.reg[0];
	place = s.reg[1];
	emit_address(e, line, m, bytes);
	scratch_flags(e, &s, live);
	emit_shift(e, false, EMIT_64, line, TOUCH_LINE_BITS);
	emit_rr(e, EMIT_LOAD_16, EMIT_32, place, line);
	emit_op(e, EMIT_STORE, EMIT_64, line,
		EMIT_GS_INDEX(HOST_AT(touched.line[0]), place, 8));
	scratch_give(e, &s);
}

void
touch_forget(void)
{
	memset(&touched, 0, sizeof touched);
}
