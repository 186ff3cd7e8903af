/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "built.h"

#include "pipeline/block_build.h"
#include "built_map.h"
#include "procedures.h"
#include "profiling.h"
#include "regioning.h"
#include "x87.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DETAIL_BITS 13

/*
 * The code that a block was made of: the target may have changed it when
 * the block's instructions are asked for again, if they ever are.
 */
struct code {
	u8 mips16;
	u8 precision;		/* x87_precision() then */
	u8 bytes[];		/* of each instruction: its size, then it */
};

static void
keep_code(const struct block *b, const struct insn *insn,
	  const u8 (*data)[INSN_BYTES], unsigned n, bool mips16)
{
	struct code *code = (struct code *)block_source(b);
	u8 *p = code->bytes;

	code->mips16 = mips16;
	code->precision = x87_precision();
	for (unsigned i = 0; i < n; i++) {
		u8 size = insn[i].size;

		*p++ = size;
		memcpy(p, data[i], size);
		p += size;
	}
}

const struct insn *
built_again(const struct block *b)
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
	x87_classes_by(insn, b->n_insn, code->precision);
	return insn;
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

/* Bytes of what is kept of n instructions. */
static size_t
code_bytes(const struct insn *insn, unsigned n)
{
	size_t bytes = sizeof(struct code) + n;

	for (unsigned i = 0; i < n; i++)
		bytes += insn[i].size;
	return bytes;
}

/* Where each block is told by what is mapped there, the same instructions may be
 * another file's. */
static bool
is_told_by_place(void)
{
	return core.profiler || procedures_wanted() ||
	       target.map.m->need & NEED_PLACES;
}

/* Whether a block of n instructions was built of these. */
static bool
is_of(const struct block *b, const struct insn *insn,
      const u8 (*data)[INSN_BYTES], unsigned n, bool mips16)
{
	const struct code *code = (const struct code *)block_source(b);
	const u8 *p = code->bytes;

	if (code->precision != x87_precision() || code->mips16 != mips16)
		return false;
	for (unsigned i = 0; i < n; p += insn[i++].size)
		if (*p++ != insn[i].size || memcmp(p, data[i], insn[i].size))
			return false;
	return true;
}

struct block *
built_block(struct insn *insn, const u8 (*data)[INSN_BYTES], unsigned n,
	    bool mips16)
{
	struct block *known = built_map_find(insn[0].pc, n), *b;

	x87_classes(insn, n);
	if (known && !is_of(known, insn, data, n, mips16))
		known = NULL;
	if (known && !is_told_by_place())
		return known;
	b = process_block_room(block_bound(n));
	if (!b || block_build(b, target.config, insn, n, target_is_modelled(),
			      code_bytes(insn, n), process_alloc))
		return NULL;
	keep_code(b, insn, data, n, mips16);
	share_detail(b);
	process_block_done(b->bytes);
	profiling_block(b);
	regioning_block(b, insn, data, n);
	if (known)
		block_remember(b, known);
	/* A system has several programs at one address. */
	if (!target.map.m->system)
		built_map_note(b);
	return b;
}

struct block *
built_part(const struct block *b, unsigned n)
{
	const struct insn *insn = block_insns(b);
	struct block *part = process_block_room(block_bound(n));
	size_t bytes = code_bytes(insn, n);

	if (!part ||
	    block_build(part, target.config, insn, n, target_is_modelled(), bytes,
			process_alloc))
		return NULL;
	memcpy(block_source(part), block_source(b), bytes);
	process_block_done(part->bytes);
	profiling_block(part);
	return part;
}
