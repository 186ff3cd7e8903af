/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of each kind of table, for libcyaml. */
#ifndef TABLE_SCHEMA_H
#define TABLE_SCHEMA_H

#include "table_yaml.h"

#include <cyaml/cyaml.h>

const cyaml_schema_value_t *table_schema(enum table_kind kind);

/* That of TABLE_LEXICON. */
extern const cyaml_schema_value_t table_schema_lexicon;

#endif
