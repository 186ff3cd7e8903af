/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instructions such as XSAVE access. */
#ifndef NATIVE_AREA_H
#define NATIVE_AREA_H

#include "code.h"

#define AREA_ACCESSES 160	/* more than all components have */

struct area {
	unsigned n;
	struct area_access {
		u16 at;		/* from the operand's beginning */
		u8 size_log2;
		bool store;
	} access[AREA_ACCESSES];
};

/*
 * The accesses of instruction i, whose host_insn has an area.  Components are
 * those that the block itself loads into EAX, or all that the processor has; of
 * what is restored, all are taken to have been saved.
 */
void area_find(struct area *a, const struct code_source *s, unsigned i);

#endif
