/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kprofile: where events of a kernel happen, while a program runs on it. */
#include "uprofile/record.h"

#include <inttypes.h>
#include <stdlib.h>

#define MORE_UTILITIES 4
#define IDLE_SECONDS "300"

enum { OPT_KERNEL = 1, OPT_USER, OPT_CALLERS, OPT_UTILITY, OPT_IPL,
       OPT_BOARD };

struct kprofile {
	struct record_options record;
	bool callers;		/* -ra */
	bool levels;		/* -ipl */
	const char *utility[MORE_UTILITIES];
	unsigned n_utilities;
};

static const struct tool_option options[] = {
	{OPT_KERNEL, 'k', "kernel", NULL,
	 "profile kernel code only; the default", WORDS_NONE},
	{OPT_USER, 'u', "user", NULL, "profile user code as well",
	 WORDS_NONE},
	{OPT_CALLERS, 0, "ra", NULL, "charge utility routines to their callers",
	 WORDS_NONE},
	{OPT_UTILITY, 0, "utility", "FUNCTION",
	 "... and this one too, up to four times", WORDS_NONE},
	{OPT_IPL, 0, "ipl", NULL,
	 "show how much happened with interrupts disabled", WORDS_NONE},
	{OPT_BOARD, 0, "system", "BOARD", "board that it runs on [malta]",
	 WORDS_BOARDS},
	RECORD_OPTIONS("mips34k"),
	PROF_OPTIONS, PROF_ALL_OPTION,
	TOOL_OPTIONS,
};

static const struct tool kprofile_tool = {
	.name = "kprofile",
	.usage = "[OPTION...] [STATISTIC...] [--] [PROGRAM [ARGUMENT...]]",
	.about = "Run a program on a board with a real Linux kernel and "
		 "record where the kernel's\nevents happen, in " PROF_KERNEL
		 ".  Without a program: an idle kernel, until Ctrl-C.",
	.option = options,
	.n_options = sizeof options / sizeof *options,
	.single_dash = true,
	.operands = WORDS_COMMANDS,
};

/* Routines that work for their callers, under Linux; a kernel has some
 * of them. */
static const char *const utilities[] = {
	"__bzero", "__clear_user", "__const_udelay", "__copy_user",
	"__delay", "__memcpy", "__memset", "__raw_copy_from_user",
	"__raw_copy_to_user", "__strncpy_from_user_asm", "__udelay",
	"_raw_read_lock", "_raw_read_unlock", "_raw_spin_lock",
	"_raw_spin_lock_bh", "_raw_spin_lock_irq", "_raw_spin_lock_irqsave",
	"_raw_spin_trylock", "_raw_spin_unlock", "_raw_spin_unlock_bh",
	"_raw_spin_unlock_irq", "_raw_spin_unlock_irqrestore",
	"_raw_write_lock", "_raw_write_unlock", "clear_page",
	"clear_page_erms", "clear_page_orig", "clear_page_rep",
	"clear_user_erms", "clear_user_original", "clear_user_rep_good",
	"copy_page", "copy_user_enhanced_fast_string",
	"copy_user_generic_string", "copy_user_generic_unrolled",
	"memchr", "memcmp", "memcpy", "memmove", "memset", "mutex_lock",
	"mutex_unlock", "strcmp", "strlen", "strncmp", "strnlen",
};

static bool
apply(struct kprofile *k, int id, const char *argument)
{
	switch (id) {
	case OPT_KERNEL:
	case OPT_USER:
		k->record.modes = id == OPT_KERNEL ? RECORD_KERNEL
					: RECORD_KERNEL | RECORD_USER;
		return true;
	case OPT_UTILITY:
		if (k->n_utilities == MORE_UTILITIES)
			tool_fail(&kprofile_tool, TOOL_USAGE,
				  "-utility %s: %d are the most", argument,
				  MORE_UTILITIES);
		k->utility[k->n_utilities++] = argument;
		return k->callers = true;
	case OPT_CALLERS:
		return k->callers = true;
	case OPT_IPL:
		return k->levels = true;
	case OPT_BOARD:
		k->record.system.board = argument;
		return true;
	default:
		return false;
	}
}

static void
parse(struct kprofile *k, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	*k = (struct kprofile){.record = {
		.tool = &kprofile_tool, .cpu = "mips34k", .data = PROF_KERNEL,
		.system = {.board = "malta"}, .modes = RECORD_KERNEL,
		.given = tool_given(&kprofile_tool, argc, argv)}};
	while ((option = tool_next(&kprofile_tool, argc, argv, &argument)))
		if (!apply(k, option->id, argument))
			record_apply(&k->record, option->id, argument);
	record_check(&k->record, argv);
}

/* Without a program there is one that does nothing. */
static bool
take_command(struct recording *p)
{
	static char sleep_name[] = "sleep", seconds[] = IDLE_SECONDS;
	static char *idle[] = {sleep_name, seconds, NULL};

	if (*p->command)
		return false;
	p->command = idle;
	return true;
}

static void
open_kernel(struct recording *p)
{
	struct pmcsim_error error;
	int rc = system_check_board(&kprofile_tool, p->o->system.board,
				    p->command, &error);

	if (!rc)
		rc = pmcsim_kernel_open(p->o->system.board, &p->kernel, &error);
	if (rc)
		system_fail(&kprofile_tool, rc, &error);
}

static void
name_utilities(const struct kprofile *k, const struct recording *p)
{
	if (!k->callers)
		return;
	for (size_t i = 0; i < sizeof utilities / sizeof *utilities; i++)
		pmcsim_kernel_utility(p->kernel, p->machine, utilities[i]);
	for (unsigned i = 0; i < k->n_utilities; i++)
		if (!pmcsim_kernel_utility(p->kernel, p->machine,
					   k->utility[i]))
			tool_fail(&kprofile_tool, TOOL_FAILED,
				  "the kernel has no function %s",
				  k->utility[i]);
}

/* ---- Interrupt levels ------------------------------------------------ */

static const char *const states[] = {
	"user code", "kernel, interrupts enabled",
	"kernel, interrupts disabled", "exception level",
};

#define STATES (sizeof states / sizeof *states)

static void
show_event(const struct pmcsim_umon *u, unsigned event, bool user)
{
	const struct pmcsim_profile *p = u->profile;
	uint64_t sum[STATES] = {0}, all = 0;

	for (size_t i = 0; i < p->n_places; i++) {
		const struct pmcsim_place *at = &p->place[i];
		uint64_t cost = pmcsim_profile_cost(p, event,
						    at->count[event]);

		if (at->image - 1 < STATES)
			sum[at->image - 1] += cost;
		all += cost;
	}
	printf("Interrupt levels by %s:\n", u->event[event]);
	for (size_t i = !user; i < STATES; i++)
		printf("%15" PRIu64 "  %5.1f %%  %s\n", sum[i],
		       prof_percent(sum[i], all), states[i]);
}

static void
show_levels(const struct recording *p, const struct pmcsim_umon *u)
{
	struct pmcsim_system_facts facts;

	for (unsigned e = 0; e < u->profile->n_events; e++)
		show_event(u, e, p->o->modes & RECORD_USER);
	if (pmcsim_machine_system(p->machine, &facts))
		printf("Nothing to do %" PRIu64 " times: no instructions, no "
		       "cycles\n", facts.waits);
	putchar('\n');
}

int
main(int argc, char **argv)
{
	struct kprofile k;
	struct recording p = {.o = &k.record};
	struct pmcsim_umon *u;
	struct pmcsim_exit how;
	char *path;
	bool idle;

	parse(&k, argc, argv);
	p.cpu = tool_cpu(&kprofile_tool, k.record.cpu);
	record_words(&p);
	idle = take_command(&p);
	record_check_file(&p);
	open_kernel(&p);
	record_ask(&p);
	name_utilities(&k, &p);
	record_run(&p, &how);
	u = record_read(&p, &how);
	path = record_write(&p, u);
	if (k.levels)
		show_levels(&p, u);
	if (k.record.display)
		record_display(&p, u, path);
	tool_flush(&kprofile_tool);
	free(path);
	pmcsim_umon_free(u);
	record_free(&p);
	return idle && tool_stop ? 0 : p.status;
}
