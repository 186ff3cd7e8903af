/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim engine": shows which QEMUs execute targets, or fetches them. */
#include "cmd_engine.h"

#include "engine_explain.h"

#include "engine/engine.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_OFFLINE = 1, OPT_QEMU, OPT_ISA, OPT_FORCE, OPT_EXPLAIN, OPT_CPU,
       OPT_NO_TIME, OPT_NAME };

static const struct tool_option options[] = {
	{OPT_FORCE, 0, "force", NULL, "fetch it in any case", WORDS_NONE},
	{OPT_OFFLINE, 0, "offline", "DIR",
	 "take the packages from DIR, not from a mirror", WORDS_FILES},
	{OPT_QEMU, 0, "qemu", "PATH",
	 "use this program, or those of this folder, from now on",
	 WORDS_FILES},
	{OPT_ISA, 0, "isa", "ISA",
	 "only x86_64, i386, mipsel, mips or alpha", WORDS_NONE},
	{OPT_EXPLAIN, 0, "explain", "ADDRESS",
	 "show what the native engine makes of the code there", WORDS_NONE},
	{OPT_CPU, 0, "cpu", "CPU", "... on that processor (mips34k)",
	 WORDS_CPUS},
	{OPT_NO_TIME, 0, "no-time", NULL,
	 "... where only instructions and branches are counted", WORDS_NONE},
	{OPT_NAME, 0, "name", NULL,
	 "print which engine executes x86-64 programs, and that alone",
	 WORDS_NONE},
	TOOL_OPTIONS,
};

const struct tool engine_tool = {
	.name = "pmcsim engine",
	.usage = "[OPTION...] [--explain ADDRESS [--] COMMAND "
		 "[ARGUMENT...]]",
	.about = "Show what executes the programs of each instruction set, "
		 "and fetch Debian 12's\nQEMU into the user's cache where "
		 "there is none that takes plugins.  With\n--explain, run "
		 "the command under the native engine and show its code.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_COMMANDS,
};

struct wishes {
	const char *offline;
	const char *qemu;
	const char *isa;
	bool force, name, no_time;
	const char *explain, *cpu;
};

static void
say(const char *sentence)
{
	tool_say(&engine_tool, "%s", sentence);
}

static bool
is_isa(const char *name)
{
	const char *isa;

	for (unsigned i = 0; (isa = pmcsim_engine_isa(i)); i++)
		if (!strcmp(isa, name))
			return true;
	return false;
}

static void
parse(int argc, char **argv, struct wishes *wishes)
{
	const struct tool_option *option;
	const char *argument;

	while ((option = tool_next(&engine_tool, argc, argv, &argument)))
		switch (option->id) {
		case OPT_OFFLINE:
			wishes->offline = argument;
			break;
		case OPT_QEMU:
			wishes->qemu = argument;
			break;
		case OPT_ISA:
			wishes->isa = argument;
			break;
		case OPT_FORCE:
			wishes->force = true;
			break;
		case OPT_EXPLAIN:
			wishes->explain = argument;
			break;
		case OPT_NAME:
			wishes->name = true;
			break;
		case OPT_CPU:
			wishes->cpu = argument;
			break;
		case OPT_NO_TIME:
			wishes->no_time = true;
			break;
		}
	if ((wishes->cpu || wishes->no_time) && !wishes->explain)
		tool_fail(&engine_tool, TOOL_USAGE,
			  "--%s goes with --explain only",
			  wishes->cpu ? "cpu" : "no-time");
	if (optind < argc && !wishes->explain)
		tool_fail(&engine_tool, TOOL_USAGE,
			  "it takes no argument, such as \"%s\"",
			  argv[optind]);
	if (wishes->isa && !is_isa(wishes->isa))
		tool_fail(&engine_tool, TOOL_USAGE,
			  "\"%s\" is no instruction set that can be executed: "
			  "x86_64, i386, mipsel, mips, alpha", wishes->isa);
	if (wishes->name && (wishes->explain || wishes->qemu || wishes->isa ||
			     wishes->offline || wishes->force))
		tool_fail(&engine_tool, TOOL_USAGE,
			  "--name goes with no other option");
	if (wishes->qemu && (wishes->offline || wishes->force))
		tool_fail(&engine_tool, TOOL_USAGE,
			  "--qemu goes with --isa only");
}

/* Whether there is an engine for all instruction sets concerned. */
static bool
all_there(const char *only)
{
	const char *isa;
	bool there = true;

	for (unsigned i = 0; there && (isa = pmcsim_engine_isa(i)); i++) {
		char *path = NULL;

		if (only && strcmp(isa, only))
			continue;
		there = !pmcsim_engine_find(isa, &path, NULL);
		free(path);
	}
	return there;
}

/* One line for an instruction set; false if it has no engine. */
static bool
show(const char *isa)
{
	struct pmcsim_error error = { "" };
	struct engine_info info;
	char *path = NULL;
	bool found = !pmcsim_engine_find(isa, &path, &error) &&
		     !pmcsim_engine_inspect(path, &info);

	if (found)
		printf("%-8s %s (%s)\n", isa, path,
		       *info.version ? info.version : "version unknown");
	else
		printf("%-8s none: %s\n", isa, error.text);
	free(path);
	return found;
}

/* When the native engine executes x86-64 programs. */
static void
show_when(const char *path)
{
	const char *lacks = pmcsim_engine_lacks();

	if (!strcmp(pmcsim_engine_chosen(), "native"))
		printf("native   %s (x86_64, unless --engine qemu)\n", path);
	else if (lacks)
		printf("native   %s (x86_64, with --engine native and --isa of a "
		       "lower level: this host has no %s)\n", path, lacks);
	else
		printf("native   %s (x86_64, with --engine native)\n", path);
}

/* The native engine, and where the time stamp comes from
 * that programs read: it does not depend on the host's ways to let rdtsc fail. */
static void
show_native(void)
{
	struct pmcsim_error error = { "" };
	char *path;

	if (pmcsim_engine_native(&path, &error))
		printf("native   none: %s\n", error.text);
	else
		show_when(path);
	puts("rdtsc    put in by the engine where it is to read the machine's "
	     "cycles");
	free(path);
}

int
cmd_engine(int argc, char **argv)
{
	const char *named = getenv("PMCSIM_QEMU"), *isa;
	struct wishes wishes = { .offline = NULL };
	struct engine_fetch how = { .say = say, .stop = &tool_stop };
	struct pmcsim_error error = { "" };
	int status = 0;

	parse(argc, argv, &wishes);
	if (wishes.name) {
		if (pmcsim_engine_choose(NULL, &error))
			tool_fail(&engine_tool, TOOL_USAGE, "%s", error.text);
		puts(pmcsim_engine_chosen());
		tool_flush(&engine_tool);
		return 0;
	}
	if (wishes.explain)
		return engine_explain(&engine_tool, wishes.explain, wishes.cpu,
				      !wishes.no_time, argv + optind);
	tool_catch_signals();
	how.offline = wishes.offline;
	if (wishes.qemu)
		status = pmcsim_engine_adopt(wishes.qemu, wishes.isa, &error);
	else if (wishes.force || wishes.offline ||
		 (!(named && *named) && !all_there(wishes.isa)))
		status = pmcsim_engine_fetch(&how, &error);
	if (status)
		tool_fail(&engine_tool, tool_stop ? 128 + tool_signal :
			  TOOL_FAILED, "%s", error.text);
	for (unsigned i = 0; (isa = pmcsim_engine_isa(i)); i++)
		if ((!wishes.isa || !strcmp(isa, wishes.isa)) && !show(isa))
			status = TOOL_FAILED;
	if (!wishes.isa)
		show_native();
	tool_flush(&engine_tool);
	return status;
}
