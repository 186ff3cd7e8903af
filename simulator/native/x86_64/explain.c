/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "explain.h"

#include "target/target.h"
#include "threads/written.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <string.h>

#define PARTS 1024

/* What was emitted for what, since the block or the edge began. */
static struct {
	u64 pc;
	FILE *out;		/* NULL: nothing is to be shown any more */
	const struct code_block *block; /* NULL: not made yet */
	struct part {
		const u8 *from;
		const char *words;
		bool data;
	} part[PARTS];
	unsigned n;
	const struct block *to;	/* that the edge leads to, or NULL */
} explained;

/* Words of host_state, by where they are. */
static const struct {
	u16 at, end;
	const char *name;
} words[] = {
#define WORD(field, text)                                       \
	{offsetof(struct host_state, field),                    \
	 offsetof(struct host_state, field) +                   \
		 sizeof((struct host_state *)0)->field, text}
	WORD(reg, "a register of the target's"),
	WORD(flags, "the target's flags"),
	WORD(target, "where the branch leads"),
	WORD(fs, "base of FS"),
	WORD(gs, "base of the target's GS"),
	WORD(stack, "the engine's stack"),
	WORD(pointer, "the target's RSP"),
	WORD(exit, "number of the exit"),
	WORD(leave, "to the engine"),
	WORD(indirect, "finds where the branch leads"),
	WORD(ask, "answers the instruction"),
	WORD(on_access, "counts the access, in C"),
	WORD(slot, "a register put aside"),
	WORD(miss, "what the tables do not show, in C"),
	WORD(no_page, "only the page is not shown"),
	WORD(block, "which block"),
	WORD(on_record, "its turn may be over, in C"),
	WORD(next, "where that goes on"),
	WORD(on_enter, "enters the block, in C"),
	WORD(enters, "enters the block, in C"),
	WORD(arrive, "resolves the branch"),
#undef WORD
};

/* Objects that have a place from GS. */
static const struct {
	const void *first;
	size_t bytes;
	const char *name;
} objects[] = {
	{&written.left, sizeof written.left, "what is left of the turn"},
	{&written.next, sizeof written.next, "what has been written"},
#define OF(field, text) {&core.field, sizeof core.field, text}
	OF(now, "the machine's cycle"),
	OF(deadline, "the deadline"),
	OF(prev, "the block before"),
	OF(cost, "what the outcome costs"),
	OF(shadow, "lines of the data cache"),
	OF(data_own, "whether the level behind knows of stores"),
	OF(data_stamp, "when they were used last"),
	OF(data_dirty, "whether they were written"),
	OF(line_number, "lines of the instruction cache"),
	OF(line_stamp, "when they were used last"),
	OF(dtlb.shown, "pages of the data TLB"),
	OF(dtlb.stamp, "when they were used last"),
	OF(itlb.shown, "pages of the instruction TLB"),
	OF(itlb.stamp, "when they were used last"),
	OF(bht, "counters of branches"),
	OF(last_outcome, "the outcome before"),
	OF(outcome, "the outcome"),
	OF(returns, "addresses that returns go to"),
	OF(sig, "what is counted"),
#undef OF
	{&core, sizeof core, "the model"},
};

void
explain_begin(u64 pc, const char *path)
{
	explained.pc = pc;
	explained.out = fopen(path, "we");
}

bool
explain_is_asked(void)
{
	return explained.out;
}

static void
add_part(const struct emitter *e, const char *text, bool data)
{
	if (explained.out && explained.n < PARTS)
		explained.part[explained.n++] = (struct part){e->p, text, data};
}

void
explain_part(const struct emitter *e, const char *text)
{
	add_part(e, text, false);
}

void
explain_data(const struct emitter *e, const char *text)
{
	add_part(e, text, true);
}

static const char *
name_of(s64 at)
{
	const u8 *p = (const u8 *)&host_state + at;

	for (unsigned i = 0; i < SIM_COUNT(words); i++)
		if (at >= words[i].at && at < words[i].end)
			return words[i].name;
	for (unsigned i = 0; i < SIM_COUNT(objects); i++)
		if (p >= (const u8 *)objects[i].first &&
		    p < (const u8 *)objects[i].first + objects[i].bytes)
			return objects[i].name;
	return NULL;
}

/* The same of what is near the code: counts of the edge's block. */
static const char *
name_of_count(u64 at)
{
	const struct block *b = explained.to;

	if (!b)
		return NULL;
	for (unsigned i = 0; i < BLOCK_COUNTERS; i++)
		if (at == (u64)(uintptr_t)block_counter(b, i))
			return i == BLOCK_BEHIND_ANY
				       ? "executions of the block"
				       : "executions of the block behind such a branch";
	return NULL;
}

/* What an operand is of that is from GS, or near. */
static const char *
remark(const ZydisDisassembledInstruction *z)
{
	for (unsigned i = 0; i < z->info.operand_count_visible; i++) {
		const ZydisDecodedOperand *o = &z->operands[i];

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (o->mem.segment == ZYDIS_REGISTER_GS)
			return name_of(o->mem.disp.value);
		if (o->mem.base == ZYDIS_REGISTER_RIP)
			return name_of_count(z->runtime_address + z->info.length +
					     (u64)o->mem.disp.value);
	}
	return NULL;
}

static unsigned
show(const char *margin, u64 address, const u8 *code, size_t bytes)
{
	ZydisDisassembledInstruction z;
	const char *note;

	if (!ZYAN_SUCCESS(ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64,
						address, code, bytes, &z)))
		return 0;
	note = remark(&z);
	fprintf(explained.out, "%s%llx  %s%s%s\n", margin,
		(unsigned long long)address, z.text, note ? "  # " : "",
		note ? note : "");
	return z.info.length;
}

static void
show_emitted(const u8 *from, const u8 *end)
{
	while (from < end) {
		unsigned n = show("        ", (u64)(uintptr_t)from, from,
				  (size_t)(end - from));

		from += n ? n : 1;
	}
}

static void
show_data(const u8 *from)
{
	unsigned long long word;

	memcpy(&word, from, sizeof word);
	fprintf(explained.out, "        %llx  dq 0x%llx\n",
		(unsigned long long)(uintptr_t)from, word);
}

/* Where part number i ends, of code up to there; some are elsewhere. */
static const u8 *
next_part(unsigned i, const u8 *end)
{
	const u8 *from = explained.part[i].from;

	for (unsigned k = i + 1; k < explained.n; k++) {
		const u8 *next = explained.part[k].from;

		if (next >= from && next < end)
			end = next;
	}
	return end;
}

/* The parts that begin in a piece of emitted code. */
static void
show_parts(const u8 *from, const u8 *end)
{
	for (unsigned i = 0; i < explained.n; i++) {
		const struct part *p = &explained.part[i];
		const u8 *next = next_part(i, end);

		if (p->from < from || p->from >= end || next == p->from)
			continue;
		fprintf(explained.out, "    %s:\n", p->words);
		if (p->data)
			show_data(p->from);
		else
			show_emitted(p->from, next);
	}
}

static bool
has_it(const struct code_source *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->insn[i].pc == explained.pc)
			return true;
	return false;
}

void
explain_block(const struct code_block *b, const struct code_source *s,
	      const struct explain_code *at)
{
	const u8 *cold_end = code_cold_emitter()->p;

	if (explained.out && !explained.block && has_it(s)) {
		explained.block = b;
		fprintf(explained.out, "block at 0x%llx: %u instructions, "
			"%zu bytes, emitted: %zu\n",
			(unsigned long long)b->pc, s->n, (size_t)b->bytes,
			(size_t)(at->end - b->body + cold_end - at->cold));
		explained.to = b->block;
		show_parts(at->begin, b->body);
		for (unsigned i = 0; i < s->n; i++) {
			const struct insn *in = &s->insn[i];
			const u8 *code = (const u8 *)(uintptr_t)in->pc;

			show("", in->pc, code, in->size);
			show_parts(code_place(b, i),
				   i + 1 < s->n ? code_place(b, i + 1)
						: b->end);
		}
		fputs("behind the block\n", explained.out);
		show_parts(b->end, at->end);
		show_parts(at->cold, cold_end);
		fflush(explained.out);
	}
	explained.n = 0;
}

void
explain_edge(const struct code_block *p, const struct code_block *t,
	     const u8 *from, const u8 *end)
{
	if (explained.out && explained.block && t->pc <= explained.pc &&
	    t->pc + t->bytes > explained.pc) {
		fprintf(explained.out, "edge from the block at 0x%llx to that at "
			"0x%llx: ", (unsigned long long)p->pc,
			(unsigned long long)t->pc);
		if (from < end)
			fprintf(explained.out, "%zu bytes\n",
				(size_t)(end - from));
		else
			fputs("code that is there\n", explained.out);
		explained.to = t->block;
		show_parts(from, end);
		fclose(explained.out);
		explained.out = NULL;
	}
	explained.n = 0;
}

void
explain_front(const struct code_block *p, const struct code_block *t,
	      const u8 *from, const u8 *end)
{
	/* The first block is shown with what is in front of it. */
	if (explained.block)
		explain_edge(p, t, from, end);
}
