/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading what reports in JSON have: counts, and metrics made of them. */
#include "engine/engine.h"
#include "pmcsim.h"

#include <errno.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Members of a count that tell it from others of the same name. */
static const char *const qualifiers[] = {
	"mode", "vpe", "tc", "list", "set", "plm", "threshold", "counter",
	"function"
};

#define N_QUALIFIERS (sizeof(qualifiers) / sizeof(*qualifiers))

/* A report in JSON. */
struct source {
	const char *path;
	struct pmcsim_error *error;
	struct pmcsim_figures *figures;
	const char *region;	/* that is being read; NULL: none */
};

__attribute__((format(printf, 2, 3))) static int
bad(const struct source *s, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return engine_fail(s->error, -EINVAL, "%s: %s", s->path, text);
}

/* The text of a member that is a string or a whole number, in text or its own;
 * NULL if it is neither. */
#define TEXT_BYTES 24

static const char *
member_text(const json_t *object, const char *key, char text[TEXT_BYTES])
{
	const json_t *value = json_object_get(object, key);

	if (json_is_string(value))
		return json_string_value(value);
	if (!json_is_integer(value))
		return NULL;
	snprintf(text, TEXT_BYTES, "%" JSON_INTEGER_FORMAT,
		 json_integer_value(value));
	return text;
}

/* "region sort, mode U, list even"; the caller's, NULL without memory. */
static char *
which_text(const struct source *s, const json_t *record)
{
	char *text = NULL, number[TEXT_BYTES];
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool any = s->region != NULL;

	if (!out)
		return NULL;
	if (any)
		fprintf(out, "region %s", s->region);
	for (size_t i = 0; i < N_QUALIFIERS; i++) {
		const char *value = member_text(record, qualifiers[i], number);

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

/* Where a record is: "counts[3]". */
struct place {
	const char *list;
	size_t n;
};

static int
read_number(const struct source *s, const struct place *at,
	    const json_t *value, struct pmcsim_figure *f)
{
	if (json_is_null(value))
		return 0;
	if (f->metric && !json_is_number(value))
		return bad(s, "%s[%zu] has no number", at->list, at->n);
	if (!f->metric && (!json_is_integer(value) ||
			   json_integer_value(value) < 0))
		return bad(s, "%s[%zu] has no count from 0 to 2^63 - 1",
			   at->list, at->n);
	if (!f->metric)
		f->count = (uint64_t)json_integer_value(value);
	f->value = f->metric ? json_number_value(value) : (double)f->count;
	f->known = true;
	return 0;
}

/* A counter that counts nothing has no name, and is left out. */
static int
read_figure(struct source *s, const struct place *at, const json_t *record,
	    bool metric)
{
	struct pmcsim_figures *all = s->figures;
	struct pmcsim_figure *f = &all->figure[all->n];
	const json_t *value;
	const char *name;

	if (!json_is_object(record))
		return bad(s, "%s[%zu] is no object", at->list, at->n);
	name = json_string_value(json_object_get(record, "name"));
	if (!name)
		return 0;
	value = json_object_get(record, "value");
	if (!value)
		value = json_object_get(record, "count");
	*f = (struct pmcsim_figure){.metric = metric};
	all->n++;
	f->name = strdup(name);
	f->which = which_text(s, record);
	f->region = s->region ? strdup(s->region) : NULL;
	if (!f->name || !f->which || (s->region && !f->region))
		return -ENOMEM;
	return value ? read_number(s, at, value, f) : 0;
}

static int
read_list(struct source *s, const char *name, const json_t *list, bool metric)
{
	struct place at = {.list = name};
	size_t n = json_array_size(list);
	int err = 0;

	if (!json_is_array(list))
		return bad(s, "%s is no list", name);
	s->figures->figure = reallocarray(s->figures->figure,
					  s->figures->n + n + 1,
					  sizeof *s->figures->figure);
	if (!s->figures->figure)
		return -ENOMEM;
	for (; at.n < n && err == 0; at.n++)
		err = read_figure(s, &at, json_array_get(list, at.n), metric);
	return err;
}

/* A copy of a string that may be missing. */
static int
copy_text(const json_t *root, const char *key, char **text)
{
	const char *value = json_string_value(json_object_get(root, key));

	*text = value ? strdup(value) : NULL;
	return value && !*text ? -ENOMEM : 0;
}

static int
copy_command(const json_t *root, char **text)
{
	json_t *command = json_object_get(root, "command");

	*text = command ? json_dumps(command, JSON_COMPACT | JSON_ENCODE_ANY)
			: NULL;
	return command && !*text ? -ENOMEM : 0;
}

/* Counts and metrics of the report, or of a region in it; without counts, it is
 * none. */
static int
read_part(struct source *s, const json_t *part)
{
	const char *list = "counters";	/* pctr's, which say more */
	const json_t *counts = json_object_get(part, list), *metrics;
	int err;

	if (!counts)
		counts = json_object_get(part, list = "counts");
	metrics = json_object_get(part, "metrics");
	if (!counts)
		return bad(s, "no report of counts in JSON");
	err = read_list(s, list, counts, false);
	return !err && metrics ? read_list(s, "metrics", metrics, true) : err;
}

static int
read_regions(struct source *s, const json_t *regions)
{
	const json_t *region;
	size_t i;
	int err = 0;

	json_array_foreach(regions, i, region) {
		s->region = json_string_value(json_object_get(region, "name"));
		if (!s->region)
			return bad(s, "regions[%zu] has no name", i);
		err = read_part(s, region);
		if (err != 0)
			break;
	}
	s->region = NULL;
	return err;
}

static int
read_report(struct source *s, const json_t *root)
{
	struct pmcsim_figures *f = s->figures;
	int err;

	if (copy_text(root, "schema", &f->schema) ||
	    copy_text(root, "cpu", &f->cpu) ||
	    copy_text(root, "engine", &f->engine) ||
	    copy_text(root, "environment", &f->environment) ||
	    copy_command(root, &f->command))
		return -ENOMEM;
	if (!f->schema || strncmp(f->schema, "pmcsim-", 7) != 0 || !f->cpu)
		return bad(s, "no report of counts in JSON");
	f->partial = json_is_true(json_object_get(root, "partial"));
	err = read_part(s, root);
	return err ? err : read_regions(s, json_object_get(root, "regions"));
}

static _Thread_local jmp_buf no_memory;

static void *
allocate_or_leave(size_t n)
{
	void *p = malloc(n);

	if (!p)
		longjmp(no_memory, 1);
	return p;
}

/* NULL and -ENOMEM without memory.  jansson goes on behind an allocation that has
 * failed, and writes past the end of a string then, so it never sees one: what it has
 * allocated until then is lost. */
static json_t *
load(FILE *in, json_error_t *error, int *err)
{
	json_malloc_t allocate;
	json_free_t release;
	json_t *volatile root = NULL;

	json_get_alloc_funcs(&allocate, &release);
	json_set_alloc_funcs(allocate_or_leave, free);
	*err = setjmp(no_memory) ? -ENOMEM : 0;
	if (*err == 0)
		root = json_loadf(in, JSON_REJECT_DUPLICATES, error);
	json_set_alloc_funcs(allocate, release);
	return root;
}

/* jansson has its sentence, and where: behind the last character read. */
static int
read_file(struct source *s, FILE *in)
{
	json_error_t error;
	int err;
	json_t *root = load(in, &error, &err);

	if (err)
		return err;
	if (!root && ferror(in))
		return engine_fail(s->error, -EIO, "%s: %s", s->path,
				   strerror(errno));
	if (!root)
		return engine_fail(s->error, -EINVAL, "%s:%d: no JSON: %s",
				   s->path, error.line < 1 ? 1 : error.line,
				   error.text);
	err = read_report(s, root);
	json_decref(root);
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
		free(figures->figure[i].region);
	}
	free(figures->figure);
	free(figures->schema);
	free(figures->cpu);
	free(figures->engine);
	free(figures->environment);
	free(figures->command);
	free(figures);
}
