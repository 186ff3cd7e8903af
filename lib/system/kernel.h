/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of a kernel that no file has: what its /proc/kallsyms has
 * said.
 */
#ifndef LIB_KERNEL_H
#define LIB_KERNEL_H

#include "pmcsim.h"

struct system_place;

struct kernel_function {
	uint64_t start, size;
	const char *name;
	const char *module;	/* "kernel" for what is in none */
};

struct pmcsim_kernel {
	char *text;		/* that names are in */
	struct kernel_function *function; /* by address, one for each */
	size_t n, room;
};

/* Takes over the text of a kallsyms; 0, -ENOMEM or -EINVAL. */
int kernel_parse(struct pmcsim_kernel *k, char *text);

/* That of a system: 0, or -errno with a sentence. */
int kernel_open(const struct system_place *place,
		struct pmcsim_kernel **kernel, struct pmcsim_error *error);

/* The function at an address, or NULL. */
const struct kernel_function *kernel_find(const struct pmcsim_kernel *k,
					  uint64_t address);

#endif
