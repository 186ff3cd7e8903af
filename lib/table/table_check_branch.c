/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of branch predictors: what each kind has, and what it needs. */
#include "table_check.h"

/* Keys of predictors that only some kinds have, and what those need. */
static const struct branch_key {
	const char *key;
	size_t offset;
	unsigned kinds;	/* mask of the kinds that have it */
	unsigned needs;	/* mask of the kinds that cannot do without */
} branch_keys[] = {
#define KEY(field, kinds, needs) \
	{#field, offsetof(struct branch_config, field), kinds, needs}
	KEY(history_bits, 1 << PREDICT_GSHARE | 1 << PREDICT_BTB |
	    1 << PREDICT_TOURNAMENT,
	    1 << PREDICT_GSHARE | 1 << PREDICT_TOURNAMENT),
	KEY(global_bits, 1 << PREDICT_TOURNAMENT, 1 << PREDICT_TOURNAMENT),
	KEY(counter_bits, 1 << PREDICT_ICACHE | 1 << PREDICT_TOURNAMENT,
	    1 << PREDICT_ICACHE | 1 << PREDICT_TOURNAMENT),
	KEY(policy, 1 << PREDICT_BTB, 0),
	KEY(static_backward, 1 << PREDICT_BTB, 0),
#undef KEY
};

static int
check_branch_keys(struct table_check *check)
{
	const struct branch_config *b = &check->file->cpu->config.branch;

	for (size_t i = 0; i < SIM_COUNT(branch_keys); i++) {
		const struct branch_key *k = &branch_keys[i];
		u8 value = *((const u8 *)b + k->offset);

		table_at(check, "machine.branch.%s", k->key);
		if (value && !(k->kinds >> b->kind & 1))
			return table_fail(check,
					  "this kind of predictor has no %s",
					  k->key);
		if (!value && k->needs >> b->kind & 1)
			return table_fail(check, "%s needs %s",
					  b->kind == PREDICT_GSHARE
						  ? "gshare"
						  : "this kind of predictor",
					  k->key);
	}
	return 0;
}

/* What the kinds of predict.h need beyond their keys. */
static int
check_own_predictor(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	const struct branch_config *b = &c->branch;
	u32 ways = b->ways ? b->ways : b->entries;

	table_at(check, "machine.branch.ways");
	if (b->kind == PREDICT_BTB && (ways > b->entries || ways > 256 ||
				       ways & (ways - 1)))
		return table_fail(check,
				  "%u entries do not divide into %u ways",
				  b->entries, ways);
	if (b->kind != PREDICT_BTB && b->ways)
		return table_fail(check, "only a btb has ways");
	table_at(check, "machine.branch.entries");
	if (b->kind == PREDICT_ICACHE && b->entries)
		return table_fail(check,
				  "counters in the cache are not so many "
				  "entries, but one per instruction");
	table_at(check, "machine.branch.target_entries");
	if (b->kind == PREDICT_BTB && b->target_entries)
		return table_fail(check, "targets are in the btb's entries");
	table_at(check, "machine.branch.decode_redirect");
	if (b->decode_redirect && !b->static_backward)
		return table_fail(check,
				  "decode_redirect needs static_backward");
	table_at(check, "machine.branch.pc_shift");
	if (b->kind == PREDICT_ICACHE && c->l1i.line >> b->pc_shift == 0)
		return table_fail(check,
				  "a line of %u bytes has no counter every "
				  "%u bytes",
				  c->l1i.line, 1u << b->pc_shift);
	table_at(check, "machine.branch.history_bits");
	if (b->kind == PREDICT_BTB && b->history_bits > 8)
		return table_fail(check,
				  "history_bits is %u, but can be 0 to 8",
				  b->history_bits);
	return 0;
}

/* Histories of one set of tagged tables. */
static int
check_histories(struct table_check *check, const char *name,
		const struct tage_config *tage)
{
	u16 before = 0;

	for (u32 i = 0; i < tage->tables; i++) {
		u16 bits = tage->history[i];

		table_at(check, "machine.branch.%s.history[%u]", name, i);
		if (bits <= before || bits > TAGE_MAX_HISTORY)
			return table_fail(check,
					  "a history is %u, but can be %u to "
					  "%u",
					  bits, before + 1, TAGE_MAX_HISTORY);
		before = bits;
	}
	return 0;
}

/* Tagged tables, which only that kind has. */
static int
check_tage(struct table_check *check)
{
	const struct branch_config *b = &check->file->cpu->config.branch;
	bool tage = b->kind == PREDICT_TAGE;
	int rc = 0;

	table_at(check, "machine.branch.tage");
	if (tage != (b->tage.tables != 0))
		return table_fail(check, tage ? "this kind of predictor needs "
						"tage"
					      : "only a tage predictor has "
						"tage");
	table_at(check, "machine.branch.targets");
	if (b->targets.tables && !tage)
		return table_fail(check,
				  "only a tage predictor has targets");
	table_at(check, "machine.branch.target_entries");
	if (b->targets.tables && !b->target_entries)
		return table_fail(check, "targets need target_entries");
	if (b->tage.tables)
		rc = table_check_limits(check, LIMITS_TAGE);
	if (!rc)
		rc = check_histories(check, "tage", &b->tage);
	if (!rc && b->targets.tables)
		rc = table_check_limits(check, LIMITS_TARGETS);
	return rc ? rc : check_histories(check, "targets", &b->targets);
}

int
table_check_branch(struct table_check *check)
{
	const struct branch_config *b = &check->file->cpu->config.branch;
	int rc;

	table_at(check, "machine.branch.entries");
	if (b->kind != PREDICT_NOT_TAKEN && b->kind != PREDICT_ICACHE &&
	    !b->entries)
		return table_fail(check,
				  "this kind of predictor needs entries");
	rc = check_branch_keys(check);
	if (rc)
		return rc;
	table_at(check, "machine.branch.history_bits");
	if (b->kind == PREDICT_GSHARE && b->entries >> b->history_bits == 0)
		return table_fail(check,
				  "%u bits of history do not fit %u entries",
				  b->history_bits, b->entries);
	rc = check_own_predictor(check);
	return rc ? rc : check_tage(check);
}
