/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest_bytes.h"

#include "target.h"

#define LEB_BITS 7

enum { FORMAT_POINTER, FORMAT_ULEB, FORMAT_U2, FORMAT_U4, FORMAT_U8,
       FORMAT_SLEB = 9, FORMAT_S2, FORMAT_S4, FORMAT_S8 };

#define RELATIVE 0x70
#define RELATIVE_PC 0x10

struct guest_bytes
guest_bytes_at(u64 address)
{
	return (struct guest_bytes){.at = address};
}

/* As many as there are, of one page. */
static void
fill(struct guest_bytes *g)
{
	g->from = g->at;
	g->n = guest_on_page(g->at, sizeof g->byte);
	if (guest_read(g->byte, g->at, g->n)) {
		g->bad = true;
		g->n = 0;
	}
}

static u8
next(struct guest_bytes *g)
{
	if (g->at - g->from >= g->n && !g->bad)
		fill(g);
	return g->bad ? 0 : g->byte[g->at++ - g->from];
}

u64
guest_number(struct guest_bytes *g, unsigned bytes)
{
	u64 n = 0;

	for (unsigned i = 0; i < bytes; i++) {
		u64 byte = next(g);

		n = target.isa == ISA_MIPS ? n << 8 | byte : n | byte << 8 * i;
	}
	return n;
}

/* And how many bits it has. */
static u64
leb(struct guest_bytes *g, unsigned *bits)
{
	u64 n = 0;
	u8 byte;

	for (*bits = 0; *bits < 64; *bits += LEB_BITS) {
		byte = next(g);
		n |= (u64)(byte & 0x7f) << *bits;
		if (!(byte & 0x80)) {
			*bits += LEB_BITS;
			return n;
		}
	}
	g->bad = true;
	return 0;
}

u64
guest_uleb(struct guest_bytes *g)
{
	unsigned bits;

	return leb(g, &bits);
}

static s64
sign_extend(u64 n, unsigned bits)
{
	return bits < 64 ? (s64)(n << (64 - bits)) >> (64 - bits) : (s64)n;
}

s64
guest_sleb(struct guest_bytes *g)
{
	unsigned bits;
	u64 n = leb(g, &bits);

	return sign_extend(n, bits);
}

static u64
formatted(struct guest_bytes *g, u8 format)
{
	switch (format) {
	case FORMAT_POINTER:
		return guest_number(g, guest_word_size());
	case FORMAT_ULEB:
		return guest_uleb(g);
	case FORMAT_U2:
		return guest_number(g, 2);
	case FORMAT_U4:
		return guest_number(g, 4);
	case FORMAT_U8:
	case FORMAT_S8:
		return guest_number(g, 8);
	case FORMAT_SLEB:
		return (u64)guest_sleb(g);
	case FORMAT_S2:
		return (u64)sign_extend(guest_number(g, 2), 16);
	case FORMAT_S4:
		return (u64)sign_extend(guest_number(g, 4), 32);
	}
	g->bad = true;
	return 0;
}

u64
guest_encoded(struct guest_bytes *g, u8 encoding)
{
	u64 at = g->at, value = formatted(g, encoding & ENCODING_FORMAT);
	u8 relative = encoding & RELATIVE;

	if (relative && relative != RELATIVE_PC)
		g->bad = true;
	if (!value)
		return 0;
	if (relative)
		value += at;
	if (guest_word_size() == 4)
		value = (u32)value;
	if (encoding & ENCODING_INDIRECT) {
		struct guest_bytes there = guest_bytes_at(value);

		value = guest_number(&there, guest_word_size());
		g->bad |= there.bad;
	}
	return value;
}
