/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of data that are accessed while nothing is modelled.
 *
 * Of lines whose numbers are the same in their low bits the last one is known: so
 * many lines in all as a large cache has.  Accesses by the stack's pointer are left
 * out, as they seldom miss anything.
 */
#ifndef NATIVE_TOUCH_H
#define NATIVE_TOUCH_H

#include "code.h"

#define TOUCH_LINE_BITS 6u
#define TOUCH_LINES (1u << 16)	/* the low half of a register tells them apart */

extern struct touched {
	u64 line[TOUCH_LINES];	/* numbers; 0: none */
} touched;

/* Code that notes the line of m, so many bytes behind its beginning, where names are
 * the registers of its address. */
void touch_emit(struct emitter *e, const struct host_memory *m, s32 bytes,
		u16 names, struct code_live live);

/* None has been accessed. */
void touch_forget(void);

#endif
