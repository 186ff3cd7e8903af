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
 *   fails with that error.  So it is for read() with one that the device does
 *   not serve any more, but the error is that of a file for writing only.
 *
 * An ioctl() that QEMU does not know cannot be answered this way: it fails
 * whatever the descriptor is.  Programs are compiled against the system's
 * headers, and link a client that overrides ioctl() and asks over the channel.
 */
#include "device_file.h"

#include "channel_hwperf.h"
#include "follow.h"
#include "guest_strings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define NAME_PREFIX "pmcsim:"
#define LINK_PREFIX "/memfd:" NAME_PREFIX
#define LINK_SUFFIX " (deleted)"
#define MAX_WRITE (1u << 16)
#define MAX_VECTOR 1024

static const struct device_file *const files[] = {
	&perf_file,
	&hwperf_file,
	&pctr_file,
	&ia64_file,
	&pfm_file,
};

/* A descriptor that is something else while a call runs. */
static __thread struct {
	bool swapped;
	int fd, kept, flags;	/* descriptor swapped, and what it was */
} changed;

/* ---- Files ----------------------------------------------------------- */

/* Of a file that is open, the process may have ended. */
static const struct device_file *
find_file(const char *path, bool is_open)
{
	for (size_t i = 0; i < SIM_COUNT(files); i++)
		if (files[i]->system == plugin.config->system &&
		    (files[i]->path ? !strcmp(files[i]->path, path) :
				      is_open || files[i]->match(path)))
			return files[i];
	return NULL;
}

const struct device_file *
device_file_named(const char *path)
{
	return find_file(path, false);
}

const struct device_file *
device_file_called(void)
{
	for (size_t i = 0; i < SIM_COUNT(files); i++)
		if (files[i]->system == plugin.config->system &&
		    files[i]->call)
			return files[i];
	return NULL;
}

const struct device_file *
device_file_of(int fd, char path[DEVICE_PATH])
{
	char link[32], name[sizeof LINK_PREFIX + DEVICE_PATH +
			    sizeof LINK_SUFFIX];
	size_t prefix = sizeof LINK_PREFIX - 1;
	size_t suffix = sizeof LINK_SUFFIX - 1;
	ssize_t n;

	if (fcntl(fd, F_GET_SEALS) < 0)	/* no memfd: the common case */
		return NULL;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, name, sizeof name);
	if (n < (ssize_t)(prefix + suffix) ||
	    n >= (ssize_t)(prefix + suffix + DEVICE_PATH) ||
	    memcmp(name, LINK_PREFIX, prefix))
		return NULL;
	name[n - (ssize_t)suffix] = '\0';
	if (path)
		strcpy(path, name + prefix);
	return find_file(name + prefix, true);
}

/* ---- Snapshots ------------------------------------------------------- */

/* Beyond the limit that the target has set to its files is a signal. */
bool
device_file_fits(size_t bytes)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) && bytes <= limit.rlim_cur;
}

/* The memfd may be open for reading only.  It gets the whole text or none. */
void
device_file_fill(int fd, const struct device_file *file)
{
	char path[32], text[DEVICE_TEXT];
	size_t length = file->read ? file->read(text) : 0;
	int writable;

	if (!length && !file->pour)
		return;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	writable = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (writable < 0)
		return;
	if (file->pour)
		file->pour(writable);
	else if (device_file_fits(length) &&
		 write(writable, text, length) != (ssize_t)length)
		close(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC));
	close(writable);
}

int
device_file_snapshot(const struct device_file *file, const char *path)
{
	char name[sizeof NAME_PREFIX + DEVICE_PATH];
	int fd;

	snprintf(name, sizeof name, NAME_PREFIX "%s", path);
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd >= 0) {
		fchmod(fd, 0644);
		device_file_fill(fd, file);
	}
	return fd;
}

/* ---- Reading and writing --------------------------------------------- */

/* A descriptor for which writing fails with that error, or, with EBADF,
 * reading. */
static int
refusing(int error)
{
	int fd;

	if (error == -EBADF)
		return open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (error != -EPERM)	/* a timer knows no write: EINVAL */
		return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	fd = memfd_create("refused", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0)
		fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE);
	return fd;
}

/* Makes the running call fail with that error, unless it does with another. */
static void
refuse(int fd, int error)
{
	int stand_in = changed.swapped ? -1 : refusing(error);

	if (stand_in < 0)
		return;
	changed.flags = fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0;
	changed.kept = follow_fd_aside(fd);
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
read_before(int fd, bool at_start)
{
	const struct device_file *file = device_file_of(fd, NULL);

	if (!file)
		return;
	if (file->may_read && !file->may_read(fd))
		refuse(fd, -EBADF);
	else if (at_start || lseek(fd, 0, SEEK_CUR) == 0)
		device_file_fill(fd, file);
}

static void
write_text(int fd, const struct device_file *file, const char *text,
	   size_t length)
{
	int error = file->write ? file->write(text, length) : -EINVAL;

	if (error)
		refuse(fd, error);
	else	/* the call itself may leave its text there, at the start */
		lseek(fd, 0, SEEK_SET);
}

bool
device_file_writable(int fd)
{
	return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static void
write_before(int fd, u64 addr, u64 length)
{
	const struct device_file *file = device_file_of(fd, NULL);
	char *text;

	if (!file || !device_file_writable(fd) || !length)
		return;
	text = length > MAX_WRITE ? NULL : malloc(length);
	if (!text)
		refuse(fd, -EINVAL);
	else if (!guest_read(text, guest_address(addr), length))
		write_text(fd, file, text, length);
	free(text);
}

/* Appends what the vector's entry i refers to; 0, -EFAULT or -EINVAL. */
static int
gather(char *text, size_t *length, u64 vector, u64 i)
{
	u64 address, bytes;

	if (guest_piece(vector, i, &address, &bytes))
		return -EFAULT;
	if (bytes > MAX_WRITE - *length)
		return -EINVAL;
	if (guest_read(text + *length, address, bytes))
		return -EFAULT;
	*length += bytes;
	return 0;
}

/* As the call itself, only what is in front of a bad address. */
static void
writev_before(int fd, u64 addr, u64 n)
{
	const struct device_file *file = device_file_of(fd, NULL);
	int error = 0;
	char *text;
	size_t length = 0;

	if (!file || !device_file_writable(fd) || !n || n > MAX_VECTOR)
		return;
	text = malloc(MAX_WRITE);
	for (u64 i = 0; text && i < n && !error; i++)
		error = gather(text, &length, guest_address(addr), i);
	if (!text || error == -EINVAL)
		refuse(fd, -EINVAL);
	else if (length)
		write_text(fd, file, text, length);
	free(text);
}

/* Calls that move data without showing it: callers then read and write. */
static void
move_before(int in, int out)
{
	read_before(in, false);
	if (device_file_of(out, NULL))
		refuse(out, -EINVAL);
}

static void
close_before(int fd)
{
	const struct device_file *file = device_file_of(fd, NULL);

	if (file && file->close)
		file->close(fd);
}

/* ---- Calls ----------------------------------------------------------- */

void
device_file_before(enum call call, const u64 arg[8])
{
	int fd = (int)arg[0];

	switch (call) {
	case CALL_CLOSE:
		close_before(fd);
		break;
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
		device_path_before(call, arg);
		break;
	}
}

void
device_file_after(s64 result)
{
	device_look_after(result);
	device_path_after();
	refuse_after();
}
