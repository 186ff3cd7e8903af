/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show CPU WHAT EVENTS PERIOD COMMAND...: profiles a command, for tests.
 *
 * WHAT is functions, lines, places or symbols (of a file: no machine);
 * EVENTS are counter:code with commas between; PERIOD 0 counts all.
 * Prints totals and what could not be attributed, and a row per function,
 * line or instruction.
 */
#include "pmcsim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
die(const char *what, const struct pmcsim_error *error)
{
	fprintf(stderr, "show: %s: %s\n", what, error->text);
	exit(125);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void
print_counts(const struct pmcsim_profile *p, const uint64_t *count)
{
	for (size_t e = 0; e < p->n_events; e++)
		printf("%s%" PRIu64, e ? "," : "", count[e]);
}

static void
print_rows(const struct pmcsim_profile *p, bool lines)
{
	struct pmcsim_symbols *symbols = pmcsim_symbols_new();
	struct pmcsim_profile_row *row;
	size_t n;

	if (!symbols || pmcsim_profile_rows(p, symbols, lines ?
						PMCSIM_ROWS_LINES :
						PMCSIM_ROWS_FUNCTIONS,
						&row, &n))
		exit(125);
	for (size_t i = 0; i < n; i++) {
		const struct pmcsim_symbol *s = &row[i].symbol;

		print_counts(p, row[i].count);
		printf(" %s %s", base_name(p->module[row[i].module]),
		       s->name ? s->name : "?");
		if (lines)
			printf(" %s:%u", s->file ? base_name(s->file) : "?",
			       s->line);
		putchar('\n');
	}
	free(row);
	pmcsim_symbols_free(symbols);
}

static void
print_places(const struct pmcsim_profile *p)
{
	struct pmcsim_symbols *symbols = pmcsim_symbols_new();

	for (size_t i = 0; i < p->n_places; i++) {
		const struct pmcsim_place *at = &p->place[i];
		struct pmcsim_symbol s;

		pmcsim_symbol_find(symbols, p->module[at->module], at->offset,
				   false, &s);
		print_counts(p, at->count);
		printf(" %s %s+%" PRIu64 " %u\n",
		       base_name(p->module[at->module]),
		       s.name ? s.name : "?", at->offset - s.start, at->image);
	}
	pmcsim_symbols_free(symbols);
}

/* Looks every fourth byte of a file up: nothing may go wrong. */
static int
look_up_all(const char *path)
{
	struct pmcsim_symbols *symbols = pmcsim_symbols_new();
	unsigned names = 0, lines = 0;

	for (uint64_t offset = 0; offset < 65536; offset += 4) {
		struct pmcsim_symbol frame[PMCSIM_FRAMES];

		pmcsim_symbol_frames(symbols, path, offset, frame,
				     PMCSIM_FRAMES);
		names += frame->name && *frame->name;
		lines += frame->file && *frame->file;
	}
	pmcsim_symbols_free(symbols);
	printf("%s %s\n", names ? "names" : "none", lines ? "lines" : "none");
	return 0;
}

static struct pmcsim_run
parse_events(char *text)
{
	static struct pmcsim_slot slot[PMCSIM_PROFILE_EVENTS];
	struct pmcsim_run run = {.slot = slot};

	for (char *t = strtok(text, ","); t && run.n < PMCSIM_PROFILE_EVENTS;
	     t = strtok(NULL, ",")) {
		char *colon = strchr(t, ':');

		if (!colon)
			exit(125);
		slot[run.n++] = (struct pmcsim_slot){
			.counter = (unsigned)atoi(t),
			.code = (unsigned)atoi(colon + 1),
			.modes = 8, .tc = -1, .vpe = -1};
	}
	return run;
}

static void
print_profile(const char *what, struct pmcsim_machine *m)
{
	struct pmcsim_profile *p;

	if (pmcsim_profile_read(m, &p))
		exit(125);
	printf("total ");
	print_counts(p, p->total);
	printf("\nrest ");
	print_counts(p, p->rest);
	printf("\nimages %zu\n", p->n_images);
	if (!strcmp(what, "places"))
		print_places(p);
	else
		print_rows(p, !strcmp(what, "lines"));
	pmcsim_profile_free(p);
}

int
main(int argc, char **argv)
{
	struct pmcsim_error error = {""};
	struct pmcsim_sampling sampling = {0};
	struct pmcsim_machine *m;
	struct pmcsim_start start = {.argv = argv + 5};
	struct pmcsim_exit how;
	struct pmcsim_cpu *cpu;
	struct pmcsim_run run;

	/* Where the library is in the build tree: tools keep it from commands, too. */
	unsetenv("LD_LIBRARY_PATH");
	if (argc == 3 && !strcmp(argv[1], "symbols"))
		return look_up_all(argv[2]);
	if (argc < 6)
		return 125;
	run = parse_events(argv[3]);
	sampling.period = strtoull(argv[4], NULL, 10);
	if (getenv("JITTER"))
		sampling.jitter = strtoull(getenv("JITTER"), NULL, 10);
	if (pmcsim_cpu_load(argv[1], &cpu, &error))
		die(argv[1], &error);
	if (pmcsim_machine_new(cpu, NULL, &m, &error) ||
	    pmcsim_machine_profile(m, &run, &sampling, &error) ||
	    pmcsim_machine_run(m, &start, &how, &error))
		die(argv[5], &error);
	print_profile(argv[2], m);
	pmcsim_machine_free(m);
	pmcsim_cpu_free(cpu);
	return how.status;
}
