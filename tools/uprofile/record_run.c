/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program is run, its profile read, written and shown. */
#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define INSTRUCTION 4	/* bytes, of an Alpha or MIPS */
#define INSTRUCTIONS 65536	/* of which one is sampled */

/* ---- The run --------------------------------------------------------- */

void
record_ask(struct recording *p)
{
	struct pmcsim_sampling sampling = {0};
	struct pmcsim_error error;
	int err;

	for (size_t i = 0; i < p->run.n && !p->o->exact; i++) {
		const struct pmcsim_event *event = p->event[i];

		sampling.each[i] = p->o->period ? p->o->period :
				   event->of_samples ? INSTRUCTIONS :
				   pmcsim_cpu_period(p->cpu,
						     p->slot[i].counter);
		sampling.of_samples[i] = event->of_samples;
		sampling.average[i] = p->o->average || event->averaged;
	}
	sampling.period = sampling.each[0];
	sampling.calls = p->o->calls;
	err = pmcsim_machine_new(p->cpu, NULL, &p->machine, &error);
	if (err == 0)
		err = pmcsim_machine_profile(p->machine, &p->run, &sampling,
					     &error);
	if (err != 0)
		tool_fail(p->o->tool, TOOL_FAILED, "%s", error.text);
	outside_set(&p->o->outside, p->machine);
	if (p->o->regions.name)
		regions_profile(p->o->tool, &p->o->regions, p->machine);
	else if (!system_where(&p->o->system))
		regions_set(p->o->tool, &p->o->regions, p->machine);
}

void
record_run(struct recording *p, struct pmcsim_exit *how)
{
	struct pmcsim_start start = {.argv = p->command,
				     .system = system_where(
					     &p->o->system)};

	tool_run(p->o->tool, p->machine, &start, how);
	p->status = tool_stop ? 128 + tool_signal :
				system_status(&p->o->system, how->status);
}

/* Counts of all regions, or of the one that the profile is of; notes about
 * marks without a counterpart, and a region that is not there. */
static void
read_regions(const struct recording *p, struct pmcsim_umon *u)
{
	const struct regions_option *o = &p->o->regions;
	const struct pmcsim_region *only;
	struct pmcsim_region *list;
	size_t n;

	if (system_where(&p->o->system))
		return;
	list = regions_list(p->o->tool, o, p->machine, &n);
	regions_note(p->o->tool, o, p->machine, list, n);
	only = o->name ? regions_asked(o, list, n) : NULL;
	for (size_t i = 0; i < n; i++)
		if ((!o->name || only == &list[i]) &&
		    pmcsim_umon_region(u, p->machine, &list[i], &p->run) != 0)
			tool_fail(p->o->tool, TOOL_FAILED, "out of memory");
	u->only = only;
	free(list);
}

/* ---- The profile ----------------------------------------------------- */

/* Samples that tell enough, and so few that it is said: *chosen*, for errors
 * of 3 and 7 percent of all of them. */
#define ENOUGH 1000
#define FEW 200

static uint64_t
samples_of(const struct pmcsim_profile *f, size_t event)
{
	return (f->total[event] - f->rest[event]) / f->each[event];
}

/* The event with the fewest samples of those that happened and are sampled by
 * themselves, or -1. */
static int
find_scarcest(const struct recording *p, const struct pmcsim_profile *f)
{
	int found = -1;

	for (size_t i = 0; i < p->run.n && f->period; i++)
		if (!f->of_samples[i] && f->total[i] &&
		    (found < 0 ||
		     samples_of(f, i) < samples_of(f, (size_t)found)))
			found = (int)i;
	return found;
}

/* The largest of 1, 2, 5, 10, 20... that is no larger. */
static uint64_t
round_down(uint64_t n)
{
	uint64_t unit = 1;

	while (n / unit >= 10)
		unit *= 10;
	n /= unit;
	return (n >= 5 ? 5 : n >= 2 ? 2 : 1) * unit;
}

/* Whether instructions were to be sampled, and none was that did anything. */
static bool
is_unsampled(const struct recording *p, const struct pmcsim_profile *f)
{
	bool any = false;

	for (size_t i = 0; i < p->run.n && f->period; i++) {
		if (f->total[i])
			return false;
		any |= f->of_samples[i];
	}
	return any;
}

/* Says with which period there would be enough samples. */
static void
warn_few(const struct recording *p, const struct pmcsim_profile *f)
{
	int event = find_scarcest(p, f);
	uint64_t total, n, period;
	char advice[80] = "-exact takes all";

	if (event < 0 && is_unsampled(p, f))
		tool_note(p->o->tool, "no instruction was sampled: the program "
			  "has fewer than are between two; see -period and "
			  "-exact");
	if (event < 0)
		return;
	total = f->total[event];
	n = samples_of(f, (size_t)event);
	if (n >= FEW || f->each[event] == 1)
		return;
	if (total >= ENOUGH) {
		period = round_down(total / ENOUGH);
		snprintf(advice, sizeof advice, "-period %" PRIu64
			 " takes %" PRIu64 ", -exact all", period,
			 total / period);
	}
	tool_note(p->o->tool, "of %" PRIu64 " %s only %" PRIu64 " %s: %s",
		  total, p->event[event]->name, n,
		  n == 1 ? "was sampled" : "were sampled", advice);
}

static void
warn(const struct recording *p, const struct pmcsim_profile *f)
{
	warn_few(p, f);
	if (f->lost)
		tool_note(p->o->tool,
			  "%u records of the profile found no room; choose a "
			  "larger -period, or -exact", f->lost);
}

static char *
copy(const struct recording *p, const char *text)
{
	char *c = strdup(text ? text : "");

	if (!c)
		tool_fail(p->o->tool, TOOL_FAILED, "out of memory");
	return c;
}

static unsigned
number_of(const struct recording *p, const struct pmcsim_event *event)
{
	unsigned n = 0;

	while (p->event[n] != event)
		n++;
	return n;
}

static void
add_ratio(const struct recording *p, struct pmcsim_umon *u, size_t i)
{
	const struct pmcsim_quotient *q = &p->quotient[i];

	u->ratio[u->n_ratios++] = (struct pmcsim_ratio){
		.name = copy(p, p->metric[i]->name),
		.label = copy(p, p->metric[i]->label),
		.over = number_of(p, q->over),
		.over_factor = q->over_factor,
		.under = number_of(p, q->under),
		.under_factor = q->under_factor,
	};
}

struct pmcsim_umon *
record_read(const struct recording *p, const struct pmcsim_exit *how)
{
	struct pmcsim_umon *u = tool_alloc(p->o->tool, 1, sizeof *u);
	size_t n = 0;

	if (pmcsim_profile_read(p->machine, &u->profile) != 0)
		tool_fail(p->o->tool, TOOL_FAILED,
			  "the profile cannot be read");
	warn(p, u->profile);
	read_regions(p, u);
	u->cpu = copy(p, pmcsim_cpu_name(p->cpu));
	while (p->command[n])
		n++;
	u->command = tool_alloc(p->o->tool, n + 1, sizeof *u->command);
	for (size_t i = 0; i < n; i++)
		u->command[i] = copy(p, p->command[i]);
	for (size_t i = 0; i < p->run.n; i++) {
		u->event[i] = copy(p, p->event[i]->name);
		u->label[i] = copy(p, p->event[i]->label);
	}
	for (size_t i = 0; i < p->n_metrics; i++)
		add_ratio(p, u, i);
	u->clock_hz = pmcsim_cpu_clock(p->cpu);
	u->partial = how->partial || tool_stop;
	u->doubts = pmcsim_machine_doubts(p->machine);
	if (p->o->name)
		p->o->name(p, u);
	if (p->kernel && pmcsim_kernel_name(p->kernel, p->machine, u))
		tool_fail(p->o->tool, TOOL_FAILED, "out of memory");
	if (pmcsim_umon_identify(u))
		tool_fail(p->o->tool, TOOL_FAILED, "out of memory");
	u->stride = 1;
	if (p->o->has_stride) {
		u->stride = p->o->stride * INSTRUCTION;
		pmcsim_profile_round(u->profile, u->stride);
	}
	return u;
}

/* ---- Files ----------------------------------------------------------- */

static char *
file_name(const struct recording *p, const struct pmcsim_profile *f)
{
	const char *folder = p->o->folder;
	char pid[24] = "";
	char *path;

	if (p->o->pids && f && f->n_images)
		snprintf(pid, sizeof pid, ".%d", f->image[0].pid);
	if (folder && !*folder)	/* not the root folder */
		tool_fail(p->o->tool, TOOL_FAILED, "%s: %s", folder,
			  strerror(ENOENT));
	if (asprintf(&path, "%s%s%s%s%s", folder ? folder : "",
		     folder ? "/" : "", p->o->data,
		     p->o->cpus == CPUS_EACH ? ".0" : "",
		     pid) < 0)
		tool_fail(p->o->tool, TOOL_FAILED, "out of memory");
	return path;
}

void
record_check_file(const struct recording *p)
{
	char *path = file_name(p, NULL);

	tool_output_check(p->o->tool, path);
	free(path);
}

char *
record_write(const struct recording *p, const struct pmcsim_umon *u)
{
	char *path = file_name(p, u->profile);
	struct tool_output out;

	tool_output_open(&out, p->o->tool, path, false, NULL);
	pmcsim_umon_write(u, out.stream);
	tool_output_close(&out, 0);
	if (p->o->verbose)
		tool_say(p->o->tool, "%s: programs %zu, places %zu", path,
			 u->profile->n_images, u->profile->n_places);
	return path;
}

void
record_display(const struct recording *p, struct pmcsim_umon *u,
	       const char *path)
{
	struct prof view = {.tool = p->o->tool, .o = &p->o->prof, .u = u,
			    .words = p->o->given, .data = path,
			    .symbols = pmcsim_umon_symbols(u)};

	if (!view.symbols)
		tool_fail(p->o->tool, TOOL_FAILED, "out of memory");
	prof_show(&view);
	pmcsim_symbols_free(view.symbols);
	tool_flush(p->o->tool);
}

void
record_free(struct recording *p)
{
	pmcsim_machine_free(p->machine);
	pmcsim_kernel_free(p->kernel);
	pmcsim_cpu_free(p->cpu);
	free(p->o->given);
}
