/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_profile.h"

#include "target/profiling.h"
#include "target/sampling.h"

/* Counts of a block for one owner. */
struct profile_version {
	struct profile_version *next;
	struct profile_owner owner;
	struct profile_block *record;
};

static struct {
	bool on;
	u32 modes;		/* mask of those that are profiled */
	struct sampler *sampler;
	struct callers callers;
	/* Of the block that runs, and of the one that is entered; the former's
	 * caller is with the callers. */
	enum system_state state;
	struct profile_owner next;
} profile;

static const struct machine *
machine(void)
{
	return target.map.m;
}

/* Where the utility routine begins that an address is in; 0: in none. */
static u64
routine_at(u64 pc)
{
	const struct system_utilities *u = &machine()->utilities;

	for (u32 i = 0; i < u->n && i < SYSTEM_UTILITIES; i++)
		if (pc >= u->range[i].start && pc < u->range[i].end)
			return u->range[i].start;
	return 0;
}

/* ---- States ---------------------------------------------------------- */

static enum system_state
state_of(const struct system_entry *e)
{
	if (e->mode == MODE_USER)
		return SYSTEM_USER;
	if (e->mode == MODE_EXL)
		return SYSTEM_EXCEPTION;
	return e->off ? SYSTEM_DISABLED : SYSTEM_ENABLED;
}

static bool
is_wanted(enum sim_mode mode)
{
	return profile.modes >> mode & 1;
}

/* All that a utility routine has is its caller's. */
static void
charge(struct profile_block *r, u64 caller)
{
	r->vaddr = caller;
	for (unsigned i = 0; i < r->n_insn; i++)
		profile_offset(r)[i] = 0;
}

struct profile_owner
system_profile_owner(void)
{
	return (struct profile_owner){profile.state, profile.callers.caller};
}

struct profile_block *
system_profile_record(struct profile_place *p, const struct block *b,
		      const struct profile_owner *owner)
{
	struct profile_version *v = p->version;

	for (; v; v = v->next)
		if (v->owner.state == owner->state &&
		    v->owner.caller == owner->caller)
			return v->record;
	v = process_alloc(sizeof *v);
	if (!v)
		return NULL;
	*v = (struct profile_version){
		.next = p->version, .owner = *owner,
		.record = profiling_record(b, owner->state),
	};
	if (v->record && owner->caller)
		charge(v->record, owner->caller);
	p->version = v;
	return v->record;
}

/* ---- Execution ------------------------------------------------------- */

void
system_profile_leave(void)
{
	if (!profile.on)
		return;
	if (core.sampler)
		sample_leave(&core);
	if (core.profiler)
		profiler_look(&core);
	core.sampler = NULL;
	core_route(&core);
}

void
system_profile_arrive(enum sim_mode mode)
{
	if (!profile.on)
		return;
	if (is_wanted(mode) && profile.sampler) {
		core_take_back(&core);
		core.sampler = profile.sampler;
		core_route(&core);
		sample_resync(&core, process_mode_slot(mode)->sig, 0);
	}
	if (core.profiler)
		profiler_child(&core);
}

void
system_profile_enter(struct profile_place *p, struct block *b,
		     const struct system_entry *e)
{
	if (!profile.on)
		return;
	profile.next = (struct profile_owner){state_of(e), 0};
	if (machine()->utilities.n)
		profile.next.caller = callers_find(&profile.callers,
						   &p->callers,
						   e->vector != VECTOR_NONE);
	if (core.profiler)
		profiling_put(b, is_wanted(e->mode) ?
			system_profile_record(p, b, &profile.next) : NULL);
}

void
system_profile_entered(struct profile_place *p)
{
	profile.state = profile.next.state;
	callers_entered(&profile.callers, &p->callers, profile.next.caller);
}

void
system_profile_sample(struct log_sample *sample)
{
	sample->head.image = profile.state;
	if (profile.callers.caller && routine_at(sample->pc)) {
		sample->pc = profile.callers.caller;
		sample->n_insn = 0;	/* its block shares nothing */
	}
}

/* ---- Start ----------------------------------------------------------- */

void
system_profile_place(struct profile_place *p, const struct system_block *at,
		     const struct block *b)
{
	const struct insn *last = &block_insns(b)[b->n_insn - 1];

	if (!profile.on)
		return;
	*p = (struct profile_place){
		.callers = {
			.pc = at->pc,
			.end = last->pc + last->size,
			.branch_pc = b->branch ? block_branch_pc(b) : last->pc,
			.returns = at->returns,
			.routine = routine_at(at->pc),
		},
	};
}

/* States take the numbers of programs. */
static void
name_states(void)
{
	for (u32 state = SYSTEM_USER + 1; state < SYSTEM_STATES; state++) {
		struct log_image r = {
			.head = {.bytes = sizeof r, .kind = LOG_IMAGE,
				 .image = state},
		};

		machine_log_append(&target.map, &r.head);
	}
}

int
system_profile_start(void)
{
	const struct machine *m = machine();
	int error;

	if (!m->n_profile || m->n_profile > MACHINE_PROFILE)
		return 0;
	profile.on = true;
	profile.modes = m->counter[m->profile_counter[0] %
				   SIM_WIDE_COUNTERS].modes;
	error = sampling_start();
	if (!error)
		error = profiling_start();
	if (error)
		return error;
	if (core.sampler)
		sample_taken_back(&core);
	profile.sampler = core.sampler;
	core.sampler = NULL;
	core_route(&core);
	system_profile_arrive(MODE_USER);
	name_states();
	return 0;
}
