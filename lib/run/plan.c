/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans: which event goes on which counter in which run.  Each combination
 * of mode, TC and VPE is measured for itself; its events fill the even and
 * the odd counters of as many runs as the longer list needs, in ascending
 * order.  On a widened machine everything goes into one run.
 */
#include "device/procperf.h"
#include "table/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#define MODE_MASK (PROCPERF_U | PROCPERF_S | PROCPERF_K | PROCPERF_EXL)
#define MT_EN_VPE 1u
#define MT_EN_TC 2u

/* What a group of runs counts in: TC and VPE -1 for all. */
struct view {
	unsigned modes;
	int tc, vpe;
};

struct planner {
	const struct pmcsim_cpu *cpu;
	const struct pmcsim_wish *wish;
	struct pmcsim_plan *plan;
	struct pmcsim_error *error;
	struct view *view;
	size_t n_views;
};

__attribute__((format(printf, 2, 3))) static int
refuse(struct planner *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(p->error->text, sizeof p->error->text, format, args);
	va_end(args);
	return -EINVAL;
}

/* ---- Checks ---------------------------------------------------------- */

static int
check_event(struct planner *p, unsigned list, unsigned code)
{
	const struct pmcsim_cpu *cpu = p->cpu;
	const struct pmcsim_event *event = pmcsim_cpu_event(cpu, list, code);
	const struct pmcsim_event *other = pmcsim_cpu_event(cpu, !list, code);
	const char *here = table_list_name(p->cpu->file.cpu, list);
	const char *there = table_list_name(p->cpu->file.cpu, !list);

	if (event && !event->reserved)
		return 0;
	if (other && !other->reserved)
		return refuse(p,
			      "event %u is %s on the %s list; on the %s list "
			      "it is %s",
			      code, event ? "reserved" : "not", here, there,
			      other->name);
	if (event)
		return refuse(p, "event %u is reserved", code);
	return refuse(p, "event %u is unknown to %s", code,
		      pmcsim_cpu_name(p->cpu));
}

static int
check_list(struct planner *p, unsigned list)
{
	const unsigned *code = list ? p->wish->odd : p->wish->even;
	size_t n = list ? p->wish->n_odd : p->wish->n_even;
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		rc = check_event(p, list, code[i]);
		if (!rc && i && code[i] <= code[i - 1])
			rc = refuse(p,
				    "event %u after %u: the %s list is not in "
				    "ascending order",
				    code[i], code[i - 1],
				    table_list_name(p->cpu->file.cpu, list));
	}
	return rc;
}

static int
check_numbers(struct planner *p, const char *what, const int *number, size_t n,
	      unsigned limit)
{
	for (size_t i = 0; i < n; i++)
		if (number[i] < -1 || number[i] >= (int)limit)
			return refuse(p,
				      "there is no %s %d: %s has %ss 0 to %u",
				      what, number[i], pmcsim_cpu_name(p->cpu),
				      what, limit - 1);
	return 0;
}

/* Events of too wide a scope for the narrowest selection of the views. */
static int
check_scope(struct planner *p, unsigned list, const struct view *view)
{
	const unsigned *code = list ? p->wish->odd : p->wish->even;
	size_t n = list ? p->wish->n_odd : p->wish->n_even;

	for (size_t i = 0; i < n; i++) {
		const struct pmcsim_event *e =
			pmcsim_cpu_event(p->cpu, list, code[i]);

		if (e->scope == 'P' && (view->tc >= 0 || view->vpe >= 0))
			return refuse(p,
				      "event %u (%s) has scope P: it counts "
				      "for the whole processor, not for one "
				      "%s",
				      e->code, e->name,
				      view->tc >= 0 ? "TC" : "VPE");
		if (e->scope == 'V' && view->tc >= 0)
			return refuse(p,
				      "event %u (%s) has scope V: it counts "
				      "for a VPE, not for one TC",
				      e->code, e->name);
	}
	return 0;
}

static int
check_wish(struct planner *p)
{
	const struct pmcsim_wish *w = p->wish;
	int rc;

	if (pmcsim_cpu_system(p->cpu) != PMCSIM_PROCPERF)
		return refuse(p, "%s has no even and odd lists of events",
			      pmcsim_cpu_name(p->cpu));
	if (!w->n_even && !w->n_odd)
		return refuse(p, "no event is asked for");
	if (!w->n_modes)
		return refuse(p, "no mode is asked for");
	for (size_t i = 0; i < w->n_modes; i++)
		if (!w->modes[i] || w->modes[i] & ~MODE_MASK)
			return refuse(p, "0x%x is not a set of modes",
				      w->modes[i]);
	rc = check_list(p, 0);
	if (!rc)
		rc = check_list(p, 1);
	if (!rc)
		rc = check_numbers(p, "TC", w->tcs, w->n_tcs,
				   pmcsim_cpu_contexts(p->cpu));
	if (!rc)
		rc = check_numbers(p, "VPE", w->vpes, w->n_vpes,
				   pmcsim_cpu_vpes(p->cpu));
	return rc;
}

/* ---- Views ----------------------------------------------------------- */

/* Adds the view unless its TC is not on its VPE: there is nothing there. */
static int
add_view(struct planner *p, unsigned modes, int tc, int vpe)
{
	const struct topology_config *topo = &p->cpu->config.topo;
	struct view *view = &p->view[p->n_views];
	int rc;

	if (tc >= 0 && vpe >= 0 && topo->vpe_of_tc[tc] != vpe)
		return 0;
	*view = (struct view){modes, tc, vpe};
	rc = check_scope(p, 0, view);
	if (!rc)
		rc = check_scope(p, 1, view);
	p->n_views++;
	return rc;
}

static int
list_views(struct planner *p)
{
	const struct pmcsim_wish *w = p->wish;
	const int all = -1;
	size_t n_tcs = w->n_tcs ? w->n_tcs : 1;
	size_t n_vpes = w->n_vpes ? w->n_vpes : 1;
	const int *tcs = w->n_tcs ? w->tcs : &all;
	const int *vpes = w->n_vpes ? w->vpes : &all;
	int rc = 0;

	p->view = calloc(w->n_modes * n_tcs * n_vpes, sizeof *p->view);
	if (!p->view)
		return -ENOMEM;
	for (size_t m = 0; m < w->n_modes; m++)
		for (size_t t = 0; t < n_tcs; t++)
			for (size_t v = 0; v < n_vpes && !rc; v++)
				rc = add_view(p, w->modes[m], tcs[t], vpes[v]);
	if (!rc && !p->n_views)
		rc = refuse(p, "TC %d is not on VPE %d", tcs[0], vpes[0]);
	return rc;
}

/* ---- Runs ------------------------------------------------------------ */

static uint32_t
control_word(const struct view *view, unsigned code)
{
	uint32_t control = code << PROCPERF_EVENT_SHIFT | view->modes;

	if (view->tc >= 0)
		control |= MT_EN_TC << PROCPERF_MT_EN_SHIFT |
			   (uint32_t)view->tc << PROCPERF_TCID_SHIFT;
	else if (view->vpe >= 0)
		control |= MT_EN_VPE << PROCPERF_MT_EN_SHIFT;
	if (view->vpe >= 0)
		control |= (uint32_t)view->vpe << PROCPERF_VPEID_SHIFT;
	return control;
}

/*
 * Puts up to n events of a list, from the first on, on the counters of that
 * list that come after the used ones.
 */
static void
fill(struct pmcsim_run *run, const struct planner *p, const struct view *view,
     unsigned list, size_t first, size_t n, size_t used)
{
	const unsigned *code = list ? p->wish->odd : p->wish->even;
	size_t n_codes = list ? p->wish->n_odd : p->wish->n_even;

	for (size_t i = first; i < n_codes && i < first + n; i++, used++)
		run->slot[run->n++] = (struct pmcsim_slot){
			.counter = 2 * used + list,
			.code = code[i],
			.control = control_word(view, code[i]),
			.modes = view->modes,
			.tc = view->tc,
			.vpe = view->vpe,
		};
}

static int
by_counter(const void *a, const void *b)
{
	const struct pmcsim_slot *x = a, *y = b;

	return x->counter < y->counter ? -1 : x->counter > y->counter;
}

/* The next run of the plan, with room for n slots, or NULL. */
static struct pmcsim_run *
new_run(struct planner *p, size_t n)
{
	struct pmcsim_run *run = &p->plan->run[p->plan->n];

	run->slot = calloc(n, sizeof *run->slot);
	if (!run->slot)
		return NULL;
	p->plan->n++;
	return run;
}

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static int
plan_once(struct planner *p)
{
	const struct pmcsim_wish *w = p->wish;
	size_t longer = larger(w->n_even, w->n_odd);
	struct pmcsim_run *run;

	if (longer * p->n_views > SIM_WIDE_COUNTERS / 2)
		return refuse(p,
			      "%zu events in %zu views do not fit the %u "
			      "counters of one run",
			      longer, p->n_views, SIM_WIDE_COUNTERS / 2);
	p->plan->run = calloc(1, sizeof *p->plan->run);
	if (!p->plan->run)
		return -ENOMEM;
	run = new_run(p, p->n_views * (w->n_even + w->n_odd));
	if (!run)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_views; i++) {
		fill(run, p, &p->view[i], 0, 0, w->n_even, i * w->n_even);
		fill(run, p, &p->view[i], 1, 0, w->n_odd, i * w->n_odd);
	}
	qsort(run->slot, run->n, sizeof *run->slot, by_counter);
	return 0;
}

static int
plan_runs(struct planner *p)
{
	const struct pmcsim_wish *w = p->wish;
	size_t pair = p->cpu->config.n_counters / 2;
	size_t longer = larger(w->n_even, w->n_odd);
	size_t runs = (longer + pair - 1) / pair;

	p->plan->run = calloc(runs * p->n_views, sizeof *p->plan->run);
	if (!p->plan->run)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_views; i++)
		for (size_t j = 0; j < runs; j++) {
			struct pmcsim_run *run = new_run(p, 2 * pair);

			if (!run)
				return -ENOMEM;
			fill(run, p, &p->view[i], 0, j * pair, pair, 0);
			fill(run, p, &p->view[i], 1, j * pair, pair, 0);
			qsort(run->slot, run->n, sizeof *run->slot,
			      by_counter);
		}
	return 0;
}

int
pmcsim_plan(const struct pmcsim_cpu *cpu, const struct pmcsim_wish *wish,
	    struct pmcsim_plan *plan, struct pmcsim_error *error)
{
	struct planner p = {
		.cpu = cpu, .wish = wish, .plan = plan, .error = error};
	int rc;

	*plan = (struct pmcsim_plan){0};
	error->text[0] = '\0';
	rc = check_wish(&p);
	if (!rc)
		rc = list_views(&p);
	if (!rc)
		rc = wish->once ? plan_once(&p) : plan_runs(&p);
	free(p.view);
	if (rc) {
		pmcsim_plan_free(plan);
		if (rc == -ENOMEM)
			refuse(&p, "out of memory");
	}
	return rc;
}

void
pmcsim_plan_free(struct pmcsim_plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		free(plan->run[i].slot);
	free(plan->run);
	*plan = (struct pmcsim_plan){0};
}
