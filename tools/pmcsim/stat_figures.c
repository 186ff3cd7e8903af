/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts come to: means of runs, and metrics in the words of perf. */
#include "stat.h"

#include <math.h>

/* Mean of n numbers, which is the first one if they are the same, and the
 * deviation of the mean in percent of it, as perf has it. */
static double
mean_of(size_t n, double (*number)(const void *, size_t), const void *of,
	double *deviation)
{
	double first = n ? number(of, 0) : 0, more = 0, squares = 0, mean;

	for (size_t i = 1; i < n; i++)
		more += number(of, i) - first;
	mean = n ? first + more / (double)n : 0;
	for (size_t i = 0; i < n; i++)
		squares += (number(of, i) - mean) * (number(of, i) - mean);
	if (deviation)
		*deviation = n < 2 || mean == 0
				     ? 0
				     : 100 * sqrt(squares / (double)(n - 1) /
						  (double)n) / mean;
	return mean;
}

struct column {
	const struct stat_cpu *c;
	size_t want, stride;
};

static double
count_of(const void *of, size_t run)
{
	const struct column *k = of;

	return (double)k->c->count[run * k->stride + k->want];
}

double
stat_mean(const struct stat *s, const struct stat_cpu *c, size_t want,
	  double *deviation)
{
	const struct column column = {c, want, s->o->n_wants + 1};
	double mean = mean_of(c->runs, count_of, &column, deviation);

	if (deviation && c->estimate)
		*deviation = c->estimate[want].deviation;
	return mean;
}

size_t
stat_n_asked(const struct stat *s)
{
	return s->o->n_wants + !s->o->no_time;
}

double
stat_run_time(const struct stat *s, const struct stat_cpu *c)
{
	return stat_mean(s, c, s->o->n_wants, NULL);
}

static double
seconds_of(const void *of, size_t run)
{
	const struct stat_cpu *c = of;

	return c->user[run] + c->kernel[run];
}

double
stat_seconds(const struct stat_cpu *c, double *deviation)
{
	return mean_of(c->runs, seconds_of, c, deviation);
}

const struct pmcsim_named *
stat_named(const struct stat_cpu *c, size_t want)
{
	size_t n;

	return &pmcsim_lexicon_events(c->lexicon, &n)[c->ask[want].named];
}

const char *
stat_unit(const struct stat_cpu *c, size_t want, double *smaller)
{
	*smaller = 1;
	switch (stat_named(c, want)->unit) {
	case PMCSIM_UNIT_MSEC:
		*smaller = 1e6;
		return "msec";
	case PMCSIM_UNIT_NS:
		return "ns";
	default:
		return "";
	}
}

/* ---- Metrics ---------------------------------------------------------- */

/* What perf prints behind an event if another one was counted as well. */
static const struct shadow {
	const char *event, *of;
	double times;
	unsigned digits;
	const char *sign, *unit;
} shadows[] = {
	{"instructions", "cycles", 1, 2, " ", "insn per cycle"},
	{"cycles", "task-clock", 1, 3, "", "GHz"},
	{"branch-misses", "branches", 100, 2, "%", "of all branches"},
	{"cache-misses", "cache-references", 100, 3, " %",
	 "of all cache refs"},
	{"L1-dcache-load-misses", "L1-dcache-loads", 100, 2, "%",
	 "of all L1-dcache accesses"},
	{"L1-icache-load-misses", "L1-icache-loads", 100, 2, "%",
	 "of all L1-icache accesses"},
	{"LLC-load-misses", "LLC-loads", 100, 2, "%",
	 "of all LL-cache accesses"},
	{"dTLB-load-misses", "dTLB-loads", 100, 2, "%",
	 "of all dTLB cache accesses"},
	{"stalled-cycles-frontend", "cycles", 100, 2, "%",
	 "frontend cycles idle"},
	{"stalled-cycles-backend", "cycles", 100, 2, "%",
	 "backend cycles idle"},
};

/* The want of that name in those modes; n_wants: there is none that counts. */
static size_t
find(const struct stat *s, const struct stat_cpu *c, const char *name,
     unsigned modes)
{
	size_t i;

	for (i = 0; i < s->o->n_wants; i++)
		if (c->supported[i] && s->o->want[i].modes == modes &&
		    !stat_named(c, i)->of_table &&
		    !strcmp(stat_named(c, i)->name, name))
			break;
	return i;
}

static void
set_unit(struct stat_metric *m, const char *unit)
{
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
}

/* Happenings of a second of the time that they were counted for. */
static bool
rate(const struct stat *s, const struct stat_cpu *c, size_t want,
     struct stat_metric *m)
{
	size_t clock = find(s, c, "task-clock", s->o->want[want].modes);
	double ns, n;
	const char *unit = "/sec";

	if (clock == s->o->n_wants)
		return false;
	ns = stat_mean(s, c, clock, NULL);
	n = stat_mean(s, c, want, NULL);
	if (ns == 0)
		return false;
	n = n * 1e9 / ns;
	if (n > 1e9) {
		n /= 1e9;
		unit = "G/sec";
	} else if (n > 1e6) {
		n /= 1e6;
		unit = "M/sec";
	} else if (n > 1e3) {
		n /= 1e3;
		unit = "K/sec";
	}
	*m = (struct stat_metric){.value = n, .digits = 3, .sign = ""};
	set_unit(m, unit);
	return true;
}

static bool
utilized(const struct stat *s, const struct stat_cpu *c, size_t want,
	 struct stat_metric *m)
{
	/* The system's time is not known beside estimates. */
	double all = c->estimate ? 0 : stat_seconds(c, NULL) * 1e9;

	*m = (struct stat_metric){.digits = 3, .sign = ""};
	if (all > 0)
		m->value = stat_mean(s, c, want, NULL) / all;
	set_unit(m, "CPUs utilized");
	return all > 0;
}

/* True: perf has one for that event and what else was counted. */
static bool
shadow_of(const struct stat *s, const struct stat_cpu *c, size_t want,
	  struct stat_metric *m)
{
	const char *name = stat_named(c, want)->name;

	for (size_t i = 0; i < sizeof(shadows) / sizeof(*shadows); i++) {
		const struct shadow *w = &shadows[i];
		size_t of;
		double under;

		if (stat_named(c, want)->of_table || strcmp(w->event, name))
			continue;
		of = find(s, c, w->of, s->o->want[want].modes);
		under = of < s->o->n_wants ? stat_mean(s, c, of, NULL) : 0;
		if (under == 0)
			return false;
		*m = (struct stat_metric){
			.value = w->times * stat_mean(s, c, want, NULL) /
				 under,
			.digits = w->digits,
			.sign = w->sign,
		};
		set_unit(m, w->unit);
		return true;
	}
	return false;
}

/* Metrics that were asked for stand behind the event that they divide. */
static size_t
asked(const struct stat *s, const struct stat_cpu *c, size_t want,
      struct stat_metric *metric)
{
	size_t n = 0, all;
	const struct pmcsim_quotient_of *q =
		pmcsim_lexicon_metrics(c->lexicon, &all);

	for (size_t i = 0; i < s->o->n_wishes && n < STAT_METRICS; i++) {
		const struct stat_wish *w = &s->o->wish[i];
		double under = stat_mean(s, c, w->under, NULL);

		if (w->over != want || !c->supported[w->over] ||
		    !c->supported[w->under] || under == 0)
			continue;
		metric[n] = (struct stat_metric){
			.value = q[w->metric].times *
				 stat_mean(s, c, want, NULL) / under,
			.digits = 2,
			.sign = " ",
		};
		set_unit(&metric[n++], q[w->metric].unit);
	}
	return n;
}

size_t
stat_metrics(const struct stat *s, const struct stat_cpu *c, size_t want,
	     struct stat_metric *metric)
{
	enum pmcsim_unit unit = stat_named(c, want)->unit;

	if (!c->supported[want] || !stat_counted(c, want))
		return 0;
	if (s->o->n_wishes)
		return asked(s, c, want, metric);
	if (unit == PMCSIM_UNIT_MSEC)
		return utilized(s, c, want, metric);
	if (unit != PMCSIM_UNIT_NONE)
		return 0;
	return shadow_of(s, c, want, metric) || rate(s, c, want, metric);
}
