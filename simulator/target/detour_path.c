/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of the target that name a file of a device: for the time of the
 * call, they lead to a descriptor of ours.
 */
#include "detour.h"

#include "engine.h"
#include "follow_fd.h"
#include "guest_strings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define UNWRITABLE "/proc/sys/kernel/ostype" /* EACCES, for root as well */

/* What the running call finds changed, to be put back. */
static __thread struct {
	u64 path;		/* address of an overwritten path, 0: none */
	char original[DEVICE_PATH];
	int behind;		/* descriptor that it leads to, -1: none */
} changed;

static __thread int seen = -1;		/* what stat() has shown */

/* A path of the target that names a file. */
struct named {
	const struct device_file *file;
	u64 addr;
	char path[DEVICE_PATH];
};

/* The snapshot that stat() has shown if there is one; the target may have
 * closed it. */
static int
take_seen(const struct named *named)
{
	char path[DEVICE_PATH];
	int fd = seen;

	seen = -1;
	if (fd < 0 || device_file_of(fd, path) != named->file ||
	    strcmp(path, named->path))
		return device_file_snapshot(named->file, named->path);
	device_file_fill(fd, named->file);
	return fd;
}

/* Whether the path at an address of the target names a file. */
static bool
find_named(struct named *named, u64 addr)
{
	char *text = guest_string(addr);
	bool fits = text && *text == '/' && strlen(text) < DEVICE_PATH;

	named->addr = addr;
	named->file = NULL;
	if (fits) {
		strcpy(named->path, text);
		named->file = device_file_named(named->path);
	}
	free(text);
	return named->file;
}

/* Writes to memory of the target that may be read-only for it. */
static bool
force(u64 addr, const char *text, size_t bytes)
{
	int fd;
	bool done;

	if (!guest_write(addr, text, bytes))
		return true;
	fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = pwrite(fd, text, bytes, (off_t)(target.guest_base + addr)) ==
	       (ssize_t)bytes;
	close(fd);
	return done;
}

/* Moves fd to the highest number that is free, has at most that many digits
 * and is within the limit; the number or -1. */
static int
renumber(int fd, int digits)
{
	for (int n = digits == 1 ? 9 : 99; n > 2; n--) {
		if (fcntl(n, F_GETFD) >= 0 || dup3(fd, n, O_CLOEXEC) < 0)
			continue;
		close(fd);
		return n;
	}
	close(fd);
	return -1;
}

/*
 * Overwrites the path until the call returns, by folder and name with as
 * many slashes between them as it takes.
 */
static bool
overwrite(const struct named *named, const char *folder, const char *name)
{
	size_t length = strlen(named->path);
	char path[DEVICE_PATH];

	if (strlen(folder) + 1 + strlen(name) > length)
		return false;
	memset(path, '/', length);
	memcpy(path, folder, strlen(folder));
	memcpy(path + length - strlen(name), name, strlen(name));
	if (!force(named->addr, path, length))
		return false;
	memcpy(changed.original, named->path, length + 1);
	changed.path = named->addr;
	changed.behind = -1;
	return true;
}

/* Makes the path lead to fd, which it takes over. */
static void
redirect(const struct named *named, int fd)
{
	char name[16];

	fd = fd < 0 ? -1 : renumber(fd, strlen(named->path) < 10 ? 1 : 2);
	if (fd < 0)
		return;
	snprintf(name, sizeof name, "fd/%d", fd);
	if (overwrite(named, "/dev", name))
		changed.behind = fd;
	else
		close(fd);
}

enum use { USE_READ, USE_WRITE, USE_FOLDER, USE_LOOK, USE_LOOK_AT_LINK };

/* A call is about to use a path that names a file. */
static void
named_before(const struct named *named, enum use use)
{
	int fd;

	if (use == USE_READ || use == USE_WRITE)
		engine->model_all();
	/* The host may have folders of names that match. */
	if (use == USE_FOLDER && named->file->match)
		return;
	/* What cannot be read is shown as what it is like. */
	if (use == USE_LOOK_AT_LINK ||
	    (use == USE_LOOK && !named->file->read)) {
		overwrite(named, named->file->like[0], named->file->like[1]);
		return;
	}
	if (use == USE_WRITE && !named->file->may_write(named->path))
		fd = open(UNWRITABLE, O_PATH | O_CLOEXEC);
	else
		fd = take_seen(named);
	if (use == USE_LOOK)
		seen = follow_fd_aside(fd);
	redirect(named, fd);
}

static void
path_before(u64 arg, enum use use)
{
	struct named named;

	if (find_named(&named, guest_address(arg)))
		named_before(&named, use);
}

/* A call is about to show what is behind a path. */
static void
look_before(enum call call, u64 arg, enum use use, u64 buffer)
{
	struct named named;

	if (!find_named(&named, guest_address(arg)))
		return;
	named_before(&named, use);
	detour_look_before(call, guest_address(buffer),
			   named.file->may_write(named.path));
}

/* The same of a descriptor. */
static void
look_at_fd_before(enum call call, int fd, u64 buffer)
{
	char path[DEVICE_PATH];
	const struct device_file *file = device_file_of(fd, path);

	if (file)
		detour_look_before(call, guest_address(buffer),
				   file->may_write(path));
}

/* The same of either: a path that is empty may stand for a descriptor. */
static void
look_at_before(enum call call, const u64 arg[8], u64 flags, u64 buffer)
{
	enum use use = flags & AT_SYMLINK_NOFOLLOW ? USE_LOOK_AT_LINK :
						     USE_LOOK;
	char *path = guest_string(guest_address(arg[1]));

	if (path && *path)
		look_before(call, arg[1], use, buffer);
	else if (path && flags & AT_EMPTY_PATH)
		look_at_fd_before(call, (int)arg[0], buffer);
	free(path);
}

void
detour_path_after(void)
{
	if (!changed.path)
		return;
	/* That descriptor may be the last one that there is. */
	if (changed.behind >= 0)
		close(changed.behind);
	force(changed.path, changed.original, strlen(changed.original));
	changed.path = 0;
}

/* ---- Calls ----------------------------------------------------------- */

static enum use
use_of_open(u64 flags)
{
	u64 folder = target.isa == ISA_ALPHA ? 0100000 : 0200000;

	if (flags & folder)
		return USE_FOLDER;
	return (flags & O_ACCMODE) == O_RDONLY ? USE_READ : USE_WRITE;
}

static enum use
use_of_access(u64 mode)
{
	return mode & W_OK ? USE_WRITE : USE_READ;
}

void
detour_path_before(enum call call, const u64 arg[8])
{
	switch (call) {
	case CALL_OPEN:
		path_before(arg[0], use_of_open(arg[1]));
		break;
	case CALL_OPENAT:
		path_before(arg[1], use_of_open(arg[2]));
		break;
	case CALL_CREAT:
		path_before(arg[0], USE_WRITE);
		break;
	case CALL_ACCESS:
		path_before(arg[0], use_of_access(arg[1]));
		break;
	case CALL_FACCESSAT:
		path_before(arg[1], use_of_access(arg[2]));
		break;
	case CALL_STAT:
	case CALL_STAT64:
		look_before(call, arg[0], USE_LOOK, arg[1]);
		break;
	case CALL_LSTAT:
	case CALL_LSTAT64:
		look_before(call, arg[0], USE_LOOK_AT_LINK, arg[1]);
		break;
	case CALL_FSTAT:
	case CALL_FSTAT64:
		look_at_fd_before(call, (int)arg[0], arg[1]);
		break;
	case CALL_FSTATAT:
		look_at_before(call, arg, arg[3], arg[2]);
		break;
	case CALL_STATX:
		look_at_before(call, arg, arg[2], arg[4]);
		break;
	case CALL_XATTR:
		path_before(arg[0], USE_LOOK_AT_LINK);
		break;
	default:
		break;
	}
}
