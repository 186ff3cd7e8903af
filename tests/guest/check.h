/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For programs that check what they see and say where it is not right. */
#ifndef GUEST_CHECK_H
#define GUEST_CHECK_H

#include <errno.h>
#include <stdio.h>

static int check_failures;

/* An address that no program has, and the compiler does not know. */
static inline void *
no_address(void)
{
	void *volatile address = (void *)16;

	return address;
}

#define NOWHERE no_address()

#define CHECK(what)                                                       \
	do {                                                              \
		errno = 0;                                                \
		if (!(what)) {                                            \
			printf("%s:%d: %s (errno %d)\n", __FILE__,        \
			       __LINE__, #what, errno);                   \
			check_failures++;                                 \
		}                                                         \
	} while (0)

#endif
