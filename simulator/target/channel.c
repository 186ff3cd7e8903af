/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of the target to the emulated machine: pmcsim_channel.h. */
#include "channel.h"

#include "engine.h"
#include "guest_strings.h"
#include "sampling.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_TEXT (1u << 16)
#define RANGE 0x100

/* ---- The machine itself ---------------------------------------------- */

static enum pmcsim_result
set_uid(u64 uid)
{
	u32 *own = &target_slot()->uid;

	if (*own != 0 && *own != uid)
		return PMCSIM_NOT_PERMITTED;
	if (uid > UINT32_MAX)
		return PMCSIM_INVALID;
	*own = (u32)uid;
	return PMCSIM_DONE;
}

/* Request n is for counter n. */
static enum pmcsim_result
on_overflow(const struct request *r)
{
	struct machine_request wanted = {.pid = getpid(), .period = r->value};
	unsigned counter;
	int signal;

	r->text[r->length] = '\0';
	if (sscanf(r->text, "%u %d", &counter, &signal) != 2 ||
	    counter >= MACHINE_REQUESTS ||
	    counter >= target.map.m->n_counters || r->value > INT64_MAX / 32)
		return PMCSIM_INVALID;
	wanted.counter = counter;
	wanted.signal = sampling_host_signal(signal);
	if (r->value && !wanted.signal)
		return PMCSIM_INVALID;
	if (sampling_begin())
		return PMCSIM_NOT_MODELLED;
	if (r->value)
		wanted.actions = REQUEST_SIGNAL;
	engine->work_off();
	pmu_request(&target.map, counter, &wanted, r->value);
	sampling_refresh();
	return PMCSIM_DONE;
}

static enum pmcsim_result
channel_machine(unsigned operation, struct request *r)
{
	switch (operation) {
	case PMCSIM_GET_VERSION:
		r->value = PMCSIM_CHANNEL_VERSION;
		return PMCSIM_DONE;
	case PMCSIM_GET_UID:
		r->value = process_uid();
		return PMCSIM_DONE;
	case PMCSIM_SET_UID:
		return set_uid(r->value);
	case PMCSIM_GET_CYCLES:
		if (!target.timing)
			return PMCSIM_NOT_MODELLED;
		r->value = core_cycle(&core);
		return PMCSIM_DONE;
	case PMCSIM_GET_UNCOUNTED:
		r->value = target.map.m->uncounted;
		return PMCSIM_DONE;
	case PMCSIM_ON_OVERFLOW:
		return on_overflow(r);
	}
	return PMCSIM_UNKNOWN;
}

/* ---- Requests -------------------------------------------------------- */

/* By operation / RANGE. */
static request_fn *const ranges[] = {
	channel_machine,
	channel_perf,
	channel_device,
};

static enum pmcsim_result
work_on(u64 operation, struct request *r)
{
	u64 range = operation / RANGE;

	if (range >= SIM_COUNT(ranges))
		return PMCSIM_UNKNOWN;
	if (range)
		engine->model_all();
	return ranges[range]((unsigned)operation, r);
}

static struct pmcsim_request
byte_order(struct pmcsim_request head)
{
	if (target.isa == ISA_MIPS) {
		head.result = __builtin_bswap32(head.result);
		head.length = __builtin_bswap32(head.length);
		head.value = __builtin_bswap64(head.value);
	}
	return head;
}

/* The text behind the head; false if it cannot be read. */
static bool
take_text(struct request *r, const struct pmcsim_request *head, u64 addr,
	  u64 bytes)
{
	u64 room = bytes - sizeof *head;

	r->room = room < MAX_TEXT ? (u32)room : MAX_TEXT;
	r->length = head->length;
	r->value = head->value;
	r->text = malloc(r->room + 1);
	return r->text && r->length <= r->room &&
	       (!r->length ||
		!guest_read(r->text, addr + sizeof *head, r->length));
}

static void
request(u64 operation, u64 addr, u64 bytes)
{
	struct pmcsim_request head;
	struct request r = {0};

	if (bytes < sizeof head || guest_read(&head, addr, sizeof head))
		return;
	head = byte_order(head);
	if (take_text(&r, &head, addr, bytes)) {
		head.result = work_on(operation, &r);
		head.length = r.length;
		head.value = r.value;
		if (r.reply)
			guest_write(addr + sizeof head, r.text,
				    r.length + 1);
	} else {
		head.result = PMCSIM_INVALID;
	}
	free(r.text);
	head = byte_order(head);
	guest_write(addr, &head, sizeof head);
}

void
channel_request(const u64 arg[8])
{
	if ((u32)arg[0] == PMCSIM_MAGIC)
		request((u32)arg[1], guest_address(arg[2]),
			guest_address(arg[3]));
}
