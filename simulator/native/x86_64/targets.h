/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where indirect branches went: host_state.known, which code looks into. */
#ifndef NATIVE_TARGETS_H
#define NATIVE_TARGETS_H

#include "state.h"

/* Nothing is found there any more. */
void targets_forget(void);

/* That target is not found any more. */
void targets_drop(u64 pc);

/* A target is found from now on: in one of the two places that it may have, where it is,
 * or one that is free; else the first, and what was there goes to its own other one.
 * If a handler of signals has forgotten all meanwhile, so are these: code of another
 * kind could be found there later. */
void targets_put(const struct host_target *t);

#endif
