/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts, says where its stack is, and ends. */
#include <stdint.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	uintptr_t place = (uintptr_t)argv;
	char text[2 * sizeof place + 1] = "";

	(void)argc;
	for (int i = 2 * sizeof place; i-- > 0; place /= 16)
		text[i] = "0123456789abcdef"[place % 16];
	puts(text);
	return 0;
}
