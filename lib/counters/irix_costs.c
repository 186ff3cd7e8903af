/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What events cost, and the statistics that perfex -y makes of them. */
#include "guest/perfex_costs_line.h"
#include "engine/engine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(PMCSIM_IRIX_EVENTS == COSTS_EVENTS, "the same events");

/* ---- Costs ----------------------------------------------------------- */

static void
set(struct pmcsim_costs *costs, unsigned event, double typical, double least,
    double most)
{
	costs->clocks[event][PMCSIM_COST_TYPICAL] = typical;
	costs->clocks[event][PMCSIM_COST_LEAST] = least;
	costs->clocks[event][PMCSIM_COST_MOST] = most;
}

void
pmcsim_costs_default(const struct pmcsim_cpu *cpu, struct pmcsim_costs *costs)
{
	bool r12000 = pmcsim_irix_is_r12000(cpu);

#define EVENT(n, typical, least, most) set(costs, n, typical, least, most);
#define EVENT_R12000(n, typical, least, most) \
	if (r12000)                           \
		set(costs, n, typical, least, most);
#include "guest/perfex_costs.h"
}

int
pmcsim_costs_read(const char *path, struct pmcsim_costs *costs,
		  struct pmcsim_error *error)
{
	FILE *in = fopen(path, "re");
	unsigned long number = 0;
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	if (!in)
		return engine_fail(error, -errno, "%s: %s", path,
				   strerror(errno));
	while (!err && getline(&line, &room, in) >= 0) {
		number++;
		err = costs_line(line, costs->clocks) ? -EINVAL : 0;
	}
	if (err)
		engine_fail(error, err,
			    "%s:%lu: not \"event typical least most\", an "
			    "event from 0 to %d and clocks", path, number,
			    PMCSIM_IRIX_EVENTS - 1);
	else if (ferror(in))
		err = engine_fail(error, -EIO, "%s: cannot be read", path);
	free(line);
	fclose(in);
	return err;
}

void
pmcsim_costs_write(const struct pmcsim_costs *costs, FILE *out)
{
	fputs("# Costs of events in clocks: event, typical, least, most\n", out);
	for (unsigned i = 0; i < PMCSIM_IRIX_EVENTS; i++)
		fprintf(out, "%2u %10.6f %10.6f %10.6f\n", i,
			costs->clocks[i][0], costs->clocks[i][1],
			costs->clocks[i][2]);
}

/* ---- Statistics ------------------------------------------------------ */

#define MAX_TERMS 5
#define LINE_1 32		/* bytes of a line of the primary data cache */
#define LINE_2 128
#define QUADWORD 16
#define MEGA 1e6

/* What a term of a sum is multiplied with besides its factor. */
enum scale { PLAIN, COST };

struct term {
	unsigned event;
	double factor;
	enum scale scale;
};

/* A sum over a sum; by time: over seconds. */
struct statistic {
	const char *label, *label_r12000; /* NULL: it has not that one */
	bool by_time;
	struct term over[MAX_TERMS], under[MAX_TERMS];
};

#define N(event) {event, 1, PLAIN}
#define LESS(event) {event, -1, PLAIN}
#define TIMES(event, factor) {event, factor, PLAIN}
#define TYPICAL(event) {event, 1, COST}
#define BOTH(label) label, label

static const struct statistic statistics[] = {
	{BOTH("Graduated instructions/cycle"), false, {N(15)}, {N(0)}},
	{BOTH("Graduated floating point instructions/cycle"), false, {N(21)},
	 {N(0)}},
	{BOTH("Graduated loads & stores/cycle"), false, {N(18), N(19)},
	 {N(0)}},
	{BOTH("Graduated loads & stores/floating point instruction"), false,
	 {N(18), N(19)}, {N(21)}},
	{"Mispredicted branches/Decoded branches",
	 "Mispredicted branches/Resolved branches", false, {N(24)}, {N(6)}},
	{"Graduated loads/Issued loads", "Graduated loads/Decoded loads",
	 false, {N(18)}, {N(2)}},
	{"Graduated stores/Issued stores", "Graduated stores/Decoded stores",
	 false, {N(19)}, {N(3)}},
	{BOTH("Data mispredict/Data scache hits"), false, {N(27)},
	 {N(25), LESS(26)}},
	{BOTH("Instruction mispredict/Instruction scache hits"), false,
	 {N(11)}, {N(9), LESS(10)}},
	{BOTH("L1 Cache Line Reuse"), false, {N(18), N(19), LESS(25)},
	 {N(25)}},
	{BOTH("L2 Cache Line Reuse"), false, {N(25), LESS(26)}, {N(26)}},
	{BOTH("L1 Data Cache Hit Rate"), false, {N(18), N(19), LESS(25)},
	 {N(18), N(19)}},
	{BOTH("L2 Data Cache Hit Rate"), false, {N(25), LESS(26)}, {N(25)}},
	{BOTH("Time accessing memory/Total time"), false,
	 {TYPICAL(18), TYPICAL(19), TYPICAL(25), TYPICAL(26), TYPICAL(23)},
	 {N(0)}},
	{BOTH("Time not making progress (probably waiting on memory)/Total "
	      "time"), false, {N(0), LESS(14)}, {N(0)}},
	{BOTH("L1--L2 bandwidth used (MB/s, average per process)"), true,
	 {TIMES(25, LINE_1 / MEGA), TIMES(22, QUADWORD / MEGA)}, {N(0)}},
	{BOTH("Memory bandwidth used (MB/s, average per process)"), true,
	 {TIMES(26, LINE_2 / MEGA), TIMES(7, QUADWORD / MEGA)}, {N(0)}},
	{BOTH("MFLOPS (average per process)"), true, {TIMES(21, 1 / MEGA)},
	 {N(0)}},
	{NULL, "Cache misses in flight per cycle (average)", false, {N(4)},
	 {N(0)}},
	{NULL, "Prefetch miss rate", false, {N(17)}, {N(16)}},
};

static double
sum(const struct term *term, const double *count,
    const struct pmcsim_costs *costs)
{
	double total = 0;

	for (unsigned i = 0; i < MAX_TERMS && term[i].factor != 0; i++) {
		double one = term[i].factor * count[term[i].event];

		if (term[i].scale == COST)
			one *= costs->clocks[term[i].event]
					    [PMCSIM_COST_TYPICAL];
		total += one;
	}
	return total;
}

/* An R10000 has cycles and graduated instructions on both counters: that of the
 * other one will do, so that they can be compared with any event. */
static void
take_twins(bool r12000, const double *count, double all[PMCSIM_IRIX_EVENTS])
{
	static const unsigned twin[][2] = {{0, 16}, {15, 17}};

	memcpy(all, count, PMCSIM_IRIX_EVENTS * sizeof *all);
	for (size_t i = 0; i < sizeof twin / sizeof *twin && !r12000; i++)
		if (isnan(all[twin[i][0]]))
			all[twin[i][0]] = count[twin[i][1]];
}

bool
pmcsim_irix_statistic(size_t n, bool r12000, const double *count,
		      const struct pmcsim_costs *costs, double clock_hz,
		      const char **label, double *value)
{
	double all[PMCSIM_IRIX_EVENTS];

	take_twins(r12000, count, all);
	for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++) {
		const struct statistic *s = &statistics[i];
		double over, under;

		*label = r12000 ? s->label_r12000 : s->label;
		if (!*label || n--)
			continue;
		under = sum(s->under, all, costs);
		if (s->by_time)
			under /= clock_hz;
		/* Projected counts may contradict each other. */
		over = sum(s->over, all, costs);
		*value = under <= 0 || over < 0 ? NAN : over / under;
		return true;
	}
	return false;
}
