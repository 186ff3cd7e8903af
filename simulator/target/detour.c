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
 *   refuses, a file that no user may write.  The path is mostly a constant on
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
#include "detour.h"

#include "engine.h"
#include "follow_fd.h"
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

#define MAX_WRITE (1u << 16)
#define MAX_VECTOR 1024

/* A descriptor that is something else while a call runs. */
static __thread struct {
	bool swapped;
	int fd, kept, flags;	/* descriptor swapped, and what it was */
} changed;

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
detour_before(enum call call, const u64 arg[8])
{
	int fd = (int)arg[0];

	if (target.config->system == SYSTEM_NONE)
		return;
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
		detour_path_before(call, arg);
		break;
	}
}

void
detour_after(s64 result)
{
	detour_look_after(result);
	detour_path_after();
	refuse_after();
}
