/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Executing the runs of a sweep, one after the other or side by side. */
#include "pc_sweep.h"
#include "common/progress.h"
#include "common/reruns.h"
#include "common/streams.h"

#include <stdlib.h>
#include <string.h>

/* An execution under way. */
struct job {
	size_t number;		/* repeat * n_runs + run */
	struct pmcsim_machine *machine;
	struct pmcsim_process *process;
	struct streams streams;
};

/* What is seen while the runs go by. */
struct watch {
	struct sweep *s;
	struct pmcsim_plan plan; /* borrows the runs */
	struct reruns ended;
	unsigned uncounted;	/* programs of a run */
	struct pmcsim_system_facts facts; /* of the last run */
	bool system;
	bool unrepeatable, left;
};

static const struct pmcsim_run *
run_of(const struct sweep *s, size_t number)
{
	return &s->run[number % s->n_runs].run;
}

static struct pmcsim_machine *
make_machine(const struct watch *w, size_t number)
{
	const struct sweep *s = w->s;
	struct pmcsim_machine *m;
	struct pmcsim_error error;

	if (pmcsim_machine_new(s->cpu, NULL, &m, &error) != 0)
		tool_fail(&pc_sweep, TOOL_FAILED, "%s", error.text);
	pmcsim_machine_set_uid(m, (unsigned)s->o->uid);
	pmcsim_machine_set_range_extension(m, !s->o->no_range_extension);
	outside_set(&s->o->outside, m);
	pmcsim_machine_prepare(m, &w->plan);
	if (pmcsim_machine_program(m, run_of(s, number), &error) != 0)
		tool_fail(&pc_sweep, TOOL_FAILED, "%s", error.text);
	if (!system_where(&s->o->system))
		regions_set(&pc_sweep, &s->o->regions, m);
	return m;
}

/* Negative errno code, with a sentence in error. */
static int
start_job(const struct watch *w, struct job *job, size_t number,
	  struct pmcsim_error *error)
{
	struct pmcsim_start start = {
		.argv = w->s->o->command, .stop = &tool_stop,
		.system = system_where(&w->s->o->system)};
	int err;

	job->number = number;
	job->machine = make_machine(w, number);
	err = streams_open(&job->streams, w->s->o->jobs > 1);
	if (err != 0)
		snprintf(error->text, sizeof(error->text),
			 "cannot keep the output of a run: %s",
			 strerror(-err));
	else
		start.fd = streams_fd(&job->streams);
	progress_begin(job->machine, &start);
	if (err == 0)
		err = pmcsim_machine_start(job->machine, &start, &job->process,
					   error);
	if (err != 0) {
		streams_close(&job->streams);
		pmcsim_machine_free(job->machine);
	}
	return err;
}

static void
keep_values(struct watch *w, struct job *job)
{
	const struct pmcsim_run *run = run_of(w->s, job->number);
	struct pmcsim_value *value =
		tool_alloc(&pc_sweep, run->n, sizeof(*value));

	if (pmcsim_machine_values(job->machine, run, value) != 0)
		tool_fail(&pc_sweep, TOOL_FAILED, "the counters are gone");
	w->s->value[job->number] = value;
	sweep_keep_regions(w->s, job->number, job->machine, value);
	reruns_add(&w->ended, job->machine);
	if (pmcsim_machine_uncounted(job->machine) > w->uncounted)
		w->uncounted = pmcsim_machine_uncounted(job->machine);
	w->system = pmcsim_machine_system(job->machine, &w->facts);
	w->unrepeatable |= pmcsim_machine_unrepeatable(job->machine);
	w->s->doubts |= pmcsim_machine_doubts(job->machine);
}

/* Waits for a job, takes its counts and passes its output on. */
static int
finish_job(struct watch *w, struct job *job, struct pmcsim_error *error)
{
	struct pmcsim_exit how;
	int err = pmcsim_process_wait(job->process, &how, error);

	progress_end(job->machine);
	if (err == 0) {
		keep_values(w, job);
		w->s->partial |= how.partial;
		w->left |= how.left;
		if (how.status && !w->s->status)
			w->s->status = how.status;
		err = streams_replay(&job->streams);
		if (err != 0)
			snprintf(error->text, sizeof(error->text),
				 "cannot pass the target's output on: %s",
				 strerror(-err));
	}
	streams_close(&job->streams);
	pmcsim_machine_free(job->machine);
	return err;
}

/* What was measured before a failure is not lost. */
static void
fail(struct watch *w, int err, const struct pmcsim_error *error)
{
	if (!w->ended.n)
		tool_fail(&pc_sweep, tool_status(err), "%s", error->text);
	tool_say(&pc_sweep, "%s", error->text);
	w->s->failure = tool_status(err);
}

/*
 * Keeps up to o->jobs executions under way and finishes them in their order.
 * After a failure, those under way are stopped.
 */
static void
execute_all(struct watch *w)
{
	size_t all = w->s->n_runs * w->s->o->repeat, jobs = w->s->o->jobs;
	struct job *job = tool_alloc(&pc_sweep, jobs, sizeof(*job));
	struct pmcsim_error error, first_error;
	size_t started = 0, finished = 0;
	int err = 0, first = 0;

	while (finished < started || (started < all && !tool_stop && !first)) {
		if (started < all && started - finished < jobs && !tool_stop &&
		    !first) {
			err = start_job(w, &job[started % jobs], started,
					&error);
			if (err == 0)
				started++;
		} else {
			err = finish_job(w, &job[finished % jobs], &error);
			finished++;
		}
		if (err != 0 && first == 0) {
			first = err;
			first_error = error;
			tool_stop++;
		}
	}
	free(job);
	if (first != 0)
		fail(w, first, &first_error);
	w->s->partial |= tool_stop != 0;
}

/* Figures of different runs add up only if the runs are the same. */
static void
compare_runs(const struct watch *w)
{
	const struct sweep_options *o = w->s->o;

	if (w->s->partial)
		return;
	reruns_tell(&w->ended, &pc_sweep,
		    o->outside.parallel || w->system ? RERUNS_ROUGH
						     : RERUNS_CYCLES,
		    o->once ? "" : "; --once counts all events in one",
		    w->system ? NULL : &o->outside);
	if ((o->jobs > 1 || w->system) && streams_input_passes() &&
	    streams_input_waits())
		tool_note(&pc_sweep,
			  "standard input is no file: runs %s do not read it; "
			  "--keep-input lets each read all of it",
			  w->system ? "on a board" : "side by side");
}

static void
take_value(struct pmcsim_row *row, const struct pmcsim_value *v)
{
	uint64_t *repeat = (uint64_t *)row->repeat;

	repeat[row->n_repeat++] = v->shown;
	row->measured = true;
	row->count.value.wrapped |= v->wrapped;
	row->count.value.ledger |= v->ledger;
	row->count.value.unknown = v->unknown;
}

void
sweep_fill(const struct sweep *s, struct pmcsim_value *const *value,
	   struct pmcsim_row *row)
{
	for (size_t number = 0; number < s->n_runs * s->o->repeat; number++) {
		const struct sweep_run *run = &s->run[number % s->n_runs];

		for (size_t i = 0; value[number] && i < run->run.n; i++)
			take_value(&row[run->row[i]],
				   &value[number][i]);
	}
	for (size_t i = 0; i < s->n_rows; i++)
		if (pmcsim_row_average(&row[i]) != 0)
			tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
}

/* Runs that are there because the device has four counters can be spared. */
static void
hint(const struct sweep *s)
{
	if (s->n_runs > 1 && progress_is_shown())
		tool_say(&pc_sweep, "%zu runs; --once counts the same in one",
			 s->n_runs);
}

void
sweep_execute(struct sweep *s)
{
	struct watch w = {.s = s};

	w.plan.n = s->n_runs;
	w.plan.run = tool_alloc(&pc_sweep, s->n_runs, sizeof(*w.plan.run));
	for (size_t i = 0; i < s->n_runs; i++)
		w.plan.run[i] = s->run[i].run;
	tool_catch_signals();
	progress_expect(s->n_runs * s->o->repeat);
	hint(s);
	if (s->o->keep_input)
		streams_keep_input(&pc_sweep);
	execute_all(&w);
	free(w.plan.run);
	compare_runs(&w);
	tool_note_run(&pc_sweep, w.uncounted,
		      w.unrepeatable && !s->o->outside.parallel, w.left);
	tool_note_doubts(&pc_sweep, s->doubts);
	system_tell(&pc_sweep, &s->o->system, 0, s->cpu,
		    w.system ? &w.facts : NULL);
	sweep_fill(s, s->value, s->row);
	for (size_t i = 0; i < s->n_regions; i++)
		sweep_fill(s, s->region[i].value, s->region[i].row);
}
