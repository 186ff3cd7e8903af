/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target's vector registers while C executes, which has none of its own, but
 * calls a C library that has.
 *
 * A processor of x86-64-v3 or less has sixteen of 32 bytes, and MXCSR: they are put
 * aside one by one, which takes a tenth of what XSAVE and XRSTOR take.  The x87's are
 * left where they are.  What a signal's frame has, and a new thread begins with, is an
 * area of XSAVE's, which is made of them then.  With more (v4) all is in that area
 * in any case.
 */
#ifndef NATIVE_VECTORS_H
#define NATIVE_VECTORS_H

#include "machine/types.h"

#include <stdbool.h>
#include <stddef.h>

/* Once: whether programs see registers beyond those sixteen. */
void vectors_begin(bool beyond);

/* An area as XSAVE begins with it, and behind it one that is as large, and room for
 * what is put aside: its address, or 0.  And gives it back. */
u64 vectors_new(void);
void vectors_free(u64 area);
u64 vectors_second(u64 area);

/* From the area into the registers, before the target's code, and back behind it. */
void vectors_load(u64 area);
void vectors_store(u64 area);

/* The area gets what has been put aside; that is what the area has now. */
void vectors_take(u64 area);
void vectors_give(u64 area);

/* The registers as they are, all that there are, into an area, and back. */
void vectors_save_all(u64 area);
void vectors_restore_all(u64 area);

/* Bytes that XSAVE writes; where it puts a component, by its number. */
size_t vectors_bytes(void);
size_t vectors_place(unsigned component);

#endif
