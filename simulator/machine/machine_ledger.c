/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happenings of user mode cost in the modes that are not executed. */
#include "machine_internal.h"

const u16 ledger_signals[LEDGER_N][LEDGER_SIGNALS] = {
	[LEDGER_SYSCALL] = {SIG_OS_SYSCALL, SIG_N},
	[LEDGER_PAGE] = {SIG_OS_PAGE, SIG_N},
	[LEDGER_SIGNAL] = {SIG_OS_SIGNAL, SIG_N},
	[LEDGER_REFILL] = {SIG_JTLB_I_MISS, SIG_JTLB_D_MISS},
	[LEDGER_TICK] = {SIG_OS_TICK, SIG_N},
	[LEDGER_IO] = {SIG_OS_IO, SIG_N},
	[LEDGER_LINE] = {SIG_OS_LINE, SIG_N},
	[LEDGER_PATH] = {SIG_OS_PATH, SIG_N},
	[LEDGER_MAP] = {SIG_OS_MAP, SIG_N},
	[LEDGER_FORK] = {SIG_OS_FORK, SIG_N},
	[LEDGER_EXEC] = {SIG_OS_EXEC, SIG_N},
};

static u64
ledger_count(enum ledger_cause cause, const u64 user[SIG_N])
{
	const u16 *signal = ledger_signals[cause];
	u64 n = user[signal[0]];

	return signal[1] == SIG_N ? n : n + user[signal[1]];
}

void
ledger_times(const u64 user[SIG_N], u64 times[LEDGER_N])
{
	for (unsigned c = 0; c < LEDGER_N; c++)
		times[c] = ledger_count((enum ledger_cause)c, user);
}

void
machine_ledger_add(const struct ledger_config *ledger, u32 modes,
		   const u64 times[LEDGER_N], u64 sum[SIG_N])
{
	for (unsigned c = 0; c < LEDGER_N; c++) {
		if (!(modes >> ledger->cause[c].mode & 1))
			continue;
		for (unsigned g = 0; g < SIG_N; g++)
			sum[g] += times[c] * ledger->cause[c].cost[g];
	}
}
