/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of system calls, as programs hand them to the kernel: what its
 * Documentation/userspace-api/seccomp_filter.rst and Documentation/networking/filter.rst
 * say.
 */
#ifndef NATIVE_BPF_H
#define NATIVE_BPF_H

#include "machine/types.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>

/* Whether the kernel would take these n instructions: each is known, loads from the
 * call or from words that were written, jumps forward to one of them, and the last
 * one returns. */
bool bpf_is_filter(const struct sock_filter *code, unsigned n);

/* What they return for that call, once they are a filter. */
u32 bpf_run(const struct sock_filter *code, const struct seccomp_data *call);

#endif
