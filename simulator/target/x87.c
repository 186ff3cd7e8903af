/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "x87.h"

#include "machine/machine.h"
#include "target.h"

enum precision { EXTENDED, DOUBLE, SINGLE, PRECISIONS, UNKNOWN };

static __thread u8 own = UNKNOWN; /* enum precision of the thread */
static u8 last;			/* that any has asked for: a new thread's */
static u32 built;		/* those that blocks with divides have */

/* Of bits 8 and 9 of the control word; 01 is reserved. */
static const u8 precisions[4] = {SINGLE, EXTENDED, DOUBLE, EXTENDED};

u8
x87_precision(void)
{
	if (own == UNKNOWN)
		own = last;
	return own;
}

static bool
is_divide(const struct insn *in)
{
	return in->cls == CLASS_FDIV_X || in->cls == CLASS_FSQRT_X;
}

bool
x87_divides(const struct insn *insn, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (is_divide(&insn[i]))
			return true;
	return false;
}

void
x87_classes_by(struct insn *insn, unsigned n, u8 by)
{
	static const u8 divide[PRECISIONS] = {CLASS_FDIV_X, CLASS_FDIV_D,
					      CLASS_FDIV};
	static const u8 root[PRECISIONS] = {CLASS_FSQRT_X, CLASS_FSQRT_D,
					    CLASS_FSQRT};

	for (unsigned i = 0; i < n; i++)
		if (is_divide(&insn[i]))
			insn[i].cls = insn[i].cls == CLASS_FDIV_X ? divide[by]
								  : root[by];
}

static void
doubt(u32 others)
{
	if (others)
		machine_doubt(target.map.m, DOUBT_PRECISION);
}

void
x87_classes(struct insn *insn, unsigned n)
{
	u8 by = x87_precision();

	if (!x87_divides(insn, n))
		return;
	x87_classes_by(insn, n, by);
	built |= 1u << by;
	doubt(built & ~(1u << by));
}

void
x87_set(u16 word)
{
	own = last = precisions[word >> 8 & 3];
	doubt(built & ~(1u << own));
}

/* ---- Instructions -------------------------------------------------------- */

static bool
is_prefix(u8 byte, bool is_64)
{
	static const u8 legacy[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66,
				    0x67, 0xf0, 0xf2, 0xf3, 0x9b};

	for (unsigned i = 0; i < sizeof legacy; i++)
		if (byte == legacy[i])
			return true;
	return is_64 && (byte & 0xf0) == 0x40;
}

enum x87_control
x87_control_of(const u8 *bytes, unsigned size, bool is_64)
{
	unsigned i = 0, reg;
	bool memory;

	while (i < size && is_prefix(bytes[i], is_64))
		i++;
	if (i + 1 < size && bytes[i] == 0x0f && bytes[i + 1] == 0xae)
		i++;
	if (i + 1 >= size)
		return X87_NONE;
	reg = bytes[i + 1] >> 3 & 7;
	memory = bytes[i + 1] < 0xc0;
	switch (bytes[i]) {
	case 0xd9:
		return memory && (reg == 4 || reg == 5) ? X87_LOADS : X87_NONE;
	case 0xdb:
		return bytes[i + 1] == 0xe3 ? X87_RESETS : X87_NONE;
	case 0xdd:
		return !memory ? X87_NONE : reg == 4 ? X87_LOADS
				 : reg == 6	     ? X87_RESETS
						     : X87_NONE;
	case 0xae:
		return i && bytes[i - 1] == 0x0f && memory &&
				       (reg == 1 || reg == 5)
			       ? X87_LOADS
			       : X87_NONE;
	default:
		return X87_NONE;
	}
}
