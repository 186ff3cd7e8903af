/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "strings.h"

#include "plugin.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE 4096u

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

u64
guest_address(u64 arg)
{
	return guest_word_size() == 4 ? (u32)arg : arg;
}

char *
guest_string(u64 addr)
{
	size_t n = 0, room = 0;
	char *text = NULL, *more;

	for (;;) {
		size_t chunk = PAGE - ((plugin.guest_base + addr) & (PAGE - 1));

		if (n + chunk > room) {
			room = n + PAGE;
			more = realloc(text, room);
			if (!more)
				break;
			text = more;
		}
		if (guest_read(text + n, addr, chunk))
			break;
		if (memchr(text + n, '\0', chunk))
			return text;
		n += chunk;
		addr += chunk;
	}
	free(text);
	return NULL;
}

int
guest_vector(struct strings *list, u64 addr)
{
	unsigned size = guest_word_size();
	u8 word[8];
	u64 at;

	if (!addr)
		return 0;
	for (;; addr += size) {
		if (guest_read(word, addr, size))
			return -EFAULT;
		at = guest_word(word);
		if (!at)
			return list->failed ? -ENOMEM : 0;
		strings_own(list, guest_string(at));
		if (list->failed)
			return -EFAULT;
	}
}
