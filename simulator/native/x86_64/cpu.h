/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor that programs see. */
#ifndef NATIVE_CPU_H
#define NATIVE_CPU_H

#include "machine/types.h"

#include <stdbool.h>

struct cpu_words {
	u32 eax, ebx, ecx, edx;
};

struct cpu_words cpu_id(u32 leaf, u32 sub);
u64 cpu_features(void);		/* AT_HWCAP */
u64 cpu_xcr0(void);

/* Whether this host has what programs will believe to have. */
bool cpu_can_execute(void);

/* The control word of the x87, which is the target's while the engine runs. */
u16 cpu_x87_control(void);

#endif
