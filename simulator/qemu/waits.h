/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits of threads that take turns end by a signal; and handlers of signals
 * that are QEMU's as well. */
#ifndef QEMU_WAITS_H
#define QEMU_WAITS_H

#include <signal.h>

/* The calling thread gets that signal, whatever the target wants of it. */
typedef void wait_handler(int number, siginfo_t *info, void *context);
void wait_listen(int number, wait_handler *handler, struct sigaction *others);

/* For a handler: the signal is QEMU's. */
void wait_not_ours(const struct sigaction *others, int number,
		   siginfo_t *info, void *context);

/* struct turns_engine's listen and lengthen. */
void waits_listen(void);
void waits_lengthen(void);

#endif
