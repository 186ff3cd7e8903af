/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From options to rows of the report and runs that fill them. */
#include "pc_sweep.h"
#include "common/event_name.h"

#include <stdlib.h>
#include <string.h>

#define CODE_MAX 1023
#define MODES 4

/* What runs measure together: modes, and one context or all (-1). */
struct view {
	unsigned modes;
	int tc, vpe;
};

/* A set of event codes. */
struct set {
	bool has[CODE_MAX + 1];
};

/* ---- Events ---------------------------------------------------------- */

static const struct pmcsim_group *
find_group(const struct pmcsim_cpu *cpu, const char *name)
{
	size_t n;
	const struct pmcsim_group *g = pmcsim_cpu_groups(cpu, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(g[i].name, name) == 0)
			return &g[i];
	tool_fail(&pc_sweep, TOOL_USAGE,
		  "%s has no group of events %s; see --list",
		  pmcsim_cpu_name(cpu), name);
}

static void
add_codes(struct set *set, const unsigned *code, size_t n)
{
	for (size_t i = 0; i < n; i++)
		set->has[code[i]] = true;
}

#define EVEN_COUNTERS 0x55555555u

/* The code of a word: a number, or a name of that list's. */
static unsigned
code_of(const struct sweep *s, unsigned list, const char *option,
	const char *text, const char *word)
{
	unsigned long code;

	if (event_is_name(word))
		return event_named(&pc_sweep, s->cpu, EVEN_COUNTERS << list,
				   option, word)->code;
	if (!tool_number(word, CODE_MAX, &code))
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "%s \"%s\": %s is no event number", option, text,
			  word);
	return (unsigned)code;
}

/* Adds a list such as "18 37" or "18,37", of the even counters or, 1, the odd
 * ones. */
static void
add_list(const struct sweep *s, struct set *set, unsigned list,
	 const char *option, const char *text)
{
	static const char separators[] = " ,\t\n";
	size_t n, count = 0;
	char word[64];

	for (const char *p = text;; p += n) {
		p += strspn(p, separators);
		n = strcspn(p, separators);
		if (n == 0)
			break;
		snprintf(word, sizeof(word), "%.*s", (int)n, p);
		if (n >= sizeof(word))
			tool_fail(&pc_sweep, TOOL_USAGE,
				  "%s \"%s\": %.*s is no event number", option,
				  text, (int)n, p);
		set->has[code_of(s, list, option, text, word)] = true;
		count++;
	}
	if (count == 0)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "%s \"%s\": no event numbers", option, text);
}

/* An event on the list that has it, the even one first. */
static void
add_name(const struct sweep *s, struct set set[2], const char *name)
{
	const struct pmcsim_event *e =
		event_named(&pc_sweep, s->cpu, EVEN_COUNTERS, NULL, name);
	unsigned list = !e;

	if (!e)
		e = event_named(&pc_sweep, s->cpu, EVERY_COUNTER, "-e", name);
	set[list].has[e->code] = true;
}

/* Adds names with commas between them. */
static void
add_names(const struct sweep *s, struct set set[2], const char *text)
{
	char *copy = strdup(text), *rest = copy, *word;

	if (!copy)
		tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
	while ((word = strsep(&rest, ",")))
		add_name(s, set, word);
	free(copy);
}

static unsigned *
list_codes(const struct set *set, size_t *n)
{
	unsigned *code = tool_alloc(&pc_sweep, CODE_MAX + 1, sizeof(*code));

	*n = 0;
	for (unsigned i = 0; i <= CODE_MAX; i++)
		if (set->has[i])
			code[(*n)++] = i;
	return code;
}

static void
collect_events(struct sweep *s)
{
	const struct sweep_options *o = s->o;
	struct set set[2] = {0};

	for (size_t i = 0; i < o->groups.n; i++) {
		const struct pmcsim_group *g =
			find_group(s->cpu, o->groups.word[i]);

		add_codes(&set[0], g->even, g->n_even);
		add_codes(&set[1], g->odd, g->n_odd);
	}
	for (size_t i = 0; i < o->evens.n; i++)
		add_list(s, &set[0], 0, "--evens", o->evens.word[i]);
	for (size_t i = 0; i < o->odds.n; i++)
		add_list(s, &set[1], 1, "--odds", o->odds.word[i]);
	for (size_t i = 0; i < o->names.n; i++)
		add_names(s, set, o->names.word[i]);
	s->even = list_codes(&set[0], &s->n_even);
	s->odd = list_codes(&set[1], &s->n_odd);
}

/* Events that cannot be produced need no counter. */
static bool
needs_counter(const struct sweep *s, unsigned list, unsigned code)
{
	const struct pmcsim_event *e = pmcsim_cpu_event(s->cpu, list, code);

	return !e || e->reserved || e->precision != PMCSIM_NOT_MODELLED;
}

static unsigned *
countable(const struct sweep *s, unsigned list, size_t *n)
{
	const unsigned *code = list ? s->odd : s->even;
	size_t n_codes = list ? s->n_odd : s->n_even;
	unsigned *out = tool_alloc(&pc_sweep, n_codes, sizeof(*out));

	*n = 0;
	for (size_t i = 0; i < n_codes; i++)
		if (needs_counter(s, list, code[i]))
			out[(*n)++] = code[i];
	return out;
}

/* ---- Rows ------------------------------------------------------------ */

static void
add_row(struct sweep *s, const struct view *view, unsigned list, unsigned code)
{
	struct pmcsim_row *row = &s->row[s->n_rows++];

	row->count = (struct pmcsim_count){
		.parity = list,
		.code = code,
		.modes = view->modes,
		.tc = view->tc,
		.vpe = view->vpe,
	};
	row->count.value.ledger = !s->o->system.board &&
				  (view->modes & ~8u) != 0;
	row->repeat = tool_alloc(&pc_sweep, s->o->repeat, sizeof(uint64_t));
}

/* The rows of a view: by event, the even list first. */
static void
add_rows(struct sweep *s, const struct view *view)
{
	size_t e = 0, o = 0;

	while (e < s->n_even || o < s->n_odd) {
		if (o == s->n_odd || (e < s->n_even && s->even[e] <= s->odd[o]))
			add_row(s, view, 0, s->even[e++]);
		else
			add_row(s, view, 1, s->odd[o++]);
	}
}

static size_t
row_of(const struct sweep *s, size_t first, const struct pmcsim_slot *slot)
{
	while (s->row[first].count.parity != (slot->counter & 1) ||
	       s->row[first].count.code != slot->code)
		first++;
	return first;
}

/* ---- Runs ------------------------------------------------------------ */

/* Adds the slots of a run to one of the sweep, on counters from base on. */
static void
take_slots(const struct sweep *s, struct sweep_run *to, size_t first_row,
	   const struct pmcsim_run *from, unsigned base)
{
	size_t n = to->run.n + from->n;

	to->run.slot = realloc(to->run.slot, (n + 1) * sizeof(*to->run.slot));
	to->row = realloc(to->row, (n + 1) * sizeof(*to->row));
	if (!to->run.slot || !to->row)
		tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
	for (size_t i = 0; i < from->n; i++) {
		to->run.slot[to->run.n] = from->slot[i];
		to->run.slot[to->run.n].counter += base;
		to->row[to->run.n++] = row_of(s, first_row, &from->slot[i]);
	}
}

static struct sweep_run *
new_run(struct sweep *s)
{
	s->run = realloc(s->run, (s->n_runs + 1) * sizeof(*s->run));
	if (!s->run)
		tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
	memset(&s->run[s->n_runs], 0, sizeof(*s->run));
	return &s->run[s->n_runs++];
}

/* First counter, of an even number, that a run does not use. */
static unsigned
free_counter(const struct pmcsim_run *run)
{
	unsigned n = 0;

	for (size_t i = 0; i < run->n; i++)
		if (run->slot[i].counter >= n)
			n = run->slot[i].counter + 1;
	return n + (n & 1);
}

/* Plans the view's runs; on a widened device they join the only one. */
static void
add_runs(struct sweep *s, const struct view *view,
	 const struct pmcsim_wish *wish, size_t first_row)
{
	struct pmcsim_error error;
	struct pmcsim_plan plan;

	if (pmcsim_plan(s->cpu, wish, &plan, &error) != 0)
		tool_fail(&pc_sweep, TOOL_USAGE, "%s", error.text);
	pmcsim_plan_narrow(&plan, view->tc, view->vpe);
	for (size_t k = 0; k < plan.n; k++) {
		struct sweep_run *run = wish->once && s->n_runs ?
						s->run : new_run(s);

		take_slots(s, run, first_row, &plan.run[k],
			   free_counter(&run->run));
	}
	pmcsim_plan_free(&plan);
}

static void
add_view(struct sweep *s, unsigned modes, int tc, int vpe)
{
	struct view view = {modes, tc, vpe};
	size_t first = s->n_rows;
	struct pmcsim_wish wish = {
		.modes = &view.modes, .n_modes = 1, .once = s->o->once};
	unsigned *even = countable(s, 0, &wish.n_even);
	unsigned *odd = countable(s, 1, &wish.n_odd);

	wish.even = even;
	wish.odd = odd;
	add_rows(s, &view);
	if (wish.n_even + wish.n_odd > 0)
		add_runs(s, &view, &wish, first);
	free(even);
	free(odd);
}

static void
add_contexts(struct sweep *s, unsigned modes)
{
	if (!s->o->balance) {
		add_view(s, modes, s->o->tc, s->o->vpe);
		return;
	}
	for (unsigned v = 0; v < pmcsim_cpu_vpes(s->cpu); v++)
		add_view(s, modes, -1, (int)v);
	for (unsigned t = 0; t < pmcsim_cpu_contexts(s->cpu); t++)
		add_view(s, modes, (int)t, -1);
}

static void
check_context(const char *what, int wanted, unsigned there_are,
	      const struct pmcsim_cpu *cpu)
{
	if (wanted >= (int)there_are)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "there is no %s %d: %s has %ss 0 to %u", what,
			  wanted, pmcsim_cpu_name(cpu), what, there_are - 1);
}

void
sweep_plan(struct sweep *s)
{
	const struct sweep_options *o = s->o;
	size_t views;

	check_context("TC", o->tc, pmcsim_cpu_contexts(s->cpu), s->cpu);
	check_context("VPE", o->vpe, pmcsim_cpu_vpes(s->cpu), s->cpu);
	collect_events(s);
	views = (o->sweep_modes ? MODES : 1) *
		(o->balance ? pmcsim_cpu_vpes(s->cpu) +
				      pmcsim_cpu_contexts(s->cpu) : 1);
	s->row = tool_alloc(&pc_sweep, views * (s->n_even + s->n_odd),
			    sizeof(*s->row));
	if (o->sweep_modes)
		for (int bit = MODES - 1; bit >= 0; bit--)
			add_contexts(s, 1u << bit);
	else
		add_contexts(s, o->modes);
	if (s->n_runs == 0)
		new_run(s);
	s->value = tool_alloc(&pc_sweep, o->repeat * s->n_runs,
			      sizeof(*s->value));
}

/* Keeps the slots of a run that are measured. */
static void
leave_out(const struct sweep *s, struct sweep_run *run)
{
	size_t kept = 0;

	for (size_t i = 0; i < run->run.n; i++) {
		if (!system_measures(&s->o->system, run->run.slot[i].modes))
			continue;
		run->run.slot[kept] = run->run.slot[i];
		run->row[kept++] = run->row[i];
	}
	run->run.n = kept;
}

/* The command runs once in any case. */
void
sweep_leave_out(struct sweep *s)
{
	size_t kept = 0;

	if (!s->o->system.missing)
		return;
	for (size_t i = 0; i < s->n_runs; i++) {
		struct sweep_run run = s->run[i];

		leave_out(s, &run);
		if (run.run.n || (!kept && i + 1 == s->n_runs)) {
			s->run[kept++] = run;
			continue;
		}
		free(run.run.slot);
		free(run.row);
	}
	s->n_runs = kept;
}
