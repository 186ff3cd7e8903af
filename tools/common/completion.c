/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shell completion, made from the option tables. */
#include "tool.h"

#include "system/system.h"

#define MACHINES "-f -W \"$(pmcsim list --machines 2>/dev/null)\""

/* Words behind commas; "list" is what is before the last of them. */
#define LIST_OF(what, cpu) \
	"-P \"$list\" -W \"$(pmcsim list " what " \"${cpu:-" cpu "}\" 2>/dev/null)\""

/* How bash finds the words; the part behind compgen.  NULL: print_words()
 * knows them. */
static const char *const compgen[] = {
	[WORDS_NONE] = "-W ''",
	[WORDS_FILES] = "-f",
	[WORDS_CPUS] = "-f -W \"$(pmcsim list --names 2>/dev/null)\"",
	[WORDS_COMMANDS] = "-c -f",
	[WORDS_MACHINES] = MACHINES,
	[WORDS_MACHINES_COMMANDS] = "-c " MACHINES,
	[WORDS_BOARDS] = NULL,
	[WORDS_EVENTS] = LIST_OF("--events", "skylake"),
	[WORDS_METRICS] = LIST_OF("--metrics", "skylake"),
	[WORDS_GROUPS] = "-W \"$(pmcsim list --groups mips34k 2>/dev/null)\"",
	[WORDS_MONITORED] = LIST_OF("--events", "itanium2"),
	[WORDS_ITSELF] = NULL,
};

static void
print_words(const struct tool_option *o, FILE *out)
{
	const struct system_board *board;

	if (compgen[o->words]) {
		fputs(compgen[o->words], out);
		return;
	}
	fputs("-W '", out);
	if (o->words == WORDS_ITSELF)
		fputs(o->argument, out);
	for (unsigned i = 0; o->words == WORDS_BOARDS &&
			     (board = pmcsim_system_board(i)); i++)
		fprintf(out, "%s%s", i ? " " : "", board->name);
	fputc('\'', out);
}

/* Whether there may be several, with commas between. */
static bool
is_list(enum tool_words words)
{
	return words == WORDS_EVENTS || words == WORDS_METRICS ||
	       words == WORDS_MONITORED;
}

/* Options that --help does not show are other names, or are refused. */
static bool
is_offered(const struct tool_option *o)
{
	return o->text;
}

static void
print_arguments(const struct tool *tool, const char *indent, FILE *out)
{
	for (size_t i = 0; i < tool->n_options; i++) {
		const struct tool_option *o = &tool->option[i];

		if (!tool_needs_argument(o) || !is_offered(o))
			continue;
		fprintf(out, "%s\t--%s", indent, o->name);
		if (tool->single_dash)
			fprintf(out, "|-%s", o->name);
		if (o->letter)
			fprintf(out, "|-%c", o->letter);
		fputs(is_list(o->words) ? ") cur=${cur##*,} w=(" : ") w=(",
		      out);
		print_words(o, out);
		fputs(") ;;\n", out);
	}
}

static void
print_names(const struct tool *tool, FILE *out)
{
	const char *space = "";

	for (size_t i = 0; i < tool->n_options; i++) {
		if (!is_offered(&tool->option[i]))
			continue;
		fprintf(out, "%s%s%s", space, tool_dashes(tool),
			tool->option[i].name);
		space = " ";
	}
}

/* Sets the array w for the words of one tool. */
static void
print_tool(const struct tool *tool, const char *indent, FILE *out)
{
	fprintf(out, "%scase $prev in\n", indent);
	print_arguments(tool, indent, out);
	fprintf(out, "%s\t*) w=(%s)\n", indent, compgen[tool->operands]);
	fprintf(out, "%s\t   [[ $cur == -* ]] && w=(-W '", indent);
	print_names(tool, out);
	fprintf(out, "') ;;\n%sesac\n", indent);
}

static void
print_commands(const struct tool *tool, FILE *out)
{
	fputs("\tif ((COMP_CWORD == 1)); then\n\t\tw=(-W '", out);
	print_names(tool, out);
	for (size_t i = 0; i < tool->n_commands; i++)
		fprintf(out, " %s", tool_command_name(&tool->command[i]));
	fputs("')\n\telse\n\t\tcase ${COMP_WORDS[1]} in\n", out);
	for (size_t i = 0; i < tool->n_commands; i++) {
		fprintf(out, "\t\t%s)\n",
			tool_command_name(&tool->command[i]));
		print_tool(tool->command[i].tool, "\t\t\t", out);
		fputs("\t\t\t;;\n", out);
	}
	fputs("\t\tesac\n\tfi\n", out);
}

void
tool_completion(const struct tool *tool, FILE *out)
{
	const char *name = tool->name;

	fprintf(out, "# bash completion of %s; made by %s --completion bash\n"
		"_%s()\n{\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} w=()\n"
		"\tlocal prev=${COMP_WORDS[COMP_CWORD-1]} cpu= i\n"
		"\tlocal list=${cur%%\"${cur##*,}\"}\n\n"
		"\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
		"\t\t[[ ${COMP_WORDS[i-1]} != --cpu ]] ||\n"
		"\t\t\tcpu=${COMP_WORDS[i]%%%%,*}\n"
		"\tdone\n",
		name, name, name);
	if (tool->n_commands == 0)
		print_tool(tool, "\t", out);
	else
		print_commands(tool, out);
	fprintf(out, "\tmapfile -t COMPREPLY "
		"< <(compgen \"${w[@]}\" -- \"$cur\")\n}\n"
		"complete -o filenames -F _%s %s\n", name, name);
}
