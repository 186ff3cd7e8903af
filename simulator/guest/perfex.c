/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libperfex: counting from within a program, libperfex(3). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* whatever C the program is compiled as */
#endif

#include "irix/perfex.h"

#include "irix/sys/hwperfioctl.h"
#include "perfex_costs_line.h"
#include "pmcsim_client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	int fd;			/* of this process, 0: not open */
	pid_t pid;		/* that has opened it */
	int known;		/* the CPU */
	enum pmcsim_irix_chip chip;
	double clock_hz;
	double clocks[COSTS_EVENTS][COSTS_KINDS];
} perfex;

static const char *const names[HWPERF_EVENTMAX] = {
	"Cycles", "Issued instructions", "Issued loads", "Issued stores",
	"Issued store conditionals", "Failed store conditionals",
	"Resolved conditional branches",
	"Quadwords written back from secondary cache",
	"Correctable secondary cache data array ECC errors",
	"Primary instruction cache misses",
	"Secondary instruction cache misses",
	"Instruction misprediction from scache way prediction table",
	"External interventions", "External invalidations",
	"ALU/FPU forward progress cycles", "Graduated instructions",
	"Cycles", "Graduated instructions", "Graduated loads",
	"Graduated stores", "Graduated store conditionals",
	"Graduated floating point instructions",
	"Quadwords written back from primary data cache", "TLB misses",
	"Mispredicted branches", "Primary data cache misses",
	"Secondary data cache misses",
	"Data misprediction from scache way prediction table",
	"External intervention hits in scache",
	"External invalidation hits in scache",
	"Store/prefetch exclusive to clean block in scache",
	"Store/prefetch exclusive to shared block in scache",
};

/* What other chips count instead. */
static const struct {
	enum pmcsim_irix_chip chip;
	int event;
	const char *name;
} other_names[] = {
	{PMCSIM_R10000_2, 6, "Decoded branches"},
	{PMCSIM_R10000_2, 14, "Virtual coherency conditions"},
	{PMCSIM_R12000, 1, "Decoded instructions"},
	{PMCSIM_R12000, 2, "Decoded loads"},
	{PMCSIM_R12000, 3, "Decoded stores"},
	{PMCSIM_R12000, 4, "Miss handling table occupancy"},
	{PMCSIM_R12000, 14, "ALU/FPU progress cycles"},
	{PMCSIM_R12000, 16, "Executed prefetch instructions"},
	{PMCSIM_R12000, 17, "Prefetch primary data cache misses"},
	{PMCSIM_R12000, 28, "State of external intervention hits in scache"},
	{PMCSIM_R12000, 29, "State of external invalidation hits in scache"},
	{PMCSIM_R12000, 30, "Miss handling table entries accessing memory"},
};

/* ---- The CPU --------------------------------------------------------- */

static void
set(int event, double typical, double least, double most)
{
	perfex.clocks[event][0] = typical;
	perfex.clocks[event][1] = least;
	perfex.clocks[event][2] = most;
}

static void
set_costs(void)
{
#define EVENT(n, typical, least, most) set(n, typical, least, most);
#define EVENT_R12000(n, typical, least, most) \
	if (perfex.chip == PMCSIM_R12000)     \
		set(n, typical, least, most);
#include "perfex_costs.h"
}

/* Asks the machine for its clock, 0 if there is none with such counters, and
 * which processor it has. */
static void
know_cpu(void)
{
	uint64_t word[PMCSIM_CLIENT_WORDS] = {0};
	long result;

	if (perfex.known)
		return;
	perfex.known = 1;
	if (pmcsim_client_call(-1, PMCSIM_IRIX_CPU, word, 0, 2, &result) ==
		    PMCSIM_SERVED && result >= 0) {
		perfex.clock_hz = (double)word[0];
		perfex.chip = (enum pmcsim_irix_chip)word[1];
	}
	set_costs();
}

static const char *
name_of(int event)
{
	size_t i;

	for (i = 0; i < sizeof other_names / sizeof *other_names; i++)
		if (other_names[i].chip == perfex.chip &&
		    other_names[i].event == event)
			return other_names[i].name;
	return names[event];
}

/* ---- Counting -------------------------------------------------------- */

/* The environment overrides what the program says; -1: it says nothing that is
 * an event. */
static int
override(const char *variable, int *event)
{
	const char *text = getenv(variable);
	char *end;
	long n;

	if (!text)
		return 0;
	n = strtol(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || n >= HWPERF_EVENTMAX) {
		fprintf(stderr, "libperfex: %s %s: not a number from 0 to "
			"%d\n", variable, *text ? text : "\"\"",
			HWPERF_EVENTMAX - 1);
		return -1;
	}
	*event = (int)n;
	return 0;
}

static int
check_events(int e0, int e1)
{
	if (e0 < 0 || e1 < 0 || e0 >= HWPERF_EVENTMAX ||
	    e1 >= HWPERF_EVENTMAX) {
		fprintf(stderr, "libperfex: events %d and %d: not from 0 to "
			"%d\n", e0, e1, HWPERF_EVENTMAX - 1);
	} else if (!e0 && !e1) {
		return 0;	/* none is chosen: cycles, as perfex(1) has it */
	} else if (e0 / HWPERF_CNT1BASE == e1 / HWPERF_CNT1BASE) {
		fprintf(stderr, "libperfex: conflicting counters: events %d "
			"and %d are both counted by counter %d\n", e0, e1,
			e0 / HWPERF_CNT1BASE);
	} else {
		return 0;
	}
	return -1;
}

/* Which two events it is about; -1 with errno. */
static int
choose_events(int *e0, int *e1)
{
	if (override("T5_EVENT0", e0) || override("T5_EVENT1", e1) ||
	    check_events(*e0, *e1)) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

static int
open_self(void)
{
	char path[32];

	if (perfex.fd > 0 && perfex.pid == getpid())
		return perfex.fd;
	perfex.pid = getpid();
	snprintf(path, sizeof path, "/proc/%010d", (int)perfex.pid);
	perfex.fd = open(path, O_RDWR | O_CLOEXEC);
	return perfex.fd;
}

static void
count(hwperf_profevctrarg_t *arg, int event)
{
	struct hwperf_ctrlreg *creg =
		&arg->hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	creg->hwp_ev = (ushort_t)(event % HWPERF_CNT1BASE);
	creg->hwp_ie = 1;
	creg->hwp_mode = HWPERF_CNTEN_U;
}

int
start_counters(int e0, int e1)
{
	hwperf_profevctrarg_t arg;

	if (choose_events(&e0, &e1) || open_self() < 0)
		return -1;
	memset(&arg, 0, sizeof arg);
	count(&arg, e0);
	count(&arg, e1);
	return ioctl(perfex.fd, PIOCENEVCTRS, &arg);
}

int
read_counters(int e0, long long *c0, int e1, long long *c1)
{
	hwperf_cntr_t counters;
	int generation;

	if (choose_events(&e0, &e1) || open_self() < 0)
		return -1;
	generation = ioctl(perfex.fd, PIOCGETEVCTRS, &counters);
	if (generation < 0 || ioctl(perfex.fd, PIOCRELEVCTRS) < 0)
		return -1;
	*c0 = (long long)counters.hwp_evctr[e0];
	*c1 = (long long)counters.hwp_evctr[e1];
	return generation;
}

/* ---- Printing -------------------------------------------------------- */

static void
print_name(int event)
{
	int n = fprintf(stderr, "%2d %s", event, name_of(event));

	while (n++ < 69)
		fputc('.', stderr);
}

static void
print_count(int event, long long n)
{
	print_name(event);
	fprintf(stderr, "%16lld\n", n);
}

static void
print_cost(int event, long long n)
{
	int i;

	print_name(event);
	fprintf(stderr, "%18lld", n);
	for (i = 0; i < COSTS_KINDS; i++)
		fprintf(stderr, " %12.6f", (double)n *
			perfex.clocks[event][i] / perfex.clock_hz);
	fputc('\n', stderr);
}

static int
print(void one(int event, long long n), int e0, long long c0, int e1,
      long long c1)
{
	if (choose_events(&e0, &e1))
		return -1;
	know_cpu();
	one(e0, c0);
	one(e1, c1);
	return 0;
}

int
print_counters(int e0, long long c0, int e1, long long c1)
{
	return print(print_count, e0, c0, e1, c1);
}

int
print_costs(int e0, long long c0, int e1, long long c1)
{
	know_cpu();
	if (perfex.clock_hz <= 0) {
		errno = ENOENT;
		return -1;
	}
	return print(print_cost, e0, c0, e1, c1);
}

int
load_costs(char *name)
{
	double clocks[COSTS_EVENTS][COSTS_KINDS];
	FILE *in = fopen(name, "r");
	char *line = NULL;
	size_t room = 0;
	int error = 0;

	if (!in)
		return -1;
	know_cpu();
	memcpy(clocks, perfex.clocks, sizeof clocks);
	while (!error && getline(&line, &room, in) >= 0)
		error = costs_line(line, clocks) ? EINVAL : 0;
	if (!error && ferror(in))
		error = EIO;
	free(line);
	fclose(in);
	if (error) {
		errno = error;
		return -1;
	}
	memcpy(perfex.clocks, clocks, sizeof clocks);
	return 0;
}

/* ---- Fortran --------------------------------------------------------- */

/* INTEGER FUNCTION, INTEGER, INTEGER*8, CHARACTER*(*) */

int
start_counters_(const int *e0, const int *e1)
{
	return start_counters(*e0, *e1);
}

int
read_counters_(const int *e0, long long *c0, const int *e1, long long *c1)
{
	return read_counters(*e0, c0, *e1, c1);
}

int
print_counters_(const int *e0, const long long *c0, const int *e1,
		const long long *c1)
{
	return print_counters(*e0, *c0, *e1, *c1);
}

int
print_costs_(const int *e0, const long long *c0, const int *e1,
	     const long long *c1)
{
	return print_costs(*e0, *c0, *e1, *c1);
}

int
load_costs_(const char *name, size_t length)
{
	char *copy;
	int result;

	while (length && name[length - 1] == ' ')
		length--;
	copy = strndup(name, length);
	if (!copy)
		return -1;
	result = load_costs(copy);
	free(copy);
	return result;
}
