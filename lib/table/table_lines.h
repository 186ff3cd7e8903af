/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where things stand in a YAML file, so that checks that come after parsing
 * can name a line; and the checks of form that libcyaml does not make.
 */
#ifndef TABLE_LINES_H
#define TABLE_LINES_H

#include "table_yaml.h"

/*
 * Scans a text.  Refuses anchors, aliases, tags, several documents, empty
 * files, keys given twice, deep nesting and what is not entirely a number
 * where the grammar has one.  *lines is the caller's; -EINVAL with file and
 * line in error.
 */
int table_lines_read(enum table_kind kind, const char *path,
		     const char *text, size_t length,
		     struct table_lines **lines, struct pmcsim_error *error);
void table_lines_free(struct table_lines *lines);

/*
 * The line of "machine.caches.l1d.ways" or "events.even[3].code": of the
 * thing itself or, where it is not in the file, of what it would be in.
 */
unsigned table_lines_find(const struct table_lines *lines, const char *path);

/* Puts "path:line: what" into error, on one line, and returns -EINVAL. */
__attribute__((format(printf, 4, 5)))
int table_error(struct pmcsim_error *error, const char *path, unsigned line,
		const char *format, ...);

#endif
