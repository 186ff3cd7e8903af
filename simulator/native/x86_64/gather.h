/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an instruction loads from and stores to that more than an address
 * tells: a vector of indexes, a mask, the number of a bit. */
#ifndef NATIVE_GATHER_H
#define NATIVE_GATHER_H

#include "host.h"

/* Takes the vector registers as they are: from code of the target's. */
void gather_look(void);

/* Whether its mask lets it load element i, as they were looked at; from how many
 * bytes behind its base. */
bool gather_loads(const struct host_gather *g, unsigned i);
u64 gather_place(const struct host_gather *g, unsigned i);

/* How many bytes further what is in its register leads: host_further. */
u64 gather_further(u8 bytes, u64 value);

#endif
