/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the host has in its <sys/procfs.h>, and the event counters. */
#ifndef PMCSIM_IRIX_SYS_PROCFS_H
#define PMCSIM_IRIX_SYS_PROCFS_H

#include_next <sys/procfs.h>

#include "hwperfioctl.h"

#endif
