/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The /proc/perf interface of MIPS 34K Linux (MD00548, sections 3.1, 4.2):
 * control words and the text that is read and written.
 */
#ifndef DEVICE_PROCPERF_H
#define DEVICE_PROCPERF_H

#include "../pmu.h"

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
#define PROCPERF_MT_EN_SHIFT 20
#define PROCPERF_TCID_SHIFT 22
#define PROCPERF_M (1u << 31)

/*
 * The dump of Figure 3 into text (PROCPERF_TEXT bytes); returns its length.
 * With range extension the values are 64 bits wide, else those of the
 * 32-bit registers.
 */
size_t procperf_read(struct machine_map *map, char *text);

/*
 * Executes what was written: lines "num control value", several at once,
 * and the words that stop and resume counting.  Lines before a bad one take
 * effect.  uid is that of the emulated writer.  Bytes used, or -EPERM (not
 * root), -EINVAL (bad line, counter, reserved event or field).  *line is
 * set to the number of the line at fault.
 */
long procperf_write(struct machine_map *map, u32 uid, const char *text,
		    size_t length, unsigned *line);

/* Programs one counter from a control word; 0 or -EINVAL. */
int procperf_program(struct machine_map *map, unsigned n, u32 control,
		     u64 value);

#endif
