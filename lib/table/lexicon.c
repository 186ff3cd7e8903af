/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of events that are the same on all CPUs, and those of a CPU's own
 * table, beside each other: what each is made of on that CPU.
 */
#include "lexicon.h"
#include "table_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
machine_has(const struct sim_config *config, enum yaml_has has)
{
	switch (has) {
	case HAS_L1_ONLY:
		return !config->l2.size && !config->l3.size;
	case HAS_L2:
		return config->l2.size;
	case HAS_L3:
		return config->l3.size;
	default:
		return true;
	}
}

/* The first origin that the machine has, or NULL. */
static const struct yaml_origin *
origin_of(const struct sim_config *config, const struct yaml_word *word)
{
	for (unsigned i = 0; i < word->origins_count; i++)
		if (machine_has(config, word->origins[i].has))
			return &word->origins[i];
	return NULL;
}

/* Origin k of word w. */
static int
check_origin(struct table_check *check, unsigned w, unsigned k)
{
	const struct yaml_origin *origin =
		&check->file->lexicon->words[w].origins[k];
	struct event_term term[SIM_EVENT_TERMS];
	int n = 0;

	for (unsigned i = 0; i < origin->signals_count; i++) {
		table_at(check, "words[%u].origins[%u].signals[%u]", w, k, i);
		n = table_terms(origin->signals[i], term, (unsigned)n,
				SIM_EVENT_TERMS);
		if (n < 0)
			return table_fail(check,
					  "signal '%s' is none, or given "
					  "twice, or one too many",
					  origin->signals[i]);
	}
	return 0;
}

static bool
is_word(const struct yaml_lexicon *lexicon, const char *name)
{
	for (unsigned i = 0; i < lexicon->words_count; i++)
		if (!strcmp(lexicon->words[i].name, name))
			return true;
	return false;
}

static int
check_metric(struct table_check *check, const struct yaml_lexicon *lexicon,
	     const struct yaml_quotient *metric)
{
	if (!is_word(lexicon, metric->over))
		return table_fail(check, "no event is called '%s'",
				  metric->over);
	if (!is_word(lexicon, metric->under))
		return table_fail(check, "no event is called '%s'",
				  metric->under);
	return 0;
}

static int
check_file(const struct table_file *file, struct pmcsim_error *error)
{
	struct table_check check = {.file = file, .error = error};
	const struct yaml_lexicon *lexicon = file->lexicon;
	int rc = 0;

	for (unsigned i = 0; i < lexicon->words_count && !rc; i++)
		for (unsigned k = 0;
		     k < lexicon->words[i].origins_count && !rc; k++)
			rc = check_origin(&check, i, k);
	for (unsigned i = 0; i < lexicon->metrics_count && !rc; i++) {
		table_at(&check, "metrics[%u]", i);
		rc = check_metric(&check, lexicon, &lexicon->metrics[i]);
	}
	return rc;
}

static void
add_word(struct pmcsim_lexicon *l, const struct yaml_word *word)
{
	const struct yaml_origin *origin =
		origin_of(&l->cpu->config, word);
	struct sim_event *event = &l->event[l->n];

	l->named[l->n++] = (struct pmcsim_named){
		.name = word->name,
		.text = word->text,
		.unit = (enum pmcsim_unit)word->unit,
		.modes = word->modes,
		.precision = origin ? (enum pmcsim_precision)word->precision
				    : PMCSIM_NOT_MODELLED,
	};
	for (unsigned i = 0; origin && i < origin->signals_count; i++)
		event->n = (u8)table_terms(origin->signals[i], event->term,
					   event->n, SIM_EVENT_TERMS);
}

/* An event of the table, as its counters would have it; one that another
 * register tells apart is not known by its code. */
static void
add_own(struct pmcsim_lexicon *l, const struct pmcsim_event *own)
{
	const struct sim_config *config = &l->cpu->config;

	l->named[l->n] = (struct pmcsim_named){
		.name = own->name,
		.text = own->text,
		.code = own->code,
		.precision = own->variant ? PMCSIM_NOT_MODELLED
					  : own->precision,
		.of_table = true,
	};
	for (u32 i = 0; i < config->n_events; i++)
		if (config->event[i].code == own->code &&
		    config->event[i].counters == own->counters)
			l->event[l->n] = config->event[i];
	l->n++;
}

static int
fill(struct pmcsim_lexicon *l)
{
	const struct yaml_lexicon *yaml = l->file.lexicon;
	size_t n = yaml->words_count + l->cpu->n_events;

	l->named = calloc(n, sizeof *l->named);
	l->event = calloc(n, sizeof *l->event);
	l->metric = calloc(yaml->metrics_count, sizeof *l->metric);
	if (!l->named || !l->event || !l->metric)
		return -ENOMEM;
	for (unsigned i = 0; i < yaml->words_count; i++)
		add_word(l, &yaml->words[i]);
	l->n_words = l->n;
	for (size_t i = 0; i < l->cpu->n_events; i++)
		if (!l->cpu->event[i].reserved)
			add_own(l, &l->cpu->event[i]);
	for (unsigned i = 0; i < yaml->metrics_count; i++) {
		const struct yaml_quotient *m = &yaml->metrics[i];

		l->metric[l->n_metrics++] = (struct pmcsim_quotient_of){
			.name = m->name,
			.text = m->text,
			.unit = m->unit,
			.over = (size_t)pmcsim_lexicon_find(l, m->over),
			.under = (size_t)pmcsim_lexicon_find(l, m->under),
			.times = m->times,
		};
	}
	return 0;
}

static int
load(struct pmcsim_lexicon *l, struct pmcsim_error *error)
{
	char *path;
	int rc = table_find("names/linux", &path, error);

	if (rc == -ENOENT)
		snprintf(error->text, sizeof error->text,
			 "there is no names/linux.yaml in the events folders");
	if (rc)
		return rc;
	rc = table_file_read(&l->file, TABLE_LEXICON, path, error);
	free(path);
	if (!rc)
		rc = check_file(&l->file, error);
	if (!rc)
		rc = fill(l);
	return rc ? rc : lexicon_check_fixed(l, error);
}

int
pmcsim_lexicon_load(const struct pmcsim_cpu *cpu,
		    struct pmcsim_lexicon **lexicon,
		    struct pmcsim_error *error)
{
	struct pmcsim_lexicon *l = calloc(1, sizeof *l);
	int rc = -ENOMEM;

	error->text[0] = '\0';
	if (l) {
		l->cpu = cpu;
		rc = load(l, error);
	}
	if (rc && !error->text[0])
		snprintf(error->text, sizeof error->text, "%s",
			 strerror(-rc));
	if (rc)
		pmcsim_lexicon_free(l);
	*lexicon = rc ? NULL : l;
	return rc;
}

void
pmcsim_lexicon_free(struct pmcsim_lexicon *l)
{
	if (!l)
		return;
	table_file_free(&l->file);
	free(l->named);
	free(l->event);
	free(l->metric);
	free(l);
}

const struct pmcsim_named *
pmcsim_lexicon_events(const struct pmcsim_lexicon *l, size_t *n)
{
	*n = l->n;
	return l->named;
}

const struct pmcsim_quotient_of *
pmcsim_lexicon_metrics(const struct pmcsim_lexicon *l, size_t *n)
{
	*n = l->n_metrics;
	return l->metric;
}

static bool
has_alias(const struct yaml_word *word, const char *name)
{
	for (unsigned i = 0; i < word->aliases_count; i++)
		if (!strcasecmp(word->aliases[i], name))
			return true;
	return false;
}

/* An event of the table by its code, "r412e"; -ENOENT. */
static int
find_code(const struct pmcsim_lexicon *l, const char *name)
{
	unsigned long code;
	char *end;

	if (*name != 'r' || !name[1] ||
	    strspn(name + 1, "0123456789abcdefABCDEF") != strlen(name + 1))
		return -ENOENT;
	code = strtoul(name + 1, &end, 16);
	for (size_t i = l->n_words; i < l->n; i++)
		if (code <= TABLE_MAX_CODE && l->named[i].code == code &&
		    l->named[i].precision != PMCSIM_NOT_MODELLED)
			return (int)i;
	return -ENOENT;
}

int
pmcsim_lexicon_find(const struct pmcsim_lexicon *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcasecmp(l->named[i].name, name))
			return (int)i;
	for (size_t i = 0; i < l->n_words; i++)
		if (has_alias(&l->file.lexicon->words[i], name))
			return (int)i;
	return find_code(l, name);
}
