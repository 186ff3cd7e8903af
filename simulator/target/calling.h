/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which calls led to a sample, if the machine asks for that (calls.h): paths
 * are on record in its log. */
#ifndef QEMU_CALLING_H
#define QEMU_CALLING_H

#include "watch/calls.h"
#include "watch/sample.h"
#include "target.h"

/* When the process starts; 0 or -ENOMEM. */
int calling_start(void);

/* A thread is about to enter a block; it has. */
void calling_enter(unsigned vcpu, const struct block *t);
void calling_entered(void);

/* The program ends: how often its calls were taken is put on record. */
void calling_end(void);

/* In a child just forked: those that its parent took are not its. */
void calling_fork_child(void);

/* The path to a sample; 0: none, or paths are not asked for. */
u32 calling_path(const struct sample *sample);

#endif
