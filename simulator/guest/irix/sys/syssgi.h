/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of IRIX that concern the event counters. */
#ifndef PMCSIM_IRIX_SYS_SYSSGI_H
#define PMCSIM_IRIX_SYS_SYSSGI_H

#include "hwperfmacros.h"

#include <stddef.h>
#include <sys/profil.h>	/* struct prof, for HWPERF_PROFENABLE */

#ifdef __cplusplus
extern "C" {
#endif

#define SGI_EVENTCTR 1	/* number is pmcsim's own */

/*
 * syssgi(SGI_EVENTCTR, HWPERF_..., ...): a generation number, 0, or -1 with
 * errno.  Other requests: EINVAL.
 */
ptrdiff_t syssgi(int request, ...);

#ifdef __cplusplus
}
#endif

#endif
