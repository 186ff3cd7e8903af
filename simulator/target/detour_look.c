/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stat() and its like show of a device's file.  What is looked at is
 * something else with that content or name, see device_path.c: whether it may
 * be written is not as the device has it, and is put right in what the call has
 * written.
 */
#include "detour.h"

#include <sys/stat.h>

#define WRITE_BITS (S_IWUSR | S_IWGRP | S_IWOTH)

/* The byte with the permissions to write: the mode's low one.  Linux
 * has an old structure for 32-bit inodes, and one for 64 bits. */
static const struct {
	u8 stat, stat64, statx;
} mode_at[ISA_N] = {
	[ISA_X86_64] = {24, 24, 28},
	[ISA_I386] = {8, 16, 28},
	[ISA_MIPSEL] = {20, 24, 28},
	[ISA_MIPS] = {20 + 3, 24 + 3, 28 + 1},
	[ISA_ALPHA] = {8, 40, 28},
};

/* Of the running call. */
static __thread struct {
	u64 mode;		/* address of the byte, 0: none */
	bool writable;
} shown;

static u8
mode_of(enum call call)
{
	switch (call) {
	case CALL_STAT:
	case CALL_LSTAT:
	case CALL_FSTAT:
		return mode_at[target.isa].stat;
	case CALL_STATX:
		return mode_at[target.isa].statx;
	default:
		return mode_at[target.isa].stat64;
	}
}

void
detour_look_before(enum call call, u64 buffer, bool writable)
{
	shown.mode = buffer + mode_of(call);
	shown.writable = writable;
}

void
detour_look_after(s64 result)
{
	u64 address = shown.mode;
	u8 mode;

	shown.mode = 0;
	if (!address || result || guest_read(&mode, address, sizeof mode))
		return;
	if (shown.writable)
		mode |= S_IWUSR;
	else
		mode &= (u8)~WRITE_BITS;
	guest_write(address, &mode, sizeof mode);
}
