/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the arguments and the environment, in order. */
#include <stdio.h>

extern char **environ;

int
main(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		printf("[%s]", argv[i]);
	putchar('\n');
	for (char **e = environ; *e; e++)
		puts(*e);
	return 0;
}
