/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The performance monitors of Itanium for the target. */
#ifndef QEMU_CHANNEL_IA64_H
#define QEMU_CHANNEL_IA64_H

/* When a process starts: looks out for overflows that interrupt. */
void channel_ia64_start(void);

#endif
