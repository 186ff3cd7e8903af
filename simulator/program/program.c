/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program.h"

#include <stdlib.h>
#include <string.h>

void
program_free(struct program *p)
{
	free(p->path);
	p->path = NULL;
	strings_free(&p->argv);
}

bool
script_begins(const char *head, size_t length)
{
	return length >= 2 && head[0] == '#' && head[1] == '!';
}

bool
script_split(char *line, size_t length, char **interpreter, char **argument)
{
	char *end = memchr(line, '\n', length), *at = line + 2;
	bool whole = end || length < SCRIPT_BYTES;

	if (!end)
		end = line + length - !whole;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	at += strspn(at, " \t");
	*interpreter = at;
	at += strcspn(at, " \t");
	if (at == *interpreter || (at == end && !whole))
		return false;
	if (*at)
		*at++ = '\0';
	*argument = at + strspn(at, " \t");
	return true;
}

void
script_start(struct program *p, const char *interpreter, const char *argument)
{
	if (p->argv.n) {
		free(p->argv.s[0]);
		p->argv.s[0] = p->path;
	} else {
		strings_own(&p->argv, p->path);
	}
	if (*argument)
		strings_push(&p->argv, argument);
	strings_push(&p->argv, interpreter);
	p->path = strdup(interpreter);
}
