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

/* The option of that name, or whose name alone begins so. */
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
		option = o;
		found++;
	}
	return found == 1 ? option : NULL;
}

static char *
with_two_dashes(const struct tool *tool, const char *word)
{
	char *text = tool_alloc(tool, strlen(word) + 2, 1);

	text[0] = '-';
	strcpy(text + 1, word);
	return text;
}

void
tool_single_dash(const struct tool *tool, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];
		const struct tool_option *o;

		if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
			return;
		if (word[1] == '-') {
			o = by_name(tool, word + 2);
		} else if (!word[2] && by_letter(tool, word[1])) {
			o = by_letter(tool, word[1]);
		} else {
			o = by_name(tool, word + 1);
			argv[i] = with_two_dashes(tool, word);
		}
		if (o && o->argument && !strchr(word, '='))
			i++;
	}
}
