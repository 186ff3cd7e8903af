/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event counters of IRIX for the target. */
#ifndef QEMU_CHANNEL_HWPERF_H
#define QEMU_CHANNEL_HWPERF_H

#include "device_file.h"

extern const struct device_file hwperf_file;

/* A system call of the target has returned. */
void channel_hwperf_returned(enum call call, s64 result);

#endif
