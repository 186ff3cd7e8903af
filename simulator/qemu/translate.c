/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A translated block of QEMU's to a struct block and its callbacks. */
#include "places.h"
#include "plugin.h"
#include "profiling.h"

#define INSN_BYTES 16
#define PAGE_BITS 12

/*
 * MIPS16 code: QEMU does not say so, but only it has instructions of two
 * bytes or at odd halfwords.
 */
static bool
is_mips16(const struct qemu_plugin_tb *tb, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);

		if (qemu_plugin_insn_size(q) == 2 ||
		    qemu_plugin_insn_vaddr(q) & 2)
			return true;
	}
	return false;
}

/*
 * On MIPS and Alpha an instruction makes one access, though QEMU may do it
 * in pieces (lwl, swr) or as a compare-and-swap (sc).
 */
static void
one_access(struct insn *in)
{
	bool x86 = plugin.isa == ISA_X86_64 || plugin.isa == ISA_I386;

	if (x86 || in->flags & (INSN_MEM_KNOWN | INSN_UNKNOWN))
		return;
	if (in->flags & INSN_STORES)
		in->n_store = 1;
	else if (in->flags & INSN_LOADS)
		in->n_load = 1;
}

static void
decode_one(struct insn *in, const struct qemu_plugin_insn *q, bool mips16)
{
	u8 data[INSN_BYTES];
	u64 pc = qemu_plugin_insn_vaddr(q);
	unsigned size = (unsigned)api_insn_data(q, data, sizeof data);

	switch (plugin.isa) {
	case ISA_X86_64:
	case ISA_I386:
		decode_x86(in, pc, data, size, plugin.isa == ISA_X86_64);
		break;
	case ISA_MIPSEL:
	case ISA_MIPS:
		decode_mips(in, pc, data, size, plugin.isa == ISA_MIPS,
			    mips16);
		break;
	default:
		decode_alpha(in, pc, data, size);
		break;
	}
	if (in->branch == BRANCH_DIRECT_COND || in->branch == BRANCH_COND_CALL)
		in->backward = decode_is_backward(plugin.isa, data, size,
						  mips16);
	one_access(in);
}

/*
 * True if QEMU 7.2 may announce the last instruction and then take it back,
 * which it does with one of x86 that crosses the page's end behind others of
 * its block.  Of such a one it has read what is in front of the end at most,
 * so its size does not tell.
 */
static bool
may_be_phantom(const struct insn *first, const struct insn *last)
{
	bool x86 = plugin.isa == ISA_X86_64 || plugin.isa == ISA_I386;

	return x86 && first != last && last->pc >> PAGE_BITS !=
	       (last->pc + INSN_BYTES - 1) >> PAGE_BITS;
}

static void
watch_accesses(struct qemu_plugin_tb *tb, size_t first, struct block *b)
{
	struct block_detail *d = b->detail;

	for (unsigned i = 0; i < d->n_access; i++) {
		struct block_access *a = &d->access[i];
		size_t at = first + a->insn;

		qemu_plugin_register_vcpu_mem_cb(
			qemu_plugin_tb_get_insn(tb, at),
			callback_access(&d->insn[a->insn]), API_NO_REGS,
			API_READ_WRITE, a);
	}
}

/* Builds a block of n instructions from number first of tb on. */
static struct block *
make_block(struct qemu_plugin_tb *tb, size_t first, const struct insn *insn,
	   unsigned n)
{
	struct block *b = process_block_room(block_bound(n));

	if (!b || block_build(b, plugin.config, insn, n, process_alloc))
		return NULL;
	process_block_done(b->bytes);
	profiling_block(b);
	if (plugin.timing)
		watch_accesses(tb, first, b);
	return b;
}

void
translate(struct qemu_plugin_tb *tb)
{
	static struct insn insn[BLOCK_MAX_INSN];
	size_t n = qemu_plugin_tb_n_insns(tb);
	bool mips16 = (plugin.isa == ISA_MIPS || plugin.isa == ISA_MIPSEL) &&
		      is_mips16(tb, n);
	unsigned whole;
	struct block *b;

	for (size_t i = 0; i < n; i++)
		decode_one(&insn[i], qemu_plugin_tb_get_insn(tb, i), mips16);
	if (!plugin.guest_base_known) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, 0);

		plugin.guest_base = (u64)(uintptr_t)qemu_plugin_insn_haddr(q) -
				    qemu_plugin_insn_vaddr(q);
		plugin.guest_base_known = true;
	}
	places_code(insn[0].pc);
	whole = (unsigned)n - may_be_phantom(&insn[0], &insn[n - 1]);
	b = make_block(tb, 0, insn, whole);
	if (b)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, callback_block(b),
						     API_NO_REGS, b);
	if (whole == n)
		return;
	b = make_block(tb, whole, &insn[whole], 1);
	if (b)
		qemu_plugin_register_vcpu_insn_exec_cb(
			qemu_plugin_tb_get_insn(tb, whole), callback_block(b),
			API_NO_REGS, b);
}
