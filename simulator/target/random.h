/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that the target gets from its kernel: on request they are
 * those of the machine's seed, the same in every run.
 *
 * Each process has a sequence of its own, which goes on when it executes
 * another program; a child begins one that its parent's sequence decides.
 * The numbers are getrandom()'s and what is read from /dev/random and
 * /dev/urandom.  QEMU's own option -seed does the same for AT_RANDOM and
 * the instructions of a processor.
 */
#ifndef QEMU_RANDOM_H
#define QEMU_RANDOM_H

#include "call.h"

/* Where the first process of a command begins, and where a child does. */
u64 random_begin(u64 seed);
u64 random_child(u64 *parent);

/* Before a system call of this thread, and when it has returned. */
void random_syscall(enum call call, const u64 arg[8]);
void random_syscall_return(s64 result);

#endif
