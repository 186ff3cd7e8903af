/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peak PROGRAM [ARGUMENT...]: runs a program with its output thrown away and
 * prints the peak memory of its largest process in kB.  It is small itself:
 * a process begins with the peak of the one that it was forked from.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t child = argc > 1 ? fork() : -1;

	if (child == 0) {
		int null = open("/dev/null", O_RDWR);

		if (null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0)
			execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
		fputs("peak: the program failed or could not start\n", stderr);
		return 1;
	}
	printf("%ld\n", usage.ru_maxrss);
	return 0;
}
