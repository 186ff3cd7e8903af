/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where memory is mapped once what comes behind the last mapping is taken. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

#define PAGE 65536

static char *
map(char *where, size_t bytes, int fixed)
{
	return mmap(where, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
}

int
main(void)
{
	char *last = map(NULL, PAGE, 0);

	map(last + PAGE, PAGE, MAP_FIXED);
	printf("%p\n", map(NULL, 16 * PAGE, 0));
	return 0;
}
