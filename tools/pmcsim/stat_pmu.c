/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as perf names those of a processor by their fields:
 * "cpu/event=0xc4,umask=0x20,name=taken/". */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

#define PMU "cpu/"

struct pmu_event {
	const char *word;	/* for complaints */
	unsigned long event, umask;
	bool coded;
	const char *event_name;	/* a term without a value */
	const char *shown;	/* that of "name="; NULL */
};

static unsigned long
value(const struct pmu_event *e, const char *term, const char *text,
      unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);

	if (*text < '0' || *text > '9' || *end || n > max)
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s/: %s=%s is no number up to 0x%lx", e->word,
			  term, text, max);
	return n;
}

static void
take_term(struct pmu_event *e, char *term)
{
	char *text = strchr(term, '=');

	if (text)
		*text++ = '\0';
	if (!text && !e->event_name && *term) {
		e->event_name = term;
	} else if (text && !strcmp(term, "event")) {
		e->event = value(e, term, text, 0xfff);
		e->coded = true;
	} else if (text && !strcmp(term, "umask")) {
		e->umask = value(e, term, text, 0xff);
	} else if (text && *text && !strcmp(term, "name")) {
		e->shown = text;
	} else {
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s/: only a name, or event=, umask= and name= "
			  "are known", e->word);
	}
}

/* An event of more than 8 bits has the upper ones above the unit mask. */
static char *
name_of(const struct pmu_event *e)
{
	char *name;

	if (!e->coded)
		return strdup(e->event_name);
	return asprintf(&name, "r%lx", (e->event & 0xf00) << 24 |
					       e->umask << 8 |
					       (e->event & 0xff)) < 0
		       ? NULL : name;
}

char *
stat_pmu_event(const char *word, char **shown)
{
	struct pmu_event e = {.word = word};
	char *copy, *rest, *term, *name;

	if (!strchr(word, '/')) {
		*shown = strdup(word);
		return strdup(word);
	}
	if (strncmp(word, PMU, strlen(PMU)) != 0)
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s/: the counters of the processor are called "
			  "cpu", word);
	copy = rest = strdup(word + strlen(PMU));
	if (!copy)
		return NULL;
	while ((term = strsep(&rest, ",")))
		take_term(&e, term);
	if (e.coded == (e.event_name != NULL))
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s/: either a name or event= is needed", word);
	name = name_of(&e);
	if (asprintf(shown, "%s%s", e.shown ? e.shown : word,
		     e.shown ? "" : "/") < 0)
		*shown = NULL;
	free(copy);
	return name;
}
