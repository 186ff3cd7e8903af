/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study": the file that says what varies. */
#include "study.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_ENTRIES 10000
#define MAX_TEXT 4096
#define STUDY_REPEATS 1000

/* The file as it is written. */
struct yaml_parameter {
	char *name;
	char **values;
	unsigned values_count;
	int64_t *from, *to, *step, *times;
};

struct yaml_study {
	char **command, **cpus, **events, **metrics, **options, **environment;
	unsigned command_count, cpus_count, events_count, metrics_count;
	unsigned options_count, environment_count;
	struct yaml_parameter *parameters;
	unsigned parameters_count;
	char *input, *engine;
	unsigned *repeat;
};

#define TEXT(s, f, flags) \
	CYAML_FIELD_STRING_PTR(#f, CYAML_FLAG_POINTER | (flags), struct s, f, \
			       1, MAX_TEXT)
#define LIST(s, f, flags, entry) \
	CYAML_FIELD_SEQUENCE(#f, CYAML_FLAG_POINTER | (flags), struct s, f, \
			     entry, 1, MAX_ENTRIES)
#define NUMBER(s, f) \
	CYAML_FIELD_INT_PTR(#f, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, \
			    struct s, f)

static const cyaml_schema_value_t word_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, MAX_TEXT)};

static const cyaml_schema_field_t parameter_fields[] = {
	TEXT(yaml_parameter, name, CYAML_FLAG_DEFAULT),
	LIST(yaml_parameter, values, CYAML_FLAG_OPTIONAL, &word_entry),
	NUMBER(yaml_parameter, from),
	NUMBER(yaml_parameter, to),
	NUMBER(yaml_parameter, step),
	NUMBER(yaml_parameter, times),
	CYAML_FIELD_END
};

static const cyaml_schema_value_t parameter_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yaml_parameter,
			    parameter_fields)};

static const cyaml_schema_field_t study_fields[] = {
	LIST(yaml_study, command, CYAML_FLAG_DEFAULT, &word_entry),
	LIST(yaml_study, parameters, CYAML_FLAG_OPTIONAL, &parameter_entry),
	LIST(yaml_study, cpus, CYAML_FLAG_DEFAULT, &word_entry),
	LIST(yaml_study, events, CYAML_FLAG_OPTIONAL, &word_entry),
	LIST(yaml_study, metrics, CYAML_FLAG_OPTIONAL, &word_entry),
	LIST(yaml_study, options, CYAML_FLAG_OPTIONAL, &word_entry),
	LIST(yaml_study, environment, CYAML_FLAG_OPTIONAL, &word_entry),
	TEXT(yaml_study, input, CYAML_FLAG_OPTIONAL),
	TEXT(yaml_study, engine, CYAML_FLAG_OPTIONAL),
	CYAML_FIELD_UINT_PTR("repeat", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
			     struct yaml_study, repeat),
	CYAML_FIELD_END
};

static const cyaml_schema_value_t study_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yaml_study,
			    study_fields)};

/* The first line of what libcyaml says; its trace names the field. */
struct complaint {
	char what[200], where[100];
};

static void
hear(cyaml_log_t level, void *context, const char *format, va_list args)
{
	struct complaint *c = context;
	char line[200];

	if (level != CYAML_LOG_ERROR)
		return;
	vsnprintf(line, sizeof line, format, args);
	line[strcspn(line, "\n")] = '\0';
	if (!*c->what)
		snprintf(c->what, sizeof c->what, "%s",
			 line + (strncmp(line, "Load: ", 6) ? 0 : 6));
	else if (!*c->where && !strncmp(line, "  in ", 5))
		snprintf(c->where, sizeof c->where, " %.90s", line + 2);
}

static struct yaml_study *
load(const char *path)
{
	struct complaint complaint = {.what = ""};
	const cyaml_config_t config = {
		.log_fn = hear,
		.log_ctx = &complaint,
		.log_level = CYAML_LOG_ERROR,
		.mem_fn = cyaml_mem,
		.flags = CYAML_CFG_NO_ALIAS,
	};
	struct yaml_study *yaml = NULL;
	cyaml_err_t err;

	if (access(path, R_OK))
		tool_fail(&study_tool, TOOL_FAILED, "%s: %s", path,
			  strerror(errno));
	err = cyaml_load_file(path, &config, &study_schema,
			      (cyaml_data_t **)&yaml, NULL);
	if (err != CYAML_OK || !yaml)
		tool_fail(&study_tool, TOOL_FAILED, "%s: %s%s", path,
			  *complaint.what ? complaint.what :
					    cyaml_strerror(err),
			  complaint.where);
	return yaml;
}

/* ---- From the file's lists to the study's ------------------------------- */

static char *
copy(const char *text)
{
	char *more = text ? strdup(text) : NULL;

	if (text && !more)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	return more;
}

static char **
copy_list(char *const *list, unsigned n)
{
	char **more = tool_alloc(&study_tool, n, sizeof *more);

	for (unsigned i = 0; i < n; i++)
		more[i] = copy(list[i]);
	return more;
}

/* "a,b,c"; NULL of none. */
static char *
join(char *const *list, unsigned n)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!n)
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? "," : "", list[i]);
	tool_close_text(&study_tool, out, &text);
	return text;
}

static void
check_range(const char *path, const struct yaml_parameter *y)
{
	if (y->values_count ? y->from || y->to || y->step || y->times
			    : !y->from || !y->to || (y->step && y->times))
		tool_fail(&study_tool, TOOL_FAILED,
			  "%s: parameter %s: it has values, or from, to and a "
			  "step or times", path, y->name);
	if (y->values_count)
		return;
	if (*y->to < *y->from || (y->step && *y->step < 1) ||
	    (y->times && (*y->times < 2 || *y->from < 1)) ||
	    *y->to > INT64_MAX / 1000)
		tool_fail(&study_tool, TOOL_FAILED,
			  "%s: parameter %s: its range does not go from %lld "
			  "up to %lld", path, y->name, (long long)*y->from,
			  (long long)*y->to);
}

static void
add_value(struct study_parameter *p, const char *path, char *text)
{
	if (p->n == MAX_ENTRIES)
		tool_fail(&study_tool, TOOL_FAILED, "%s: parameter %s: more "
			  "than %d values", path, p->name, MAX_ENTRIES);
	p->value = reallocarray(p->value, p->n + 1, sizeof *p->value);
	if (!p->value || !text)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	p->value[p->n++] = text;
}

static void
take_parameter(struct study_parameter *p, const char *path,
	       const struct yaml_parameter *y)
{
	char *text;

	check_range(path, y);
	p->name = copy(y->name);
	for (unsigned i = 0; i < y->values_count; i++)
		add_value(p, path, copy(y->values[i]));
	if (y->values_count)
		return;
	for (int64_t v = *y->from; v <= *y->to;) {
		if (asprintf(&text, "%lld", (long long)v) < 0)
			text = NULL;
		add_value(p, path, text);
		if (y->times && v > *y->to / *y->times)
			break;
		v = y->times ? v * *y->times : v + (y->step ? *y->step : 1);
	}
}

static void
take_parameters(struct study *s, const char *path, const struct yaml_study *y)
{
	s->n_parameters = y->parameters_count + 1;
	s->parameter = tool_alloc(&study_tool, s->n_parameters,
				  sizeof *s->parameter);
	for (unsigned i = 0; i < y->parameters_count; i++)
		take_parameter(&s->parameter[i], path, &y->parameters[i]);
	s->parameter[y->parameters_count] = (struct study_parameter){
		copy("cpu"), copy_list(y->cpus, y->cpus_count), y->cpus_count};
	for (unsigned i = 0; i < s->n_parameters; i++)
		for (unsigned k = 0; k < i; k++)
			if (!strcmp(s->parameter[i].name, s->parameter[k].name))
				tool_fail(&study_tool, TOOL_FAILED,
					  "%s: two parameters are called %s",
					  path, s->parameter[i].name);
	s->cpu = tool_alloc(&study_tool, y->cpus_count, sizeof *s->cpu);
	for (unsigned i = 0; i < y->cpus_count; i++)
		s->cpu[i] = tool_cpu(&study_tool, y->cpus[i]);
}

static void
take(struct study *s, const char *path, const struct yaml_study *y)
{
	struct pmcsim_error error;

	s->word = copy_list(y->command, y->command_count);
	s->n_words = y->command_count;
	s->option = copy_list(y->options, y->options_count);
	s->n_options = y->options_count;
	s->variable = copy_list(y->environment, y->environment_count);
	s->n_variables = y->environment_count;
	s->input = copy(y->input);
	s->engine = copy(y->engine);
	s->events = join(y->events, y->events_count);
	s->metrics = join(y->metrics, y->metrics_count);
	s->repeat = y->repeat ? *y->repeat : 1;
	if (s->repeat < 1 || s->repeat > STUDY_REPEATS)
		tool_fail(&study_tool, TOOL_FAILED,
			  "%s: repeat: not from 1 to %d", path, STUDY_REPEATS);
	/* What identities are of is what commands will be given. */
	if (s->engine && pmcsim_engine_choose(s->engine, &error))
		tool_fail(&study_tool, TOOL_FAILED, "%s: engine: %s", path,
			  error.text);
	if (pmcsim_environment_choose("clean", &error))
		tool_fail(&study_tool, TOOL_FAILED, "%s", error.text);
	for (unsigned i = 0; i < s->n_variables; i++)
		if (pmcsim_environment_choose(s->variable[i], &error))
			tool_fail(&study_tool, TOOL_FAILED,
				  "%s: environment: %s", path, error.text);
	take_parameters(s, path, y);
}

/* The results' folder, which is made; and to the study's. */
static void
go_to_folder(struct study *s, const char *path, const char *results)
{
	char full[PATH_MAX], *slash, *folder;

	if (!realpath(path, full))
		tool_fail(&study_tool, TOOL_FAILED, "%s: %s", path,
			  strerror(errno));
	slash = strrchr(full, '/');
	s->name = copy(slash + 1);
	if (strlen(s->name) > 5 && !strcmp(s->name + strlen(s->name) - 5,
					   ".yaml"))
		s->name[strlen(s->name) - 5] = '\0';
	slash[slash == full] = '\0';
	if ((results ? asprintf(&folder, "%s", results)
		     : asprintf(&folder, "%s/%s.results", full, s->name)) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	tool_make_folders(&study_tool, folder);
	if (!(s->results = realpath(folder, NULL)) || chdir(full))
		tool_fail(&study_tool, TOOL_FAILED, "%s: %s", folder,
			  strerror(errno));
	free(folder);
}

void
study_read(struct study *s, const char *path, const char *results)
{
	const cyaml_config_t config = {.mem_fn = cyaml_mem};
	struct yaml_study *yaml = load(path);

	*s = (struct study){.name = NULL};
	go_to_folder(s, path, results);
	take(s, path, yaml);
	cyaml_free(&config, &study_schema, yaml, 0);
}

static void
free_list(char **list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void
study_free(struct study *s)
{
	for (unsigned i = 0; i < s->parameter[s->n_parameters - 1].n; i++)
		pmcsim_cpu_free(s->cpu[i]);
	free(s->cpu);
	for (unsigned i = 0; i < s->n_parameters; i++) {
		free(s->parameter[i].name);
		free_list(s->parameter[i].value, s->parameter[i].n);
	}
	free(s->parameter);
	free_list(s->word, s->n_words);
	free_list(s->option, s->n_options);
	free_list(s->variable, s->n_variables);
	free(s->name);
	free(s->results);
	free(s->input);
	free(s->events);
	free(s->metrics);
	free(s->engine);
}
