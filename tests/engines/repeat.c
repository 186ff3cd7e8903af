/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repeat N COMMAND...: executes the command so many times, one behind the other;
 * ends with the last one's status. */
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int
once(char **command, int spawns)
{
	int status;
	pid_t pid;

	if (spawns) {
		if (posix_spawnp(&pid, command[0], NULL, NULL, command,
				 environ))
			return 127;
	} else {
		pid = fork();
		if (!pid) {
			execvp(command[0], command);
			_exit(127);
		}
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

int
main(int argc, char **argv)
{
	int status = 0;

	for (int i = 0; argc > 2 && i < atoi(argv[1]); i++)
		status = once(argv + 2, i % 2);
	return status;
}
