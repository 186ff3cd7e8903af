/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs that use <machine/pctr.h> include before it: nothing that
 * they need of it is not there. */
#ifndef PMCSIM_OPENBSD_MACHINE_CPU_H
#define PMCSIM_OPENBSD_MACHINE_CPU_H

#include <sys/types.h>

#endif
