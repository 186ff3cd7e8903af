/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The devices' files under an engine that can neither answer a system call nor
 * change its arguments.
 *
 *	detour.c	read and write, and how the rest is done
 *	detour_path.c	paths of the target that name a device
 *	detour_look.c	the attributes that stat() gives
 */
#ifndef TARGET_DETOUR_H
#define TARGET_DETOUR_H

#include "call.h"
#include "device_file.h"

/* Before a system call of the target, and when it has returned. */
void detour_before(enum call call, const u64 arg[8]);
void detour_after(s64 result);

/* The same for calls with a path. */
void detour_path_before(enum call call, const u64 arg[8]);
void detour_path_after(void);

/* The same for a call that writes attributes of a file into the buffer:
 * whether the device lets the target write it. */
void detour_look_before(enum call call, u64 buffer, bool writable);
void detour_look_after(s64 result);

#endif
