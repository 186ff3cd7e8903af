/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What QEMU writes down about a board, for system_status.c: which instructions
 * were executed in which mode, by the processor's registers. */
#ifndef DEV_SYSTEM_LOG_H
#define DEV_SYSTEM_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_mode { LOG_USER, LOG_KERNEL, LOG_EXL, LOG_MODES };

struct log_sum {
	uint64_t start, stop;	/* addresses of the marks */
	bool counting;
	uint64_t count[LOG_MODES];
	uint64_t rest[LOG_MODES]; /* announced, but not executed to their end */
	uint64_t unknown;	/* blocks whose instructions are not known */
};

extern struct log_sum log_sum;

/* How a board's log is read. */
struct log_reader {
	const char *board;
	const char *items;	/* of QEMU's -d */
	/* Finds the marks in the program that measures. */
	void (*marks)(const unsigned char *program, size_t n);
	void (*line)(const char *line);
};

extern const struct log_reader log_mips, log_x86;

/* Where we keep what is known about QEMU's block of that address; zeroed at
 * first. */
struct log_block {
	uint64_t *pc;		/* of its instructions */
	uint32_t n;
	bool repeats, returns;	/* x86: the last one does */
};

struct log_block *log_block(uint64_t address);

/* An instruction is announced; all of those are a block's, or of none.
 * False if there are none. */
void log_announce(uint64_t pc);
bool log_announced(struct log_block *b);

#endif
