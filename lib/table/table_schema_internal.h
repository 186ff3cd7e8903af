/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the grammar share: kinds of fields, and fields of others. */
#ifndef TABLE_SCHEMA_INTERNAL_H
#define TABLE_SCHEMA_INTERNAL_H

#include "table_schema.h"

#define MUST CYAML_FLAG_DEFAULT
#define MAY CYAML_FLAG_OPTIONAL
#define NAME_MAX_LENGTH 64
#define TEXT_MAX_LENGTH 1000
#define MAX_ENTRIES 1024

#define NUMBER(s, f) CYAML_FIELD_UINT(#f, MUST, struct s, f)
#define OPTIONAL_NUMBER(s, f) CYAML_FIELD_UINT(#f, MAY, struct s, f)
#define WORD(key, flags, s, f, words)                                       \
	CYAML_FIELD_ENUM(key, (flags) | CYAML_FLAG_STRICT, struct s, f, words, \
			 SIM_COUNT(words))
#define NAME(s, f)                                                          \
	CYAML_FIELD_STRING_PTR(#f, CYAML_FLAG_POINTER, struct s, f, 1,      \
			       NAME_MAX_LENGTH)
#define OPTIONAL_NAME(s, f)                                                 \
	CYAML_FIELD_STRING_PTR(#f, CYAML_FLAG_POINTER | MAY, struct s, f, 1, \
			       NAME_MAX_LENGTH)
#define TEXT(s, f, flags)                                                   \
	CYAML_FIELD_STRING_PTR(#f, CYAML_FLAG_POINTER | (flags), struct s, f, \
			       1, TEXT_MAX_LENGTH)
#define PART(key, s, f, fields)                                             \
	CYAML_FIELD_MAPPING(key, MUST, struct s, f, fields)
/* A mapping whose values go where its parent's go. */
#define SAME(name, s, fields)                                               \
	{.key = name, .value = {CYAML_VALUE_MAPPING(MUST, struct s, fields)}}
#define MAY_SAME(name, s, fields)                                           \
	{.key = name, .value = {CYAML_VALUE_MAPPING(MAY, struct s, fields)}}
/* A list of words, each of which is one bit. */
#define BITS(key, flags, s, f, words)                                       \
	CYAML_FIELD_FLAGS(key, (flags) | CYAML_FLAG_STRICT, struct s, f,    \
			  words, SIM_COUNT(words))
/* A list in the structure itself, n of it used. */
#define ARRAY(key, flags, s, f, n, entry, min)                              \
	CYAML_FIELD_SEQUENCE_COUNT(key, flags, struct s, f, n, entry, min,  \
				   SIM_COUNT(((struct s *)NULL)->f))
#define LIST(key, flags, s, f, entry, min)                                  \
	CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | (flags), struct s, f, \
			     entry, min, MAX_ENTRIES)
#define END CYAML_FIELD_END

static const cyaml_strval_t booleans[] = {{"false", false}, {"true", true}};

/* ---- table_schema_events.c -------------------------------------------- */

extern const cyaml_schema_field_t schema_counter_fields[],
	schema_events_fields[], schema_reserved_fields[];
extern const cyaml_schema_value_t schema_fixed, schema_group,
	schema_metric;

/* ---- table_schema_os.c ------------------------------------------------- */

extern const cyaml_schema_value_t schema_os;

#endif
