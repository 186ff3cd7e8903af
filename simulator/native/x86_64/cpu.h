/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor that programs see. */
#ifndef NATIVE_CPU_H
#define NATIVE_CPU_H

#include "program/level.h"

#include <stdio.h>

struct cpu_words {
	u32 eax, ebx, ecx, edx;
};

/* Its level, LEVEL_USUAL until then. */
void cpu_show(enum level level);

struct cpu_words cpu_id(u32 leaf, u32 sub);
u64 cpu_features(void);		/* AT_HWCAP */
u64 cpu_xcr0(void);	/* 0: no XSAVE, and no XGETBV */

/* Writes what /proc/cpuinfo tells of it, as many as the host has. */
void cpu_describe(FILE *f);

/* The control word of the x87, which is the target's while the engine runs. */
u16 cpu_x87_control(void);

#endif
