/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "catching.h"

#include "machine/mix.h"
#include "frames.h"
#include "guest_bytes.h"

#include <string.h>

#define KNOWN 16384u
#define TABLE_MAX (1u << 24)	/* bytes that are believed */

/* Addresses that have been asked for, with the function there if one of its
 * calls may go on there. */
static struct {
	struct known {
		u64 address;	/* 0: the place is empty */
		struct frame_function f; /* its end 0: there is none */
	} known[KNOWN];
	unsigned n;
} catching;

/* A function's table of calls, as compilers of C++ write it. */
static bool
has_call(const struct frame_function *f, u64 address, const u64 *site)
{
	struct guest_bytes g = guest_bytes_at(f->calls);
	u8 encoding = (u8)guest_number(&g, 1);
	u64 base = encoding == ENCODING_OMIT ? f->start
					     : guest_encoded(&g, encoding);
	u64 end;

	if (guest_number(&g, 1) != ENCODING_OMIT)
		guest_uleb(&g);	/* where types are */
	encoding = (u8)guest_number(&g, 1);
	end = guest_uleb(&g);
	if (end > TABLE_MAX)
		return false;
	end += g.at;
	while (g.at < end && !g.bad) {
		u64 start = f->start + guest_encoded(&g, encoding);
		u64 bytes = guest_encoded(&g, encoding);
		u64 there = guest_encoded(&g, encoding);

		guest_uleb(&g);	/* what is done there */
		if (there && base + there == address && !g.bad &&
		    (!site || *site - start < bytes))
			return true;
	}
	return false;
}

static const struct known *
look_up(u64 address)
{
	u32 at = (u32)mix64(address) % KNOWN;
	struct known *k;

	while (catching.known[at].address &&
	       catching.known[at].address != address)
		at = (at + 1) % KNOWN;
	k = &catching.known[at];
	if (k->address)
		return k;
	if (catching.n++ == KNOWN / 2) {
		memset(&catching, 0, sizeof catching);
		return look_up(address);
	}
	k->address = address;
	if (!frames_find(address, &k->f) || !k->f.calls ||
	    !has_call(&k->f, address, NULL))
		k->f = (struct frame_function){0};
	return k;
}

bool
catching_at(u64 address, const u64 *site)
{
	const struct known *k = look_up(address);

	return k->f.end && (!site || (*site - k->f.start <
				      k->f.end - k->f.start &&
				      has_call(&k->f, address, site)));
}
