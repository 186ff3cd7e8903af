/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Long options behind one dash, as systems had them before there were two. */
#include "tool.h"

#include <string.h>

static const struct tool_option *
by_letter(const struct tool *tool, char letter)
{
	for (size_t i = 0; i < tool->n_options; i++)
		if (tool->option[i].letter == letter)
			return &tool->option[i];
	return NULL;
}

/* The option of that name, or the only one in --help whose name begins so. */
static const struct tool_option *
by_name(const struct tool *tool, const char *name)
{
	size_t length = strcspn(name, "="), found = 0;
	const struct tool_option *option = NULL;

	for (size_t i = 0; i < tool->n_options; i++) {
		const struct tool_option *o = &tool->option[i];

		if (strncmp(o->name, name, length))
			continue;
		if (!o->name[length])
			return o;
		if (!o->text)
			continue;
		option = o;
		found++;
	}
	return found == 1 ? option : NULL;
}

/* As getopt_long wants it: two dashes, and all of the name if that is known. */
static char *
written_out(const struct tool *tool, const char *name,
	    const struct tool_option *o)
{
	const char *known = o ? o->name : "";
	const char *rest = o ? name + strcspn(name, "=") : name;
	char *text = tool_alloc(tool, strlen(known) + strlen(rest) + 3, 1);

	strcpy(text, "--");
	strcat(text, known);
	return strcat(text, rest);
}

void
tool_single_dash(const struct tool *tool, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];
		const struct tool_option *o;

		if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
			return;
		if (word[1] != '-' && !word[2] && by_letter(tool, word[1])) {
			o = by_letter(tool, word[1]);
		} else {
			word += 1 + (word[1] == '-');
			o = by_name(tool, word);
			argv[i] = written_out(tool, word, o);
		}
		if (o && tool_needs_argument(o) && !strchr(word, '='))
			i++;
	}
}
