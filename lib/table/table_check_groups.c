/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a CPU's groups of events, and of its metrics. */
#include "table_check.h"

#include <string.h>

/* Whether a list has an event of that code; a sentence if it has not. */
static int
check_code(struct table_check *check, unsigned list, u32 code,
	   const char *whose, const char *name)
{
	const struct yaml_cpu *cpu = check->file->cpu;
	const struct yaml_range *range;
	const struct yaml_event *event;
	unsigned n;

	event = table_yaml_events(cpu, list, &n);
	for (unsigned i = 0; i < n; i++)
		if (event[i].code == code)
			return 0;
	range = table_yaml_reserved(cpu, list, &n);
	for (unsigned i = 0; i < n; i++)
		if (code >= range[i].first && code <= range[i].last)
			return table_fail(check,
					  "%s %s names event %u, which is "
					  "reserved on the %s list",
					  whose, name, code,
					  table_list_name(cpu, list));
	return table_fail(check,
			  "%s %s names event %u, which is not on the %s list",
			  whose, name, code, table_list_name(cpu, list));
}

static int
check_group_list(struct table_check *check, const struct yaml_group *group,
		 unsigned index, unsigned list)
{
	const struct yaml_cpu *cpu = check->file->cpu;
	unsigned n;
	const unsigned *code = table_yaml_codes(cpu, group, list, &n);
	int rc = 0;

	for (unsigned i = 0; i < n && !rc; i++) {
		table_at(check, "groups[%u].%s[%u]", index,
			 table_list_name(cpu, list), i);
		if (i && code[i] <= code[i - 1])
			return table_fail(check,
					  "group %s: %u after %u is not in "
					  "ascending order",
					  group->name, code[i], code[i - 1]);
		rc = check_code(check, list, code[i], "group", group->name);
	}
	return rc;
}

/* The n-th name of a group: its own, then its aliases; NULL at the end. */
static const char *
group_name(const struct yaml_group *group, unsigned n)
{
	if (!n)
		return group->name;
	return n <= group->aliases_count ? group->aliases[n - 1] : NULL;
}

/* How often the groups have a name, aliases included. */
static unsigned
count_name(const struct yaml_cpu *cpu, const char *name)
{
	unsigned found = 0;
	const char *other;

	for (unsigned i = 0; i < cpu->groups_count; i++)
		for (unsigned j = 0; (other = group_name(&cpu->groups[i], j));
		     j++)
			found += !strcmp(name, other);
	return found;
}

static int
check_group_names(struct table_check *check, unsigned index)
{
	const struct yaml_cpu *cpu = check->file->cpu;
	const struct yaml_group *group = &cpu->groups[index];
	const char *name;

	table_at(check, "groups[%u].name", index);
	for (unsigned i = 0; (name = group_name(group, i)); i++)
		if (count_name(cpu, name) > 1)
			return table_fail(check, "two groups are called '%s'",
					  name);
	if (!group->option)
		return 0;
	table_at(check, "groups[%u].option", index);
	if (strlen(group->option) != 1)
		return table_fail(check, "option '%s' is not one letter",
				  group->option);
	for (unsigned i = 0; i < index; i++)
		if (cpu->groups[i].option &&
		    !strcmp(cpu->groups[i].option, group->option))
			return table_fail(check,
					  "option '%s' is that of group %s",
					  group->option, cpu->groups[i].name);
	return 0;
}

static int
check_terms(struct table_check *check, const struct yaml_metric *metric,
	    const struct yaml_term *term, unsigned n)
{
	size_t base = strlen(check->path);
	int rc = 0;

	for (unsigned i = 0; i < n && !rc; i++) {
		snprintf(check->path + base, sizeof check->path - base,
			 "[%u].code", i);
		if (!term[i].factor)
			return table_fail(check,
					  "metric %s multiplies event %u by 0",
					  metric->name, term[i].code);
		rc = check_code(check, term[i].list, term[i].code, "metric",
				metric->name);
	}
	return rc;
}

static int
check_metric(struct table_check *check, unsigned index)
{
	const struct yaml_cpu *cpu = check->file->cpu;
	const struct yaml_metric *metric = &cpu->metrics[index];
	int rc = 0;

	table_at(check, "metrics[%u].name", index);
	for (unsigned i = 0; i < index; i++)
		if (!strcmp(cpu->metrics[i].name, metric->name))
			return table_fail(check, "two metrics are called '%s'",
					  metric->name);
	table_at(check, "metrics[%u].digits", index);
	if (metric->digits > 9)
		return table_fail(check, "digits is %u, but can be 0 to 9",
				  metric->digits);
	for (unsigned i = 0; i < metric->formulas_count && !rc; i++) {
		const struct yaml_formula *f = &metric->formulas[i];

		table_at(check, "metrics[%u].formulas[%u].numerator", index,
			 i);
		rc = check_terms(check, metric, f->numerator,
				 f->numerator_count);
		table_at(check, "metrics[%u].formulas[%u].denominator", index,
			 i);
		if (!rc)
			rc = check_terms(check, metric, f->denominator,
					 f->denominator_count);
	}
	return rc;
}

int
table_check_groups(const struct table_file *file, struct pmcsim_error *error)
{
	struct table_check check = {.file = file, .error = error};
	int rc = 0;

	for (unsigned i = 0; i < file->cpu->groups_count && !rc; i++) {
		rc = check_group_names(&check, i);
		if (!rc)
			rc = check_group_list(&check, &file->cpu->groups[i], i,
					      0);
		if (!rc)
			rc = check_group_list(&check, &file->cpu->groups[i], i,
					      1);
	}
	for (unsigned i = 0; i < file->cpu->metrics_count && !rc; i++)
		rc = check_metric(&check, i);
	return rc;
}
