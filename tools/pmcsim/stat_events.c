/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of events, as -e takes them: "a,b:u,{c,d}:k", and those that are
 * counted where none is given. */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

static const char *const by_default[] = {
	"task-clock", "page-faults", "cycles", "stalled-cycles-frontend",
	"stalled-cycles-backend", "instructions", "branches",
	"branch-misses", NULL};

static const char *const by_default_untimed[] = {"instructions", "branches",
						 NULL};

/* What -d adds, and another one, and a third. */
static const char *const detailed[][8] = {
	{"L1-dcache-loads", "L1-dcache-load-misses", "LLC-loads",
	 "LLC-load-misses", NULL},
	{"L1-icache-loads", "L1-icache-load-misses", "dTLB-loads",
	 "dTLB-load-misses", "iTLB-loads", "iTLB-load-misses", NULL},
	{"L1-dcache-prefetches", "L1-dcache-prefetch-misses", NULL},
};

/* Modes, of "u", "k" or both, and "D". */
static void
modify(struct stat_want *w, const char *text, const char *modifiers)
{
	unsigned modes = 0;

	if (!*modifiers)
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s: nothing behind the colon", text);
	for (const char *m = modifiers; *m; m++)
		if (*m == 'u')
			modes |= STAT_USER;
		else if (*m == 'k')
			modes |= STAT_KERNEL;
		else if (*m == 'D')
			w->pinned = true;
		else
			tool_fail(&stat_tool, TOOL_USAGE,
				  "-e %s: \":%s\" is not of u, k and D", text,
				  modifiers);
	if (modes)
		w->modes = modes;
	w->modified |= modes != 0;
}

static size_t
add(struct stat_options *o, const char *event, const char *modifiers,
    const char *text)
{
	struct stat_want *w;
	char *shown;

	if (!*event)
		tool_fail(&stat_tool, TOOL_USAGE, "-e %s: an event is empty",
			  tool_word(text));
	o->want = realloc(o->want, (o->n_wants + 1) * sizeof(*o->want));
	if (!o->want)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	w = &o->want[o->n_wants];
	*w = (struct stat_want){
		.modes = o->modes ? o->modes : STAT_USER,
		.modified = o->modes != 0,
		.leader = o->n_wants,
	};
	if (modifiers)
		modify(w, text, modifiers);
	w->event = stat_pmu_event(event, &shown);
	if (!w->event || !shown ||
	    asprintf(&w->name, "%s%s%s", shown,
		     modifiers && shown[strlen(shown) - 1] != '/' ? ":" : "",
		     modifiers ? modifiers : "") < 0)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	free(shown);
	return o->n_wants++;
}

/* Cuts the modifiers off the end of a word, which stand behind a colon, or the
 * second slash; NULL: it has none. */
static char *
cut_modifiers(char *word, const char *text)
{
	char *slash = strchr(word, '/'), *end = word;

	if (slash) {
		end = strchr(slash + 1, '/');
		if (!end || strchr(end + 1, '/'))
			tool_fail(&stat_tool, TOOL_USAGE,
				  "-e %s: not two slashes", text);
		*end++ = '\0';
		return *end ? end + (*end == ':') : NULL;
	}
	end = strrchr(word, ':');
	if (end)
		*end++ = '\0';
	return end;
}

/* The comma at which an event ends, or the end of the list; those between
 * slashes are its own. */
static char *
end_of_event(char *item)
{
	bool inside = false;

	for (; *item && (*item != ',' || inside); item++)
		inside ^= *item == '/';
	return item;
}

/* The same of an event or a group. */
static char *
end_of(char *item)
{
	if (*item == '{') {
		item += strcspn(item, "}");
		item += *item == '}';
	}
	return end_of_event(item);
}

/* "{a,b:u}:k": a group's modifiers are those of its members without. */
static void
add_group(struct stat_options *o, char *item, const char *text)
{
	char *end = strchr(item, '}'), *word = item + 1, *modifiers;
	size_t leader = o->n_wants;
	bool more = true;

	if (!end || (end[1] && end[1] != ':'))
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s: a brace does not end", text);
	modifiers = end[1] ? end + 2 : NULL;
	*end = '\0';
	for (char *next; more; word = next + 1) {
		char *own;
		size_t i;

		next = end_of_event(word);
		more = *next;
		*next = '\0';
		own = cut_modifiers(word, text);
		i = add(o, word, own ? own : modifiers, text);
		o->want[i].leader = leader;
	}
}

static void
add_list(struct stat_options *o, const char *text)
{
	char *copy = strdup(text), *item = copy, *end;
	bool more = true;

	if (!copy)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	for (; more; item = end + 1) {
		end = end_of(item);
		more = *end == ',';
		*end = '\0';
		if (*item == '{')
			add_group(o, item, text);
		else {
			char *modifiers = cut_modifiers(item, text);

			add(o, item, modifiers, text);
		}
	}
	free(copy);
}

static void
add_names(struct stat_options *o, const char *const *name)
{
	for (; *name; name++)
		add(o, *name, NULL, *name);
}

const char *
stat_user_only(const struct stat_options *o)
{
	return o->interval    ? "-I"
	       : o->multiplex ? "--multiplex"
			      : o->sampled.one_in ? "--sampled" : NULL;
}

/* What is noted at intervals, or estimated, is user mode's. */
static void
check_modes(const struct stat_options *o)
{
	const char *only = stat_user_only(o);

	for (size_t i = 0; only && i < o->n_wants; i++)
		if (o->want[i].modes != STAT_USER)
			tool_fail(&stat_tool, TOOL_USAGE,
				  "-e %s: %s counts user mode only",
				  o->want[i].name, only);
}

void
stat_parse_events(struct stat_options *o)
{
	if (o->events)
		add_list(o, o->events);
	else if (!o->no_events && !o->metrics)
		add_names(o, o->no_time ? by_default_untimed : by_default);
	for (unsigned i = 0; i < o->detailed && i < 3; i++)
		add_names(o, detailed[i]);
	check_modes(o);
}

/* The want of an event in user mode, added if there is none. */
static size_t
want_of(struct stat_options *o, const char *event)
{
	for (size_t i = 0; i < o->n_wants; i++)
		if (!strcmp(o->want[i].event, event) &&
		    o->want[i].modes == STAT_USER)
			return i;
	return add(o, event, NULL, event);
}

static void
add_metric(struct stat_options *o, const struct pmcsim_lexicon *lexicon,
	   const char *name)
{
	size_t n, n_events, i = 0;
	const struct pmcsim_quotient_of *m =
		pmcsim_lexicon_metrics(lexicon, &n);
	const struct pmcsim_named *event =
		pmcsim_lexicon_events(lexicon, &n_events);
	struct stat_wish *w;

	while (i < n && strcasecmp(m[i].name, name))
		i++;
	if (i == n)
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-M: there is no metric %s; \"pmcsim list --linux "
			  "%s\" lists them", tool_word(name), o->cpu[0]);
	o->wish = realloc(o->wish, (o->n_wishes + 1) * sizeof(*o->wish));
	if (!o->wish)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	w = &o->wish[o->n_wishes++];
	w->metric = i;
	w->over = want_of(o, event[m[i].over].name);
	w->under = want_of(o, event[m[i].under].name);
}

void
stat_parse_metrics(struct stat_options *o,
		   const struct pmcsim_lexicon *lexicon)
{
	char *rest = o->metrics, *name;

	while ((name = strsep(&rest, ",")))
		add_metric(o, lexicon, name);
}
