/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of emulated devices, for any program and without anything preloaded
 * into it.
 *
 * A plugin can neither answer a system call nor change its arguments, but it
 * is asked before the call, and may change what the arguments refer to:
 *
 * - A path that names a device is overwritten, for the time of the call, by
 *   one of the same length that leads to a descriptor of ours, "/dev/fd/99".
 *   Behind it is a memfd with the text as it is now, or, where the device
 *   refuses, a file that nobody may write.  The path is mostly a constant on
 *   a read-only page: hence /proc/self/mem, which may write there.  What is
 *   shown by stat() is what the next open() gets, since programs compare.
 * - The memfd carries the device in its name, so that a descriptor is known
 *   again wherever dup, fork and execve take it.  Reading from its beginning
 *   gets a fresh text.
 * - What is written goes to the device before the call.  If it refuses, the
 *   descriptor is, for the time of the call, something for which write()
 *   fails with that error.
 *
 * What cannot be done this way is an ioctl() that QEMU does not know: it
 * fails whatever the descriptor is.
 */
#include "channel.h"

#include "strings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define NAME_PREFIX "pmcsim:"
#define LINK_PREFIX "/memfd:" NAME_PREFIX
#define MAX_PATH 64
#define MAX_WRITE (1u << 16)
#define MAX_VECTOR 1024
#define UNWRITABLE "/proc/sys/kernel/ostype" /* EACCES, for root as well */

static const struct device_file *const files[] = {&perf_file};

/* What the running call finds changed, to be put back. */
static __thread struct {
	u64 path;		/* address of an overwritten path, 0: none */
	char original[MAX_PATH];
	int behind;		/* descriptor that it leads to, -1: none */
	bool swapped;
	int fd, kept, flags;	/* descriptor swapped, and what it was */
} changed;

/* ---- Snapshots ------------------------------------------------------- */

/* Fills a memfd, which may be open for reading only. */
static void
fill(int fd, const struct device_file *file)
{
	char path[32], text[DEVICE_TEXT];
	size_t length = file->read(text);
	int writable;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	writable = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (writable < 0)
		return;
	if (write(writable, text, length) != (ssize_t)length)
		ftruncate(writable, 0);
	close(writable);
}

static int
snapshot(const struct device_file *file)
{
	char name[MAX_PATH];
	int fd;

	snprintf(name, sizeof name, NAME_PREFIX "%s", file->path);
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd >= 0) {
		fchmod(fd, 0644);
		fill(fd, file);
	}
	return fd;
}

/* The device behind a descriptor; NULL: none. */
static const struct device_file *
file_of(int fd)
{
	char link[32], name[MAX_PATH + sizeof LINK_PREFIX];
	size_t prefix = sizeof LINK_PREFIX - 1, length;
	ssize_t n;

	if (fcntl(fd, F_GET_SEALS) < 0)	/* no memfd: the common case */
		return NULL;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, name, sizeof name);
	if (n < (ssize_t)prefix || memcmp(name, LINK_PREFIX, prefix))
		return NULL;
	for (size_t i = 0; i < SIM_COUNT(files); i++) {
		length = strlen(files[i]->path);
		if (prefix + length < (size_t)n &&
		    !memcmp(name + prefix, files[i]->path, length) &&
		    name[prefix + length] == ' ')
			return files[i];
	}
	return NULL;
}

static __thread int seen = -1;		/* what stat() has shown */

/* The snapshot that stat() has shown if there is one; the target may have
 * closed it. */
static int
take_seen(const struct device_file *file)
{
	int fd = seen;

	seen = -1;
	if (fd < 0 || file_of(fd) != file)
		return snapshot(file);
	fill(fd, file);
	return fd;
}

/* ---- Paths ----------------------------------------------------------- */

/* The device that a path of the target names; NULL: none. */
static const struct device_file *
file_named(u64 addr)
{
	char path[MAX_PATH];

	for (size_t i = 0; i < SIM_COUNT(files); i++) {
		size_t bytes = strlen(files[i]->path) + 1;

		if (!guest_read(path, addr, bytes) &&
		    !memcmp(path, files[i]->path, bytes))
			return files[i];
	}
	return NULL;
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
	done = pwrite(fd, text, bytes, (off_t)(plugin.guest_base + addr)) ==
	       (ssize_t)bytes;
	close(fd);
	return done;
}

/* Moves fd to a free number that has that many digits; the number or -1. */
static int
renumber(int fd, int digits)
{
	int low = digits == 1 ? 3 : 10, high = digits == 1 ? 9 : 99;

	for (int n = high; n >= low; n--) {
		if (fcntl(n, F_GETFD) >= 0)
			continue;
		if (dup3(fd, n, O_CLOEXEC) < 0)
			break;
		close(fd);
		return n;
	}
	close(fd);
	return -1;
}

/* Overwrites the path at addr until the call returns. */
static bool
overwrite(u64 addr, const struct device_file *file, const char *path)
{
	size_t length = strlen(file->path);

	if (!force(addr, path, length))
		return false;
	memcpy(changed.original, file->path, length + 1);
	changed.path = addr;
	changed.behind = -1;
	return true;
}

/* Makes the path at addr lead to fd, which it takes over. */
static void
redirect(u64 addr, const struct device_file *file, int fd)
{
	size_t length = strlen(file->path);
	char path[MAX_PATH];

	fd = fd < 0 ? -1 : renumber(fd, length < 10 ? 1 : 2);
	if (fd < 0)
		return;
	/* As many slashes as it takes. */
	memset(path, '/', length);
	memcpy(path, "/dev", 4);
	snprintf(path + length - (fd < 10 ? 4 : 5), 6, "fd/%d", fd);
	if (overwrite(addr, file, path))
		changed.behind = fd;
	else
		close(fd);
}

enum use { USE_READ, USE_WRITE, USE_LOOK, USE_LOOK_AT_LINK };

/* A call is about to use a path. */
static void
path_before(u64 arg, enum use use)
{
	u64 addr = guest_address(arg);
	const struct device_file *file = file_named(addr);
	int fd;

	if (!file)
		return;
	if (use == USE_LOOK_AT_LINK) {
		overwrite(addr, file, file->like);
		return;
	}
	if (use == USE_WRITE && !file->may_write())
		fd = open(UNWRITABLE, O_PATH | O_CLOEXEC);
	else
		fd = take_seen(file);
	if (use == USE_LOOK)
		seen = fcntl(fd, F_DUPFD_CLOEXEC, 100);
	redirect(addr, file, fd);
}

static void
path_after(void)
{
	if (!changed.path)
		return;
	force(changed.path, changed.original, strlen(changed.original));
	if (changed.behind >= 0)
		close(changed.behind);
	changed.path = 0;
}

/* ---- Reading and writing --------------------------------------------- */

static void
read_before(int fd, bool at_start)
{
	const struct device_file *file = file_of(fd);

	if (file && (at_start || lseek(fd, 0, SEEK_CUR) == 0))
		fill(fd, file);
}

/* A descriptor for which writing fails with that error. */
static int
refusing(int error)
{
	int fd;

	if (error != -EPERM)	/* a timer knows no write: EINVAL */
		return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	fd = memfd_create("refused", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0)
		fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE);
	return fd;
}

/* Makes the running call fail with that error. */
static void
refuse(int fd, int error)
{
	int stand_in = refusing(error);

	if (stand_in < 0)
		return;
	changed.flags = fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0;
	changed.kept = fcntl(fd, F_DUPFD_CLOEXEC, 100);
	if (changed.kept >= 0 && dup3(stand_in, fd, changed.flags) >= 0) {
		changed.swapped = true;
		changed.fd = fd;
	}
	close(stand_in);
}

static void
refuse_after(void)
{
	if (!changed.swapped)
		return;
	dup3(changed.kept, changed.fd, changed.flags);
	close(changed.kept);
	changed.swapped = false;
}

static void
write_text(int fd, const struct device_file *file, const char *text,
	   size_t length)
{
	int error = file->write(text, length);

	if (error)
		refuse(fd, error);
	else	/* the call itself may leave its text there, at the start */
		lseek(fd, 0, SEEK_SET);
}

static bool
may_be_written(int fd)
{
	return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static void
write_before(int fd, u64 addr, u64 length)
{
	const struct device_file *file = file_of(fd);
	char *text;

	if (!file || !may_be_written(fd) || !length)
		return;
	text = length > MAX_WRITE ? NULL : malloc(length);
	if (!text)
		refuse(fd, -EINVAL);
	else if (!guest_read(text, guest_address(addr), length))
		write_text(fd, file, text, length);
	free(text);
}

/* Appends what the vector's entry at addr refers to; false if it cannot. */
static bool
gather(char *text, size_t *length, u64 addr)
{
	unsigned size = guest_word_size();
	u8 entry[16];
	u64 bytes;

	if (guest_read(entry, addr, 2 * size))
		return false;
	bytes = guest_word(entry + size);
	if (bytes > MAX_WRITE - *length ||
	    guest_read(text + *length, guest_word(entry), bytes))
		return false;
	*length += bytes;
	return true;
}

static void
writev_before(int fd, u64 addr, u64 n)
{
	const struct device_file *file = file_of(fd);
	char *text;
	size_t length = 0;
	u64 i;

	if (!file || !may_be_written(fd) || !n || n > MAX_VECTOR)
		return;
	text = malloc(MAX_WRITE);
	for (i = 0; text && i < n; i++)
		if (!gather(text, &length, guest_address(addr) +
			    i * 2 * guest_word_size()))
			break;
	if (!text || i < n)
		refuse(fd, -EINVAL);
	else
		write_text(fd, file, text, length);
	free(text);
}

/* Calls that move data without showing it: callers then read and write. */
static void
move_before(int in, int out)
{
	read_before(in, false);
	if (file_of(out))
		refuse(out, -EINVAL);
}

/* ---- Calls ----------------------------------------------------------- */

static enum use
use_of_open(u64 flags)
{
	return (flags & O_ACCMODE) == O_RDONLY ? USE_READ : USE_WRITE;
}

static enum use
use_of_access(u64 mode)
{
	return mode & W_OK ? USE_WRITE : USE_READ;
}

static enum use
use_of_stat(u64 flags)
{
	return flags & AT_SYMLINK_NOFOLLOW ? USE_LOOK_AT_LINK : USE_LOOK;
}

static void
call_with_path(enum call call, const u64 arg[8])
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
		path_before(arg[0], USE_LOOK);
		break;
	case CALL_LSTAT:
	case CALL_XATTR:
		path_before(arg[0], USE_LOOK_AT_LINK);
		break;
	case CALL_FSTATAT:
		path_before(arg[1], use_of_stat(arg[3]));
		break;
	case CALL_STATX:
		path_before(arg[1], use_of_stat(arg[2]));
		break;
	default:
		break;
	}
}

void
device_file_before(enum call call, const u64 arg[8])
{
	int fd = (int)arg[0];

	switch (call) {
	case CALL_READ:
	case CALL_READV:
		read_before(fd, false);
		break;
	case CALL_PREAD:
	case CALL_PREADV:
		read_before(fd, true);
		break;
	case CALL_WRITE:
	case CALL_PWRITE:
		write_before(fd, arg[1], arg[2]);
		break;
	case CALL_WRITEV:
	case CALL_PWRITEV:
		writev_before(fd, arg[1], arg[2]);
		break;
	case CALL_SENDFILE:
		move_before((int)arg[1], fd);
		break;
	case CALL_SPLICE:
	case CALL_COPY_FILE_RANGE:
		move_before(fd, (int)arg[2]);
		break;
	default:
		call_with_path(call, arg);
		break;
	}
}

void
device_file_after(void)
{
	path_after();
	refuse_after();
}
