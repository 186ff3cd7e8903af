/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's clock where QEMU reads the host's for the target. */
#ifndef QEMU_CLOCKS_H
#define QEMU_CLOCKS_H

/* Once, before the target starts. */
void clocks_start(void);

#endif
