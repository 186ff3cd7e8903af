/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction that the native engine does not execute: GS is its own. */
int
main(int argc, char **argv)
{
	unsigned long word;

	(void)argv;
	if (argc > 1)
		return 0;
	__asm__ volatile("mov %%gs:(%%rsp), %0" : "=r"(word));
	return word == 1;
}
