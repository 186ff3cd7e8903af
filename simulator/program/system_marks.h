/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that do nothing: what runs between them in a system is
 * counted. */
#ifndef SIM_SYSTEM_MARKS_H
#define SIM_SYSTEM_MARKS_H

/* MIPS: addiu $0, $0, ... */
#define SYSTEM_MARK_START 0x24004b01u
#define SYSTEM_MARK_STOP 0x24004b02u

/* x86-64: nopl 0x4b504b..(%rax), the bytes of it */
#define SYSTEM_MARK_X86(n) 0x0f, 0x1f, 0x80, n, 0x4b, 0x50, 0x4b
#define SYSTEM_MARK_X86_START 0x01
#define SYSTEM_MARK_X86_STOP 0x02

#endif
