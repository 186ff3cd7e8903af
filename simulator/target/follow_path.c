/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that the target wants executed, and the machine that the next program
 * counts on. */
#include "follow_path.h"

#include "engine.h"
#include "follow_fd.h"
#include "places_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static __thread int held = -1;	/* a file to be executed that has no path */

/* A memfd or a file that has been removed: by a descriptor that stays. */
static char *
path_of_copy(const char *path)
{
	char *copy, *end;
	long fd = strtol(strstr(path, "/fd/") + 4, &end, 10);

	if (*end)
		return NULL;
	held = follow_fd_aside((int)fd);
	if (held < 0 || fcntl(held, F_SETFD, 0) ||
	    asprintf(&copy, "/proc/self/fd/%d", held) < 0)
		return NULL;
	return copy;
}

/*
 * A descriptor may be closed by execve, and QEMU opens the program after it:
 * the path of the file, if it still has that one.
 */
static char *
path_of_descriptor(const char *path)
{
	char *real = realpath(path, NULL);
	struct stat a, b;

	if (real && !stat(path, &a) && !stat(real, &b) &&
	    a.st_ino == b.st_ino && a.st_dev == b.st_dev)
		return real;
	free(real);
	return path_of_copy(path);
}

char *
follow_path(char *path)
{
	char *other = NULL;

	if (!strcmp(path, "/proc/self/exe")) {
		other = program_file();
	} else if (!strncmp(path, "/proc/self/fd/", 14) ||
		   !strncmp(path, "/dev/fd/", 8)) {
		other = path_of_descriptor(path);
	} else if (*path == '-' && asprintf(&other, "./%s", path) < 0) {
		other = NULL;
	}
	if (!other)
		return path;
	free(path);
	return other;
}

char *
follow_path_at(int dirfd, char *path, int flags)
{
	char *other;

	if (flags & AT_SYMLINK_NOFOLLOW || (!*path && !(flags & AT_EMPTY_PATH))) {
		free(path);
		return NULL;
	}
	if (*path == '/' || (dirfd == AT_FDCWD && *path))
		return follow_path(path);
	if (asprintf(&other, "/proc/self/fd/%d%s%s", dirfd, *path ? "/" : "",
		     path) < 0)
		other = NULL;
	free(path);
	return other ? follow_path(other) : NULL;
}

void
follow_path_after(void)
{
	if (held >= 0)
		close(held);
	held = -1;
}

/*
 * The next program opens the machine by its path.  What belongs to a tool
 * (/proc/PID/fd/N) it may not find there, in another namespace or as another
 * user, or when the tool has ended: it inherits the descriptor.
 */
bool
follow_machine(void)
{
	const char *path = engine->machine_path();
	bool lasts = strncmp(path, "/proc/", 6);

	if (lasts && !access(path, R_OK | W_OK))
		return false;
	if ((!lasts || errno == EACCES) &&
	    !fcntl(target.map.fd, F_SETFD, 0)) {
		return true;
	}
	if (!access(path, R_OK | W_OK))
		return false;
	dprintf(STDERR_FILENO, "pmcsim: the machine %s is gone, so no further "
		"program can be started: %s\n", path,
		strerror(errno));
	process_exit();
	process_stop();
}
