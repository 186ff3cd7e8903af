/* SPDX-License-Identifier: GPL-2.0-or-later */
/* then PROGRAM...: executes it in a child, and then in place of itself. */
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int status;

	if (argc < 2)
		return 64;
	if (!fork())
		execvp(argv[1], argv + 1);
	wait(&status);
	execvp(argv[1], argv + 1);
	return 1;
}
