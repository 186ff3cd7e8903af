/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions of MIPS that do nothing (addiu $0, $0, ...): what runs
 * between them in a system is counted. */
#ifndef SIM_SYSTEM_MARKS_H
#define SIM_SYSTEM_MARKS_H

#define SYSTEM_MARK_START 0x24004b01u
#define SYSTEM_MARK_STOP 0x24004b02u

#endif
