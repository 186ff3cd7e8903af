/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs that use <machine/pctr.h> include before it. */
#ifndef PMCSIM_OPENBSD_MACHINE_CPU_H
#define PMCSIM_OPENBSD_MACHINE_CPU_H

#include <sys/types.h>

/* Of the flags, for programs that find out whether there is a cpuid. */
#define PSL_ID 0x00200000

#endif
