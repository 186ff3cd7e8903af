/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's memory, as the kernel lets it be read and written: without a signal where
 * there is none. */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define HOST_PAGE 4096u

static __thread pid_t self;	/* the thread's id; 0: not asked for yet */

void
guest_forked(void)
{
	self = 0;
}

/* Containers may refuse the calls that access memory of other processes, also
 * for one's own. */
static bool
is_refused(ssize_t n)
{
	return n < 0 && (errno == EPERM || errno == ENOSYS);
}

/*
 * Whether all of it can be read.  The kernel reads what is to be a signal mask
 * before it finds that there is no such way to change one.  This takes no
 * descriptor, and heeds what /proc/self/mem does not: pages without access.
 */
static bool
is_readable(u64 at, size_t bytes)
{
	u64 end = at + bytes;

	for (; at < end; at = (at | (HOST_PAGE - 1)) + 1)
		if (syscall(SYS_rt_sigprocmask, -1, at & ~(u64)7, NULL, 8) >=
			    0 ||
		    errno != EINVAL)
			return false;
	return end >= bytes;
}

static ssize_t
write_by_file(u64 at, const void *src, size_t bytes)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = pwrite(fd, src, bytes, (off_t)at);
	close(fd);
	return n;
}

/* The first thread of a process may have ended, and has no memory then. */
static pid_t
calling_thread(void)
{
	if (!self)
		self = (pid_t)syscall(SYS_gettid);
	return self;
}

int
guest_read(void *dest, u64 addr, size_t bytes)
{
	u64 at = target.guest_base + addr;
	struct iovec to = {dest, bytes};
	struct iovec from = {(void *)(uintptr_t)at, bytes};
	ssize_t n = process_vm_readv(calling_thread(), &to, 1, &from, 1, 0);

	if (is_refused(n) && is_readable(at, bytes)) {
		memcpy(dest, from.iov_base, bytes);
		return 0;
	}
	return n == (ssize_t)bytes ? 0 : -EFAULT;
}

int
guest_write(u64 addr, const void *src, size_t bytes)
{
	u64 at = target.guest_base + addr;
	struct iovec from = {(void *)(uintptr_t)src, bytes};
	struct iovec to = {(void *)(uintptr_t)at, bytes};
	ssize_t n = process_vm_writev(calling_thread(), &from, 1, &to, 1, 0);

	if (is_refused(n) && is_readable(at, bytes))
		n = write_by_file(at, src, bytes);
	return n == (ssize_t)bytes ? 0 : -EFAULT;
}

size_t
guest_on_page(u64 addr, size_t most)
{
	size_t left = HOST_PAGE - ((target.guest_base + addr) & (HOST_PAGE - 1));

	return left < most ? left : most;
}

unsigned
guest_word_size(void)
{
	return target.isa == ISA_X86_64 || target.isa == ISA_ALPHA ? 8 : 4;
}

int
guest_piece(u64 vector, u64 i, u64 *address, u64 *bytes)
{
	unsigned size = guest_word_size();
	u8 entry[16];

	if (guest_read(entry, vector + i * 2 * size, 2 * size))
		return -EFAULT;
	*address = guest_word(entry);
	*bytes = guest_word(entry + size);
	return 0;
}

u64
guest_word(const void *data)
{
	u64 value = 0;
	u32 half;

	if (guest_word_size() == 8) {
		memcpy(&value, data, 8);
		return value;
	}
	memcpy(&half, data, 4);
	return target.isa == ISA_MIPS ? __builtin_bswap32(half) : half;
}
