/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings of the target. */
#ifndef QEMU_GUEST_STRINGS_H
#define QEMU_GUEST_STRINGS_H

#include "program/strings.h"

/* An argument of a system call as an address. */
u64 guest_address(u64 arg);

/* A string of the target, the caller's; NULL: bad address, or no memory. */
char *guest_string(u64 addr);

/* Pages of the target's may not be there any more, or may not be read.  An engine
 * that tells that once has to tell it each time, before it comes to be. */
void guest_strings_unmapped(void);

/* Appends the strings of a vector as execve takes them, none for address 0.
 * 0, -EFAULT or -ENOMEM. */
int guest_vector(struct strings *list, u64 addr);

#endif
