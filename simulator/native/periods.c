/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "periods.h"

#include "executed.h"
#include "keep.h"

#include "core/fast.h"
#include "core/refresh.h"
#include "machine/machine_period.h"
#include "threads/written.h"
#include "turns/turns.h"
#include "x86_64/touch.h"

#include <sched.h>
#include <sys/syscall.h>

#define FIRST_TIMES 10u		/* so many times what is modelled of others: short
				   programs are modelled as a whole */
#define BEGINNING 3u		/* so many times less than was executed */
#define LAST_PART 400000u	/* steps, of what is skipped: about what is modelled
				   behind it */

enum stretch {
	ALL,			/* no periods: all is modelled */
	FIRST,			/* the first that is modelled: it stands for itself */
	SKIPPED,
	WARMED,
	MEASURED
};

static struct {
	enum stretch now;
	u64 due;		/* cycle in which it ends, if it is modelled */
	u64 n;			/* periods that are over */
	/* The period under way; or all since the process began. */
	u64 begun;		/* steps when it began */
	struct period_counts before; /* and counts, of what is not accounted yet */
	u64 rest;		/* steps to be skipped, behind the part under way */
	u64 passed;		/* cycles that the clock was moved on meanwhile */
	u64 warmed_at;		/* cycle when the warm-up began */
	u64 measured_at;	/* ... and what is measured, */
	u64 measured_from;	/* steps then, */
	struct period_counts from; /* and counts */
	/* What was measured last, in so many cycles. */
	struct period_rate rate;
	u64 rate_cycles;
} periods;

static struct period_at
here(void)
{
	return (struct period_at){core.sig, core.outcome, core.alone};
}

/* The stretch ends so many cycles from now; alarmed() is called then. */
static void
let_end_in(u64 cycles)
{
	periods.due = core_cycle(&core) + cycles;
	turns_alarm(periods.due);
}

/* ---- Stretches that are modelled ----------------------------------------- */

static void
begin_first(void)
{
	const struct machine_periods *p = &target.map.m->periods;

	periods.now = FIRST;
	periods.begun = executed_steps();
	let_end_in(FIRST_TIMES * ((u64)p->warm + p->measured));
}

/* Of the first one nothing stands for anything else. */
static void
begin_measured(void)
{
	const struct period_at at = here();
	bool begun = host_library_begin();

	periods.measured_from = executed_steps();
	if (begun)
		host_library_end();
	if (periods.now == FIRST) {
		machine_period_exact(&target.map,
				     periods.measured_from - periods.begun);
		periods.begun = periods.measured_from;
		period_look(&at, &periods.before);
		periods.warmed_at = core_cycle(&core);
	}
	period_look(&at, &periods.from);
	periods.measured_at = core_cycle(&core);
	periods.now = MEASURED;
	let_end_in(target.map.m->periods.measured);
}

/* The target's code may have called that. */
static void
alarmed(void)
{
	if (periods.now == FIRST || periods.now == WARMED) {
		core.told = false;
		begin_measured();
	} else {
		code_unlink();
	}
}

/* The machine's clock has what so many steps take at the last rate, in place of what it
 * was moved on since, and of the cycles that their warm-up took. */
static void
move_clock(u64 stands_for, u64 warmed)
{
	u64 cycles = period_scale(periods.rate_cycles, stands_for,
				  periods.rate.steps);

	if (cycles > warmed + periods.passed)
		core_skip(&core, cycles - warmed - periods.passed);
	periods.passed = 0;
}

/* The last rate stands for so many steps that were executed since the counts of before,
 * or earlier.  own: and for those that it was measured in, of period number n. */
static void
account(u64 n, u64 stands_for, bool own)
{
	const struct period_at at = here();

	periods.rate.stands_for = stands_for;
	periods.rate.own = own;
	period_estimate(&at, &periods.before, &periods.rate);
	period_look(&at, &periods.before);
	machine_period_add(&target.map, n, &periods.rate);
}

/* So many steps have been executed.  Half of what was skipped was nearer to what was
 * measured before that. */
static void
end_measured(u64 executed)
{
	const struct period_at at = here();
	u64 skipped = periods.measured_from - periods.begun;
	u64 nearer = periods.n ? skipped / 2 : 0;
	static struct period_counts n;

	period_since(&at, &periods.from, &n);
	if (nearer)
		account(periods.n - 1, nearer, false);
	periods.rate.n = n;
	periods.rate.steps = executed - periods.measured_from;
	account(periods.n++, skipped - nearer, true);
	periods.rate_cycles = core_cycle(&core) - periods.measured_at;
	move_clock(skipped, periods.measured_at - periods.warmed_at);
}

/* ---- What is not modelled -------------------------------------------------- */

/* So many steps that one in one_in is modelled; less at the beginning, so that
 * there are some periods of short programs, too. */
static u64
to_be_skipped(u64 executed)
{
	const struct machine_periods *p = &target.map.m->periods;
	u64 modelled = period_scale(periods.rate.steps,
				    (u64)p->warm + p->measured, p->measured);
	u64 most = executed / BEGINNING, n = modelled * (p->one_in - 1);

	return n < most ? n : most;
}

static void
refresh_block(const struct block *b)
{
	core_refresh_code(&core, b->vaddr, (unsigned)(b->fall - b->vaddr));
}

/* What was executed and accessed since the last time is in the caches behind the first
 * level, and is used later than what was there. */
static void
refresh(void)
{
	executed_since(refresh_block);
	core_refresh(&core, touched.line, TOUCH_LINES, TOUCH_LINE_BITS);
	touch_forget();
}

/* Most of what is left to be skipped, and so on, so that lines that were used last are
 * the last ones that caches are told of. */
static void
begin_part(void)
{
	u64 last = later(periods.rest / 4, LAST_PART);
	u64 n = periods.rest > last ? periods.rest - last : periods.rest;

	periods.rest -= n;
	written_give((s64)n);
}

void
periods_pass(void)
{
	s64 left = written.left;
	u64 cycles;

	if (!core.skipping)
		return;
	cycles = later(period_scale(periods.rate_cycles,
				    (u64)written_take_back(),
				    periods.rate.steps), 1);
	written_give(left);
	core_skip(&core, cycles);
	periods.passed += cycles;
}

static void
end_part(void)
{
	periods_pass();
	refresh();
	begin_part();
}

/* From block t on. */
static void
begin_skipped(const struct block *t)
{
	u64 executed = executed_note();

	keep_spoil();
	target_slot()->estimates = 1;
	core_pause(&core, t->vaddr);
	end_measured(executed);
	periods.begun = executed;
	periods.now = SKIPPED;
	core.skipping = true;
	turns_alarm(0);
	periods.rest = to_be_skipped(executed);
	begin_part();
}

/* The model goes on with what is at next. */
static void
end_skipped(u64 next)
{
	periods_pass();
	core.skipping = false;
	written_give(0);
	fast_count(&core, block_none_at(next));
	periods.warmed_at = core_cycle(&core);
	refresh();
	periods.now = WARMED;
	let_end_in(target.map.m->periods.warm);
}

bool
periods_skip(struct block *t)
{
	if (written.left <= 0)
		return false;
	written.left -= t->n_insn;
	fast_count(&core, t);
	return true;
}

/* A string instruction that goes on with t is counted once, which is known from the
 * block before: what is modelled, and what is not, do not know each other's. */
static void
take_back_repeated(const struct block *t)
{
	const struct block *p = core.prev;

	if (p->branch == BRANCH_REP && t->vaddr == block_branch_pc(p))
		core_repeat(&core, core.sig, t);
}

void
periods_turn(const struct block *t)
{
	bool is_over = periods.now == SKIPPED ? written.left <= 0 :
		       periods.now == MEASURED &&
				core_cycle(&core) >= periods.due;

	if (!is_over)
		return;
	if (periods.now == SKIPPED && periods.rest) {
		end_part();
		return;
	}
	take_back_repeated(t);
	if (periods.now == SKIPPED)
		end_skipped(t->vaddr);
	else
		begin_skipped(t);
}

/* ---- The process --------------------------------------------------------- */

/* What has been executed since the last period was over, which begins with what is
 * not modelled: the last rate stands for that. */
static void
account_rest(u64 now)
{
	if (periods.now == SKIPPED) {
		end_skipped(core.prev->fall);
		core.prev = &block_none;
	}
	core_pause(&core, 0);
	account(periods.n - 1, now - periods.begun, false);
	move_clock(now - periods.begun, core_cycle(&core) - periods.warmed_at);
}

void
periods_end(void)
{
	u64 now;

	if (!target.map.m->periods.one_in)
		return;
	now = executed_steps();
	if (periods.now == ALL || periods.now == FIRST || !periods.n)
		machine_period_exact(&target.map, now - periods.begun);
	else
		account_rest(now);
	periods.begun = now;
	periods.now = ALL;
	target_slot()->estimates = 0;
	turns_alarm(0);
}

void
periods_begin(void)
{
	if (!target.map.m->periods.one_in || !turns_single())
		return;
	core.alarmed = alarmed;
	begin_first();
}

void
periods_forked(void)
{
	if (!target.map.m->periods.one_in)
		return;
	if (core.skipping)
		core.prev = &block_none;
	core.skipping = false;
	written_give(0);
	executed_forget();
	periods.n = periods.passed = periods.begun = 0;
	if (periods.now != ALL)
		begin_first();
}

/* Where threads take turns all is modelled, and so are processes that choose their
 * context. */
void
periods_call(u64 number, const u64 arg[6])
{
	if (periods.now != ALL &&
	    (number == SYS_sched_setaffinity ||
	     (number == SYS_clone && arg[0] & CLONE_THREAD)))
		periods_end();
}
