/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a read of a pipe gets.  While the process that writes is busy, that is
 * the host's timing, and what a reader executes depends on it.  So it reads once
 * there is as much as it asks for, or all other processes of the machine rest: then
 * there is all that will be.  Of several that could go on then, the one with the
 * lowest number does, and the others let it come to rest first.
 */
#ifndef NATIVE_PIPES_H
#define NATIVE_PIPES_H

#include "machine/types.h"

#include <stdbool.h>

/* Before a call: waits, if it reads a pipe.  0, or what the call returns without
 * having begun: a signal has come.  sleeps: a pipe with nothing in it is waited
 * for. */
s64 pipes_settle(u64 number, const u64 arg[6], bool sleeps);

#endif
