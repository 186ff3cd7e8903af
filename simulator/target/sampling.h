/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Overflows and ticks in this process: what the machine's requests ask for,
 * and what devices of the plugin set up themselves.
 *
 * Watches up to MACHINE_REQUESTS are those of the requests with the same
 * number, the last ticker looks for new ones; the others are free.
 */
#ifndef QEMU_SAMPLING_H
#define QEMU_SAMPLING_H

#include "watch/sample.h"
#include "target.h"

/* First watch for devices to use. */
#define SAMPLING_FREE_WATCH MACHINE_REQUESTS

/* When the process starts: watches what the machine asks for. 0 or -ENOMEM */
int sampling_start(void);

/*
 * Before sample_set() and sample_tick() for core: makes sure of a sampler.
 * -ENODATA if the run has no timing model, -ENOMEM.
 */
int sampling_begin(void);

/* Requests or counters have been changed, and this process is to know. */
void sampling_refresh(void);

/*
 * Sends a signal, in the host's numbering, to the target: it is delivered
 * before the block after the one that is just being entered.
 */
void sampling_signal(int signal);

/* The host's number of a signal of the target's; 0 if it has none. */
int sampling_host_signal(int signal);

/* In a child just forked, before its core is bound. */
void sampling_fork_child(void);

#endif
