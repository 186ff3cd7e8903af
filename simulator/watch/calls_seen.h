/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What calls and returns have shown of the code: where functions begin, and
 * where calls have returned to. */
#ifndef SIM_CALLS_SEEN_H
#define SIM_CALLS_SEEN_H

#include "machine/types.h"

struct calls_back {
	u64 back;		/* 0: the place is empty */
	u64 site;		/* of the call */
};

struct calls_seen {
	u64 *entry;		/* sorted */
	u32 n_entries, room;
	struct calls_back *back; /* a hash table */
	u32 mask, n_backs;
};

int calls_seen_init(struct calls_seen *s);
void calls_seen_free(struct calls_seen *s);

/* A function begins there; a call at site has returned to back.  -ENOMEM. */
int calls_see_entry(struct calls_seen *s, u64 entry);
int calls_see_return(struct calls_seen *s, u64 back, u64 site);

/* The call that has returned there; 0: none. */
u64 calls_returned(const struct calls_seen *s, u64 back);

/* Whether no function is known to begin between the two. */
bool calls_together(const struct calls_seen *s, u64 a, u64 b);

#endif
