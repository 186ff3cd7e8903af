/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "random.h"

#include "target.h"
#include "guest_strings.h"

#include "machine/mix.h"

#include <linux/major.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define STEP 0x9e3779b97f4a7c15ull	/* of SplitMix64 */
#define MINOR_RANDOM 8u
#define MINOR_URANDOM 9u
#define MAX_PIECES 1024u		/* of a vector: Linux's IOV_MAX */

/* Where the kernel is to put random bytes. */
static __thread struct {
	enum call call;		/* CALL_OTHER: nowhere */
	u64 address;
	u64 pieces;		/* of a vector at address */
} asked;

static u64
next(u64 *state)
{
	return mix64(*state += STEP);
}

u64
random_begin(u64 seed)
{
	return mix64(seed);
}

u64
random_child(u64 *parent)
{
	return mix64(~next(parent));
}

static bool
is_random(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
	       major(st.st_rdev) == MEM_MAJOR &&
	       (minor(st.st_rdev) == MINOR_RANDOM ||
		minor(st.st_rdev) == MINOR_URANDOM);
}

void
random_syscall(enum call call, const u64 arg[8])
{
	asked.call = CALL_OTHER;
	if (!target.map.m->seeded)
		return;
	switch (call) {
	case CALL_GETRANDOM:
		asked.call = call;
		asked.address = guest_address(arg[0]);
		break;
	case CALL_READ:
	case CALL_PREAD:
	case CALL_READV:
	case CALL_PREADV:
		if (!is_random((int)arg[0]))
			break;
		asked.call = call;
		asked.address = guest_address(arg[1]);
		asked.pieces = arg[2];
		break;
	default:
		break;
	}
}

/* Fills what was read, up to left bytes; what is left over. */
static u64
fill(u64 *state, u64 address, u64 bytes, u64 left)
{
	u64 word;

	if (bytes > left)
		bytes = left;
	left -= bytes;
	for (u64 at = 0; at < bytes; at += sizeof word) {
		size_t n = bytes - at < sizeof word ? bytes - at : sizeof word;

		word = next(state);
		if (guest_write(address + at, &word, n))
			break;
	}
	return left;
}

static void
fill_vector(u64 *state, u64 left)
{
	u64 address, bytes;

	for (u64 i = 0; i < asked.pieces && i < MAX_PIECES && left; i++) {
		if (guest_piece(asked.address, i, &address, &bytes))
			return;
		left = fill(state, address, bytes, left);
	}
}

void
random_syscall_return(s64 result)
{
	u64 *state = &target_slot()->random;

	if (asked.call == CALL_OTHER || result <= 0)
		return;
	if (asked.call == CALL_READV || asked.call == CALL_PREADV)
		fill_vector(state, (u64)result);
	else
		fill(state, asked.address, (u64)result, (u64)result);
}
