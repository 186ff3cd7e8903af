/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client side of the channel, for any instruction set and libc. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* whatever C the program is compiled as */
#endif

#include "pmcsim_guest.h"

#include "pmcsim_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
result_to_errno(uint32_t result)
{
	switch (result) {
	case PMCSIM_NOT_PERMITTED:
		return EPERM;
	case PMCSIM_INVALID:
		return EINVAL;
	case PMCSIM_NO_ROOM:
		return ENOSPC;
	case PMCSIM_NOT_MODELLED:
		return ENODATA;
	}
	return ENOSYS;
}

int
pmcsim_client_ask(enum pmcsim_operation operation,
		  struct pmcsim_request *request, size_t bytes)
{
	int before = errno;

	request->result = PMCSIM_NO_ANSWER;
	syscall(SYS_lookup_dcookie, PMCSIM_MAGIC, operation, request, bytes);
	errno = before;
	if (request->result == PMCSIM_DONE)
		return 0;
	errno = result_to_errno(request->result);
	return -1;
}

/* A request for and of a number. */
static int
ask_value(enum pmcsim_operation operation, uint64_t *value)
{
	struct pmcsim_request request = {.value = *value};

	if (pmcsim_client_ask(operation, &request, sizeof request))
		return -1;
	*value = request.value;
	return 0;
}

int
pmcsim_guest_version(void)
{
	uint64_t version = 0;

	return ask_value(PMCSIM_GET_VERSION, &version) ? -1 : (int)version;
}

long
pmcsim_guest_perf_read(char *text, size_t room)
{
	struct pmcsim_request *request = malloc(sizeof *request + room);
	long length = -1;

	if (!request)
		return -1;
	request->length = 0;
	request->value = 0;
	if (!pmcsim_client_ask(PMCSIM_PERF_READ, request,
			       sizeof *request + room)) {
		length = (long)request->length;
		memcpy(text, request + 1, request->length + 1);
	}
	free(request);
	return length;
}

long
pmcsim_guest_perf_write(const char *text, size_t length, unsigned *line)
{
	struct pmcsim_request *request = malloc(sizeof *request + length);
	int error;

	if (!request)
		return -1;
	request->length = (uint32_t)length;
	request->value = 0;
	memcpy(request + 1, text, length);
	error = pmcsim_client_ask(PMCSIM_PERF_WRITE, request,
				  sizeof *request + length);
	if (line)
		*line = (unsigned)request->value;
	free(request);
	return error ? -1 : (long)length;
}

int
pmcsim_guest_cycles(uint64_t *cycles)
{
	*cycles = 0;
	return ask_value(PMCSIM_GET_CYCLES, cycles);
}

int
pmcsim_guest_uncounted(uint64_t *programs)
{
	*programs = 0;
	return ask_value(PMCSIM_GET_UNCOUNTED, programs);
}

int
pmcsim_guest_on_overflow(unsigned counter, uint64_t period, int signal)
{
	struct {
		struct pmcsim_request head;
		char text[32];
	} request = {.head = {.value = period}};

	request.head.length = (uint32_t)sprintf(request.text, "%u %d",
						counter, signal);
	return pmcsim_client_ask(PMCSIM_ON_OVERFLOW, &request.head,
				 sizeof request);
}

int
pmcsim_guest_get_uid(unsigned *uid)
{
	uint64_t value = 0;

	if (ask_value(PMCSIM_GET_UID, &value))
		return -1;
	*uid = (unsigned)value;
	return 0;
}

int
pmcsim_guest_set_uid(unsigned uid)
{
	uint64_t value = uid;

	return ask_value(PMCSIM_SET_UID, &value);
}
