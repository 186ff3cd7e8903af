/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page faults, of which each costs several times as much as a page of many that
 * the kernel is asked for at once; on virtual machines ten times. */
#ifndef SIM_AHEAD_H
#define SIM_AHEAD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#define AHEAD_PAGE 4096u
#define AHEAD_STEP (8 * AHEAD_PAGE)

static inline void
ahead_of(const void *from, size_t bytes, int advice)
{
	uintptr_t at = (uintptr_t)from & -(uintptr_t)AHEAD_PAGE;
	uintptr_t end = (uintptr_t)from + bytes;

	/* Without, as before Linux 5.14, it is only slower. */
	if (bytes)
		madvise((void *)at, end - at, advice);
}

/* That memory is going to be written, most of its pages. */
static inline void
ahead_of_writes(const void *from, size_t bytes)
{
	ahead_of(from, bytes, MADV_POPULATE_WRITE);
}

/* ... or read. */
static inline void
ahead_of_reads(const void *from, size_t bytes)
{
	ahead_of(from, bytes, MADV_POPULATE_READ);
}

/* Memory that is written from its begin on: its next pages are asked for when it is
 * about to be written at that place, where those before end. */
static inline void
ahead_as_written(const char **end, const void *at, size_t bytes)
{
	if (*end < (const char *)at)
		*end = at;
	if ((const char *)at + bytes <= *end)
		return;
	ahead_of_writes(*end, AHEAD_STEP);
	*end += AHEAD_STEP;
}

#endif
