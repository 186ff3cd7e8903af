/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a file that the target has mapped says of a function to those that
 * unwind its frames: .eh_frame_hdr has a sorted table of .eh_frame, which says
 * where the table of its calls is that may end by an exception.
 */
#ifndef QEMU_FRAMES_H
#define QEMU_FRAMES_H

#include "machine/types.h"

struct frame_function {
	u64 start, end;
	u64 calls;		/* the address of that table; 0: none */
};

/* The function, or part of one, at pc; false if nothing tells. */
bool frames_find(u64 pc, struct frame_function *f);

#endif
