/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following the target through execve: the next program's engine. */
#ifndef NATIVE_FOLLOW_H
#define NATIVE_FOLLOW_H

#include "native.h"

s64 follow_execve(const u64 arg[6]);
s64 follow_execveat(const u64 arg[6]);

#endif
