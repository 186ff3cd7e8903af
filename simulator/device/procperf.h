/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The /proc/perf interface of MIPS 34K Linux (MD00548, sections 3.1, 4.2):
 * control words and the text that is read and written.
 *
 * The text shows and takes the counters of the real device, up to four, also
 * where the device has been widened.
 *
 * What may be written, one thing per line, words separated by blanks, lines
 * by newlines:
 *
 *	num control value	program counter num, decimal; control is
 *				hexadecimal with or without 0x; value is
 *				decimal, or hexadecimal with 0x
 *	suspend			stop all counters, which keep their values
 *	resume			let them go on
 *
 * Blank lines are allowed.  The manual promises that counting can be
 * suspended and resumed, but its example is lost: the words are ours.
 */
#ifndef DEVICE_PROCPERF_H
#define DEVICE_PROCPERF_H

#include "machine/pmu.h"

#define PROCPERF_COUNTERS 4
#define PROCPERF_TEXT 512	/* bytes that any dump fits into */

/* Fields of the control word, Table 2. */
#define PROCPERF_EXL (1u << 0)
#define PROCPERF_K (1u << 1)
#define PROCPERF_S (1u << 2)
#define PROCPERF_U (1u << 3)
#define PROCPERF_IE (1u << 4)
#define PROCPERF_EVENT_SHIFT 5
#define PROCPERF_EVENT_MASK 0x7fu
#define PROCPERF_VPEID_SHIFT 16
#define PROCPERF_VPEID_MASK 0xfu
#define PROCPERF_MT_EN_SHIFT 20
#define PROCPERF_MT_EN_MASK 0x3u
#define PROCPERF_TCID_SHIFT 22
#define PROCPERF_TCID_MASK 0xffu
#define PROCPERF_ZERO 0x4000f000u /* must be written as zero */
#define PROCPERF_M (1u << 31)	/* read-only: another counter follows */

enum procperf_mt_en {
	MT_EN_ALL,	/* all TCs and VPEs */
	MT_EN_VPE,	/* those of the VPE in VPEID */
	MT_EN_TC,	/* the one in TCID */
	MT_EN_RESERVED
};

/*
 * The dump of Figure 3 into text (PROCPERF_TEXT bytes, a null character
 * behind it); returns its length.  With range extension the values are 64
 * bits wide, else those of the 32-bit registers.
 */
size_t procperf_read(struct machine_map *map, char *text);

/*
 * Executes what was written, see above.  Lines before a bad one take effect.
 * uid is that of the emulated writer.  Bytes used, or -EPERM (not root),
 * -EINVAL (bad line, counter, reserved event or field).  *line is set to the
 * number of the line at fault, from 1; 0 if no line is.
 *
 * Values are those that procperf_read() can show: 64 bits with range
 * extension, else the width of the register.
 */
long procperf_write(struct machine_map *map, u32 uid, const char *text,
		    size_t length, unsigned *line);

/* What may be wrong with a control word. */
enum procperf_wrong {
	PROCPERF_RIGHT,
	PROCPERF_NO_COUNTER,
	PROCPERF_NOT_ZERO,	/* a must-be-zero bit is set */
	PROCPERF_NO_SCOPE,	/* MT_EN is reserved */
	PROCPERF_NO_CONTEXT,	/* no such TC or VPE */
	PROCPERF_NO_EVENT,	/* reserved on this counter */
	PROCPERF_NARROW		/* event of more than MT_EN selects */
};

/* Of a control word for counter n; PROCPERF_RIGHT if it can be written. */
enum procperf_wrong procperf_check(const struct machine_map *map, unsigned n,
				   u32 control);

/*
 * Programs counter n, of the widened device too, from a control word.  0, or
 * -EINVAL, see procperf_check().  M is ignored, and reads back as the device
 * has it.
 */
int procperf_program(struct machine_map *map, unsigned n, u32 control,
		     u64 value);

#endif
