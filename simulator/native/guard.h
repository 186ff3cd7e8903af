/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code in pages that the target may write: they are protected when it is
 * copied, and what comes to be written there makes their code anew.  Of pages
 * that are written often, and of those that others share, nothing is noticed:
 * each block is compared with its bytes before it is entered, and a store ends
 * one.
 */
#ifndef NATIVE_GUARD_H
#define NATIVE_GUARD_H

#include "native.h"

/* These pages may be accessed in that way from now on; they may be written at
 * other addresses as well. */
void guard_mapped(u64 at, u64 bytes, int prot);
void guard_shared(u64 at, u64 bytes, bool shared);

/* Whether a page may be written and executed. */
bool guard_is_both(u64 at);

/* Whether code there may be executed; up to where the mapping goes that is there, or
 * that address: there is none. */
bool guard_executes(u64 at);
u64 guard_mapped_up_to(u64 at);

/* What may happen to code there. */
enum host_change guard_change(u64 at);

/* They are others from now on, or none. */
void guard_forget(u64 at, u64 bytes);

/* Code at that address is about to be copied. */
void guard_code(u64 at);

/* A fault at that address: whether the page was protected; it is not now.  Of
 * a signal's handler. */
bool guard_fault(u64 at);

/* Lets all pages be written again; whether there were some. */
bool guard_lift(void);

#endif
