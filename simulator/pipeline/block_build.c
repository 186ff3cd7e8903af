/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block from its instructions: see block.h. */
#include "block_build.h"
#include "build_internal.h"
#include "interval.h"

#include <errno.h>
#include <string.h>

/* Everything that the build begins with, which is all zero. */
static void
build_init(struct build *w, const struct pipeline_config *pipe)
{
	memset(w, 0, offsetof(struct build, entry));
	schedule_init(&w->s);
	w->pipe = pipe;
}

#define MORE_SLOTS (BLOCK_LINES - 2)

static size_t
whole_lines(size_t bytes)
{
	return (bytes + 63) & ~(size_t)63;
}

/* The end of a block that has all its counts. */
static void
place_end(struct block *b)
{
	unsigned counts = b->n_count + b->n_stall, more = b->n_line;

	more = more > BLOCK_LINES ? MORE_SLOTS : more > 2 ? more - 2 : 0;
	memset(block_more_slot(b), 0, more * sizeof(u16));
	b->bytes = (u16)whole_lines(offsetof(struct block, count[counts]) +
				    more * sizeof(u16));
}

/*
 * Each signal has at most one entry that is not full; what all signals count
 * is bounded by some per instruction and by the cycles, of which there are
 * less than 1 << 16.
 */
size_t
block_bound(unsigned n_insn)
{
	size_t counts = SIG_BLOCK_N +
			((1u << 16) + 32u * n_insn) / COUNT_MAX;

	return whole_lines(offsetof(struct block, count[counts]) +
			   MORE_SLOTS * sizeof(u16));
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

/* A direct jump costs its fetch bubble every time. */
static u16
jump_bubble(const struct block *b, const struct pipeline_config *pipe)
{
	return b->branch == BRANCH_JUMP ? pipe->taken_bubble : 0;
}

/* Accesses that go together may want the same bank. */
static void
mark_banks(struct build *w)
{
	for (unsigned i = 1; i < w->n_access; i++) {
		struct build_access *a = &w->access[i - 1], *b = a + 1;

		if (a->offset != b->offset)
			continue;
		a->a.flags |= ACCESS_BANK_FIRST;
		b->a.flags |= ACCESS_BANK_SECOND;
	}
}

/* The block on a pipeline that issues in order. */
static void
build_inorder(struct build *w, struct block *b, const struct insn *insn)
{
	u16 bubble = jump_bubble(b, w->pipe);

	issue_block(&w->s, w->pipe, insn, b->n_insn, w->offset, w->t.n);
	if (b->n_insn > 1 &&
	    w->offset[b->n_insn - 2] == w->offset[b->n_insn - 1])
		b->traits |= TRAIT_SECOND;
	block_scan(w, insn, b->n_insn);
	if (w->pipe->issue.banks)
		mark_banks(w);
	w->t.n[SIG_IFU_REDIRECT] += bubble;
	w->s.next += bubble;
	b->cycles = (u16)w->s.next;
	block_scan_exit(w);
}

/* The block on one with a window, which knows its cycles when it runs. */
static int
build_window(struct build *w, struct block *b,
	     const struct sim_config *config, const struct insn *insn,
	     void *(*alloc)(size_t))
{
	w->window = window_build(config, insn, b->n_insn, alloc);
	if (!w->window)
		return -ENOMEM;
	if (config->pipe.kind == PIPELINE_INTERVAL) {
		struct interval_table table;

		interval_table_init(&table, &config->pipe);
		w->window->interval = interval_build(&table, w->window, alloc);
		if (!w->window->interval)
			return -ENOMEM;
	}
	block_scan(w, insn, b->n_insn);
	w->n_entry = 0;
	b->needs = w->window->inherits;
	w->t.n[SIG_UOP] = w->window->slots;
	return 0;
}

static void
build_counted(struct build *w, const struct block *b, const struct insn *insn)
{
	memset(w->offset, 0, b->n_insn * sizeof *w->offset);
	block_scan(w, insn, b->n_insn);
	w->n_entry = 0;
}

/* Fetch groups; a block that simply goes on shares its last one.  Behind a
 * system call that is fetched again. */
static u32
fetch_groups(const struct block *b, const struct insn *last,
	     const struct pipeline_config *pipe)
{
	bool goes_on = b->branch == BRANCH_NONE && last->cls != CLASS_SYSCALL;
	u64 mask = ~((u64)pipe->fetch_bytes - 1);
	u64 span = ((b->fall - 1) & mask) - (b->vaddr & mask);
	u32 groups = (u32)(span >> __builtin_ctz(pipe->fetch_bytes)) + 1;

	return goes_on && b->shares ? groups - 1 : groups;
}

/* Branches of all kinds enter a buffer, but not what makes no choice. */
static bool
is_held(const struct block *b)
{
	switch (b->branch) {
	case BRANCH_DIRECT_COND:
	case BRANCH_JUMP:
	case BRANCH_CALL:
	case BRANCH_IND_JUMP:
	case BRANCH_IND_CALL:
	case BRANCH_RETURN:
		return true;
	default:
		return false;
	}
}

static void
place_branch(struct block *b, const struct sim_config *config,
	     const struct insn *insn, unsigned n, struct tally *t)
{
	int at = find_branch(insn, n);
	const struct branch_config *br = &config->branch;

	b->kind = KIND_NONE;
	if (at < 0)
		return;
	tally_branch(t, &insn[at]);
	b->branch = insn[at].branch;
	b->traits = insn[at].backward ? TRAIT_BACKWARD : 0;
	b->branch_at = (u16)(insn[at].pc - b->vaddr);
	b->bht_index = predict_place(config, insn[at].pc);
	b->kind = KIND_SLOW;
	if (predict_is_quick(config) && is_held(b) &&
	    !(insn[at].flags & INSN_LIKELY))
		b->kind = KIND_HELD;
	else if (b->branch == BRANCH_DIRECT_COND &&
		 !(insn[at].flags & INSN_LIKELY))
		b->kind = predict_is_own(br) ? KIND_OWN : KIND_COND;
	else if (b->branch == BRANCH_JUMP && !predict_holds_jumps(br))
		b->kind = KIND_NONE;
}

/* Counts of a branch-likely's delay slot apply only when it is taken. */
static SIM_NOINLINE void
split_slot(struct build *w, struct block *b, const struct insn *last)
{
	struct tally slot = {0};

	tally_insn(&slot, last);
	if (!w->window) {
		slot.n[SIG_CYCLE_ISSUE] = 1;
		slot.n[SIG_ISSUE_1] = w->pipe->issue.rule != ISSUE_SINGLE;
		b->cycles--;
	}
	w->n_slot = (u8)tally_put(&slot, 0, SIG_BLOCK_N, w->slot);
	for (unsigned s = 0; s < SIG_BLOCK_N; s++)
		w->t.n[s] -= slot.n[s];
}

/* x87 and MMX instructions behind each other. */
static void
scan_sides(struct build *w, struct block *b, const struct insn *insn)
{
	for (unsigned i = 0; i < b->n_insn; i++) {
		u32 flags = insn[i].flags;
		u8 side = flags & INSN_IS_MMX	? SIDE_MMX
			  : flags & INSN_IS_X87 ? SIDE_X87
						: SIDE_NONE;

		if (!side)
			continue;
		if (!b->side_first)
			b->side_first = side & 3;
		else if (b->side_last != side)
			w->t.n[side == SIDE_MMX ? SIG_X87_TO_MMX
						: SIG_MMX_TO_X87]++;
		b->side_last = side & 3;
	}
	if (b->side_first)
		b->kind = KIND_SLOW;
}

static u8
near_line(u64 line)
{
	return (u8)(line < BLOCK_FAR ? line : BLOCK_FAR);
}

static void
place_lines(struct block *b, const struct sim_config *config)
{
	unsigned bits = (unsigned)__builtin_ctz(config->l1i.line);
	u64 last = b->fall - 1, page, branch;

	b->line = b->vaddr >> bits;
	b->n_line = near_line((last >> bits) - b->line + 1);
	branch = (block_branch_pc(b) >> bits) - b->line;
	b->traits |= (u8)(TRAIT_LINE *
			  (branch < TRAIT_LINE_FAR ? branch : TRAIT_LINE_FAR));
	page = b->vaddr >> SHADOW_PAGE_BITS;
	b->page_at = (u16)SHADOW_PAGE_INDEX(page);
	b->page_entry = last >> SHADOW_PAGE_BITS == page
				? SHADOW_PAGE_ENTRY(page, 0)
				: BLOCK_NO_PAGE;
}

/* What readers and late registers are known by, see block.h. */
static void
fill_masks(struct block *b, struct build *w)
{
	for (unsigned i = 0; i < w->n_entry; i++) {
		const struct block_reg *in = &w->entry[i];
		u32 bit = BLOCK_BIT(in->reg, in->address);

		if (in->killed || in->cycles >= BLOCK_NEAR_CYCLES)
			continue;
		b->needs |= in->cycles ? BLOCK_LATER(bit) : bit;
		w->n_near = (u8)(i + 1);
	}
	for (unsigned i = 0; i < w->n_exit; i++) {
		const struct block_reg *out = &w->exit[i];
		u32 bit = BLOCK_BIT(out->reg, out->address);

		b->owes |= bit;
		if (out->cycles > 1)
			b->owes |= BLOCK_LATER(bit);
		if (out->cycles > BLOCK_NEAR_CYCLES)
			b->owes_long = true;
	}
	if (b->owes_long) {
		b->owes = UINT32_MAX;
		b->kind = KIND_SLOW;
	} else if (b->owes && b->kind != KIND_SLOW) {
		b->kind |= KIND_OWES;
	}
}

/* The accesses, whose times are told from the block's end. */
static void
put_accesses(struct block_access *list, const struct build *w,
	     const struct block *b)
{
	const struct window_program *p = w->window;

	for (unsigned i = 0; i < w->n_access; i++) {
		const struct build_access *from = &w->access[i];
		const struct window_op *op;

		list[i] = from->a;
		list[i].cycles_back = (u16)(b->cycles - from->offset);
		list[i].clock_back = (u16)(w->ticks - from->ticks);
		if (!p) {
			list[i].alone = block_alone(&list[i]);
			continue;
		}
		op = &p->op[p->first[from->a.insn]];
		list[i].line = near_line(op->line);
		list[i].store = op->store;
	}
}

/* Prefetchers by instruction ask for its address. */
static void
place_accesses(struct build *w, const struct sim_config *config,
	       const struct insn *insn)
{
	bool asked = false;

	for (u32 i = 0; i < config->n_prefetchers; i++)
		asked |= config->prefetcher[i].kind == PREFETCH_STRIDE;
	for (unsigned i = 0; asked && i < w->n_access; i++) {
		struct block_access *a = &w->access[i].a;

		a->place = (u16)(insn[a->insn].pc - insn->pc);
	}
}

/* The caller's part. */
static struct block_own *
own_new(size_t source, void *(*alloc)(size_t bytes))
{
	struct block_own *own = alloc(sizeof *own + source);

	if (own)
		own->wide = NULL;
	return own;
}

/* The private part, from what the build has found out. */
static const struct block_detail *
detail_new(const struct build *w, const struct block *b,
	   void *(*alloc)(size_t bytes))
{
	unsigned n_reg = w->n_entry + w->n_exit;
	struct block_detail *d =
		alloc(offsetof(struct block_detail, reg) +
		      n_reg * sizeof *d->reg +
		      w->n_access * sizeof(struct block_access) +
		      w->n_slot * sizeof *w->slot);

	if (!d)
		return NULL;
	d->window = w->window;
	d->n_access = w->n_access;
	d->n_entry = w->n_entry;
	d->n_near = w->n_near;
	d->n_exit = w->n_exit;
	d->n_slot = w->n_slot & 127;
	d->locked = w->locked;
	d->step = w->step;
	memcpy(d->reg, w->entry, w->n_entry * sizeof *d->reg);
	memcpy(d->reg + w->n_entry, w->exit, w->n_exit * sizeof *d->reg);
	put_accesses(block_access(d), w, b);
	memcpy((void *)block_slot(d), w->slot, w->n_slot * sizeof *w->slot);
	return d;
}

/* Puts the counts into the block, of which nothing else is missing. */
static void
put_counts(struct block *b, const struct tally *t)
{
	b->n_count = tally_put(t, 0, BLOCK_FIRST_STALL, b->count);
	b->n_stall = tally_put(t, BLOCK_FIRST_STALL, SIG_BLOCK_N,
			       b->count + b->n_count);
	place_end(b);
}

int
block_build(struct block *b, const struct sim_config *config,
	    const struct insn *insn, unsigned n, bool modelled, size_t source,
	    void *(*alloc)(size_t))
{
	const struct insn *last = &insn[n - 1];
	struct build w;

	build_init(&w, &config->pipe);
	*b = (struct block){.n_insn = (u16)n, .vaddr = insn[0].pc,
			    .fall = last->pc + last->size};
	b->fall_low = (u32)b->fall;
	place_branch(b, config, insn, n, &w.t);
	b->shares = (b->fall & (config->pipe.fetch_bytes - 1u)) != 0;
	w.t.n[SIG_IFETCH] = fetch_groups(b, last, &config->pipe);
	if (!modelled)
		build_counted(&w, b, insn);
	else if (!pipeline_is_window(&config->pipe))
		build_inorder(&w, b, insn);
	else if (build_window(&w, b, config, insn, alloc))
		return -ENOMEM;
	if (config->pipe.watch_mmx)
		scan_sides(&w, b, insn);
	if (n > 1 && last[-1].flags & INSN_LIKELY)
		split_slot(&w, b, last);
	fill_masks(b, &w);
	place_accesses(&w, config, insn);
	b->own = own_new(source, alloc);
	b->detail = b->own ? detail_new(&w, b, alloc) : NULL;
	if (!b->detail)
		return -ENOMEM;
	b->chunk = w.window ? w.window->interval : NULL;
	b->advance = (u64)b->cycles << 32 | (w.ticks + 1u);
	place_lines(b, config);
	put_counts(b, &w.t);
	return 0;
}
