/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that read clocks: time(), getrusage(), times(), sysinfo(). */
#ifndef NATIVE_CLOCKS_H
#define NATIVE_CLOCKS_H

#include "native.h"

s64 clocks_time(const u64 arg[6]);
s64 clocks_rusage(const u64 arg[6]);
s64 clocks_times(const u64 arg[6]);
s64 clocks_sysinfo(const u64 arg[6]);

#endif
