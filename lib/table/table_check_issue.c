/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of which instructions may issue together. */
#include "table_check.h"
#include "table_classes.h"

#include "pipeline/issue.h"

#define AT "machine.pipeline.issue."

static const struct {
	const char *name;
	u8 cls;
	bool optional;
} classes[] = {
#define NAMED(id, name) {name, CLASS_##id, false},
#define OPTIONAL(id, name, like) {name, CLASS_##id, true},
	TABLE_CLASSES(NAMED) TABLE_OPTIONAL_CLASSES(OPTIONAL)
#undef NAMED
#undef OPTIONAL
};

static int
in_range(struct table_check *check, const char *key, unsigned x, unsigned min,
	 unsigned max)
{
	table_at(check, AT "%s", key);
	if (x >= min && x <= max)
		return 0;
	return table_fail(check, "%s is %u, but can be %u to %u", key, x, min,
			  max);
}

static int
check_power(struct table_check *check, const char *key, unsigned x)
{
	int rc = in_range(check, key, x, 1, 128);

	if (!rc && x & (x - 1))
		rc = table_fail(check, "%s is %u, no power of two", key, x);
	return rc;
}

static int
check_banks(struct table_check *check, const struct issue_config *rule)
{
	int rc;

	if (!rule->banks && !rule->bank_bytes)
		return 0;
	rc = check_power(check, "banks", rule->banks);
	return rc ? rc : check_power(check, "bank_bytes", rule->bank_bytes);
}

static int
check_pairs(struct table_check *check, const struct issue_config *rule)
{
	const struct branch_config *b = &check->file->cpu->config.branch;
	int rc = in_range(check, "width", rule->width, 2, 2);

	if (!rc)
		rc = check_banks(check, rule);
	if (!rc)
		rc = in_range(check, "mispredict_second",
			      rule->mispredict_second, 0, 100);
	if (rc || !rule->mispredict_second || b->kind == PREDICT_BTB)
		return rc;
	return table_fail(check, "mispredict_second needs a btb");
}

/* Every class and form has pipes. */
static int
check_ports(struct table_check *check, const struct pipeline_config *pipe)
{
	static const char *const forms[FORM_N] = {
		[FORM_LOAD] = "load", [FORM_LOAD_LOCKED] = "load_locked",
		[FORM_STORE] = "store", [FORM_FP_STORE] = "fp_store",
		[FORM_STORE_COND] = "store_cond", [FORM_BRANCH] = "branch",
		[FORM_FP_BRANCH] = "fp_branch", [FORM_JUMP] = "jump",
	};

	for (unsigned i = 0; i < SIM_COUNT(classes); i++) {
		const struct class_config *cls = &pipe->cls[classes[i].cls];

		if (cls->ports || (classes[i].optional && !cls->repeat))
			continue;
		table_at(check, "machine.pipeline.classes.%s",
			 classes[i].name);
		return table_fail(check, "%s needs ports", classes[i].name);
	}
	for (unsigned i = 0; i < FORM_N; i++) {
		if (pipe->issue.ports[i])
			continue;
		table_at(check, AT "ports");
		return table_fail(check, "ports of %s are missing", forms[i]);
	}
	return 0;
}

static int
check_slots(struct table_check *check, const struct pipeline_config *pipe)
{
	const struct issue_config *rule = &pipe->issue;
	int rc = in_range(check, "width", rule->width, 1, ISSUE_MAX);

	if (!rc)
		rc = in_range(check, "group_bytes", rule->group_bytes, 0, 64);
	if (!rc && rule->group_bytes & (rule->group_bytes - 1))
		rc = table_fail(check, "group_bytes is %u, not a power of two",
				rule->group_bytes);
	if (!rc)
		rc = in_range(check, "accesses", rule->accesses, 0, ISSUE_MAX);
	return rc ? rc : check_ports(check, pipe);
}

static int
check_bundles(struct table_check *check, const struct issue_config *rule)
{
	const struct {
		const char *key;
		u8 n;
	} units[] = {
		{"units.m", rule->units_m},	  {"units.i", rule->units_i},
		{"units.f", rule->units_f},	  {"units.b", rule->units_b},
		{"units.load", rule->units_load}, {"units.store",
						   rule->units_store},
	};
	int rc = in_range(check, "bundles", rule->bundles, 1, ISSUE_MAX / 3);

	if (!rc)
		rc = in_range(check, "width", rule->width, 3 * rule->bundles,
			      3 * rule->bundles);
	for (unsigned i = 0; !rc && i < SIM_COUNT(units); i++)
		rc = in_range(check, units[i].key, units[i].n, 1, ISSUE_MAX);
	return rc;
}

static int
check_rule(struct table_check *check, const struct pipeline_config *pipe)
{
	switch (pipe->issue.rule) {
	case ISSUE_SINGLE:
		return in_range(check, "width", pipe->issue.width, 0, 1);
	case ISSUE_PAIRS:
		return check_pairs(check, &pipe->issue);
	case ISSUE_SLOTS:
		return check_slots(check, pipe);
	default:
		return check_bundles(check, &pipe->issue);
	}
}

int
table_check_issue(struct table_check *check)
{
	const struct sim_config *config = &check->file->cpu->config;
	int rc = check_rule(check, &config->pipe);

	if (rc || config->pipe.issue.rule == ISSUE_SINGLE ||
	    config->topo.tcs == 1)
		return rc;
	table_at(check, "machine.topology.vpe_of_tc");
	return table_fail(check, "more than one instruction per cycle needs a "
				 "single context");
}
