/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "progress.h"

#include "terminal.h"

#include <time.h>

#define ERASE "\r\033[K"

static bool quiet;

static struct {
	size_t expected, ended;
	double begun;		/* the first run; seconds of the host */
	bool shown;
	struct running {
		struct pmcsim_machine *machine;	/* NULL: none */
		uint64_t before;	/* instructions */
		double begun;
		size_t number;		/* from 1 */
	} run[PROGRESS_RUNS];
	size_t started;
} now = {.expected = 1};

static double
clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void
progress_be_quiet(void)
{
	quiet = true;
}

bool
progress_is_shown(void)
{
	return !quiet && !tool_quiet && terminal_is(stderr);
}

void
progress_expect(size_t runs)
{
	now.expected = runs;
}

/* "run 2 of 3: 12 million instructions, 45.1 million a second" */
static void
put_run(const struct running *r, double at)
{
	double n = (double)(pmcsim_machine_instructions(r->machine) -
			    r->before) / 1e6;
	double seconds = at - r->begun;

	if (now.expected > 1)
		fprintf(stderr, "run %zu of %zu: ", r->number, now.expected);
	fprintf(stderr, "%.0f million instructions, %.1f million a second", n,
		seconds > 0 ? n / seconds : 0);
}

/* Runs take as long as those that have ended, of which there is one. */
static void
put_time_left(double at)
{
	double each = (at - now.begun) / (double)now.ended;

	fprintf(stderr, ", %.0f s left",
		each * (double)(now.expected - now.ended));
}

static void
show(void *arg)
{
	double at = clock_seconds();
	const char *between = "";

	(void)arg;
	fputs(ERASE, stderr);
	for (size_t i = 0; i < PROGRESS_RUNS; i++) {
		if (!now.run[i].machine)
			continue;
		fputs(between, stderr);
		put_run(&now.run[i], at);
		between = "; ";
	}
	if (now.ended && now.expected > now.ended)
		put_time_left(at);
	fputc('\r', stderr);	/* what the command prints is in its place */
	fflush(stderr);
	now.shown = true;
}

static void
erase(void)
{
	if (now.shown)
		fputs(ERASE, stderr);
	fflush(stderr);
	now.shown = false;
}

void
progress_begin(struct pmcsim_machine *m, struct pmcsim_start *start)
{
	double at = clock_seconds();

	if (!now.started++)
		now.begun = at;
	if (!progress_is_shown())
		return;
	start->watch = show;
	for (size_t i = 0; i < PROGRESS_RUNS; i++) {
		if (now.run[i].machine)
			continue;
		now.run[i] = (struct running){
			.machine = m,
			.before = pmcsim_machine_instructions(m),
			.begun = at,
			.number = now.started,
		};
		break;
	}
}

void
progress_end(struct pmcsim_machine *m)
{
	now.ended++;
	for (size_t i = 0; i < PROGRESS_RUNS; i++)
		if (now.run[i].machine == m)
			now.run[i].machine = NULL;
	erase();
}
