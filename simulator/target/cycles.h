/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor's cycle counter, as the target reads it. */
#ifndef TARGET_CYCLES_H
#define TARGET_CYCLES_H

#include "machine/types.h"

/* Once, before the target starts. */
void cycles_start(void);

/* What the counter shows in that cycle of the core; it never goes back. */
u64 cycles_read(u64 cycle);

#endif
