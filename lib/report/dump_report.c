/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the counts of dumps to the rows of a report. */
#include "engine/engine.h"
#include "counters/machine_api.h"
#include "table/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int
pmcsim_row_average(struct pmcsim_row *row)
{
	struct pmcsim_spread s;
	uint64_t mean;

	if (row->n_repeat == 0)
		return 0;
	if (pmcsim_spread(row->repeat, row->n_repeat, &s) != 0)
		return -ENOMEM;
	mean = s.min == s.max ? s.min : (uint64_t)llround(s.mean);
	row->count.value.count = row->count.value.shown = mean;
	return 0;
}

static bool
same_view(const struct pmcsim_count *a, const struct pmcsim_count *b)
{
	return a->modes == b->modes && a->tc == b->tc && a->vpe == b->vpe;
}

static struct pmcsim_row *
find_row(struct pmcsim_row *row, size_t n, const struct pmcsim_count *c)
{
	for (size_t i = 0; i < n; i++)
		if (same_view(&row[i].count, c) &&
		    row[i].count.parity == c->parity &&
		    row[i].count.code == c->code)
			return &row[i];
	return NULL;
}

/* Rows of the report under construction, with room for as many as needed. */
struct rows {
	struct pmcsim_row *row;
	size_t n;
	size_t repeats;		/* room of each */
	bool failed;
};

static struct pmcsim_row *
row_for(struct rows *rows, const struct pmcsim_count *c)
{
	struct pmcsim_row *row = find_row(rows->row, rows->n, c);

	if (row)
		return row;
	row = &rows->row[rows->n];
	row->count = *c;
	row->count.value = (struct pmcsim_value){.ledger = c->value.ledger};
	row->repeat = calloc(rows->repeats, sizeof(*row->repeat));
	if (!row->repeat) {
		rows->failed = true;
		return NULL;
	}
	rows->n++;
	return row;
}

static void
add_count(struct rows *rows, const struct pmcsim_count *c)
{
	struct pmcsim_row *row = row_for(rows, c);

	if (!row)
		return;
	((uint64_t *)row->repeat)[row->n_repeat++] = c->value.shown;
	row->measured = true;
	row->count.value.wrapped |= c->value.wrapped;
}

/* Rows for events asked for of which there is no count. */
static void
add_missing(struct rows *rows, const struct pmcsim_count *view,
	    unsigned parity, const unsigned *code, size_t n)
{
	for (size_t i = 0; i < n && !rows->failed; i++) {
		struct pmcsim_count c = *view;

		c.parity = parity;
		c.code = code[i];
		row_for(rows, &c);
	}
}

/* The index of the view that a row is of, in order of appearance. */
static size_t
view_of(const struct pmcsim_dump *dump, const struct pmcsim_count *c)
{
	size_t i = 0;

	while (i < dump->n && !same_view(&dump->count[i].count, c))
		i++;
	return i;
}

static int
compare_rows(const void *x, const void *y, void *data)
{
	const struct pmcsim_row *a = x, *b = y;
	size_t va = view_of(data, &a->count), vb = view_of(data, &b->count);

	if (va != vb)
		return va < vb ? -1 : 1;
	if (a->count.code != b->count.code)
		return a->count.code < b->count.code ? -1 : 1;
	return (int)a->count.parity - (int)b->count.parity;
}

/* Whether the CPU has the context that a count is of. */
static int
check_context(const struct pmcsim_cpu *cpu, const struct pmcsim_count *c,
	      struct pmcsim_error *error)
{
	bool is_tc = c->tc >= 0;
	int id = is_tc ? c->tc : c->vpe;
	int n = (int)(is_tc ? pmcsim_cpu_contexts(cpu) : pmcsim_cpu_vpes(cpu));

	if (id < n)
		return 0;
	return engine_fail(error, -EINVAL,
			   "%s %d is unknown to %s, which has %d of them",
			   is_tc ? "TC" : "VPE", id, pmcsim_cpu_name(cpu), n);
}

/* Whether the CPU has each event and context; what its ledger has of them. */
static int
check_rows(const struct pmcsim_cpu *cpu, const struct rows *rows,
	   struct pmcsim_error *error)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct pmcsim_count *c = &rows->row[i].count;
		const struct pmcsim_event *e =
			pmcsim_cpu_event(cpu, c->parity, c->code);

		if (!e || e->reserved)
			return engine_fail(error, -EINVAL,
					   "event %u of the %s counters is "
					   "%s %s", c->code,
					   c->parity ? "odd" : "even",
					   e ? "reserved on" : "unknown to",
					   pmcsim_cpu_name(cpu));
		if (check_context(cpu, c, error) != 0)
			return -EINVAL;
		c->value.unknown = unknown_modes(&cpu->config,
						 !c->value.ledger, c->parity,
						 c->code, c->modes);
	}
	return 0;
}

static void
fill_rows(struct rows *rows, const struct pmcsim_dump *dump)
{
	for (size_t i = 0; i < dump->n && !rows->failed; i++)
		add_count(rows, &dump->count[i].count);
	for (size_t i = 0; i < dump->n && dump->has_lists; i++) {
		const struct pmcsim_count *c = &dump->count[i].count;

		if (view_of(dump, c) != i)
			continue;
		add_missing(rows, c, 0, dump->even, dump->n_even);
		add_missing(rows, c, 1, dump->odd, dump->n_odd);
	}
	for (size_t i = 0; i < rows->n; i++)
		if (pmcsim_row_average(&rows->row[i]) != 0)
			rows->failed = true;
	qsort_r(rows->row, rows->n, sizeof(*rows->row), compare_rows,
		(void *)dump);
}

int
pmcsim_dump_report(const struct pmcsim_cpu *cpu,
		   const struct pmcsim_dump *dump,
		   struct pmcsim_report *report, struct pmcsim_error *error)
{
	size_t room = dump->n * (1 + dump->n_even + dump->n_odd) + 1;
	struct rows rows = {.repeats = dump->n + 1};
	int err;

	*report = (struct pmcsim_report){
		.cpu = cpu,
		.command = dump->command,
		.system = dump->system,
		.even = dump->even,
		.odd = dump->odd,
		.n_even = dump->n_even,
		.n_odd = dump->n_odd,
		.runs = dump->runs,
		.partial = dump->partial,
		.doubts = dump->doubts,
	};
	rows.row = calloc(room, sizeof(*rows.row));
	rows.failed = !rows.row;
	if (rows.row)
		fill_rows(&rows, dump);
	report->row = rows.row;
	report->n = rows.n;
	err = rows.failed ? engine_fail(error, -ENOMEM, "out of memory") :
			    check_rows(cpu, &rows, error);
	if (err != 0)
		pmcsim_dump_report_free(report);
	return err;
}

void
pmcsim_dump_report_free(struct pmcsim_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		free((void *)report->row[i].repeat);
	free((void *)report->row);
	report->row = NULL;
	report->n = 0;
}
