/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
strings_own(struct strings *list, char *text)
{
	if (text && list->n + 2 > list->room) {
		size_t room = list->room ? 2 * list->room : 64;
		char **s = realloc(list->s, room * sizeof *s);

		if (s) {
			list->s = s;
			list->room = room;
		} else {
			free(text);
			text = NULL;
		}
	}
	if (!text) {
		list->failed = true;
		return;
	}
	list->s[list->n++] = text;
	list->s[list->n] = NULL;
}

void
strings_add(struct strings *list, const char *text)
{
	strings_own(list, strdup(text));
}

void
strings_add_number(struct strings *list, const char *option, unsigned number)
{
	char *text;

	strings_add(list, option);
	strings_own(list, asprintf(&text, "%u", number) < 0 ? NULL : text);
}

void
strings_push(struct strings *list, const char *text)
{
	char *last;

	strings_add(list, text);
	if (list->failed)
		return;
	last = list->s[list->n - 1];
	memmove(list->s + 1, list->s, (list->n - 1) * sizeof *list->s);
	list->s[0] = last;
}

void
strings_free(struct strings *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->s[i]);
	free(list->s);
	memset(list, 0, sizeof *list);
}
