/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes up words, sorts and counts them: calls and small blocks of memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 20000 };

static char *word[WORDS];

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *
make(unsigned *state)
{
	char text[16];
	unsigned n = 0;

	do {
		*state = *state * 1103515245 + 12345;
		text[n++] = (char)('a' + (*state >> 16) % 7);
	} while (n < 9 && *state >> 30);
	text[n] = '\0';
	return strdup(text);
}

int
main(void)
{
	unsigned state = 1, different = 1;

	for (int i = 0; i < WORDS; i++)
		word[i] = make(&state);
	qsort(word, WORDS, sizeof word[0], compare);
	for (int i = 1; i < WORDS; i++)
		different += strcmp(word[i - 1], word[i]) != 0;
	printf("%u\n", different);
	return 0;
}
