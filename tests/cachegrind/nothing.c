/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts and ends. */
#include <stdio.h>

int
main(void)
{
	puts("");
	return 0;
}
