/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz FIRST LAST COMMAND...: runs a command, which is one word or several, on
 * a machine that is one of the tables', mostly with other numbers, for each
 * seed from the first to the last.  Its counts must obey laws, and be the same
 * however they are counted.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define FEW 4
#define SEVERAL 20	/* of 100: CPUs, where they have one context */
#define AS_SHIPPED 25	/* of 100: machines as tables have them */

static const char *const cpus[] = {
	"mips34k", "p5", "p55c", "p6", "pii", "piii", "r10000", "r12000",
	"ev4", "ev5", "ev56", "pca56", "ev6", "ev67", "itanium", "itanium2",
	"skylake", "zen3", "cortex-a53", "cortex-a72", "u74"};

void
fuzz_found(struct fuzz *f, const char *what)
{
	printf("seed %lu, %s, %s: %s", f->seed, f->name, f->command, what);
	f->broken++;
}

/* Counts the signals that are asked for. */
static void
count(struct fuzz *f, struct fuzz_counts *counts,
      void (*run)(struct fuzz *, struct fuzz_run *))
{
	struct fuzz_run r = {.n = 0};

	for (unsigned s = 0; s < SIG_N; s++)
		if (counts->asked[s])
			r.select[r.n++] = fuzz_select(f, s);
	run(f, &r);
	for (unsigned i = 0; i < r.n; i++)
		counts->n[r.select[i].event] = r.count[i];
	counts->cycles = r.cycles;
	counts->status = r.status;
}

/* ---- What is compared -------------------------------------------------- */

static void
compare(struct fuzz *f, const struct fuzz_counts *all,
	const struct fuzz_counts *some, const char *how)
{
	for (unsigned s = 0; s < SIG_N; s++)
		if (some->asked[s] && some->n[s] != all->n[s]) {
			fuzz_found(f, how);
			printf(": %s is %llu, not %llu\n", signal_name(s),
			       (unsigned long long)some->n[s],
			       (unsigned long long)all->n[s]);
			return;
		}
	if (some->status != all->status) {
		fuzz_found(f, how);
		printf(": another status\n");
	}
}

bool
fuzz_has_place(unsigned s)
{
	return (s < SIG_WRONG_INSN || s > SIG_WRONG_BRANCH) &&
	       s != SIG_OS_FORK && s != SIG_OS_EXEC && s != SIG_OS_TICK;
}

/* Up to n of those that happen. */
static void
ask_some(struct fuzz *f, const struct fuzz_counts *all,
	 struct fuzz_counts *some, unsigned n)
{
	while (n--) {
		unsigned s = dice_below(&f->dice, SIG_N);

		for (unsigned i = 0; i < SIG_N &&
				     !(all->n[s] && fuzz_has_place(s)); i++)
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
	return need & NEED_ORDER && pipeline_is_window(&c->pipe) &&
	       ((c->l2.size && c->l2.inclusive) ||
		(c->l3.size && c->l3.inclusive) || c->topo.cpus > 1);
}

static void
check_laws(struct fuzz *f, const struct fuzz_counts *all)
{
	int i = -1;

	while ((i = fuzz_broken(f, all, i + 1)) >= 0) {
		fuzz_found(f, fuzz_law(i));
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
	count(f, &all, fuzz_run);
	check_laws(f, &all);
	count(f, &plain, fuzz_run);
	compare(f, &all, &plain, "remembered");
	ask_some(f, &all, &few, FEW);
	count(f, &few, fuzz_run);
	compare(f, &all, &few, "some alone");
	count(f, &exact, fuzz_run);
	compare(f, &all, &exact, "instructions alone");
	ask_some(f, &all, &profile, PMCSIM_PROFILE_EVENTS);
	count(f, &profile, fuzz_run_exact);
	compare(f, &all, &profile, "profile");
	fuzz_check_events(f, &all);
}

/* ---- Seeds ------------------------------------------------------------- */

static void
die(const struct pmcsim_error *error)
{
	fprintf(stderr, "fuzz: %s\n", error->text);
	exit(125);
}

/* Each signal is an event, before those of the table. */
static void
add_signals(struct sim_config *c)
{
	if (c->n_events > SIM_MAX_EVENTS - SIG_N)
		c->n_events = SIM_MAX_EVENTS - SIG_N;
	memmove(&c->event[SIG_N], c->event, c->n_events * sizeof *c->event);
	c->n_events += SIG_N;
	for (unsigned s = 0; s < SIG_N; s++)
		c->event[s] = (struct sim_event){
			.n = 1, .term = {{.signal = (u16)s, .factor = 1}}};
}

unsigned
fuzz_event(const struct fuzz *f, const char *name)
{
	size_t n;
	const struct pmcsim_event *e = pmcsim_cpu_events(f->cpu, &n);

	while (n && strcmp(e->name, name)) {
		e++;
		n--;
	}
	for (unsigned i = SIG_N; n && i < f->cpu->config.n_events; i++)
		if (f->coded[i].code == e->code &&
		    f->coded[i].counters & e->counters)
			return i;
	fprintf(stderr, "fuzz: %s has no event %s\n", f->name, name);
	exit(125);
}

static void
load(struct fuzz *f)
{
	struct pmcsim_error error;
	struct sim_config *c;

	if (pmcsim_cpu_load(f->name, &f->cpu, &error))
		die(&error);
	if (!dice_percent(&f->dice, AS_SHIPPED))
		fuzz_change(f->cpu, &f->dice);
	c = &f->cpu->config;
	if (c->topo.tcs == 1 && dice_percent(&f->dice, SEVERAL) &&
	    pmcsim_cpu_set_cpus(f->cpu, 2 + dice_below(&f->dice, 3), &error))
		die(&error);
	fuzz_change_ledger(&c->ledger, &f->dice);
	add_signals(c);
	for (unsigned i = SIG_N; i < c->n_events; i++) {
		f->coded[i].code = c->event[i].code;
		f->coded[i].counters = c->event[i].counters;
	}
	fuzz_make_events(c, &f->dice);
	for (unsigned i = 0; i < c->n_events; i++) {
		c->event[i].code = (u16)i;
		c->event[i].counters = 0xff;
		c->event[i].scope = SCOPE_TC;
	}
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
	for (char *t = strtok_r(text, " ", &next); t && n < FUZZ_WORDS;
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
