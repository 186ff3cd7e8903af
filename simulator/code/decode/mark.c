/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mark.h"

#include "decode.h"

#include <string.h>

static const char magic[8] = {'p', 'm', 'c', 's', 'i', 'm', ':', 'r'};

#define MARK_LEAST (sizeof magic + 2) /* and a name of one character */

static bool
is_mips(enum isa isa)
{
	return isa == ISA_MIPS || isa == ISA_MIPSEL;
}

/* MIPS has no jump like that but a branch whose condition always holds. */
static bool
is_jump(enum isa isa, const struct insn *in, const u8 *data)
{
	if (!is_mips(isa))
		return in->branch == BRANCH_JUMP;
	return in->size == 4 && in->branch == BRANCH_DIRECT_COND &&
	       (isa == ISA_MIPS ? !data[1] && data[0] == 0x10
				: !data[2] && data[3] == 0x10);
}

unsigned
mark_insns(enum isa isa)
{
	return is_mips(isa) ? 2 : 1;
}

unsigned
mark_skips(enum isa isa, const struct insn *insn, const u8 (*data)[16],
	   unsigned n, u64 *at)
{
	unsigned own = mark_insns(isa), k = n - own;
	u64 to;

	if (n < own || !is_jump(isa, &insn[k], data[k]))
		return 0;
	to = decode_target(isa, &insn[k], data[k]);
	*at = insn[n - 1].pc + insn[n - 1].size;
	return to - *at > MARK_LEAST && to - *at <= MARK_BYTES
		       ? (unsigned)(to - *at) : 0;
}

bool
mark_read(const u8 *bytes, unsigned n, struct mark *m)
{
	const char *name = (const char *)bytes + sizeof magic + 1;
	size_t room = n - sizeof magic - 1, length;

	if (n <= MARK_LEAST || memcmp(bytes, magic, sizeof magic) ||
	    (bytes[sizeof magic] != 'B' && bytes[sizeof magic] != 'E'))
		return false;
	length = strnlen(name, room);
	if (!length || length == room || length >= MARK_NAME)
		return false;
	m->begins = bytes[sizeof magic] == 'B';
	memset(m->name, 0, sizeof m->name);
	memcpy(m->name, name, length);
	return true;
}
