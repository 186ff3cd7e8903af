/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading what reports in JSON have: counts, and metrics made of them. */
#include "engine/engine.h"
#include "pmcsim.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* Members of a count that tell it from others of the same name. */
static const char *const qualifiers[] = {
	"mode", "vpe", "tc", "list", "set", "plm", "threshold", "counter",
	"function"
};

#define N_QUALIFIERS (sizeof(qualifiers) / sizeof(*qualifiers))

/* A report in JSON, which is YAML as well. */
struct source {
	const char *path;
	struct pmcsim_error *error;
	yaml_document_t document;
	struct pmcsim_figures *figures;
};

__attribute__((format(printf, 3, 4))) static int
bad(const struct source *s, const yaml_node_t *node, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return engine_fail(s->error, -EINVAL, "%s:%zu: %s", s->path,
			   node ? node->start_mark.line + 1 : 1, text);
}

static const char *
text_of(const yaml_node_t *node)
{
	return (const char *)node->data.scalar.value;
}

/* The value of a member of a mapping, or NULL. */
static yaml_node_t *
member(struct source *s, const yaml_node_t *mapping, const char *key)
{
	const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;

	for (; pair < mapping->data.mapping.pairs.top; pair++) {
		const yaml_node_t *k =
			yaml_document_get_node(&s->document, pair->key);

		if (k->type == YAML_SCALAR_NODE && !strcmp(text_of(k), key))
			return yaml_document_get_node(&s->document,
						      pair->value);
	}
	return NULL;
}

/* The text of a member that is a string or a number; NULL if it is neither,
 * or null. */
static const char *
member_text(struct source *s, const yaml_node_t *mapping, const char *key)
{
	const yaml_node_t *node = member(s, mapping, key);

	if (!node || node->type != YAML_SCALAR_NODE)
		return NULL;
	if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    !strcmp(text_of(node), "null"))
		return NULL;
	return text_of(node);
}

/* "mode U, list even"; the caller's, NULL without memory. */
static char *
which_text(struct source *s, const yaml_node_t *record)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool any = false;

	if (!out)
		return NULL;
	for (size_t i = 0; i < N_QUALIFIERS; i++) {
		const char *value = member_text(s, record, qualifiers[i]);

		if (value)
			fprintf(out, "%s%s %s", any ? ", " : "",
				qualifiers[i], value);
		any |= value != NULL;
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static int
read_number(const struct source *s, const yaml_node_t *record,
	    const char *text, struct pmcsim_figure *f)
{
	char *end;

	errno = 0;
	if (f->metric)
		f->value = strtod(text, &end);
	else
		f->count = strtoull(text, &end, 10);
	if (errno || end == text || *end || (!f->metric && *text == '-') ||
	    !isfinite(f->value))
		return bad(s, record, "'%.80s' is no %s", text,
			   f->metric ? "number" : "count");
	if (!f->metric)
		f->value = (double)f->count;
	f->known = true;
	return 0;
}

/* A counter that counts nothing has no name, and is left out. */
static int
read_figure(struct source *s, const yaml_node_t *record, bool metric)
{
	struct pmcsim_figures *all = s->figures;
	struct pmcsim_figure *f = &all->figure[all->n];
	const char *name, *value;

	if (!record || record->type != YAML_MAPPING_NODE)
		return bad(s, record, "a %s is no object",
			   metric ? "metric" : "count");
	name = member_text(s, record, "name");
	if (!name)
		return 0;
	value = member_text(s, record, "value");
	if (!value)
		value = member_text(s, record, "count");
	*f = (struct pmcsim_figure){.metric = metric};
	if (!(f->name = strdup(name)) || !(f->which = which_text(s, record))) {
		free(f->name);
		return -ENOMEM;
	}
	all->n++;
	return value ? read_number(s, record, value, f) : 0;
}

static int
read_list(struct source *s, const yaml_node_t *list, bool metric)
{
	const yaml_node_item_t *item;
	size_t n;
	int err = 0;

	if (list->type != YAML_SEQUENCE_NODE)
		return bad(s, list, "no list");
	item = list->data.sequence.items.start;
	n = (size_t)(list->data.sequence.items.top - item);
	s->figures->figure = reallocarray(s->figures->figure,
					  s->figures->n + n + 1,
					  sizeof *s->figures->figure);
	if (!s->figures->figure)
		return -ENOMEM;
	for (; n-- && err == 0; item++)
		err = read_figure(s, yaml_document_get_node(&s->document,
							    *item), metric);
	return err;
}

static int
read_report(struct source *s)
{
	const yaml_node_t *root = yaml_document_get_root_node(&s->document);
	const yaml_node_t *counts, *metrics;
	const char *schema, *cpu, *partial;
	int err;

	if (!root || root->type != YAML_MAPPING_NODE)
		return bad(s, root, "no report in JSON");
	schema = member_text(s, root, "schema");
	cpu = member_text(s, root, "cpu");
	partial = member_text(s, root, "partial");
	counts = member(s, root, "counts");
	if (!counts)
		counts = member(s, root, "counters");
	metrics = member(s, root, "metrics");
	if (!schema || strncmp(schema, "pmcsim-", 7) != 0 || !cpu || !counts)
		return bad(s, root, "no report of counts in JSON");
	s->figures->schema = strdup(schema);
	s->figures->cpu = strdup(cpu);
	s->figures->partial = partial && !strcmp(partial, "true");
	if (!s->figures->schema || !s->figures->cpu)
		return -ENOMEM;
	err = read_list(s, counts, false);
	return err == 0 && metrics ? read_list(s, metrics, true) : err;
}

static int
read_file(struct source *s, FILE *in)
{
	yaml_parser_t parser;
	int err;

	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	yaml_parser_set_input_file(&parser, in);
	if (yaml_parser_load(&parser, &s->document)) {
		err = read_report(s);
		yaml_document_delete(&s->document);
	} else if (ferror(in)) {
		err = engine_fail(s->error, -EIO, "%s: %s", s->path,
				  strerror(errno));
	} else {
		err = engine_fail(s->error, -EINVAL, "%s:%zu: no JSON: %s",
				  s->path, parser.problem_mark.line + 1,
				  parser.problem ? parser.problem : "");
	}
	yaml_parser_delete(&parser);
	return err;
}

int
pmcsim_figures_read(const char *path, struct pmcsim_figures **figures,
		    struct pmcsim_error *error)
{
	struct source s = {.path = path, .error = error};
	FILE *in = fopen(path, "re");
	int err;

	*figures = NULL;
	if (!in)
		return engine_fail(error, -errno, "%s: %s", path,
				   strerror(errno));
	s.figures = calloc(1, sizeof *s.figures);
	err = s.figures ? read_file(&s, in) : -ENOMEM;
	fclose(in);
	if (err != 0) {
		pmcsim_figures_free(s.figures);
		return err == -ENOMEM ? engine_fail(error, err, "%s: %s", path,
						    strerror(ENOMEM)) : err;
	}
	*figures = s.figures;
	return 0;
}

void
pmcsim_figures_free(struct pmcsim_figures *figures)
{
	if (!figures)
		return;
	for (size_t i = 0; i < figures->n; i++) {
		free(figures->figure[i].name);
		free(figures->figure[i].which);
	}
	free(figures->figure);
	free(figures->schema);
	free(figures->cpu);
	free(figures);
}
