/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz FIRST LAST COMMAND...: runs a command, which is one word or several, on
 * a machine that is one of the tables' with other numbers, for each seed from
 * the first to the last.  Its counts must obey laws, and be the same however
 * they are counted.
 */
#include "../../lib/machine_api.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define WORDS 8
#define FEW 4
#define SEVERAL 20	/* of 100: CPUs, where they have one context */

static const char *const cpus[] = {
	"mips34k", "p5", "p55c", "p6", "pii", "piii", "r10000", "r12000",
	"ev4", "ev5", "ev56", "pca56", "ev6", "ev67", "itanium", "itanium2"};

/* One of the seeds. */
struct fuzz {
	unsigned long seed;
	const char *name;	/* of its CPU */
	struct pmcsim_cpu *cpu;
	struct dice dice;
	const char *command;
	char *argv[WORDS + 1];
	unsigned broken;	/* what has been found */
};

static void
found(struct fuzz *f, const char *what)
{
	printf("seed %lu, %s, %s: %s", f->seed, f->name, f->command, what);
	f->broken++;
}

static void
die(const struct fuzz *f, const struct pmcsim_error *error)
{
	fprintf(stderr, "fuzz: seed %lu, %s, %s: %s\n", f->seed, f->name,
		f->command, error->text);
	exit(125);
}

/* ---- Runs -------------------------------------------------------------- */

/* The slots that count what is asked; each signal is an event. */
static struct pmcsim_run
run_of(const bool asked[SIG_N])
{
	static struct pmcsim_slot slot[SIG_N];
	struct pmcsim_run run = {.slot = slot};

	for (unsigned s = 0; s < SIG_N; s++)
		if (asked[s]) {
			slot[run.n] = (struct pmcsim_slot){
				.counter = (unsigned)run.n, .code = s,
				.modes = 8, .tc = -1, .vpe = -1};
			run.n++;
		}
	return run;
}

static void
run(struct fuzz *f, struct fuzz_counts *counts)
{
	struct pmcsim_run what = run_of(counts->asked);
	struct pmcsim_start start = {.argv = f->argv, .quiet = true};
	struct pmcsim_value value[SIG_N];
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct pmcsim_exit how;

	if (pmcsim_machine_new(f->cpu, NULL, &m, &error) ||
	    pmcsim_machine_program(m, &what, &error) ||
	    pmcsim_machine_run(m, &start, &how, &error) ||
	    pmcsim_machine_values(m, &what, value))
		die(f, &error);
	for (size_t i = 0; i < what.n; i++)
		counts->n[what.slot[i].code] = value[i].count;
	counts->cycles = pmcsim_machine_cycles(m);
	counts->status = how.status;
	pmcsim_machine_free(m);
}

/* By instruction: all that is in the profile, and nothing beside it. */
static void
run_profile(struct fuzz *f, struct fuzz_counts *counts)
{
	struct pmcsim_run what = run_of(counts->asked);
	struct pmcsim_start start = {.argv = f->argv, .quiet = true};
	struct pmcsim_sampling sampling = {0};
	struct pmcsim_profile *p;
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct pmcsim_exit how;

	if (pmcsim_machine_new(f->cpu, NULL, &m, &error) ||
	    pmcsim_machine_profile(m, &what, &sampling, &error) ||
	    pmcsim_machine_run(m, &start, &how, &error) ||
	    pmcsim_profile_read(m, &p))
		die(f, &error);
	for (size_t e = 0; e < what.n; e++) {
		u64 *n = &counts->n[what.slot[e].code];

		*n = p->rest[e] ? UINT64_MAX : 0;
		for (size_t i = 0; i < p->n_places; i++)
			*n += p->place[i].count[e];
	}
	counts->cycles = pmcsim_machine_cycles(m);
	counts->status = how.status;
	pmcsim_profile_free(p);
	pmcsim_machine_free(m);
}

/* ---- What is compared -------------------------------------------------- */

static void
compare(struct fuzz *f, const struct fuzz_counts *all,
	const struct fuzz_counts *some, const char *how)
{
	for (unsigned s = 0; s < SIG_N; s++)
		if (some->asked[s] && some->n[s] != all->n[s]) {
			found(f, how);
			printf(": %s is %llu, not %llu\n", signal_name(s),
			       (unsigned long long)some->n[s],
			       (unsigned long long)all->n[s]);
			return;
		}
	if (some->status != all->status) {
		found(f, how);
		printf(": another status\n");
	}
}

/* No instruction has what is estimated, or is the system's. */
static bool
has_place(unsigned s)
{
	return s <= SIG_LONG_STALL &&
	       (s < SIG_WRONG_INSN || s > SIG_WRONG_BRANCH);
}

/* Up to n of those that happen. */
static void
ask_some(struct fuzz *f, const struct fuzz_counts *all,
	 struct fuzz_counts *some, unsigned n)
{
	while (n--) {
		unsigned s = dice_below(&f->dice, SIG_N);

		for (unsigned i = 0; i < SIG_N &&
				     !(all->n[s] && has_place(s)); i++)
			s = (s + 1) % SIG_N;
		some->asked[s] = all->asked[s];
	}
}

/*
 * Where accesses are compared, all of them wait for the lines of their code:
 * behind these, an inclusive cache may have lost what they would have found,
 * and another CPU may have asked for lines before.
 */
static bool
is_disturbed(const struct sim_config *c, u32 need)
{
	return need & NEED_ORDER && c->pipe.kind == PIPELINE_WINDOW &&
	       ((c->l2.size && c->l2.inclusive) ||
		(c->l3.size && c->l3.inclusive) || c->topo.cpus > 1);
}

static void
check_laws(struct fuzz *f, const struct fuzz_counts *all)
{
	int i = -1;

	while ((i = fuzz_broken(&f->cpu->config, all, i + 1)) >= 0) {
		found(f, fuzz_law(i));
		putchar('\n');
	}
}

static void
check(struct fuzz *f)
{
	struct fuzz_counts all = {.n = {0}}, plain = all, few = all,
			   exact = all, profile = all;

	for (unsigned s = 0; s < SIG_N; s++) {
		u32 need = pmu_need(&f->cpu->config, (s32)s);

		all.asked[s] = !is_disturbed(&f->cpu->config, need);
		plain.asked[s] = !need;
		exact.asked[s] = s <= SIG_INSN_LAST;
	}
	run(f, &all);
	check_laws(f, &all);
	run(f, &plain);
	compare(f, &all, &plain, "remembered");
	ask_some(f, &all, &few, FEW);
	run(f, &few);
	compare(f, &all, &few, "some alone");
	run(f, &exact);
	compare(f, &all, &exact, "instructions alone");
	ask_some(f, &all, &profile, PMCSIM_PROFILE_EVENTS);
	run_profile(f, &profile);
	compare(f, &all, &profile, "profile");
}

/* ---- Seeds ------------------------------------------------------------- */

static void
load(struct fuzz *f)
{
	struct pmcsim_error error;
	struct sim_config *c;

	if (pmcsim_cpu_load(f->name, &f->cpu, &error))
		die(f, &error);
	fuzz_change(f->cpu, &f->dice);
	c = &f->cpu->config;
	if (c->topo.tcs == 1 && dice_percent(&f->dice, SEVERAL) &&
	    pmcsim_cpu_set_cpus(f->cpu, 2 + dice_below(&f->dice, 3), &error))
		die(f, &error);
	c->n_events = SIG_N;
	for (unsigned s = 0; s < SIG_N; s++)
		c->event[s] = (struct sim_event){
			.code = (u16)s, .counters = 0xff,
			.scope = SCOPE_PROCESSOR, .n = 1,
			.term = {{.signal = (u8)s, .factor = 1}}};
}

static unsigned
fuzz(unsigned long seed, const char *command)
{
	struct fuzz f = {.seed = seed, .command = command,
			 .name = cpus[seed % SIM_COUNT(cpus)],
			 .dice = {seed * 7919 + 1}};
	char text[400], *next;
	unsigned n = 0;

	snprintf(text, sizeof text, "%s", command);
	for (char *t = strtok_r(text, " ", &next); t && n < WORDS;
	     t = strtok_r(NULL, " ", &next))
		f.argv[n++] = t;
	load(&f);
	check(&f);
	pmcsim_cpu_free(f.cpu);
	return f.broken;
}

int
main(int argc, char **argv)
{
	unsigned long first, last, broken = 0;

	if (argc < 4)
		return 64;
	first = strtoul(argv[1], NULL, 10);
	last = strtoul(argv[2], NULL, 10);
	for (unsigned long seed = first; seed <= last; seed++) {
		struct dice d = {seed};
		u32 n = dice_below(&d, (u32)argc - 3);

		broken += fuzz(seed, argv[3 + n]);
		fflush(stdout);
	}
	printf("%lu broken\n", broken);
	return broken != 0;
}
