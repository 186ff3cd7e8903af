/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wrong_path.h"

/* n times part / whole, to 31 bits. */
static u64
share_of(u64 n, u64 part, u64 whole)
{
	while (whole >> 31) {
		whole >>= 1;
		part >>= 1;
	}
	return whole ? n / whole * part + n % whole * part / whole : 0;
}

void
wrong_path_note(struct wrong_path *path, const u64 sum[SIG_N])
{
	path->wrong = sum[SIG_WRONG_INSN];
	path->insn = sum[SIG_INSN];
	path->load = sum[SIG_INSN_LOAD];
	path->store = sum[SIG_INSN_STORE];
	path->branch = sum[SIG_BRANCH_COND];
}

void
wrong_path_add(u64 sum[SIG_N], const struct wrong_path *since)
{
	u64 wrong = sum[SIG_WRONG_INSN] - since->wrong;
	u64 all = sum[SIG_INSN] - since->insn;

	sum[SIG_WRONG_LOAD] =
		share_of(wrong, sum[SIG_INSN_LOAD] - since->load, all);
	sum[SIG_WRONG_STORE] =
		share_of(wrong, sum[SIG_INSN_STORE] - since->store, all);
	sum[SIG_WRONG_BRANCH] =
		share_of(wrong, sum[SIG_BRANCH_COND] - since->branch, all);
}
