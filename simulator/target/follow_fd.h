/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's descriptor, out of the target's way. */
#ifndef TARGET_FOLLOW_FD_H
#define TARGET_FOLLOW_FD_H

#include "call.h"
#include "target.h"

/*
 * Before a system call: moves the machine's descriptor if the call is about
 * to close or replace it.  after() when the call has returned.
 */
void follow_fd_before(enum call call, const u64 arg[8]);
void follow_fd_after(void);

/* A copy of a descriptor, at a number that the target does not expect to be
 * given; -1: none is free. */
int follow_fd_aside(int fd);

#endif
