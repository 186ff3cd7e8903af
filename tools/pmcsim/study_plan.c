/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study": which cells there are, and what each is called. */
#include "study.h"

#include <sha256.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- What is in a cell -------------------------------------------------- */

const char *
study_value(const struct study *s, unsigned number, unsigned parameter)
{
	for (unsigned i = s->n_parameters - 1; i > parameter; i--)
		number /= s->parameter[i].n;
	return s->parameter[parameter].value[number % s->parameter[parameter].n];
}

static const struct pmcsim_cpu *
cpu_of(const struct study *s, unsigned number)
{
	return s->cpu[number % s->parameter[s->n_parameters - 1].n];
}

/* Writes the value of the parameter that a text begins with, "{NAME}"; how
 * long that is, 0 if it does not. */
static size_t
put_parameter(const struct study *s, unsigned number, const char *text,
	      FILE *out)
{
	size_t n = strcspn(text, "}");

	for (unsigned i = 0; i < s->n_parameters && text[n]; i++) {
		const char *name = s->parameter[i].name;

		if (strlen(name) != n - 1 || strncmp(name, text + 1, n - 1))
			continue;
		fputs(study_value(s, number, i), out);
		return n + 1;
	}
	return 0;
}

/* A text of the file with its parameters' values; the caller's. */
static char *
fill_in(const struct study *s, unsigned number, const char *text)
{
	char *filled = NULL;
	size_t size;
	FILE *out = open_memstream(&filled, &size);

	if (!out)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	for (const char *p = text; *p;) {
		size_t n = *p == '{' ? put_parameter(s, number, p, out) : 0;

		if (*p == '{' && !n)
			tool_fail(&study_tool, TOOL_FAILED,
				  "%s: \"%s\" names no parameter", s->name,
				  text);
		if (!n)
			fputc(*p++, out);
		p += n;
	}
	tool_close_text(&study_tool, out, &filled);
	return filled;
}

static char **
fill_in_words(const struct study *s, unsigned number)
{
	char **word = tool_alloc(&study_tool, s->n_words + 1, sizeof *word);

	for (unsigned i = 0; i < s->n_words; i++)
		word[i] = fill_in(s, number, s->word[i]);
	return word;
}

static void
free_words(char **word)
{
	for (char **w = word; *w; w++)
		free(*w);
	free(word);
}

char *
study_cell_text(const struct study *s, unsigned number)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	for (unsigned i = 0; i < s->n_parameters; i++)
		fprintf(out, "%s%s %s", i ? ", " : "", s->parameter[i].name,
			study_value(s, number, i));
	tool_close_text(&study_tool, out, &text);
	return text;
}

/* ---- What it is called -------------------------------------------------- */

static void
add_text(SHA2_CTX *hash, const char *text)
{
	text = text ? text : "";
	SHA256Update(hash, (const uint8_t *)text, strlen(text) + 1);
}

static void
name_cell(const struct study *s, struct study_cell *cell)
{
	char **word = fill_in_words(s, cell->number), repeat[16];
	char *input = s->input ? fill_in(s, cell->number, s->input) : NULL;
	char identity[PMCSIM_IDENTITY], whole[SHA256_DIGEST_STRING_LENGTH];
	struct pmcsim_error error;
	SHA2_CTX hash;

	if (pmcsim_target_identity(cpu_of(s, cell->number), word, input,
				   identity, &error))
		tool_fail(&study_tool, TOOL_FAILED, "%s", error.text);
	snprintf(repeat, sizeof repeat, "%u", s->repeat);
	SHA256Init(&hash);
	add_text(&hash, pmcsim_version());
	add_text(&hash, identity);
	add_text(&hash, s->events);
	add_text(&hash, s->metrics);
	add_text(&hash, s->engine);
	add_text(&hash, repeat);
	for (unsigned i = 0; i < s->n_options; i++)
		add_text(&hash, s->option[i]);
	SHA256End(&hash, whole);
	memcpy(cell->hash, whole, STUDY_HASH - 1);
	cell->hash[STUDY_HASH - 1] = '\0';
	free_words(word);
	free(input);
}

void
study_plan(const struct study *s, struct study_shard shard,
	   struct study_plan *plan)
{
	uint64_t all = 1;

	for (unsigned i = 0; i < s->n_parameters; i++) {
		all *= s->parameter[i].n;
		if (all > STUDY_CELLS)
			tool_fail(&study_tool, TOOL_FAILED,
				  "%s: more than %u cells", s->name,
				  STUDY_CELLS);
	}
	*plan = (struct study_plan){.study = s, .all = (unsigned)all};
	plan->cell = tool_alloc(&study_tool, plan->all, sizeof *plan->cell);
	for (unsigned i = shard.index - 1; i < plan->all; i += shard.of) {
		plan->cell[plan->n].number = i;
		name_cell(s, &plan->cell[plan->n++]);
	}
}

void
study_plan_free(struct study_plan *plan)
{
	free(plan->cell);
}

/* ---- How it is executed ------------------------------------------------- */

char *
study_cell_file(const struct study *s, const struct study_cell *cell)
{
	char *path;

	if (asprintf(&path, "%s/%s.csv", s->results, cell->hash) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	return path;
}

bool
study_cell_is_there(const struct study *s, const struct study_cell *cell)
{
	char *path = study_cell_file(s, cell);
	bool there = !access(path, R_OK);

	free(path);
	return there;
}

/* The words of "pmcsim stat" and the command, NULL behind the last. */
static void
put_command(const struct study *s, const struct study_cell *cell,
	    const char *part, FILE *out)
{
	char **target = fill_in_words(s, cell->number), repeat[16], *text;
	char **word = tool_alloc(&study_tool, 24 + 2 * s->n_variables +
				 s->n_options + s->n_words, sizeof *word);
	size_t n = 0;

	snprintf(repeat, sizeof repeat, "%u", s->repeat);
#define ADD(text) (word[n++] = (char *)(text))
	ADD("pmcsim"), ADD("stat"), ADD("--quiet"), ADD("--csv");
	ADD("-o"), ADD(part);
	ADD("--cpu"), ADD(study_value(s, cell->number, s->n_parameters - 1));
	if (s->events)
		ADD("-e"), ADD(s->events);
	if (s->metrics)
		ADD("-M"), ADD(s->metrics);
	if (s->repeat > 1)
		ADD("-r"), ADD(repeat);
	if (s->engine)
		ADD("--engine"), ADD(s->engine);
	ADD("--env"), ADD("clean");
	for (unsigned i = 0; i < s->n_variables; i++)
		ADD("--env"), ADD(s->variable[i]);
	for (unsigned i = 0; i < s->n_options; i++)
		ADD(s->option[i]);
	ADD("--");
	for (unsigned i = 0; i < s->n_words; i++)
		ADD(target[i]);
#undef ADD
	text = tidy_command_text(&study_tool, word);
	fputs(text, out);
	free(text);
	free(word);
	free_words(target);
}

/* One word as a shell takes it. */
static char *
quoted(const char *word)
{
	char *const words[] = {(char *)word, NULL};

	return tidy_command_text(&study_tool, words);
}

char *
study_cell_command(const struct study *s, const struct study_cell *cell)
{
	char *path = study_cell_file(s, cell), *part, *text = NULL;
	char *input = s->input ? fill_in(s, cell->number, s->input) : NULL;
	char *from = quoted(input ? input : "/dev/null");
	char *to = quoted(path), *by;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out || asprintf(&part, "%s.part", path) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	by = quoted(part);
	put_command(s, cell, part, out);
	fprintf(out, " <%s >/dev/null && mv %s %s", from, by, to);
	tool_close_text(&study_tool, out, &text);
	free(path);
	free(part);
	free(input);
	free(from);
	free(to);
	free(by);
	return text;
}
