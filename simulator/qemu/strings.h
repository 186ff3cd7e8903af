/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings on their way out of and into address spaces. */
#ifndef QEMU_STRINGS_H
#define QEMU_STRINGS_H

#include "../types.h"

/* A NULL-terminated list of strings that it owns; zeroed: empty. */
struct strings {
	char **s;
	size_t n, room;
	bool failed;		/* there was no memory for one */
};

/* Appends text, which the list owns from now on; NULL counts as no memory. */
void strings_own(struct strings *list, char *text);

/* Appends a copy. */
void strings_add(struct strings *list, const char *text);

/* Puts a copy in front. */
void strings_push(struct strings *list, const char *text);

void strings_free(struct strings *list);

/* An argument of a system call as an address. */
u64 guest_address(u64 arg);

/* A string of the target, the caller's; NULL: bad address, or no memory. */
char *guest_string(u64 addr);

/* Appends the strings of a vector as execve takes them, none for address 0.
 * 0, -EFAULT or -ENOMEM. */
int guest_vector(struct strings *list, u64 addr);

#endif
