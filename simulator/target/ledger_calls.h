/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What system calls are to the ledger: each one a call, some more than that. */
#ifndef QEMU_LEDGER_CALLS_H
#define QEMU_LEDGER_CALLS_H

#include "call.h"

/* A call is made, and comes back. */
void ledger_call(enum call call, const u64 arg[8]);
void ledger_call_returned(enum call call, s64 result);

#endif
