/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block.h"
#include "pipeline/issue.h"
#include "pipeline/window.h"
#include "predict.h"

#include <errno.h>
#include <string.h>

/* Counts of one block while it is being built. */
struct tally {
	u32 n[SIG_N];
};

size_t
block_bound(unsigned n_insn)
{
	(void)n_insn;
	return (sizeof(struct block) + SIG_N * sizeof(struct block_count) +
		63) & ~(size_t)63;
}

static bool
is_multiply(unsigned cls)
{
	return cls == CLASS_MUL || cls == CLASS_MUL64 || cls == CLASS_MULH ||
	       cls == CLASS_MULT;
}

static bool
is_divide(unsigned cls)
{
	return cls == CLASS_DIV || cls == CLASS_DIV64;
}

/* Whether a queue issues it: some are done when they are decoded. */
static bool
is_issued(const struct insn *in)
{
	return in->cls != CLASS_NOP && in->cls != CLASS_SYSCALL &&
	       (in->branch == BRANCH_NONE ||
		in->branch == BRANCH_DIRECT_COND ||
		in->branch == BRANCH_COND_CALL || in->branch == BRANCH_REP);
}

static void
count_kind(const struct insn *in, struct tally *t)
{
	t->n[SIG_INSN]++;
	t->n[in->flags & INSN_IS_FP ? SIG_INSN_FPU : SIG_INSN_INT]++;
	t->n[SIG_INSN_LOAD] += !!(in->flags & INSN_LOADS);
	t->n[SIG_INSN_STORE] += !!(in->flags & INSN_STORES);
	t->n[SIG_INSN_MIPS16] += !!(in->flags & INSN_IS_MIPS16);
	t->n[SIG_INSN_DSP] += !!(in->flags & INSN_IS_DSP);
	t->n[SIG_INSN_SC] += !!(in->flags & INSN_IS_SC);
	t->n[SIG_INSN_FORK] += !!(in->flags & INSN_IS_FORK);
	t->n[SIG_INSN_YIELD] += !!(in->flags & INSN_IS_YIELD);
	t->n[SIG_INSN_NOP] += in->cls == CLASS_NOP;
	t->n[SIG_INSN_PREFETCH] += in->cls == CLASS_PREFETCH;
	t->n[SIG_INSN_SYSCALL] += in->cls == CLASS_SYSCALL;
	t->n[SIG_INSN_MUL] += is_multiply(in->cls);
	t->n[SIG_INSN_DIV] += is_divide(in->cls);
	t->n[SIG_INSN_MULDIV] += is_multiply(in->cls) || is_divide(in->cls);
	t->n[SIG_INSN_ISSUED] += is_issued(in);
	t->n[SIG_DACCESS] += in->n_load + in->n_store;
}

static bool
is_flop(unsigned cls)
{
	return cls >= CLASS_FADD && cls <= CLASS_FSQRT_D;
}

/* Kinds that few instructions are of, or few processors ask for. */
static void
count_rare(const struct insn *in, struct tally *t)
{
	static const struct {
		u32 flag;
		u8 signal;
	} rare[] = {
		{INSN_IS_SEGMENT, SIG_INSN_SEGMENT},
		{INSN_IS_LOCKED, SIG_INSN_LOCKED},
		{INSN_IS_LL, SIG_INSN_LINKED},
		{INSN_IS_BARRIER, SIG_INSN_BARRIER},
		{INSN_IS_SERIAL, SIG_INSN_SERIAL},
	};
	const u32 other = INSN_LOADS | INSN_STORES | INSN_IS_FP;

	for (unsigned i = 0; i < SIM_COUNT(rare); i++)
		t->n[rare[i].signal] += !!(in->flags & rare[i].flag);
	t->n[SIG_INSN_FLOP] += is_flop(in->cls);
	t->n[SIG_INSN_OPERATE] += !(in->flags & other) &&
				  in->branch == BRANCH_NONE &&
				  in->cls < CLASS_PREFETCH;
}

static void
count_branch(const struct insn *in, struct tally *t)
{
	switch (in->branch) {
	case BRANCH_JUMP:
		t->n[SIG_JUMP]++;
		break;
	case BRANCH_CALL:
		t->n[SIG_CALL]++;
		break;
	case BRANCH_IND_JUMP:
	case BRANCH_IND_CALL:
		t->n[SIG_JUMP_IND]++;
		break;
	case BRANCH_RETURN:
		t->n[SIG_RETURN]++;
		break;
	}
}

/* Index of the block's branch: the last instruction, or the one before its
 * delay slot; -1 if it has none. */
static int
find_branch(const struct insn *insn, unsigned n)
{
	for (unsigned back = 1; back <= 2 && back <= n; back++)
		if (insn[n - back].branch != BRANCH_NONE)
			return (int)(n - back);
	return -1;
}

/* Accesses and one tick for the block itself. */
static u32
clock_ticks(const struct insn *insn, unsigned n)
{
	u32 ticks = 1;

	for (unsigned i = 0; i < n; i++)
		ticks += insn[i].n_load + insn[i].n_store;
	return ticks;
}

static bool
accesses(const struct insn *in)
{
	return in->flags & (INSN_LOADS | INSN_STORES | INSN_UNKNOWN);
}

/* Cycles from load i's issue to the first reader of what it loads. */
static u16
find_use(const struct block_detail *d, unsigned i, unsigned slack, u8 *flags)
{
	unsigned reg = d->insn[i].dst[0];
	u8 next = ACCESS_USE_IS_NEXT;

	for (unsigned k = i + 1; k < d->n_insn; k++) {
		const struct insn *in = &d->insn[k];
		bool address = memchr(in->addr, (int)reg, INSN_ADDR);

		if (address)
			*flags |= ACCESS_USE_IS_ADDRESS;
		if (address || memchr(in->src, (int)reg, INSN_SRC)) {
			*flags |= next;
			return (u16)(d->offset[k] - d->offset[i]);
		}
		if (accesses(in))
			next = 0;
		if (in->data == reg)
			return (u16)(d->offset[k] - d->offset[i] +
				     slack);
		if (memchr(in->dst, (int)reg, INSN_DST))
			return ACCESS_NEVER_USED;
	}
	return ACCESS_NO_USE;
}

static void
fill_accesses(struct block *b, struct block_detail *d,
	      const struct pipeline_config *pipe)
{
	u32 left = clock_ticks(d->insn, d->n_insn) - 1;
	unsigned k = 0;

	for (unsigned i = 0; i < d->n_insn; i++) {
		const struct insn *in = &d->insn[i];
		struct block_access *a;

		if (!accesses(in))
			continue;
		a = &d->access[k++];
		*a = (struct block_access){
			.cycles_back = (u16)(b->cycles - d->offset[i]),
			.insn = (u16)i,
			.reg = REG_NONE,
			.use = ACCESS_NO_USE,
		};
		left -= in->n_load + in->n_store;
		a->clock_back = left;
		if ((in->flags & INSN_LOADS) && in->dst[0] != REG_NONE) {
			a->reg = in->dst[0];
			a->use = find_use(d, i, pipe->store_data_slack,
					  &a->flags);
		}
	}
}

/* First reads and writes: the block's entry list. */
struct entry_scan {
	struct block_reg *list;
	unsigned n;
	u8 seen[REG_N];		/* 1: read, 2: read as an address, 4: written */
};

static void
entry_add(struct entry_scan *e, unsigned reg, unsigned cycle, u8 how)
{
	if (reg == REG_NONE || e->seen[reg] & (how | 4))
		return;
	e->seen[reg] |= how;
	e->list[e->n++] = (struct block_reg){
		.reg = (u8)reg,
		.cycles = (u16)cycle,
		.address = how == 2,
		.killed = how == 4,
	};
}

static void
fill_entry(struct block_detail *d, const struct pipeline_config *pipe)
{
	struct entry_scan e = {.list = d->entry};

	for (unsigned i = 0; i < d->n_insn; i++) {
		const struct insn *in = &d->insn[i];
		unsigned unit = pipe->cls[in->cls].unit;

		for (unsigned k = 0; k < INSN_ADDR; k++)
			entry_add(&e, in->addr[k], d->offset[i], 2);
		for (unsigned k = 0; k < INSN_SRC; k++)
			entry_add(&e, in->src[k], d->offset[i], 1);
		entry_add(&e, in->data, d->offset[i] + pipe->store_data_slack,
			  1);
		if (unit == UNIT_MDU)
			entry_add(&e, REG_UNIT_MDU, d->offset[i], 1);
		else if (unit == UNIT_FPU)
			entry_add(&e, REG_UNIT_FPU, d->offset[i], 1);
		for (unsigned k = 0; k < INSN_DST; k++)
			entry_add(&e, in->dst[k], d->offset[i], 4);
	}
	d->n_entry = (u16)e.n;
}

static void
exit_add(struct block_detail *d, const struct schedule *s, unsigned reg,
	 u64 ready, bool address)
{
	if (ready <= s->next)
		return;
	d->exit[d->n_exit++] = (struct block_reg){
		.reg = (u8)reg,
		.signal = address && s->cause[reg] == SIG_ALU_OTHER
				  ? SIG_ALU_AGEN : s->cause[reg],
		.cycles = (u16)(ready - s->next),
		.address = address,
	};
}

/* A direct jump costs its fetch bubble every time. */
static u16
jump_bubble(const struct block *b, const struct pipeline_config *pipe)
{
	return b->branch == BRANCH_JUMP ? pipe->taken_bubble : 0;
}

/* Schedules the block; fills offsets, static stalls and the exit list. */
static void
run_schedule(struct block *b, struct block_detail *d,
	     const struct pipeline_config *pipe, struct tally *t)
{
	struct schedule s;

	schedule_init(&s);
	issue_block(&s, pipe, d->insn, d->n_insn, d->offset, t->n);
	t->n[SIG_IFU_REDIRECT] += jump_bubble(b, pipe);
	s.next += jump_bubble(b, pipe);
	b->cycles = (u16)s.next;
	for (unsigned r = 0; r < REG_N; r++) {
		exit_add(d, &s, r, s.ready[r], false);
		if (s.ready_addr[r] > s.ready[r])
			exit_add(d, &s, r, s.ready_addr[r], true);
		else
			exit_add(d, &s, r, s.ready[r], true);
	}
}

static void
put_counts(struct block_count *list, u16 *n, const struct tally *t, int from,
	   int to)
{
	for (int s = from; s < to; s++)
		if (t->n[s])
			list[(*n)++] = (struct block_count){
				.signal = (u8)s, .n = (u16)t->n[s]};
}

/* Fetch groups; a block that simply goes on shares its last one. */
static u32
fetch_groups(const struct block *b, const struct pipeline_config *pipe)
{
	u64 mask = ~((u64)pipe->fetch_bytes - 1);
	u64 span = ((b->fall - 1) & mask) - (b->vaddr & mask);
	u32 groups = (u32)(span / pipe->fetch_bytes) + 1;

	return b->branch == BRANCH_NONE && b->shares ? groups - 1 : groups;
}

static void
place_branch(struct block *b, const struct sim_config *config,
	     const struct insn *insn, unsigned n, struct tally *t)
{
	int at = find_branch(insn, n);
	const struct branch_config *br = &config->branch;
	u64 index;

	b->kind = KIND_NONE;
	if (at < 0)
		return;
	count_branch(&insn[at], t);
	b->branch = insn[at].branch;
	b->backward = insn[at].backward;
	b->branch_pc = insn[at].pc;
	index = b->branch_pc >> br->pc_shift;
	b->bht_index = br->entries ? (u16)(index & (br->entries - 1)) : 0;
	b->kind = KIND_SLOW;
	if (b->branch == BRANCH_DIRECT_COND &&
	    !(insn[at].flags & INSN_LIKELY) && !predict_is_own(br))
		b->kind = KIND_COND;
	else if (b->branch == BRANCH_JUMP && !predict_holds_jumps(br))
		b->kind = KIND_NONE;
}

static struct block_detail *
detail_new(const struct insn *insn, unsigned n, void *(*alloc)(size_t))
{
	struct block_detail *d = alloc(sizeof *d);
	size_t n_access = 0;

	if (!d)
		return NULL;
	for (unsigned i = 0; i < n; i++)
		n_access += accesses(&insn[i]);
	*d = (struct block_detail){
		.n_insn = (u16)n,
		.n_access = (u16)n_access,
		.insn = alloc(n * sizeof *d->insn),
		.offset = alloc(n * sizeof *d->offset),
		.access = alloc(n_access * sizeof *d->access),
	};
	if (!d->insn || !d->offset || (n_access && !d->access))
		return NULL;
	memcpy(d->insn, insn, n * sizeof *insn);
	return d;
}

static int
copy_list(struct block_reg **list, unsigned n, void *(*alloc)(size_t))
{
	struct block_reg *copy = n ? alloc(n * sizeof *copy) : NULL;

	if (n && !copy)
		return -ENOMEM;
	if (n)
		memcpy(copy, *list, n * sizeof *copy);
	*list = copy;
	return 0;
}

/* Counts of a branch-likely's delay slot apply only when it is taken. */
static int
split_slot(struct block *b, struct block_detail *d,
	   const struct pipeline_config *pipe, struct tally *t,
	   void *(*alloc)(size_t))
{
	struct tally slot = {0};
	const struct insn *last = &d->insn[d->n_insn - 1];

	if (d->n_insn < 2 || !(last[-1].flags & INSN_LIKELY))
		return 0;
	count_kind(last, &slot);
	count_rare(last, &slot);
	if (!d->window) {
		slot.n[SIG_CYCLE_ISSUE] = 1;
		slot.n[SIG_ISSUE_1] = pipe->issue.rule != ISSUE_SINGLE;
		b->cycles--;
	}
	d->slot = alloc(SIG_N * sizeof *d->slot);
	if (!d->slot)
		return -ENOMEM;
	put_counts(d->slot, &d->n_slot, &slot, 0, SIG_N);
	for (int s = 0; s < SIG_N; s++)
		t->n[s] -= slot.n[s];
	return 0;
}

#define PAGE_BITS 12	/* of the core's table of pages */

static void
place_lines(struct block *b, const struct sim_config *config)
{
	u64 line = config->l1i.line;
	u64 last = b->fall - 1, lines = last / line - b->vaddr / line + 1;

	b->line = b->vaddr / line;
	b->n_line = (u8)(lines > 255 ? 255 : lines);
	b->page = b->vaddr >> PAGE_BITS;
	if (last >> PAGE_BITS != b->page)
		b->page = BLOCK_NO_PAGE;
}

/* What readers and late registers are known by, see block.h. */
static void
fill_masks(struct block *b, struct block_detail *d)
{
	for (unsigned i = 0; i < d->n_entry; i++) {
		const struct block_reg *in = &d->entry[i];
		u64 bit = BLOCK_BIT(in->reg, in->address);

		if (in->killed || in->cycles >= BLOCK_NEAR_CYCLES)
			continue;
		b->needs |= in->cycles ? BLOCK_LATER(bit) : bit;
		d->n_near = (u16)(i + 1);
	}
	for (unsigned i = 0; i < d->n_exit; i++) {
		const struct block_reg *out = &d->exit[i];
		u64 bit = BLOCK_BIT(out->reg, out->address);

		b->owes |= bit;
		if (out->cycles > 1)
			b->owes |= BLOCK_LATER(bit);
		if (out->cycles > BLOCK_NEAR_CYCLES)
			b->owes = BLOCK_OWES_LONG;
	}
	if (b->owes == BLOCK_OWES_LONG)
		b->kind = KIND_SLOW;
	else if (b->owes && b->kind != KIND_SLOW)
		b->kind |= KIND_OWES;
}

/* All that a window needs to know of the block before it runs. */
static int
prepare_window(struct block_detail *d, const struct sim_config *config,
	       struct tally *t, void *(*alloc)(size_t))
{
	d->window = window_build(config, d->insn, d->n_insn, alloc);
	if (!d->window)
		return -ENOMEM;
	memset(d->offset, 0, d->n_insn * sizeof *d->offset);
	t->n[SIG_UOP] = d->window->n;
	return 0;
}

int
block_build(struct block *b, const struct sim_config *config,
	    const struct insn *insn, unsigned n, void *(*alloc)(size_t))
{
	struct block_reg entry[3 * REG_N], exit[2 * REG_N];
	struct tally t = {0};
	struct block_detail *d = detail_new(insn, n, alloc);
	const struct insn *last = &insn[n - 1];

	if (!d)
		return -ENOMEM;
	*b = (struct block){.n_insn = (u16)n, .vaddr = insn[0].pc,
			    .fall = last->pc + last->size, .detail = d};
	d->entry = entry;
	d->exit = exit;
	for (unsigned i = 0; i < n; i++) {
		count_kind(&insn[i], &t);
		count_rare(&insn[i], &t);
	}
	place_branch(b, config, insn, n, &t);
	b->shares = (b->fall & (config->pipe.fetch_bytes - 1u)) != 0;
	t.n[SIG_IFETCH] = fetch_groups(b, &config->pipe);
	if (config->pipe.kind == PIPELINE_WINDOW) {
		if (prepare_window(d, config, &t, alloc))
			return -ENOMEM;
	} else {
		run_schedule(b, d, &config->pipe, &t);
		fill_entry(d, &config->pipe);
	}
	if (split_slot(b, d, &config->pipe, &t, alloc) ||
	    copy_list(&d->entry, d->n_entry, alloc) ||
	    copy_list(&d->exit, d->n_exit, alloc))
		return -ENOMEM;
	fill_accesses(b, d, &config->pipe);
	fill_masks(b, d);
	b->advance = (u64)b->cycles << 32 | clock_ticks(insn, n);
	place_lines(b, config);
	put_counts(b->count, &b->n_count, &t, 0, BLOCK_FIRST_STALL);
	put_counts(b->count + b->n_count, &b->n_stall, &t, BLOCK_FIRST_STALL,
		   SIG_N);
	b->bytes = (u32)((sizeof *b + (b->n_count + b->n_stall) *
			  sizeof *b->count + 63) & ~(size_t)63);
	return 0;
}
