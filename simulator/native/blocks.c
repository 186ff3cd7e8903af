/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's blocks, and their execution.  The instruction that crosses the end of
 * a block's page, if it is not the first one, is a block of its own. */
#include "cut.h"
#include "guard.h"
#include "keep.h"
#include "periods.h"
#include "premade.h"
#include "signals.h"
#include "threads.h"

#include "target/built.h"
#include "target/guest_strings.h"
#include "target/x87.h"
#include "turns/turns.h"
#include "x86_64/cpu.h"
#include "target/places.h"

static struct cut now;		/* what is being made */

static const struct code_exit *by; /* that leads there, or NULL */

static volatile bool changed;	/* a handler may set it */
static volatile bool alone;	/* ... that an instruction is executed alone */

/* Only the engine's own state is looked at: it is not the target's. */
static void
start_again(void)
{
	by = NULL;
	keep_flushed();
	code_flush();
	changed = false;
}

/* All copies of a block count in one: other is another copy, or NULL. */
static struct code_block *
make(unsigned first, unsigned n, struct code_block *head,
     const struct code_block *other)
{
	struct code_source s = {
		.pc = now.insn[first].pc,
		.insn = &now.insn[first],
		.host = &now.host[first],
		.n = n,
		.head = head,
		.by = head ? NULL : by,
	};
	const u8 (*data)[INSN_BYTES] =
		(const u8 (*)[INSN_BYTES]) & now.data[first];

	if (x87_divides(s.insn, n)) {
		keep_spoil();
		x87_set(cpu_x87_control());
	}
	s.block = other && other->n == n
			  ? other->block
			  : built_block(&now.insn[first], data, n, false);
	return code_make(&s);
}

/* Code that calls C has to care for that flag from now on. */
static void
note_direction(void)
{
	for (unsigned i = 0; i < now.n; i++)
		if (now.host[i].sets_direction && !glue_direction()) {
			glue_note_direction();
			start_again();
		}
}

static struct code_block *
make_at(u64 pc)
{
	bool unnoticed = guard_change(pc) == HOST_UNNOTICED;
	struct code_block *b, *other;
	unsigned whole;

	if (unnoticed)
		host_forget_page(pc & ~(NATIVE_PAGE - 1));
	whole = cut_block(&now, pc, alone);
	note_direction();
	if (!alone) {
		guard_code(pc);
		guard_code(cut_last_byte(&now.insn[now.n - 1]));
	}
	places_code(pc);
	other = code_find_other(pc);
	b = make(0, whole, NULL, other);
	if (b && whole < now.n)
		b->tail = make(whole, now.n - whole, b,
			       other ? other->tail : NULL);
	if (b && unnoticed)
		code_check(b);
	return b;
}

static struct code_block *
block_at(u64 pc)
{
	struct code_block *b = code_find(pc);

	if (b && code_is_same(b))
		return b;
	if (b)
		code_drop(b);
	b = make_at(pc);
	if (!b) {
		start_again();
		b = make_at(pc);
	}
	premade_note_block(pc);
	return b;
}

void
blocks_changed(u64 at, u64 bytes)
{
	if (!changed && host_has_read(at, bytes)) {
		keep_save();
		changed = true;
	}
	keep_changed(at, bytes);
	guard_forget(at, bytes);
	guest_strings_unmapped();
}

bool
blocks_will_change(void)
{
	return changed || alone;
}

void
blocks_forget(void)
{
	changed = true;
}

/* A store by copied code to that page.  Code that is elsewhere goes on. */
bool
blocks_written(u64 page, const u8 *by)
{
	alone = code_is_of_page(by, page);
	code_drop_page(page);
	return alone;
}

/* The next instruction as a block that is not found again: it writes where its
 * own block is. */
static struct code_block *
make_alone(u64 pc)
{
	struct code_block *b = make_at(pc);

	if (!b) {
		start_again();
		b = make_at(pc);
	}
	alone = false;
	code_drop(b);
	return b;
}

/* ---- Turns ------------------------------------------------------------- */

/* The copies that what is executed now is to be executed by. */
static void
select_code(void)
{
	code_select(core.skipping || (core.recording && core.counting)
			    ? COPY_COUNTED
		    : core.recording ? COPY_RECORDED
				     : COPY_WHOLE);
	if (changed)
		start_again();
}

/* That block as it is now, or the rest of it. */
static struct code_block *
again(u64 pc, bool tail)
{
	struct code_block *b = block_at(pc);

	return tail && b->tail ? b->tail : b;
}

/*
 * The code of block t, which has been entered, and then the thread may have
 * waited for its turn: others may have changed what is there.  Then what is
 * there now is entered, too.  pc is where it begins, or what it is the tail of.
 */
static void *
entered(u64 pc, bool tail, const struct block *t)
{
	struct code_block *b;

	for (;;) {
		select_code();
		b = again(pc, tail);
		if (b->block == t)
			return b->body;
		t = b->block;
		threads_enter(b->block);
	}
}

/* Enters b where the thread may have to wait for its turn. */
static void *
turn(struct code_block *b)
{
	u64 pc = b->head ? b->head->pc : b->pc;
	bool tail = b->head;
	struct block *t = b->block;

	periods_turn(t);
	threads_enter(t);
	return entered(pc, tail, t);
}

/* Whether what is executed is to be recorded from the next block on. */
static bool
turns_begin(void)
{
	return core.told && !core.recording;
}

struct block *
blocks_first(u64 pc)
{
	select_code();
	return block_at(pc)->block;
}

/* ---- Execution --------------------------------------------------------- */

/* Whether there is an instruction: a block is only found where one is. */
static bool
is_code(u64 pc)
{
	return code_find(pc) || (guard_executes(pc) && cut_insn(pc));
}

/* Goes on at pc, whatever was before. */
static void *
go_on(u64 pc)
{
	struct code_block *b;

	if (signals_wait())
		pc = signals_deliver(pc);
	select_code();
	while (!is_code(pc)) {
		signals_no_code(pc);
		pc = signals_deliver(pc);
	}
	if (alone) {
		b = make_alone(pc);
		turns_again(threads_number, b->block);
		return code_entry(b);
	}
	b = block_at(pc);
	return core.told ? turn(b) : code_entry(b);
}

/* The block that an exit leads to. */
static struct code_block *
behind(const struct code_exit *x)
{
	struct code_block *tail = x->from->tail;

	return tail && x->target == tail->pc ? tail : block_at(x->target);
}

/* ... where an exit leads, which goes there from now on. */
static void *
go_on_by(u64 number)
{
	const struct code_exit *x = code_exit(number);
	struct code_block *t;
	u64 made = code_flushed();

	if (signals_wait() || changed || alone || !is_code(x->target))
		return go_on(x->target);
	by = x;
	t = behind(x);
	by = NULL;
	if (turns_begin())
		return turn(t);
	if (made != code_flushed())
		return code_entry(t);
	if (!x->edge)
		premade_note_exit((u32)number, x->from->pc, x->target);
	return code_link(number, t);
}

/* ... where an indirect branch leads. */
static void *
go_on_at(u64 pc, const struct code_exit *x)
{
	struct code_block *t;

	if (signals_wait() || changed || !is_code(pc))
		return go_on(pc);
	by = x;
	t = block_at(pc);
	by = NULL;
	if (turns_begin())
		return turn(t);
	premade_note_target(pc);
	code_know(t);
	return code_entry(t);
}

/* The code has left by an exit: where it goes on; NULL: the thread ends. */
static void *
follow(u64 number)
{
	switch (number) {
	case CODE_FAULT:
		return go_on(host_state.target);
	case CODE_TURN:
		return turn(host_state.turn);
	}
	switch (code_exit(number)->kind) {
	case CODE_DIRECT:
		return go_on_by(number);
	case CODE_CALLS_KERNEL:
		host_state.target = code_exit(number)->target;
		calls_kernel();
		return threads_ended() ? NULL : go_on(host_state.target);
	default:
		return go_on_at(host_state.target, code_exit(number));
	}
}

void
blocks_left(const struct code_block *b)
{
	if (b && b->block && b->copy == COPY_WHOLE && code_enter == ENTER_COUNT)
		core.prev = b->block;
}

static void
execute(void *code)
{
	while (code) {
		/* What came while code was linked: it leaves at its next
		 * exit. */
		if (signals_wait())
			code_unlink();
		host_run(code);
		if (host_state.exit < CODE_TURN)
			blocks_left(code_exit(host_state.exit)->from);
		turns_tell(threads_number);
		code = follow(host_state.exit);
	}
}

void
blocks_run(u64 pc)
{
	execute(go_on(pc));
}

void
blocks_go_on(u64 pc, struct block *t)
{
	execute(entered(pc, false, t));
}

/* ---- What others have made ---------------------------------------------- */

/* Whether what is there can be made, or linked, as when it is come to.  Pages that may
 * be written are left out: how often they are decides how blocks of them end. */
static bool
is_steady(u64 pc)
{
	return !changed && !alone && !core.told && guard_executes(pc) &&
	       guard_change(pc) == HOST_STAYS;
}

void
blocks_make(u64 pc)
{
	const struct host_insn *h;

	if (!is_steady(pc) || code_find(pc))
		return;
	h = cut_insn(pc);
	if (h && h->kind != HOST_BAD)
		make_at(pc);
}

void
blocks_link(u32 number, u64 from, u64 pc)
{
	const struct code_exit *x;

	if (number >= code_exits() || !is_steady(pc) || !code_find(pc))
		return;
	x = code_exit(number);
	if (x->kind == CODE_DIRECT && !x->edge && x->from->pc == from &&
	    x->target == pc)
		code_link(number, behind(x));
}

void
blocks_know(u64 pc)
{
	struct code_block *t = is_steady(pc) ? code_find(pc) : NULL;

	if (t)
		code_know(t);
}
