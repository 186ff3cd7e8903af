/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The set of pages that the program has touched. */
#ifndef SIM_PAGES_H
#define SIM_PAGES_H

#include "machine/types.h"

struct page_set;

/* An empty set, or NULL. */
struct page_set *pages_new(void);

/* Adds a page; true if it was not in the set (or memory has run out). */
bool pages_add(struct page_set *set, u64 page);

#endif
