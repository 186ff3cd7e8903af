/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the client library share.
 *
 *	pmcsim_guest.c	the channel itself
 *	client.c	calls of devices; ioctl()
 *	client_*.c	the calls of one system: what their structures hold
 *
 * Plain C for any instruction set, so that the sources can be compiled into
 * programs of other ones:
 *
 *	CC -I... program.c $(pkg-config --variable=sources pmcsim-...)
 */
#ifndef PMCSIM_CLIENT_H
#define PMCSIM_CLIENT_H

#include "pmcsim_channel.h"

#include <stddef.h>

#define PMCSIM_CLIENT_WORDS 256	/* of arguments, or of results */

/*
 * How an ioctl() goes over the channel: put() turns the structure behind its
 * argument, of that many bytes, into in words, get() turns out words into the
 * structure.  If that is only the address of an array, each is the bytes of an
 * element, and the first word is how many the results have.
 */
struct pmcsim_client_request {
	unsigned long request;
	enum pmcsim_command command;
	size_t bytes, each;
	size_t in, out;
	void (*put)(const void *arg, uint64_t *word);
	void (*get)(void *arg, const uint64_t *word);
};

/* The requests of all systems, each ended by one without command. */
extern const struct pmcsim_client_request pmcsim_client_irix[];
extern const struct pmcsim_client_request pmcsim_client_openbsd[];
extern const struct pmcsim_client_request pmcsim_client_tru64[];

enum pmcsim_client_answer {
	PMCSIM_SERVED,
	PMCSIM_NOT_SERVED	/* by no device: the call is for the kernel */
};

/*
 * Calls the device behind fd, or without a descriptor (-1), with in words;
 * out words of results replace them, unless it failed.  *result is the
 * call's: -1 with errno when it failed.
 */
enum pmcsim_client_answer
pmcsim_client_call(int fd, enum pmcsim_command command, uint64_t *word,
		   size_t in, size_t out, long *result);

/* Whether the program has so many bytes there: to write to, or to read. */
int pmcsim_client_has(const void *p, size_t bytes, int writes);

/* Sends a request of that many bytes; 0, or -1 with errno. */
int pmcsim_client_ask(enum pmcsim_operation operation,
		      struct pmcsim_request *request, size_t bytes);

#endif
