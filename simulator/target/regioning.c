/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "regioning.h"

#include "code/decode/mark.h"
#include "pipeline/block_prefix.h"
#include "places_program.h"
#include "procedures.h"
#include "watch/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	struct regions regions;
	struct region_thread *first;
	struct region_thread *bound; /* while contexts change */
	/* Where threads are regions: the name of the program's file, empty
	 * until there is a block of it; threads but for the first one. */
	char program[REGION_NAME];
	u32 threads;
} regioning;

static unsigned
context(void)
{
	return target_slot()->tc;
}

static void
pass(struct core *c, const struct block *t)
{
	regions_entered(c, context(), t);
}

int
regioning_start(void)
{
	if (!(target.map.m->need & NEED_REGIONS) || target.system)
		return 0;
	regioning.regions.map = &target.map;
	regioning.regions.look = process_look;
	regioning.first = regioning_thread();
	if (!regioning.first)
		return -ENOMEM;
	core.pass = pass;
	core.regions = &regioning.regions;
	regioning.regions.only = (int)target.map.m->profile_region - 1;
	if (core.profiler && regioning.regions.only >= 0)
		core.profiler->closed = ~0u;
	regions_run(&core, context(), regioning.first);
	return procedures_start(&regioning.regions);
}

struct region_thread *
regioning_first(void)
{
	return regioning.first;
}

/* ---- Threads that are regions ---------------------------------------- */

static bool
is_wanted(u32 n)
{
	return target.map.m->need & NEED_THREADS ||
	       (n == 1 && process_is_first());
}

/* That of the first thread of all is the same whatever it executes. */
static void
put_name(char name[REGION_NAME], u32 n)
{
	u32 image = target_slot()->image;

	if (!(target.map.m->need & NEED_THREADS))
		snprintf(name, REGION_NAME, "first");
	else if (n == 1)
		snprintf(name, REGION_NAME, "%.32s-%u", regioning.program,
			 image);
	else
		snprintf(name, REGION_NAME, "%.32s-%u.%u", regioning.program,
			 image, n);
}

/* Number n of this process, from 1 on, is in one that has its name. */
static void
name_thread(struct region_thread *th, u32 n)
{
	char name[REGION_NAME];
	int region;

	if (!is_wanted(n)) {
		regions_disown(&regioning.regions, th);
		return;
	}
	put_name(name, n);
	region = machine_region_find(&target.map, name, REGION_THREAD);
	if (region >= 0)
		regions_own(&regioning.regions, th, (unsigned)region);
}

static bool
threads_wanted(void)
{
	return target.map.m->need & (NEED_THREADS | NEED_FIRST);
}

void
regioning_program(void)
{
	char *file;
	const char *base;

	if (!core.regions || !threads_wanted() || *regioning.program)
		return;
	file = program_file();
	base = file ? strrchr(file, '/') : NULL;
	snprintf(regioning.program, sizeof regioning.program, "%s",
		 base ? base + 1 : "unknown");
	free(file);
	name_thread(regioning.first, 1);
}

struct region_thread *
regioning_thread(void)
{
	struct region_thread *th =
		target.map.m->need & NEED_REGIONS ? calloc(1, sizeof *th)
						  : NULL;

	if (th && *regioning.program)
		name_thread(th, 1 + __atomic_add_fetch(&regioning.threads, 1,
						       __ATOMIC_RELAXED));
	return th;
}

void
regioning_fork_thread(unsigned tc)
{
	struct region_thread *th = regioning.regions.running[tc];

	regioning.threads = 0;
	if (core.regions && th && *regioning.program)
		name_thread(th, 1);
}

/* ---- Markers --------------------------------------------------------- */

/* The marker that a block ends with; false if it does not. */
static bool
read_mark(const struct insn *insn, const u8 (*data)[INSN_BYTES], unsigned n,
	  struct mark *m)
{
	u8 bytes[MARK_BYTES];
	u64 at;
	unsigned size = mark_skips(target.isa, insn, data, n, &at);

	return size && !guest_read(bytes, at, size) &&
	       mark_read(bytes, size, m);
}

struct shares {
	const struct block *b;
	unsigned first;		/* of the marker's instructions */
	bool stalls;
	struct region_mark *mark;
};

static void
add_share(void *arg, unsigned k, unsigned signal, s64 n)
{
	struct shares *s = arg;
	struct region_mark *mark = s->mark;

	if (k < s->first || (signal >= BLOCK_FIRST_STALL) != s->stalls ||
	    mark->n == REGION_SHARES)
		return;
	mark->share[mark->n++] = (struct region_share){
		.n = (int16_t)n, .signal = (u8)signal, .stall = s->stalls};
}

/* What the marker's instructions count: static counts, then stalls. */
static int
find_shares(struct region_mark *mark, const struct block *b)
{
	struct shares s = {
		.first = b->n_insn - mark_insns(target.isa),
		.mark = mark,
	};
	int error = block_shares(b, target.config, false, add_share, &s);

	s.stalls = true;
	return error ? error
		     : block_shares(b, target.config, true, add_share, &s);
}

static void
put_mark(struct block *b, const struct mark *m, int region)
{
	struct region_mark *mark = process_alloc(sizeof *mark);
	struct block_wide *w = block_widen(b, process_alloc);

	if (!mark || !w)
		process_die("room for a region", ENOMEM);
	*mark = (struct region_mark){
		.region = (u16)region,
		.begins = m->begins,
		.conditional = b->branch == BRANCH_DIRECT_COND,
		.shares = b->shares,
	};
	if (find_shares(mark, b) ||
	    regions_number(&regioning.regions, mark))
		process_die("room for a region", ENOMEM);
	w->mark = mark;
	b->marked = true;
}

void
regioning_block(struct block *b, const struct insn *insn,
		const u8 (*data)[INSN_BYTES], unsigned n)
{
	struct mark m;
	int region;

	regioning_program();
	if (!core.regions || !read_mark(insn, data, n, &m))
		return;
	region = machine_region_find(&target.map, m.name, REGION_MARKED);
	if (region >= 0)
		put_mark(b, &m, region);
}

void
regioning_passed(const struct region_mark *mark)
{
	if (target.timing)
		regions_passed(&core, mark);
	else	/* All of it has been counted. */
		regions_pass(&core, mark,
			     &(struct region_place){.tc = context(),
						    .stalls = true});
}

void
regioning_entered(const struct block *b)
{
	regioning_passed(block_mark(b));
}

void
regioning_follow(const struct block *t)
{
	struct region_thread *th = regioning.regions.running[context()];
	const struct region_mark *mark = th ? procedures_follow(th, t) : NULL;

	if (mark)
		regioning_passed(mark);
}

/* ---- The process ----------------------------------------------------- */

void
regioning_unbind(void)
{
	if (!core.regions)
		return;
	regions_steady(&core, context());
	regioning.bound = regioning.regions.running[context()];
	regions_run(&core, context(), NULL);
}

/* The merge may have said already what the context runs. */
void
regioning_bind(void)
{
	if (core.regions && !regioning.regions.running[context()])
		regions_run(&core, context(), regioning.bound);
}

void
regioning_settle(void)
{
	if (core.regions)
		regions_settle(&core);
}

void
regioning_fork_child(unsigned tc)
{
	struct regions *r = &regioning.regions;

	if (core.regions)
		regions_child(&core, tc, r->running[tc]);
}
