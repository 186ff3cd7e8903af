/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests of /proc files that concern the event counters: what
 * <sys/procfs.h> has beside what the host has there. */
#ifndef PMCSIM_IRIX_SYS_HWPERFIOCTL_H
#define PMCSIM_IRIX_SYS_HWPERFIOCTL_H

#include "hwperftypes.h"

#include <sys/ioctl.h>

/* Numbers are pmcsim's own. */
#define PIOC ('q' << 8)
#define PIOCENEVCTRS (PIOC | 0x81)	/* hwperf_profevctrarg_t * */
#define PIOCGETEVCTRS (PIOC | 0x82)	/* hwperf_cntr_t * */
#define PIOCGETPREVCTRS (PIOC | 0x83)	/* hwperf_prusage_t * */
#define PIOCGETEVCTRL (PIOC | 0x84)	/* hwperf_eventctrl_t * */
#define PIOCSETEVCTRL (PIOC | 0x85)	/* hwperf_profevctrarg_t * */
#define PIOCRELEVCTRS (PIOC | 0x86)	/* nothing */
#define PIOCSAVECCNTRS (PIOC | 0x87)	/* nothing */

#endif
