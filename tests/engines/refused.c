/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction that the native engine does not execute: a far return. */
int
main(int argc, char **argv)
{
	(void)argv;
	if (argc == 1)
		__asm__ volatile("lretq");
	return 0;
}
