/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of emulated devices, and ioctl() for their files. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* whatever C the program is compiled as */
#endif

#include "pmcsim_client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A request as it goes over the channel, with room for its end. */
struct message {
	struct pmcsim_request head;
	unsigned char text[8 * (PMCSIM_CLIENT_WORDS + 2)];
};

static void
put_word(unsigned char *text, size_t n, uint64_t word)
{
	unsigned i;

	for (i = 0; i < 8; i++)
		text[8 * n + i] = (unsigned char)(word >> 8 * i);
}

static uint64_t
get_word(const unsigned char *text, size_t n)
{
	uint64_t word = 0;
	unsigned i;

	for (i = 0; i < 8; i++)
		word |= (uint64_t)text[8 * n + i] << 8 * i;
	return word;
}

enum pmcsim_client_answer
pmcsim_client_call(int fd, enum pmcsim_command command, uint64_t *word,
		   size_t in, size_t out, long *result)
{
	struct message m;	/* not cleared: what we do is counted too */
	int before = errno;
	size_t i;

	m.head.value = (uint64_t)(int64_t)fd;
	m.head.length = (uint32_t)(8 * (in + 1));
	put_word(m.text, 0, command);
	for (i = 0; i < in; i++)
		put_word(m.text, i + 1, word[i]);
	if (pmcsim_client_ask(PMCSIM_DEVICE_CALL, &m.head, sizeof m)) {
		errno = before;
		return PMCSIM_NOT_SERVED;
	}
	*result = (long)(int64_t)m.head.value;
	if (*result < 0) {
		errno = (int)-*result;
		*result = -1;
	} else {
		for (i = 0; i < out; i++)
			word[i] = get_word(m.text, i);
	}
	return PMCSIM_SERVED;
}

int
pmcsim_client_has(const void *p, size_t bytes, int writes)
{
	int before = errno, bad;

	if (!p)
		return 0;
	bad = syscall(writes ? SYS_read : SYS_write, PMCSIM_PROBE, p, bytes) <
		      0 && errno == EFAULT;
	errno = before;
	return !bad;
}

static const struct pmcsim_client_request *
find_request(unsigned long request)
{
	static const struct pmcsim_client_request other = {
		.command = PMCSIM_OTHER,
	};
	const struct pmcsim_client_request *const systems[] = {
		pmcsim_client_irix,
		pmcsim_client_openbsd,
		pmcsim_client_tru64,
	};
	const struct pmcsim_client_request *r;
	size_t i;

	for (i = 0; i < sizeof systems / sizeof *systems; i++)
		for (r = systems[i]; r->command; r++)
			if (r->request == request)
				return r;
	return &other;
}

/* Whether there is room for what the words have. */
static int
has_room(const struct pmcsim_client_request *r, void *arg,
	 const uint64_t *word)
{
	return !r->each || pmcsim_client_has(*(void **)arg,
					     (size_t)word[0] * r->each, 1);
}

/* A structure that is not there is an error, but only of a device's file. */
static int
call_device(int fd, const struct pmcsim_client_request *r, void *arg,
	    enum pmcsim_client_answer *answer)
{
	uint64_t word[PMCSIM_CLIENT_WORDS];
	int there = !r->bytes ||
		    pmcsim_client_has(arg, r->bytes, r->get && !r->each);
	long result = 0;

	if (r->put && there)
		r->put(arg, word);
	*answer = pmcsim_client_call(fd, r->command, word, there ? r->in : 0,
				     r->out, &result);
	if (*answer == PMCSIM_SERVED && result >= 0 && r->get) {
		if (!there || !has_room(r, arg, word)) {
			errno = EFAULT;
			return -1;
		}
		r->get(arg, word);
	}
	return (int)result;
}

/* QEMU knows no call that a device's request would be, whatever the descriptor
 * is: what the kernel would say. */
static int
call_kernel(int fd, unsigned long request, void *arg)
{
	int result = (int)syscall(SYS_ioctl, fd, request, arg);

	if (result < 0 && errno == ENOSYS)
		errno = fcntl(fd, F_GETFD) < 0 ? EBADF : ENOTTY;
	return result;
}

/* As the C library has it: what no device serves goes to the kernel. */
int
ioctl(int fd, unsigned long request, ...)
{
	enum pmcsim_client_answer answer = PMCSIM_NOT_SERVED;
	va_list ap;
	void *arg;
	int result = -1;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (fd >= 0)
		result = call_device(fd, find_request(request), arg, &answer);
	return answer == PMCSIM_SERVED ? result :
					 call_kernel(fd, request, arg);
}

/*
 * Where time has 64 bits and long 32, the above is __ioctl_time64 to the
 * linker.  The static C library has that in one file with the other names,
 * which its own functions ask for: that file is not to be linked.
 */
#if defined __USE_TIME_BITS64 && __SIZEOF_LONG__ == 4
int pmcsim_ioctl_plain(int fd, unsigned long request, ...) __asm__("ioctl")
	__attribute__((alias("__ioctl_time64")));
int pmcsim_ioctl_own(int fd, unsigned long request, ...) __asm__("__ioctl")
	__attribute__((alias("__ioctl_time64")));
#endif
