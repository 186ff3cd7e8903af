/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of ledgers: what an operating system's work costs. */
#include "table_schema_internal.h"

static const cyaml_strval_t causes[] = {
	{"syscall", LEDGER_SYSCALL}, {"page", LEDGER_PAGE},
	{"signal", LEDGER_SIGNAL},   {"refill", LEDGER_REFILL},
	{"tick", LEDGER_TICK},	     {"io", LEDGER_IO},
	{"line", LEDGER_LINE},	     {"path", LEDGER_PATH},
	{"map", LEDGER_MAP},	     {"fork", LEDGER_FORK},
	{"exec", LEDGER_EXEC},
};

static const cyaml_strval_t ledger_modes[] = {
	{"exl", MODE_EXL},
	{"kernel", MODE_KERNEL},
	{"supervisor", MODE_SUPERVISOR},
};

static const cyaml_schema_field_t cost_fields[] = {
	NAME(yaml_cost, signal),
	NUMBER(yaml_cost, count),
	END,
};

static const cyaml_schema_value_t cost_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_cost, cost_fields)};

static const cyaml_schema_field_t cause_fields[] = {
	WORD("cause", MUST, yaml_cause, cause, causes),
	WORD("mode", MUST, yaml_cause, mode, ledger_modes),
	TEXT(yaml_cause, text, MUST),
	LIST("cost", MUST, yaml_cause, cost, &cost_entry, 1),
	END,
};

static const cyaml_schema_value_t cause_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_cause,
			    cause_fields)};

static const cyaml_schema_field_t os_fields[] = {
	NAME(yaml_os, name),
	TEXT(yaml_os, description, MUST),
	NUMBER(yaml_os, tick_hz),
	OPTIONAL_NUMBER(yaml_os, tick_code),
	OPTIONAL_NUMBER(yaml_os, tick_data),
	OPTIONAL_NUMBER(yaml_os, tick_stored),
	OPTIONAL_NUMBER(yaml_os, fault_around),
	LIST("causes", MUST, yaml_os, causes, &cause_entry, 1),
	END,
};

const cyaml_schema_value_t schema_os = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yaml_os, os_fields)};
