/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processor x86-64 programs are shown. */
#ifndef LIB_ENGINE_SHOWN_H
#define LIB_ENGINE_SHOWN_H

#include "pmcsim_error.h"

#include "program/isa.h"
#include "program/level.h"

/* Takes what $PMCSIM_ISA says if no level has been chosen: 0 or -EINVAL. */
int engine_level_asked(struct pmcsim_error *error);

/* What has been chosen, or LEVEL_USUAL. */
enum level engine_level(void);

/*
 * -cpu of QEMU for that instruction set, the caller's; NULL: none is needed.
 * 0, -EINVAL for a level that QEMU cannot execute, -ENOMEM.
 */
int engine_qemu_cpu(enum isa isa, char **cpu, struct pmcsim_error *error);

#endif
