/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The profile of pfm(7) while this process runs: its ticks are watched. */
#ifndef QEMU_PFM_WATCH_H
#define QEMU_PFM_WATCH_H

#include "target.h"

/* The process begins, or is a child just forked. */
void pfm_watch_start(void);

/* The device has been changed by this process: 0 or -errno. */
int pfm_watch_refresh(void);

#endif
