/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the checkers of a table share: where they are, and how they fail. */
#ifndef TABLE_CHECK_H
#define TABLE_CHECK_H

#include "table.h"

struct table_check {
	const struct table_file *file;
	struct pmcsim_error *error;
	char path[160];		/* of what is being checked */
};

/* Moves to "machine.caches.l1d" or the like. */
__attribute__((format(printf, 2, 3)))
void table_at(struct table_check *check, const char *format, ...);

/* Puts file, line of the place and the sentence into error; -EINVAL. */
__attribute__((format(printf, 2, 3)))
int table_fail(struct table_check *check, const char *format, ...);

/* Numbers of each machine, and those that only some have. */
enum table_limits { LIMITS_MACHINE, LIMITS_COUNTERS, LIMITS_JTLB_DATA,
		    LIMITS_L2, LIMITS_L3, LIMITS_INORDER, LIMITS_WINDOW,
		    LIMITS_TAGE, LIMITS_TARGETS };

/* Whether they are in their ranges; like all checks, 0 or -EINVAL. */
int table_check_limits(struct table_check *check, enum table_limits group);

/* Caches and what they hang together with; prefetchers; TLBs; predictors of
 * branches. */
int table_check_caches(struct table_check *check);
int table_check_prefetchers(struct table_check *check);
int table_check_tlbs(struct table_check *check);
int table_check_branch(struct table_check *check);
/* All ports that it names, a bit each. */
u32 table_ports(const struct pipeline_config *pipe);
/* A pipeline with a window: its ports, decoders and queues. */
int table_check_window(struct table_check *check);
/* Which instructions may issue together. */
int table_check_issue(struct table_check *check);

#endif
