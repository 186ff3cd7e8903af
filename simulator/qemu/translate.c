/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A translated block of QEMU's to a struct block and its callbacks. */
#include "target/built.h"
#include "target/decoded.h"
#include "target/mapped.h"
#include "control.h"
#include "linked.h"
#include "target/places.h"
#include "plugin.h"
#include "strings.h"
#include "ticks.h"

#include <pthread.h>

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

/* What is being translated: one block at a time. */
static struct {
	struct insn insn[BLOCK_MAX_INSN];
	u8 data[BLOCK_MAX_INSN][INSN_BYTES];
	u8 size[BLOCK_MAX_INSN];
	bool mips16;
} now;

/*
 * True if QEMU 7.2 may announce the last instruction and then take it back,
 * which it does with one of x86 that crosses the page's end behind others of
 * its block.  Of such a one it has read what is in front of the end at most,
 * so its size does not tell.
 */
static bool
may_be_phantom(const struct insn *first, const struct insn *last)
{
	return target_is_x86() && first != last && last->pc >> PAGE_BITS !=
	       (last->pc + INSN_BYTES - 1) >> PAGE_BITS;
}

static void
watch_access(struct qemu_plugin_insn *q, const struct insn *in,
	     const struct block *b, struct block_access *a)
{
	bool last = a->insn + 1u == b->n_insn;

	if (callback_has_parts(in))
		qemu_plugin_register_vcpu_insn_exec_cb(q, callback_parts_begin,
						       API_NO_REGS, NULL);
	if (a->flags & ACCESS_IS_BARRIER)
		qemu_plugin_register_vcpu_insn_exec_cb(q, callback_barrier,
						       API_NO_REGS, a);
	else if (last && strings_steps(b))
		strings_watch(q, callback_access(in, a, last), access_data(a));
	else
		qemu_plugin_register_vcpu_mem_cb(q,
						 callback_access(in, a, last),
						 API_NO_REGS, API_READ_WRITE,
						 access_data(a));
	linked_watch(q, in, a);
}

/* Where nothing is modelled, turns_step.c needs the locked ones. */
static void
watch_accesses(struct qemu_plugin_tb *tb, size_t first, const struct block *b)
{
	struct block_access *a = block_access(b->detail);

	for (unsigned i = 0; i < b->detail->n_access; i++, a++) {
		size_t at = first + a->insn;

		if (target.timing || now.insn[at].flags & INSN_IS_LOCKED)
			watch_access(qemu_plugin_tb_get_insn(tb, at),
				     &now.insn[at], b, a);
	}
}

static void
watch_clocks(struct qemu_plugin_tb *tb, size_t first, const struct block *b)
{
	const struct insn *insn = &now.insn[first];

	for (unsigned i = 0; i < b->n_insn; i++)
		if (ticks_reads(&insn[i], now.data[first + i]))
			ticks_watch(qemu_plugin_tb_get_insn(tb, first + i), b,
				    insn, i, now.data[first + i]);
}

/* Builds a block of n instructions from number first of tb on. */
static struct block *
make_block(struct qemu_plugin_tb *tb, size_t first, unsigned n)
{
	struct block *b = built_block(&now.insn[first], &now.data[first], n,
				      now.mips16);

	if (!b)
		return NULL;
	if (target.timing || b->detail->locked)
		watch_accesses(tb, first, b);
	watch_clocks(tb, first, b);
	for (unsigned i = 0; i < n; i++)
		control_watch(qemu_plugin_tb_get_insn(tb, first + i),
			      now.data[first + i], now.insn[first + i].size);
	return b;
}

/*
 * Blocks are put one behind the other, and QEMU keeps two threads from
 * translating at a time.  What makes a part of a block while another thread may
 * translate is not kept from it.
 */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

struct block *
translate_part(const struct block *b, unsigned n)
{
	struct block *part;

	pthread_mutex_lock(&making);
	part = built_part(b, n);
	pthread_mutex_unlock(&making);
	return part;
}

/* Where the target's memory is, of which QEMU does not tell. */
static void
find_guest_base(struct qemu_plugin_tb *tb)
{
	struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, 0);

	target.guest_base = (u64)(uintptr_t)qemu_plugin_insn_haddr(q) -
			    qemu_plugin_insn_vaddr(q);
	target.guest_base_known = true;
	mapped_begin();
}

static void
decode(struct qemu_plugin_tb *tb, size_t n)
{
	now.mips16 = (target.isa == ISA_MIPS || target.isa == ISA_MIPSEL) &&
		     is_mips16(tb, n);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);

		now.size[i] = (u8)api_insn_data(q, now.data[i], INSN_BYTES);
		now.insn[i].pc = qemu_plugin_insn_vaddr(q);
		decoded_soon(now.data[i]);
	}
	for (size_t i = 0; i < n; i++)
		decoded_insn(&now.insn[i], now.insn[i].pc, now.data[i],
			     now.size[i], now.mips16);
}

static void
make_blocks(struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	unsigned whole;
	struct block *b;

	decode(tb, n);
	if (!target.guest_base_known)
		find_guest_base(tb);
	places_code(now.insn[0].pc);
	whole = (unsigned)n -
		may_be_phantom(&now.insn[0], &now.insn[n - 1]);
	b = make_block(tb, 0, whole);
	if (b)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, callback_block(b),
						     API_NO_REGS, b);
	if (whole == n)
		return;
	b = make_block(tb, whole, 1);
	if (b)
		qemu_plugin_register_vcpu_insn_exec_cb(
			qemu_plugin_tb_get_insn(tb, whole), callback_block(b),
			API_NO_REGS, b);
}

void
translate(struct qemu_plugin_tb *tb)
{
	pthread_mutex_lock(&making);
	make_blocks(tb);
	pthread_mutex_unlock(&making);
}

unsigned
translate_decode(struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	decode(tb, n);
	return (unsigned)n - may_be_phantom(&now.insn[0], &now.insn[n - 1]);
}

struct block *
translate_block(struct qemu_plugin_tb *tb, unsigned first, unsigned n)
{
	return make_block(tb, first, n);
}

const struct insn *
translate_insns(void)
{
	return now.insn;
}
