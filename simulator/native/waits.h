/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system calls wait: for what is not there, or for time. */
#ifndef NATIVE_WAITS_H
#define NATIVE_WAITS_H

#include "native.h"

/* Whether the call would wait if it was made now, and that signal would end it; 0:
 * whatever signals it blocks meanwhile.  Not those that wait for child processes. */
bool waits_now(u64 number, const u64 arg[6], int sig);

/* Whether it waits for a child process if none has ended. */
bool waits_for_child(u64 number, const u64 arg[6]);

#endif
