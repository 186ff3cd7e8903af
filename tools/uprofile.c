/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprofile: where events of a program happen. */
#include "uprofile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define MODE_USER 8u
#define INSTRUCTION 4	/* bytes, of an Alpha */

struct uprofile {
	const struct uprofile_options *o;
	struct pmcsim_cpu *cpu;
	struct pmcsim_machine *machine;
	const struct pmcsim_event *event[PMCSIM_PROFILE_EVENTS];
	struct pmcsim_slot slot[PMCSIM_PROFILE_EVENTS];
	unsigned n_counters;	/* of the device */
	struct pmcsim_run run;
	char **command;
	int status;
};

/* ---- Statistics ------------------------------------------------------ */

static const struct pmcsim_event *
find_event(const struct uprofile *p, const char *name)
{
	size_t n;
	const struct pmcsim_event *event = pmcsim_cpu_events(p->cpu, &n);

	for (size_t i = 0; i < n; i++)
		if (!event[i].reserved && event[i].name &&
		    !strcasecmp(event[i].name, name))
			return &event[i];
	return NULL;
}

static unsigned
count_counters(const struct pmcsim_cpu *cpu)
{
	unsigned most = 0;
	size_t n;
	const struct pmcsim_event *event = pmcsim_cpu_events(cpu, &n);

	for (size_t i = 0; i < n; i++)
		most |= event[i].counters;
	return most ? 32 - (unsigned)__builtin_clz(most) : 1;
}

static bool
is_taken(const struct uprofile *p, unsigned counter)
{
	for (size_t i = 0; i < p->run.n; i++)
		if (p->slot[i].counter == counter)
			return true;
	return false;
}

/* A counter for the event, of a device that has as many as it takes. */
static unsigned
counter_for(const struct uprofile *p, const struct pmcsim_event *event)
{
	for (unsigned first = 0;; first += p->n_counters)
		for (unsigned i = 0; i < p->n_counters; i++)
			if (event->counters >> i & 1 &&
			    !is_taken(p, first + i))
				return first + i;
}

static void
add_event(struct uprofile *p, const struct pmcsim_event *event)
{
	for (size_t i = 0; i < p->run.n; i++)
		if (p->event[i] == event)
			tool_fail(&uprofile_tool, TOOL_USAGE, "%s twice",
				  event->name);
	if (event->precision == PMCSIM_NOT_MODELLED)
		tool_fail(&uprofile_tool, TOOL_FAILED,
			  "%s cannot be counted: %s", event->name,
			  event->reason ? event->reason : "not modelled");
	if (p->run.n == PMCSIM_PROFILE_EVENTS)
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "%s: a profile has at most %d statistics",
			  event->name, PMCSIM_PROFILE_EVENTS);
	p->event[p->run.n] = event;
	p->slot[p->run.n] = (struct pmcsim_slot){
		.counter = counter_for(p, event),
		.code = event->code,
		.modes = MODE_USER,
		.tc = -1,
		.vpe = -1,
	};
	p->run.n++;
}

static void
add_default(struct uprofile *p)
{
	static const char *const names[] = {"cycles0", "cycles"};
	const struct pmcsim_event *event = NULL;
	size_t n;

	for (size_t i = 0; i < 2 && !event; i++)
		event = find_event(p, names[i]);
	add_event(p, event ? event : pmcsim_cpu_events(p->cpu, &n));
}

/* Statistics come first; the first word that is none is the program. */
static void
take_operands(struct uprofile *p)
{
	char **word = p->o->operand;
	const struct pmcsim_event *event;

	p->run.slot = p->slot;
	for (; *word && (event = find_event(p, *word)); word++)
		add_event(p, event);
	if (*word && !strcmp(*word, "--"))
		word++;
	else if (*word && **word == '-')
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "%s: options come before statistics", *word);
	if (!*word)
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "no program to be profiled; see --help");
	if (!p->run.n)
		add_default(p);
	p->command = word;
}

/* ---- The run --------------------------------------------------------- */

static void
check_processors(const struct uprofile *p)
{
	if (p->o->cpus != CPUS_ALL && pmcsim_cpu_contexts(p->cpu) > 1)
		tool_fail(&uprofile_tool, TOOL_FAILED,
			  "-each and -one: the contexts of %s are not "
			  "profiled one by one", pmcsim_cpu_name(p->cpu));
}

static void
ask_for_profile(struct uprofile *p)
{
	struct pmcsim_sampling sampling = {0};
	struct pmcsim_error error;
	int err;

	for (size_t i = 0; i < p->run.n && !p->o->exact; i++)
		sampling.each[i] = p->o->period ? p->o->period :
				   pmcsim_cpu_period(p->cpu,
						     p->slot[i].counter);
	sampling.period = sampling.each[0];
	err = pmcsim_machine_new(p->cpu, NULL, &p->machine, &error);
	if (err == 0)
		err = pmcsim_machine_profile(p->machine, &p->run, &sampling,
					     &error);
	if (err != 0)
		tool_fail(&uprofile_tool, TOOL_FAILED, "%s", error.text);
}

static void
run_target(struct uprofile *p, struct pmcsim_exit *how)
{
	struct pmcsim_start start = {.argv = p->command};

	tool_run(&uprofile_tool, p->machine, &start, how);
	p->status = tool_stop ? 128 + tool_signal : how->status;
}

/* ---- The profile ----------------------------------------------------- */

/* Several instructions to a place: the first of them has all. */
static void
round_places(struct pmcsim_profile *f, uint64_t stride)
{
	struct pmcsim_place *at = (struct pmcsim_place *)(void *)f->place;

	for (size_t i = 0; i < f->n_places; i++) {
		uint64_t over = stride ? at[i].offset % stride : at[i].offset;

		at[i].offset -= over;
		at[i].pc -= over;
	}
}

/* Adds up neighbours that have become one place. */
static void
join_places(struct pmcsim_profile *f)
{
	struct pmcsim_place *at = (struct pmcsim_place *)(void *)f->place;
	size_t n = 0;

	for (size_t i = 0; i < f->n_places; i++) {
		struct pmcsim_place *last = n ? &at[n - 1] : NULL;

		if (!last || last->module != at[i].module ||
		    last->offset != at[i].offset ||
		    last->image != at[i].image) {
			at[n++] = at[i];
			continue;
		}
		for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
			last->count[e] += at[i].count[e];
	}
	f->n_places = n;
}

static void
warn(const struct uprofile *p, const struct pmcsim_profile *f)
{
	unsigned uncounted = pmcsim_machine_uncounted(p->machine);

	if (p->o->quiet)
		return;
	if (f->lost)
		tool_say(&uprofile_tool, "%u records of the profile found no "
			 "room; choose a larger -period, or -exact", f->lost);
	if (uncounted)
		tool_say(&uprofile_tool, "%u programs were executed without "
			 "engine: they are not in the profile", uncounted);
}

/*
 * Processes that run at the same time share the distance to the next sample,
 * and may take one more than there were happenings for: the total is what
 * samples stand for then.
 */
static void
settle_totals(const struct uprofile *p, struct pmcsim_profile *f)
{
	for (unsigned e = 0; e < f->n_events; e++) {
		uint64_t sum = 0, over;

		for (size_t i = 0; i < f->n_places; i++)
			sum += pmcsim_profile_cost(f, e, f->place[i].count[e]);
		if (sum <= f->total[e])
			continue;
		over = sum - f->total[e];
		f->total[e] = sum;
		if (!p->o->quiet)
			tool_say(&uprofile_tool, "samples of %s stand for %"
				 PRIu64 " more than the counter has",
				 p->event[e]->name, over);
	}
}

static char *
copy(const char *text)
{
	char *c = strdup(text ? text : "");

	if (!c)
		tool_fail(&uprofile_tool, TOOL_FAILED, "out of memory");
	return c;
}

static struct pmcsim_umon *
make_umon(const struct uprofile *p, const struct pmcsim_exit *how)
{
	struct pmcsim_umon *u = tool_alloc(&uprofile_tool, 1, sizeof *u);
	size_t n = 0;

	if (pmcsim_profile_read(p->machine, &u->profile) != 0)
		tool_fail(&uprofile_tool, TOOL_FAILED,
			  "the profile cannot be read");
	warn(p, u->profile);
	settle_totals(p, u->profile);
	u->cpu = copy(pmcsim_cpu_name(p->cpu));
	while (p->command[n])
		n++;
	u->command = tool_alloc(&uprofile_tool, n + 1, sizeof *u->command);
	for (size_t i = 0; i < n; i++)
		u->command[i] = copy(p->command[i]);
	for (size_t i = 0; i < p->run.n; i++) {
		u->event[i] = copy(p->event[i]->name);
		u->label[i] = copy(p->event[i]->label);
	}
	u->clock_hz = pmcsim_cpu_clock(p->cpu);
	u->partial = how->interrupted || tool_stop;
	u->stride = 1;
	if (p->o->has_stride) {
		u->stride = p->o->stride * INSTRUCTION;
		round_places(u->profile, u->stride);
		join_places(u->profile);
	}
	return u;
}

/* ---- Files ----------------------------------------------------------- */

static char *
file_name(const struct uprofile *p, const struct pmcsim_profile *f)
{
	const char *folder = p->o->folder;
	char pid[24] = "";
	char *path;

	if (p->o->pids && f && f->n_images)
		snprintf(pid, sizeof pid, ".%d", f->image[0].pid);
	if (asprintf(&path, "%s%s" PROF_DATA "%s%s", folder ? folder : "",
		     folder ? "/" : "", p->o->cpus == CPUS_EACH ? ".0" : "",
		     pid) < 0)
		tool_fail(&uprofile_tool, TOOL_FAILED, "out of memory");
	return path;
}

static void
check_file(const struct uprofile *p)
{
	char *path = file_name(p, NULL);
	int err = pmcsim_output_check(path);

	if (err != 0)
		tool_fail(&uprofile_tool, TOOL_FAILED, "%s: %s", path,
			  strerror(-err));
	free(path);
}

static char *
write_file(const struct uprofile *p, const struct pmcsim_umon *u)
{
	char *path = file_name(p, u->profile);
	struct pmcsim_output *output;
	FILE *out;
	int err = pmcsim_output_open(path, false, &output, &out);

	if (err == 0) {
		pmcsim_umon_write(u, out);
		err = pmcsim_output_close(output);
	}
	if (err != 0)
		tool_fail(&uprofile_tool, TOOL_FAILED, "%s: %s", path,
			  strerror(-err));
	if (p->o->verbose)
		tool_say(&uprofile_tool, "%zu places of %zu programs in %s",
			 u->profile->n_places, u->profile->n_images, path);
	return path;
}

static void
display(const struct uprofile *p, char **words, struct pmcsim_umon *u,
	const char *path)
{
	struct prof view = {.tool = &uprofile_tool, .o = &p->o->prof, .u = u,
			    .words = words, .data = path,
			    .symbols = pmcsim_symbols_new()};

	if (!view.symbols)
		tool_fail(&uprofile_tool, TOOL_FAILED, "out of memory");
	prof_show(&view);
	pmcsim_symbols_free(view.symbols);
	tool_flush(&uprofile_tool);
}

int
main(int argc, char **argv)
{
	struct uprofile_options options;
	struct uprofile p = {.o = &options};
	struct pmcsim_error error;
	struct pmcsim_umon *u;
	struct pmcsim_exit how;
	char *path;
	int err;

	uprofile_parse(&options, argc, argv);
	p.cpu = tool_cpu(&uprofile_tool, options.cpu);
	p.n_counters = count_counters(p.cpu);
	take_operands(&p);
	check_processors(&p);
	check_file(&p);
	err = pmcsim_command_check(p.command, &error);
	if (err != 0)
		tool_fail(&uprofile_tool, tool_status(err), "%s", error.text);
	ask_for_profile(&p);
	run_target(&p, &how);
	u = make_umon(&p, &how);
	path = write_file(&p, u);
	if (options.display)
		display(&p, argv + 1, u, path);
	free(path);
	pmcsim_umon_free(u);
	pmcsim_machine_free(p.machine);
	pmcsim_cpu_free(p.cpu);
	return p.status;
}
