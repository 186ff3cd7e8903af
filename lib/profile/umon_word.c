/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of umon.out(5): texts and numbers. */
#include "umon_read_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *
umon_word(char **rest)
{
	char *word = *rest, *end;

	if (!word)
		return NULL;
	end = strchr(word, ' ');
	if (end)
		*end++ = '\0';
	*rest = end;
	return word;
}

char *
umon_text(char **rest)
{
	char *word = umon_word(rest), *out;

	if (!word || !*word)
		return NULL;
	if (!strcmp(word, "\\"))
		return strdup("");
	out = word;
	for (const char *in = word; *in; out++) {
		unsigned code = 0;

		if (*in != '\\') {
			*out = *in++;
			continue;
		}
		in++;
		for (int i = 0; i < 3; i++, in++) {
			if (*in < '0' || *in > '7')
				return NULL;
			code = code * 8 + (unsigned)(*in - '0');
		}
		if (!code || code > 255)
			return NULL;
		*out = (char)code;
	}
	*out = '\0';
	return strdup(word);
}

bool
umon_number(char **rest, unsigned base, uint64_t max, uint64_t *number)
{
	char *word = umon_word(rest), *end;

	if (!word || !isxdigit((unsigned char)*word))
		return false;
	errno = 0;
	*number = strtoull(word, &end, (int)base);
	return !*end && !errno && *number <= max;
}
