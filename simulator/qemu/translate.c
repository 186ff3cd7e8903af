/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A translated block of QEMU's to a struct block and its callbacks. */
#include "pipeline/block_build.h"
#include "target/decoded.h"
#include "linked.h"
#include "target/places.h"
#include "plugin.h"
#include "target/profiling.h"
#include "ticks.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BITS 12
#define DETAIL_BITS 13

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
 * The code that a block was made of: the target may have changed it when
 * the block's instructions are asked for again, if they ever are.
 */
struct code {
	u8 mips16;
	u8 bytes[];		/* of each instruction: its size, then it */
};

/* What is being translated: one block at a time. */
static struct {
	struct insn insn[BLOCK_MAX_INSN];
	u8 data[BLOCK_MAX_INSN][INSN_BYTES];
	u8 size[BLOCK_MAX_INSN];
	bool mips16;
} now;

/* Keeps the code of instructions first..first+n-1 with the block. */
static void
keep_code(const struct block *b, size_t first, unsigned n)
{
	struct code *code = (struct code *)block_source(b);
	u8 *p = code->bytes;

	code->mips16 = now.mips16;
	for (size_t i = first; i < first + n; i++) {
		u8 size = now.insn[i].size;

		*p++ = size;
		memcpy(p, now.data[i], size);
		p += size;
	}
}

const struct insn *
translate_again(const struct block *b)
{
	const struct code *code = (const struct code *)block_source(b);
	struct insn *insn = malloc(b->n_insn * sizeof *insn);
	const u8 *p = code->bytes;
	u64 pc = b->vaddr;

	if (!insn)
		process_die("decoding a block again", ENOMEM);
	for (unsigned i = 0; i < b->n_insn; i++) {
		u8 data[INSN_BYTES] = {0}, size = *p++;

		memcpy(data, p, size);
		decode_insn(&insn[i], pc, data, size, code->mips16);
		p += size;
		pc += size;
	}
	return insn;
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
	bool x86 = target.isa == ISA_X86_64 || target.isa == ISA_I386;

	return x86 && first != last && last->pc >> PAGE_BITS !=
	       (last->pc + INSN_BYTES - 1) >> PAGE_BITS;
}

static void
watch_access(struct qemu_plugin_insn *q, const struct insn *in,
	     struct block_access *a, bool last)
{
	if (callback_has_parts(in))
		qemu_plugin_register_vcpu_insn_exec_cb(q, callback_parts_begin,
						       API_NO_REGS, NULL);
	if (a->flags & ACCESS_IS_BARRIER)
		qemu_plugin_register_vcpu_insn_exec_cb(q, callback_barrier,
						       API_NO_REGS, a);
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
				     &now.insn[at], a,
				     a->insn + 1u == b->n_insn);
	}
}

static void
watch_clocks(struct qemu_plugin_tb *tb, size_t first, const struct block *b)
{
	const struct insn *insn = &now.insn[first];

	for (unsigned i = 0; i < b->n_insn; i++)
		if (ticks_reads(&insn[i], now.data[first + i]))
			ticks_watch(qemu_plugin_tb_get_insn(tb, first + i), b,
				    insn, i);
}

/* Details seen last, by a hash of what is in them. */
static const struct block_detail *details[1 << DETAIL_BITS];

static u32
detail_hash(const struct block_detail *d, size_t bytes)
{
	const u8 *p = (const u8 *)d;
	u64 hash = bytes;

	for (size_t i = 0; i < bytes; i += 8) {
		u64 word = 0;

		memcpy(&word, p + i, bytes - i < 8 ? bytes - i : 8);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 32;
	}
	return (u32)hash & ((1u << DETAIL_BITS) - 1);
}

/* Most blocks are like another one but for their code. */
static void
share_detail(struct block *b)
{
	size_t bytes = block_detail_bytes(b->detail);
	const struct block_detail **d =
		&details[detail_hash(b->detail, bytes)];

	if (*d && block_detail_bytes(*d) == bytes &&
	    !memcmp(*d, b->detail, bytes) &&
	    process_take_back(b->detail, bytes))
		b->detail = *d;
	else
		*d = b->detail;
}

/* Builds a block of n instructions from number first of tb on. */
static struct block *
make_block(struct qemu_plugin_tb *tb, size_t first, unsigned n)
{
	const struct insn *insn = &now.insn[first];
	struct block *b = process_block_room(block_bound(n));
	size_t bytes = sizeof(struct code) + n;

	for (unsigned i = 0; i < n; i++)
		bytes += insn[i].size;
	if (!b || block_build(b, target.config, insn, n, bytes, process_alloc))
		return NULL;
	keep_code(b, first, n);
	share_detail(b);
	process_block_done(b->bytes);
	profiling_block(b);
	if (target.timing || b->detail->locked)
		watch_accesses(tb, first, b);
	watch_clocks(tb, first, b);
	return b;
}

static struct block *
make_part(const struct block *b, unsigned n)
{
	const struct insn *insn = block_insns(b);
	struct block *part = process_block_room(block_bound(n));
	size_t bytes = sizeof(struct code) + n;

	for (unsigned i = 0; i < n; i++)
		bytes += insn[i].size;
	if (!part ||
	    block_build(part, target.config, insn, n, bytes, process_alloc))
		return NULL;
	memcpy(block_source(part), block_source(b), bytes);
	process_block_done(part->bytes);
	profiling_block(part);
	return part;
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
	part = make_part(b, n);
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
