/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "table_lines.h"
#include "table_schema.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define MAX_DEPTH 12
#define MAX_KEYS 64

/* A member of a mapping (key) or of a sequence (index). */
struct node {
	u32 parent;
	u32 line;
	u32 index;
	char *key;	/* NULL in a sequence */
};

struct table_lines {
	struct node *node;	/* 0 is the root */
	u32 n, room;
};

/* An open mapping or sequence. */
struct level {
	u32 node;
	u32 n;			/* members so far */
	bool mapping;
	bool have_key;
	u32 member;		/* node of the key just read */
	const cyaml_schema_value_t *schema; /* NULL: not known */
	const cyaml_schema_value_t *value;  /* of the key just read */
};

struct scan {
	const char *path;
	const char *text;
	struct pmcsim_error *error;
	struct table_lines *lines;
	struct level level[MAX_DEPTH];
	unsigned depth;
	unsigned documents;
	const cyaml_schema_value_t *schema;
	u32 line;		/* of the event at hand */
};

int
table_error(struct pmcsim_error *error, const char *path, unsigned line,
	    const char *format, ...)
{
	va_list args;
	int n = snprintf(error->text, sizeof error->text, "%s:%u: ", path,
			 line);

	if (n < 0 || (size_t)n >= sizeof error->text)
		return -EINVAL;
	va_start(args, format);
	vsnprintf(error->text + n, sizeof error->text - n, format, args);
	va_end(args);
	for (char *c = error->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	return -EINVAL;
}

/* Adds a node; its index, or -ENOMEM. */
static s64
add_node(struct table_lines *lines, u32 parent, u32 line, u32 index,
	 const char *key)
{
	char *copy = NULL;

	if (lines->n == lines->room) {
		u32 room = lines->room ? lines->room * 2 : 256;
		struct node *node =
			reallocarray(lines->node, room, sizeof *node);

		if (!node)
			return -ENOMEM;
		lines->node = node;
		lines->room = room;
	}
	if (key && !(copy = strdup(key)))
		return -ENOMEM;
	lines->node[lines->n] = (struct node){parent, line, index, copy};
	return lines->n++;
}

/* What the grammar says of a key of a mapping, or NULL. */
static const cyaml_schema_value_t *
key_schema(const cyaml_schema_value_t *mapping, const char *key)
{
	const cyaml_schema_field_t *field;

	if (!mapping || mapping->type != CYAML_MAPPING)
		return NULL;
	for (field = mapping->mapping.fields; field->key; field++)
		if (!strcmp(field->key, key))
			return &field->value;
	return NULL;
}

/* What the grammar says of the value that comes next, or NULL. */
static const cyaml_schema_value_t *
value_schema(const struct scan *scan)
{
	const struct level *level;

	if (!scan->depth)
		return scan->schema;
	level = &scan->level[scan->depth - 1];
	if (level->mapping)
		return level->value;
	if (!level->schema || level->schema->type != CYAML_SEQUENCE)
		return NULL;
	return level->schema->sequence.entry;
}

/* Whether text is a number as a whole; libcyaml ignores what follows one. */
static bool
is_number(const char *text, bool negative_too)
{
	const char *digits = "0123456789";

	if (negative_too && *text == '-')
		text++;
	if (text[0] == '0' && text[1] == 'x') {
		digits = "0123456789abcdefABCDEF";
		text += 2;
	} else if (text[0] == '0' && text[1]) {
		return false;
	}
	return *text && !text[strspn(text, digits)];
}

static int
scan_key(struct scan *scan, struct level *level, const char *key)
{
	struct table_lines *lines = scan->lines;
	s64 node;

	for (u32 i = level->node + 1; i < lines->n; i++) {
		const struct node *old = &lines->node[i];

		if (old->parent == level->node && !strcmp(old->key, key))
			return table_error(scan->error, scan->path,
					   scan->line,
					   "key '%s' is given twice, first in "
					   "line %u",
					   key, old->line);
	}
	if (level->n == MAX_KEYS)
		return table_error(scan->error, scan->path, scan->line,
				   "more than %u keys in one mapping",
				   MAX_KEYS);
	node = add_node(lines, level->node, scan->line, level->n++, key);
	if (node < 0)
		return node;
	level->member = node;
	level->have_key = true;
	level->value = key_schema(level->schema, key);
	return 0;
}

/* The node of a value that starts: its key's, or a new one. */
static s64
value_node(struct scan *scan)
{
	struct level *level;

	if (!scan->depth)
		return 0;
	level = &scan->level[scan->depth - 1];
	if (level->mapping) {
		level->have_key = false;
		return level->member;
	}
	return add_node(scan->lines, level->node, scan->line, level->n++,
			NULL);
}

static int
scan_open(struct scan *scan, bool mapping)
{
	const cyaml_schema_value_t *schema = value_schema(scan);
	s64 node;

	if (scan->depth && scan->level[scan->depth - 1].mapping &&
	    !scan->level[scan->depth - 1].have_key)
		return table_error(scan->error, scan->path, scan->line,
				   "a key must be a word");
	if (scan->depth == MAX_DEPTH)
		return table_error(scan->error, scan->path, scan->line,
				   "nested more than %u deep", MAX_DEPTH);
	node = value_node(scan);
	if (node < 0)
		return node;
	if (!scan->depth)
		scan->lines->node[0].line = scan->line;
	scan->level[scan->depth++] = (struct level){
		.node = node, .mapping = mapping, .schema = schema};
	return 0;
}

static int
scan_scalar(struct scan *scan, const yaml_event_t *event)
{
	struct level *level =
		scan->depth ? &scan->level[scan->depth - 1] : NULL;
	const cyaml_schema_value_t *schema = value_schema(scan);
	const char *text = (const char *)event->data.scalar.value;
	s64 node;

	if (strlen(text) != event->data.scalar.length)
		return table_error(scan->error, scan->path, scan->line,
				   "text with a null character");
	if (level && level->mapping && !level->have_key)
		return scan_key(scan, level, text);
	if (schema &&
	    (schema->type == CYAML_UINT || schema->type == CYAML_INT) &&
	    !is_number(text, schema->type == CYAML_INT))
		return table_error(scan->error, scan->path, scan->line,
				   "'%.40s' is not a whole number", text);
	node = value_node(scan);
	return node < 0 ? node : 0;
}

/* What an event carries that our files may not have, or NULL. */
static const char *
forbidden(const yaml_event_t *event)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;

	switch (event->type) {
	case YAML_ALIAS_EVENT:
		return "aliases";
	case YAML_SCALAR_EVENT:
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
		break;
	default:
		break;
	}
	return anchor ? "anchors" : tag ? "tags" : NULL;
}

static int
scan_event(struct scan *scan, const yaml_event_t *event)
{
	const char *bad = forbidden(event);

	if (bad)
		return table_error(scan->error, scan->path, scan->line,
				   "%s are not allowed", bad);
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (scan->documents++)
			return table_error(scan->error, scan->path,
					   scan->line,
					   "a second document starts here");
		return 0;
	case YAML_MAPPING_START_EVENT:
		return scan_open(scan, true);
	case YAML_SEQUENCE_START_EVENT:
		return scan_open(scan, false);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		scan->depth--;
		return 0;
	case YAML_SCALAR_EVENT:
		return scan_scalar(scan, event);
	case YAML_STREAM_END_EVENT:
		if (!scan->documents)
			return table_error(scan->error, scan->path, 1,
					   "the file is empty");
		return 0;
	default:
		return 0;
	}
}

/* libyaml reads ahead: bytes that are no text have an offset, not a line. */
static u32
line_of(const char *text, size_t offset)
{
	u32 line = 1;

	while (offset--)
		line += *text++ == '\n';
	return line;
}

static int
syntax_error(struct scan *scan, const yaml_parser_t *parser)
{
	u32 line = parser->problem_mark.line + 1;

	if (parser->error == YAML_MEMORY_ERROR)
		return -ENOMEM;
	if (parser->error == YAML_READER_ERROR)
		line = line_of(scan->text, parser->problem_offset);
	return table_error(scan->error, scan->path, line, "%s",
			   parser->problem ? parser->problem : "not YAML");
}

static int
scan_all(struct scan *scan, yaml_parser_t *parser)
{
	yaml_event_t event;
	bool last;
	int rc;

	do {
		if (!yaml_parser_parse(parser, &event))
			return syntax_error(scan, parser);
		scan->line = event.start_mark.line + 1;
		rc = scan_event(scan, &event);
		last = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	} while (!rc && !last);
	return rc;
}

int
table_lines_read(enum table_kind kind, const char *path, const char *text,
		 size_t length, struct table_lines **lines,
		 struct pmcsim_error *error)
{
	struct scan scan = {.path = path,
			    .text = text,
			    .error = error,
			    .schema = table_schema(kind)};
	yaml_parser_t parser;
	int rc;

	*lines = NULL;
	scan.lines = calloc(1, sizeof *scan.lines);
	if (!scan.lines)
		return -ENOMEM;
	rc = add_node(scan.lines, 0, 1, 0, NULL) < 0 ? -ENOMEM : 0;
	if (!rc && !yaml_parser_initialize(&parser))
		rc = -ENOMEM;
	if (rc) {
		table_lines_free(scan.lines);
		return rc;
	}
	yaml_parser_set_input_string(&parser, (const yaml_char_t *)text,
				     length);
	rc = scan_all(&scan, &parser);
	yaml_parser_delete(&parser);
	if (rc)
		table_lines_free(scan.lines);
	else
		*lines = scan.lines;
	return rc;
}

void
table_lines_free(struct table_lines *lines)
{
	if (!lines)
		return;
	for (u32 i = 0; i < lines->n; i++)
		free(lines->node[i].key);
	free(lines->node);
	free(lines);
}

/* The member of a node that a component of a path names, or 0. */
static u32
find_member(const struct table_lines *lines, u32 parent, const char *name,
	    size_t length)
{
	unsigned long index = name[0] == '[' ? strtoul(name + 1, NULL, 10) : 0;

	for (u32 i = parent + 1; i < lines->n; i++) {
		const struct node *node = &lines->node[i];

		if (node->parent != parent)
			continue;
		if (name[0] == '[' ? !node->key && node->index == index
				   : node->key &&
					     strlen(node->key) == length &&
					     !memcmp(node->key, name, length))
			return i;
	}
	return 0;
}

unsigned
table_lines_find(const struct table_lines *lines, const char *path)
{
	u32 node = 0, member;

	while (*path) {
		size_t length = strcspn(path + 1, ".[") + 1;

		member = find_member(lines, node, path, length);
		if (!member)
			break;
		node = member;
		path += length;
		if (*path == '.')
			path++;
	}
	return lines->node[node].line;
}
