/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_modes_x86.h"

#define OP_CLI 0xfa
#define OP_STI 0xfb
#define OP_IRET 0xcf
#define REX_W 0x48
#define ENTRY_BYTES 4096	/* of the last way into the kernel, at most */

enum x86_effect
x86_effect(const struct system_code *code, unsigned n)
{
	enum x86_effect effect = X86_SAME;

	for (unsigned i = 0; i < n; i++) {
		const u8 *byte = code[i].byte;

		if (code[i].size == 1 && *byte == OP_CLI)
			effect = X86_OFF;
		else if (code[i].size == 1 && *byte == OP_STI)
			effect = X86_ON;
		else if (code[i].size == 2 && *byte == REX_W &&
			 byte[1] == OP_IRET)
			effect = X86_RETURN;
	}
	return effect;
}

enum system_vector
x86_vector(const struct system_vectors *v, u64 pc)
{
	for (u32 i = 0; i < v->n && i < SYSTEM_VECTORS; i++)
		if (pc >= v->range[i].start && pc < v->range[i].end)
			return (enum system_vector)v->range[i].vector;
	return VECTOR_NONE;
}

bool
x86_is_entry_code(const struct system_vectors *v, u64 pc)
{
	bool above = false, below = false;

	for (u32 i = 0; i < v->n && i < SYSTEM_VECTORS; i++) {
		above |= pc >= v->range[i].start;
		below |= pc < v->range[i].end + ENTRY_BYTES;
	}
	return above && below;
}

enum sim_mode
x86_enter(struct x86_modes *m, bool user, enum system_vector vector,
	  enum x86_effect effect)
{
	if (m->pending == X86_RETURN) {
		m->off = m->before & 1;
		m->exception = m->before >> 1 & 1;
		m->before >>= 2;
	} else if (m->pending != X86_SAME) {
		m->off = m->pending == X86_OFF;
		m->exception &= m->off;
	}
	m->pending = effect;
	if (user) {
		*m = (struct x86_modes){.pending = effect};
		return MODE_USER;
	}
	if (vector != VECTOR_NONE) {
		m->before = m->before << 2 | (u64)m->exception << 1 | m->off;
		m->off = m->exception = true;
	}
	return m->exception ? MODE_EXL : MODE_KERNEL;
}
