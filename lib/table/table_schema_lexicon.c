/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of files of names that events have on all CPUs. */
#include "table_schema.h"

#define NAME_MAX_LENGTH 64
#define TEXT_MAX_LENGTH 1000
#define MAX_ENTRIES 1024

#define STRING(s, f, flags, max)                                            \
	CYAML_FIELD_STRING_PTR(#f, CYAML_FLAG_POINTER | (flags), struct s, f, \
			       1, max)
#define NAME(s, f) STRING(s, f, CYAML_FLAG_DEFAULT, NAME_MAX_LENGTH)
#define TEXT(s, f) STRING(s, f, CYAML_FLAG_DEFAULT, TEXT_MAX_LENGTH)
#define WORD(s, f, flags, words)                                            \
	CYAML_FIELD_ENUM(#f, (flags) | CYAML_FLAG_STRICT, struct s, f, words, \
			 SIM_COUNT(words))
#define LIST(s, f, flags, entry)                                            \
	CYAML_FIELD_SEQUENCE(#f, CYAML_FLAG_POINTER | (flags), struct s, f, \
			     entry, 1, MAX_ENTRIES)

static const cyaml_strval_t precisions[] = {
	{"exact", PMCSIM_EXACT},
	{"structural", PMCSIM_STRUCTURAL},
	{"timing", PMCSIM_TIMING},
};

static const cyaml_strval_t units[] = {
	{"none", PMCSIM_UNIT_NONE},
	{"msec", PMCSIM_UNIT_MSEC},
	{"ns", PMCSIM_UNIT_NS},
};

static const cyaml_strval_t modes[] = {
	{"asked", 0},
	{"user", 8},
	{"kernel", 3},
	{"all", 11},
};

static const cyaml_strval_t haves[] = {
	{"any", HAS_ANY},
	{"l1-only", HAS_L1_ONLY},
	{"l2", HAS_L2},
	{"l3", HAS_L3},
};

static const cyaml_schema_value_t name_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_MAX_LENGTH)};

static const cyaml_schema_field_t origin_fields[] = {
	WORD(yaml_origin, has, CYAML_FLAG_OPTIONAL, haves),
	LIST(yaml_origin, signals, CYAML_FLAG_DEFAULT, &name_entry),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t origin_entry = {CYAML_VALUE_MAPPING(
	CYAML_FLAG_DEFAULT, struct yaml_origin, origin_fields)};

static const cyaml_schema_field_t word_fields[] = {
	NAME(yaml_word, name),
	TEXT(yaml_word, text),
	LIST(yaml_word, aliases, CYAML_FLAG_OPTIONAL, &name_entry),
	WORD(yaml_word, precision, CYAML_FLAG_OPTIONAL, precisions),
	WORD(yaml_word, unit, CYAML_FLAG_OPTIONAL, units),
	WORD(yaml_word, modes, CYAML_FLAG_OPTIONAL, modes),
	LIST(yaml_word, origins, CYAML_FLAG_OPTIONAL, &origin_entry),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t word_entry = {CYAML_VALUE_MAPPING(
	CYAML_FLAG_DEFAULT, struct yaml_word, word_fields)};

static const cyaml_schema_field_t quotient_fields[] = {
	NAME(yaml_quotient, name),
	TEXT(yaml_quotient, text),
	NAME(yaml_quotient, unit),
	NAME(yaml_quotient, over),
	NAME(yaml_quotient, under),
	CYAML_FIELD_UINT("times", CYAML_FLAG_DEFAULT, struct yaml_quotient,
			 times),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t quotient_entry = {CYAML_VALUE_MAPPING(
	CYAML_FLAG_DEFAULT, struct yaml_quotient, quotient_fields)};

static const cyaml_schema_field_t lexicon_fields[] = {
	NAME(yaml_lexicon, name),
	TEXT(yaml_lexicon, description),
	LIST(yaml_lexicon, words, CYAML_FLAG_DEFAULT, &word_entry),
	LIST(yaml_lexicon, metrics, CYAML_FLAG_DEFAULT, &quotient_entry),
	CYAML_FIELD_END,
};

const cyaml_schema_value_t table_schema_lexicon = {CYAML_VALUE_MAPPING(
	CYAML_FLAG_POINTER, struct yaml_lexicon, lexicon_fields)};
