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
#define FEW 4u			/* so many cycles a step, or more: what is measured is
				   made longer, */
#define LONGER 16u		/* up to so many times */
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
	u64 n;			/* periods that are over */
	/* The period under way; or all since the process began. */
	u64 begun;		/* steps when it began */
	struct period_counts before; /* and counts, of what is not accounted yet */
	u64 rest;		/* steps to be skipped, behind the part under way */
	/* turns_busy() when the warm-up began, */
	u64 warmed_at;
	u64 measured_at;	/* and what is measured; */
	unsigned longer;	/* how often that was made longer */
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

/* The stretch ends so many cycles from now. */
static void
let_end_in(u64 cycles)
{
	turns_stretch(turns_busy() + cycles);
}

/* What so many steps take at the last rate. */
static u64
cycles_of(u64 steps)
{
	return later(period_scale(periods.rate_cycles, steps,
				  periods.rate.steps), 1);
}

/* What was executed is over, and the model of it.  t is entered next; NULL: nothing
 * is.  Threads that take turns know where they go on. */
static void
rest(const struct block *t)
{
	const struct block *p = core.prev;
	u64 next = t ? t->vaddr : p->fall;

	if (core.recording) {
		turns_rest();
		return;
	}
	/* What is modelled, and what is not, do not know each other's blocks. */
	core_repeat_apart(&core, p, t);
	if (core.skipping)
		fast_count(&core, block_none_at(next));
	else
		core_pause(&core, next);
	core.prev = &block_none;
}

static void
go_on(void)
{
	if (core.recording)
		turns_go_on();
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
		periods.warmed_at = turns_busy();
	}
	period_look(&at, &periods.from);
	periods.measured_at = turns_busy();
	periods.longer = 0;
	periods.now = MEASURED;
	let_end_in(target.map.m->periods.measured);
}

/* The target's code may have called that.  There may be another reason if there are
 * several threads, or the clock was moved on. */
static void
alarmed(void)
{
	bool begins = periods.now == FIRST || periods.now == WARMED;

	if (begins && turns_single() && !turns_stretch_left()) {
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

	if (cycles > warmed + core.paced)
		core_skip(&core, cycles - warmed - core.paced);
	core.paced = 0;
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
	u64 n_steps = executed - periods.measured_from;
	static struct period_counts n;

	period_since(&at, &periods.from, &n);
	if (nearer)
		account(periods.n - 1, nearer, false);
	periods.rate.n = n;
	periods.rate.steps = n_steps;
	account(periods.n++, skipped - nearer, true);
	periods.rate_cycles = turns_busy() - periods.measured_at;
	core.pace = (s64)((periods.rate_cycles << CORE_PACE_BITS) /
			  later(n_steps, 1));
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
	u64 from = turns_busy();

	/* In between few others are executed, and these come at the end. */
	if (periods.rest)
		executed_lately(refresh_block);
	else
		executed_since(refresh_block);
	core_refresh(&core, touched.line, TOUCH_LINES, TOUCH_LINE_BITS);
	touch_forget();
	core.paced += turns_busy() - from;
}

/* Most of what is left to be skipped, and so on, so that lines that were used last are
 * the last ones that caches are told of. */
static void
begin_part(void)
{
	u64 last = later(periods.rest / 4, LAST_PART);
	u64 n = periods.rest > last ? periods.rest - last : periods.rest;

	periods.rest -= n;
	let_end_in(cycles_of(n));
}

void
periods_pass(void)
{
	s64 left = written.left;
	u64 cycles;

	/* Where turns are recorded, they move the clock on. */
	if (!core.skipping || core.recording)
		return;
	cycles = cycles_of((u64)written_take_back());
	written_give(left);
	core_skip(&core, cycles);
	core.paced += cycles;
}

/* The same, where nothing of what is left is given to whatever is executed next. */
static void
pass_all(void)
{
	periods_pass();
	if (core.skipping && !core.recording)
		written_give(0);
}

static void
end_part(void)
{
	refresh();
	begin_part();
}

/* What was measured goes on if it had so few steps, executed since the process began,
 * that it would stand for much by something that happens seldom. */
static bool
goes_on(u64 executed)
{
	u64 cycles = target.map.m->periods.measured;

	if (executed - periods.measured_from >= cycles / FEW ||
	    periods.longer == LONGER)
		return false;
	periods.longer++;
	let_end_in(cycles);
	return true;
}

/* So many steps have been executed. */
static void
begin_skipped(u64 executed)
{
	keep_spoil();
	target_slot()->estimates = 1;
	end_measured(executed);
	periods.begun = executed;
	periods.now = SKIPPED;
	core.skipping = true;
	periods.rest = to_be_skipped(executed);
	begin_part();
}

/* The model goes on. */
static void
end_skipped(void)
{
	core.skipping = false;
	written_give(0);
	periods.warmed_at = turns_busy();
}

static void
begin_warmed(void)
{
	refresh();
	end_skipped();
	periods.now = WARMED;
	let_end_in(target.map.m->periods.warm);
}

/* Whether more may be skipped. */
static bool
give_more(void)
{
	u64 left;

	periods_pass();
	left = turns_alone_left();
	written_give((s64)period_scale(periods.rate.steps, left,
				       periods.rate_cycles) + 1);
	return left;
}

bool
periods_skip(struct block *t)
{
	if (written.left <= 0 && !give_more())
		return false;
	written.left -= t->n_insn;
	fast_count(&core, t);
	return true;
}

/* The stretch is over; as for rest(). */
static void
over(const struct block *t)
{
	u64 executed;

	turns_work_off();
	switch (periods.now) {
	case SKIPPED:
		if (periods.rest) {
			end_part();
			return;
		}
		rest(t);
		begin_warmed();
		go_on();
		return;
	case MEASURED:
		executed = executed_note();
		if (goes_on(executed))
			return;
		rest(t);
		begin_skipped(executed);
		go_on();
		return;
	default:
		begin_measured();
	}
}

void
periods_turn(const struct block *t)
{
	if (periods.now == ALL)
		return;
	pass_all();
	if (turns_single() && !turns_stretch_left())
		over(t);
}

void
periods_over(void)
{
	over(NULL);
}

/* ---- The process --------------------------------------------------------- */

/* What has been executed since the last period was over, which begins with what is
 * not modelled: the last rate stands for that. */
static void
account_rest(u64 now)
{
	rest(NULL);
	if (core.skipping)
		end_skipped();
	account(periods.n - 1, now - periods.begun, false);
	move_clock(now - periods.begun, turns_busy() - periods.warmed_at);
	go_on();
}

/* What all contexts have counted: blocks that begin to count for another one begin
 * anew. */
static u64
steps_of_contexts(void)
{
	static u64 sum[SIG_N];
	u64 steps = 0;

	for (unsigned tc = 0; tc < contexts_number(target.config); tc++) {
		process_look(tc, true, sum);
		steps += sum[SIG_INSN];
	}
	return steps;
}

void
periods_end(void)
{
	if (!target.map.m->periods.one_in)
		return;
	turns_work_off();
	periods_pass();
	if (periods.now == ALL)
		machine_period_exact(&target.map,
				     steps_of_contexts() - periods.begun);
	else if (periods.now == FIRST || !periods.n)
		machine_period_exact(&target.map,
				     executed_steps() - periods.begun);
	else
		account_rest(executed_steps());
	periods.begun = steps_of_contexts();
	periods.now = ALL;
	target_slot()->estimates = 0;
	turns_stretch(0);
}

/* Where contexts share a pipeline, all is modelled while threads take turns. */
static bool
may_be_skipped(void)
{
	return turns_single() || contexts_number(target.config) == 1;
}

void
periods_begin(void)
{
	if (!target.map.m->periods.one_in || !target.timing ||
	    !may_be_skipped())
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
	go_on();
	executed_forget();
	periods.n = periods.begun = core.paced = 0;
	if (periods.now != ALL)
		begin_first();
}

/* Processes that choose their context are modelled, too.  Others begin what the call
 * does with the time that it is, and may begin to take turns in it, which give what may
 * be executed on their own. */
void
periods_call(u64 number, const u64 arg[6])
{
	bool clones = number == SYS_clone && arg[0] & CLONE_VM &&
		      !(arg[0] & CLONE_VFORK);

	if (periods.now != ALL && contexts_number(target.config) > 1 &&
	    (number == SYS_sched_setaffinity || clones))
		periods_end();
	pass_all();
}
