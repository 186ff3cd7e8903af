/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comment lines of dumps: written and read with the same words. */
#ifndef DUMP_H
#define DUMP_H

#define DUMP_BEGIN "# pc_sweep "
#define DUMP_VERSION "1"
#define DUMP_CPU "# CPU: "
#define DUMP_COMMAND "# Command: "
#define DUMP_SYSTEM "# System: "
#define DUMP_EVEN "# Even-counter events:"
#define DUMP_ODD "# Odd-counter events:"
#define DUMP_COUNTER "PerfCnt["
#define DUMP_RUN "# Run "
#define DUMP_WRAPPED "# Wrapped: "
#define DUMP_DOUBT "# Doubt: "
#define DUMP_PARTIAL "# Partial"

#endif
