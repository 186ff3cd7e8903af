/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where exceptions are caught: calls.h asks. */
#ifndef QEMU_CATCHING_H
#define QEMU_CATCHING_H

#include "machine/types.h"

/* Whether execution goes on at that address if the call at *site ends by an
 * exception, or any call if site is NULL. */
bool catching_at(u64 address, const u64 *site);

#endif
