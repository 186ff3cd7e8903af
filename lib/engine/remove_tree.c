/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes a folder with all that is in it, whatever that is: others may have
 * made folders in it without permissions, and one in the other to any depth.
 * So what a folder holds is moved up to the top before it is removed.
 */
#include "engine_fetch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
	int top;
	unsigned long moved;	/* names given so far */
};

/* Opens a folder that may be without permissions, and no link. */
static int
open_folder(int at, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(at, name, flags);
	struct stat st;

	if (fd < 0 && errno == EACCES &&
	    !fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISDIR(st.st_mode) && !fchmodat(at, name, 0700, 0))
		fd = openat(at, name, flags);
	if (fd >= 0)
		fchmod(fd, 0700);
	return fd < 0 ? -errno : fd;
}

/* Calls fn for what is in the folder fd, which it closes, until it fails. */
static int
each_entry(int fd, int (*fn)(struct tree *t, int fd, const char *name),
	   struct tree *t)
{
	DIR *folder = fdopendir(fd);
	struct dirent *e;
	int rc = 0;

	if (!folder) {
		rc = -errno;
		close(fd);
		return rc;
	}
	while (!rc && (e = readdir(folder)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			rc = fn(t, fd, e->d_name);
	closedir(folder);
	return rc;
}

/* A folder gets a new name at the top, which no other has. */
static int
move_up(struct tree *t, int at, const char *name)
{
	char to[32];
	int rc;

	/* To be moved, it has to be writable itself. */
	if (fchmodat(at, name, 0700, 0))
		return -errno;
	do {
		snprintf(to, sizeof to, "%lu", t->moved++);
		rc = renameat2(at, name, t->top, to, RENAME_NOREPLACE);
	} while (rc && errno == EEXIST);
	return rc ? -errno : 0;
}

static int
clear_entry(struct tree *t, int at, const char *name)
{
	if (!unlinkat(at, name, 0))
		return 0;
	return errno == EISDIR ? move_up(t, at, name) : -errno;
}

/* An entry of the top; what was in it is there then. */
static int
remove_entry(struct tree *t, int top, const char *name)
{
	int fd, rc;

	if (!unlinkat(top, name, 0))
		return 0;
	if (errno != EISDIR)
		return -errno;
	fd = open_folder(top, name);
	rc = fd < 0 ? fd : each_entry(fd, clear_entry, t);
	if (!rc && unlinkat(top, name, AT_REMOVEDIR) && errno != ENOTEMPTY)
		rc = -errno;
	return rc;
}

int
fetch_remove_tree(const char *path)
{
	struct tree t = {.top = open_folder(AT_FDCWD, path)};
	int rc = 0;

	if (t.top == -ENOENT)
		return 0;
	if (t.top < 0)
		return unlink(path) ? t.top : 0;
	while (rmdir(path)) {
		if (errno != ENOTEMPTY && errno != EEXIST)
			rc = -errno;
		if (!rc) {
			int fd = open_folder(AT_FDCWD, path);

			rc = fd < 0 ? fd : each_entry(fd, remove_entry, &t);
		}
		if (rc)
			break;
	}
	close(t.top);
	return rc;
}
