/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of the large tables that a window looks into all the time and all
 * over: in large pages where the system has some, for most of what a look
 * costs is the walk of the host's page tables.
 */
#include "window_internal.h"

#include <sys/mman.h>

#define LARGE_PAGE (2u << 20)

void *
table_new(size_t bytes)
{
	size_t all = bytes + LARGE_PAGE, before;
	char *p = mmap(NULL, all, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)p & (LARGE_PAGE - 1);
	if (before)
		munmap(p, before);
	if (LARGE_PAGE - before)
		munmap(p + before + bytes, LARGE_PAGE - before);
	/* Without, it is only slower. */
	madvise(p + before, bytes, MADV_HUGEPAGE);
	return p + before;
}

void
table_free(void *table, size_t bytes)
{
	if (table)
		munmap(table, bytes);
}
