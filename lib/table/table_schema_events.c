/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of what is counted: counters, events, groups and metrics. */
#include "table_schema_internal.h"

static const cyaml_strval_t scopes[] = {{"T", 'T'}, {"V", 'V'}, {"P", 'P'}};

static const cyaml_strval_t precisions[] = {
	{"exact", PMCSIM_EXACT},
	{"structural", PMCSIM_STRUCTURAL},
	{"timing", PMCSIM_TIMING},
	{"zero", PMCSIM_ZERO},
	{"ledger", PMCSIM_LEDGER},
	{"not-modelled", PMCSIM_NOT_MODELLED},
};

static const cyaml_strval_t masks[] = {
	{"none", PMCSIM_UNMASKED},
	{"mesi", PMCSIM_MASK_MESI},
	{"agent", PMCSIM_MASK_AGENT},
	{"bits", PMCSIM_MASK_BITS},
	{"number", PMCSIM_MASK_NUMBER},
};

static const cyaml_strval_t lists[] = {{"even", 0}, {"odd", 1}, {"all", 0}};

static const cyaml_strval_t metric_units[] = {{"ratio", YAML_RATIO},
					      {"percent", YAML_PERCENT}};

static const cyaml_strval_t controls[] = {
	{"only", CONTROL_ONLY},
	{"cesr", CONTROL_CESR},
	{"evtsel", CONTROL_EVTSEL},
	{"es7", CONTROL_ES7},
	{"es8", CONTROL_ES8},
	{"ev4", CONTROL_EV4},
	{"ev5", CONTROL_EV5},
	{"ev6", CONTROL_EV6},
	{"ev67", CONTROL_EV67},
};

const cyaml_schema_field_t schema_counter_fields[] = {
	CYAML_FIELD_UINT("number", MUST, struct sim_config, n_counters),
	CYAML_FIELD_UINT("bits", MUST, struct sim_config, counter_bits),
	WORD("control", MAY, sim_config, counter_control, controls),
	CYAML_FIELD_UINT("cpuid", MAY, struct sim_config, cpuid),
	END,
};

static const cyaml_schema_value_t name_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_MAX_LENGTH)};

static const cyaml_schema_field_t fixed_fields[] = {
	LIST("events", MUST, yaml_fixed, events, &name_entry, 1),
	WORD("only", MAY, yaml_fixed, only, booleans),
	END,
};

const cyaml_schema_value_t schema_fixed = {CYAML_VALUE_MAPPING(
	CYAML_FLAG_DEFAULT, struct yaml_fixed, fixed_fields)};

static const cyaml_schema_value_t code_entry = {
	CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, unsigned)};

static const cyaml_schema_value_t counter_entry = {
	CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, u8)};

static const cyaml_schema_field_t event_fields[] = {
	NUMBER(yaml_event, code),
	NAME(yaml_event, name),
	NAME(yaml_event, label),
	TEXT(yaml_event, text, MUST),
	WORD("scope", MAY, yaml_event, scope, scopes),
	WORD("precision", MUST, yaml_event, precision, precisions),
	TEXT(yaml_event, reason, MAY),
	TEXT(yaml_event, of_several, MAY),
	LIST("counters", MAY, yaml_event, counters, &counter_entry, 1),
	WORD("masked", MAY, yaml_event, masked, masks),
	WORD("variant", MAY, yaml_event, variant, booleans),
	WORD("averaged", MAY, yaml_event, averaged, booleans),
	WORD("of_user", MAY, yaml_event, of_user, booleans),
	WORD("of_samples", MAY, yaml_event, of_samples, booleans),
	LIST("signals", MAY, yaml_event, signals, &name_entry, 1),
	LIST("per_cycle", MAY, yaml_event, per_cycle, &name_entry, 1),
	OPTIONAL_NAME(yaml_event, cycles),
	OPTIONAL_NAME(yaml_event, edges),
	OPTIONAL_NUMBER(yaml_event, divide),
	END,
};

static const cyaml_schema_value_t event_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_event,
			    event_fields)};

const cyaml_schema_field_t schema_events_fields[] = {
	LIST("even", MAY, yaml_events, even, &event_entry, 1),
	LIST("odd", MAY, yaml_events, odd, &event_entry, 1),
	LIST("all", MAY, yaml_events, all, &event_entry, 1),
	END,
};

static const cyaml_schema_field_t range_fields[] = {
	NUMBER(yaml_range, first),
	NUMBER(yaml_range, last),
	END,
};

static const cyaml_schema_value_t range_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_range,
			    range_fields)};

const cyaml_schema_field_t schema_reserved_fields[] = {
	LIST("even", MAY, yaml_reserved, even, &range_entry, 1),
	LIST("odd", MAY, yaml_reserved, odd, &range_entry, 1),
	LIST("all", MAY, yaml_reserved, all, &range_entry, 1),
	END,
};

static const cyaml_schema_field_t group_fields[] = {
	NAME(yaml_group, name),
	OPTIONAL_NAME(yaml_group, option),
	LIST("aliases", MAY, yaml_group, aliases, &name_entry, 1),
	TEXT(yaml_group, text, MUST),
	LIST("even", MAY, yaml_group, even, &code_entry, 0),
	LIST("odd", MAY, yaml_group, odd, &code_entry, 0),
	LIST("all", MAY, yaml_group, all, &code_entry, 0),
	END,
};

const cyaml_schema_value_t schema_group = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_group,
			    group_fields)};

static const cyaml_schema_field_t term_fields[] = {
	WORD("list", MAY, yaml_term, list, lists),
	NUMBER(yaml_term, code),
	CYAML_FIELD_INT("factor", MUST, struct yaml_term, factor),
	END,
};

static const cyaml_schema_value_t term_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_term, term_fields)};

static const cyaml_schema_field_t formula_fields[] = {
	LIST("numerator", MUST, yaml_formula, numerator, &term_entry, 1),
	LIST("denominator", MUST, yaml_formula, denominator, &term_entry, 1),
	END,
};

static const cyaml_schema_value_t formula_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_formula,
			    formula_fields)};

static const cyaml_schema_field_t metric_fields[] = {
	NAME(yaml_metric, name),
	NAME(yaml_metric, label),
	TEXT(yaml_metric, text, MUST),
	WORD("unit", MUST, yaml_metric, unit, metric_units),
	NUMBER(yaml_metric, digits),
	LIST("formulas", MUST, yaml_metric, formulas, &formula_entry, 1),
	END,
};

const cyaml_schema_value_t schema_metric = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_metric,
			    metric_fields)};
