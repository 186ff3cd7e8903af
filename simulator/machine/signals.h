/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals: the elementary happenings that the models count. */
#ifndef SIM_SIGNALS_H
#define SIM_SIGNALS_H

#include "types.h"

enum sim_signal {
#define SIGNAL(id, name, text) SIG_##id,
#include "signals.def"
#undef SIGNAL
	SIG_N
};

/* Up to it, signals are of instructions that completed. */
#define SIG_INSN_LAST SIG_INSN_BARRIER

/*
 * Below it, signals are what blocks and windows count, and causes of stalls: they
 * fit into a byte, since there are many of those.  Behind them come those that
 * accesses, prefetchers and walks count alone, and the operating system's work, which
 * are in none of these.
 */
#define SIG_BLOCK_N (SIG_LONG_STALL + 1)
_Static_assert(SIG_BLOCK_N <= UINT8_MAX + 1, "a byte has room for them");

/* Processor modes, in the order of the bits of the 34K control word. */
enum sim_mode { MODE_EXL, MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_N };

/* Name of a signal as the tables write it ("icache.miss"); never NULL. */
const char *signal_name(enum sim_signal s);

/* Whether it needs no model of time: instructions and branches by kind, which blocks
 * tell.  And those, or what system calls tell. */
bool signal_is_untimed(enum sim_signal s);
bool signal_is_told(enum sim_signal s);

/* The signal of that name, or -1. */
int signal_find(const char *name);

#endif
