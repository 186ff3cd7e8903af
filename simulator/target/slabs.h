/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for what blocks are known by, which lives as long as the process:
 * process_alloc() and process_take_back() of target.h. */
#ifndef TARGET_SLABS_H
#define TARGET_SLABS_H

#include "machine/types.h"

#include <stdbool.h>
#include <stddef.h>

/* Anonymous memory, at that place if it is not NULL; NULL: there is none, or the
 * place is not free. */
void *slabs_memory(void *at, size_t bytes);

/* All that is allocated is to lie there, one piece behind the other, so that another
 * process may have the same in its place. */
void slabs_place(u8 *at);

/* How much there is; false: not all is at that place. */
bool slabs_used(size_t *bytes);

/* Before anything is allocated: so many bytes of the place are taken. */
void slabs_taken(size_t bytes);

#endif
