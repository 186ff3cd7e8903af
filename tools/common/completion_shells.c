/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completion of zsh and fish, made from the option tables. */
#include "completion.h"

#include "system/system.h"

#define CPUS "$(pmcsim list --names 2>/dev/null)"
#define MACHINES "$(pmcsim list --machines 2>/dev/null)"

/* Of the tool's usual CPU. */
#define NAMES(what) "$(pmcsim list " what " 2>/dev/null)"
#define ZSH_LIST(what) "{compset -P \"*,\"; compadd -- " NAMES(what) "}"
#define FISH_LIST(what)                                                   \
	"-x -a '(__fish_complete_list , \"pmcsim list " what             \
	" 2>/dev/null\")'"

/* What a shell finds words by; NULL: print_choices() knows them. */
struct shell {
	const char *words[WORDS_ITSELF + 1];
};

static const struct shell zsh = {{
	[WORDS_NONE] = " ",
	[WORDS_FILES] = "_files",
	[WORDS_CPUS] = "{_files; compadd -- " CPUS "}",
	[WORDS_COMMANDS] = "_normal",
	[WORDS_MACHINES] = "{_files; compadd -- " MACHINES "}",
	[WORDS_MACHINES_COMMANDS] =
		"{_command_names -e; _files; compadd -- " MACHINES "}",
	[WORDS_EVENTS] = ZSH_LIST("--events skylake"),
	[WORDS_METRICS] = ZSH_LIST("--metrics skylake"),
	[WORDS_GROUPS] = "{compadd -- " NAMES("--groups mips34k") "}",
	[WORDS_MONITORED] = ZSH_LIST("--events itanium2"),
}};

static const struct shell fish = {{
	[WORDS_NONE] = "-x",
	[WORDS_FILES] = "-r -F",
	[WORDS_CPUS] = "-r -F -a '(pmcsim list --names 2>/dev/null)'",
	[WORDS_COMMANDS] = "-x -a '(__fish_complete_subcommand)'",
	[WORDS_MACHINES] = "-r -F -a '(pmcsim list --machines 2>/dev/null)'",
	[WORDS_MACHINES_COMMANDS] =
		"-r -F -a '(pmcsim list --machines 2>/dev/null; "
		"__fish_complete_command)'",
	[WORDS_EVENTS] = FISH_LIST("--events skylake"),
	[WORDS_METRICS] = FISH_LIST("--metrics skylake"),
	[WORDS_GROUPS] = "-x -a '(pmcsim list --groups mips34k 2>/dev/null)'",
	[WORDS_MONITORED] = FISH_LIST("--events itanium2"),
}};

/* The few words that an argument is one of. */
static void
print_choices(const struct tool_option *o, const char *before,
	      const char *after, FILE *out)
{
	const struct system_board *board;

	fputs(before, out);
	if (o->words == WORDS_ITSELF)
		fputs(o->argument, out);
	for (unsigned i = 0; o->words == WORDS_BOARDS &&
			     (board = pmcsim_system_board(i)); i++)
		fprintf(out, "%s%s", i ? " " : "", board->name);
	fputs(after, out);
}

static bool
is_offered(const struct tool_option *o)
{
	return o->text;
}

/* ---- zsh ------------------------------------------------------------- */

/* Text within single quotes, in which some characters have a meaning. */
static void
put_zsh(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", out);
			continue;
		}
		if (strchr("[]:\\", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

/* One name of an option: '--cpu=[CPU table]:NAME:_files'. */
static void
zsh_name(const struct tool_option *o, const char *dashes, const char *name,
	 const char *joint, FILE *out)
{
	fprintf(out, " \\\n\t\t'*%s%s%s[", dashes, name,
		tool_needs_argument(o) ? joint : "");
	put_zsh(o->text, out);
	fputc(']', out);
	if (tool_needs_argument(o)) {
		fputc(':', out);
		put_zsh(o->argument, out);
		fputc(':', out);
		if (zsh.words[o->words])
			fputs(zsh.words[o->words], out);
		else
			print_choices(o, "(", ")", out);
	}
	fputc('\'', out);
}

static void
zsh_tool(const struct tool *tool, FILE *out)
{
	fputs("_arguments -S", out);
	for (size_t i = 0; i < tool->n_options; i++) {
		const struct tool_option *o = &tool->option[i];
		const char letter[] = {(char)o->letter, '\0'};

		if (!is_offered(o))
			continue;
		zsh_name(o, tool_dashes(tool), o->name,
			 tool->single_dash ? "" : "=", out);
		if (o->letter)
			zsh_name(o, "-", letter, "+", out);
	}
	fprintf(out, " \\\n\t\t'*::argument:%s'\n", zsh.words[tool->operands]);
}

void
completion_zsh(const struct tool *tool, FILE *out)
{
	fprintf(out, "#compdef %s\n# made by %s --completion zsh\n",
		tool->name, tool->name);
	if (!tool->n_commands) {
		zsh_tool(tool, out);
		return;
	}
	fputs("if ((CURRENT == 2)); then\n\tcompadd --", out);
	for (size_t i = 0; i < tool->n_commands; i++)
		fprintf(out, " %s", tool_command_name(&tool->command[i]));
	fputs("\n\treturn\nfi\nshift words; ((CURRENT--))\n"
	      "case $words[1] in\n", out);
	for (size_t i = 0; i < tool->n_commands; i++) {
		fprintf(out, "%s)\n\t",
			tool_command_name(&tool->command[i]));
		zsh_tool(tool->command[i].tool, out);
		fputs("\t;;\n", out);
	}
	fputs("esac\n", out);
}

/* ---- fish ------------------------------------------------------------ */

static void
put_fish(const char *text, FILE *out)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('\'', out);
}

/* The beginning of a line: for which command's words it is. */
static void
fish_line(const char *name, const char *command, FILE *out)
{
	fprintf(out, "complete -c %s", name);
	if (command)
		fprintf(out, " -n '__fish_seen_subcommand_from %s'", command);
}

static void
fish_tool(const struct tool *tool, const char *name, const char *command,
	  FILE *out)
{
	for (size_t i = 0; i < tool->n_options; i++) {
		const struct tool_option *o = &tool->option[i];

		if (!is_offered(o))
			continue;
		fish_line(name, command, out);
		fprintf(out, " -%c %s", tool->single_dash ? 'o' : 'l',
			o->name);
		if (o->letter)
			fprintf(out, " -s %c", o->letter);
		fputs(" -d ", out);
		put_fish(o->text, out);
		fputc(' ', out);
		if (tool_needs_argument(o) && fish.words[o->words])
			fputs(fish.words[o->words], out);
		else if (tool_needs_argument(o))
			print_choices(o, "-x -a '", "'", out);
		fputc('\n', out);
	}
	fish_line(name, command, out);
	fprintf(out, " %s\n", fish.words[tool->operands]);
}

void
completion_fish(const struct tool *tool, FILE *out)
{
	fprintf(out, "# fish completion of %s; made by %s --completion fish\n",
		tool->name, tool->name);
	if (!tool->n_commands)
		fish_tool(tool, tool->name, NULL, out);
	for (size_t i = 0; i < tool->n_commands; i++) {
		const char *command = tool_command_name(&tool->command[i]);

		fprintf(out, "complete -c %s -n __fish_use_subcommand -x "
			"-a %s\n", tool->name, command);
		fish_tool(tool->command[i].tool, tool->name, command, out);
	}
}
