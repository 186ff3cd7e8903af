/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of umon.out(5), as its writer and its reader share it. */
#ifndef LIB_UMON_H
#define LIB_UMON_H

#include "pmcsim.h"

/* The first line but for the version. */
#define UMON_MAGIC "pmcsim-umon "
#define UMON_OLDEST '2'		/* without build ids */
#define UMON_PLAIN '3'		/* without calls */
#define UMON_VERSION '4'
#define UMON_SUM UINT64_C(0xcbf29ce484222325)	/* of nothing */

/* The checksum of what has that sum and the text behind it. */
uint64_t umon_sum(uint64_t sum, const char *text, size_t length);

#endif
