/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that the operating system has mapped for the program: those that it has
 * touched, and what each fault at a page of a file brings besides.  Pages are numbers.
 */
#ifndef SIM_PAGES_H
#define SIM_PAGES_H

#include "machine/types.h"

struct page_set;

/* What a fault brings. */
enum page_kind {
	PAGES_ALONE,		/* the page: of memory without a file */
	PAGES_FILE,		/* those around it as well */
	PAGES_FILE_WRITTEN	/* the page: each is copied when it is written */
};

/* An empty set, or NULL; so many pages are brought at once, a power of two, or one
 * alone: 0. */
struct page_set *pages_new(u32 around);

/* Touches a page; true if that is a fault (or memory has run out). */
bool pages_touch(struct page_set *set, u64 page);

/* Pages first to end - 1 are mapped anew, or not at all any more: none of them has been
 * touched since; true if one had been.  A page that nothing is said of is
 * PAGES_ALONE. */
bool pages_map(struct page_set *set, u64 first, u64 end, enum page_kind kind);

/* The same of pages that are mapped as they were. */
bool pages_forget(struct page_set *set, u64 first, u64 end);

/* Those of files among them can be written from now on, or can not. */
void pages_protect(struct page_set *set, u64 first, u64 end, bool written);

/* What was at pages first to end - 1 is at page to on: touched pages stay so. */
void pages_move(struct page_set *set, u64 first, u64 end, u64 to);

/* The process has been forked: pages that parent and child share are copied when they are
 * written.  Which access is the first to write is not known here: the first of all counts
 * as that.  Pages of files that have no copies stay with the parent. */
void pages_fork(struct page_set *set, bool child);

#endif
