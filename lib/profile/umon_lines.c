/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of umon.out(5).  Nothing in a file is believed: every line has its
 * form, numbers their ranges, and everything adds up.
 */
#include "symbols/history.h"
#include "umon_read_internal.h"

#include <stdlib.h>
#include <string.h>

#define IMAGES_MAX (1u << 24)	/* numbers of programs */

static bool
read_cpu(struct umon_reader *r, char *rest)
{
	if (r->u->cpu)
		return false;
	r->u->cpu = umon_text(&rest);
	return r->u->cpu && !rest;
}

static bool
read_clock(struct umon_reader *r, char *rest)
{
	return umon_number(&rest, 10, UINT64_MAX, &r->u->clock_hz) && !rest;
}

static bool
read_command(struct umon_reader *r, char *rest)
{
	if (r->u->command)
		return false;
	do {
		char **list = history_grow(r->u->command, r->n_command + 1,
					   &r->command_room, sizeof *list);

		if (!list)
			return false;
		r->u->command = list;
		list[r->n_command] = rest ? umon_text(&rest) : NULL;
		list[r->n_command + 1] = NULL;
		if (!list[r->n_command++])
			return false;
	} while (rest);
	return true;
}

static bool
read_state(struct umon_reader *r, char *rest)
{
	r->u->partial = rest && !strcmp(rest, "partial");
	return rest && (r->u->partial || !strcmp(rest, "complete"));
}

static bool
read_stride(struct umon_reader *r, char *rest)
{
	return umon_number(&rest, 10, UINT64_MAX, &r->u->stride) && !rest;
}

static bool
read_lost(struct umon_reader *r, char *rest)
{
	uint64_t n;

	if (!umon_number(&rest, 10, UINT32_MAX, &n) || rest)
		return false;
	r->p->lost = (unsigned)n;
	return true;
}

static bool
read_doubt(struct umon_reader *r, char *rest)
{
	int n = rest ? pmcsim_doubt_find(rest) : -1;

	if (n >= 0)
		r->u->doubts |= 1u << n;
	return n >= 0;
}

static bool
read_event(struct umon_reader *r, char *rest)
{
	size_t e = r->p->n_events;

	if (e == PMCSIM_PROFILE_EVENTS || r->p->n_places || r->u->n_regions)
		return false;
	r->p->n_events++;
	r->u->event[e] = umon_text(&rest);
	r->u->label[e] = umon_text(&rest);
	if (!r->u->event[e] || !*r->u->event[e] || !r->u->label[e] ||
	    !umon_number(&rest, 10, UINT64_MAX, &r->p->each[e]) ||
	    !umon_number(&rest, 10, UINT64_MAX, &r->p->total[e]) ||
	    !umon_number(&rest, 10, r->p->total[e], &r->p->rest[e]) || !rest)
		return false;
	r->p->of_samples[e] = !strcmp(rest, "instructions");
	r->p->estimate[e] = r->p->of_samples[e] || !strcmp(rest, "estimated");
	if (!r->p->estimate[e] && strcmp(rest, "counted"))
		return false;
	r->p->period = r->p->each[0];
	return !r->p->each[e] == !r->p->period;
}

static bool
read_ratio(struct umon_reader *r, char *rest)
{
	struct pmcsim_ratio *ratio = &r->u->ratio[r->u->n_ratios];
	uint64_t n[4];

	if (r->u->n_ratios == PMCSIM_PROFILE_EVENTS)
		return false;
	r->u->n_ratios++;
	ratio->name = umon_text(&rest);
	ratio->label = umon_text(&rest);
	if (!ratio->name || !*ratio->name || !ratio->label)
		return false;
	for (unsigned i = 0; i < 4; i++)
		if (!umon_number(&rest, 10, INT32_MAX, &n[i]))
			return false;
	ratio->over = (unsigned)n[0];
	ratio->over_factor = (unsigned)n[1];
	ratio->under = (unsigned)n[2];
	ratio->under_factor = (unsigned)n[3];
	return !rest && ratio->over < r->p->n_events &&
	       ratio->under < r->p->n_events && ratio->over_factor &&
	       ratio->under_factor;
}

static bool
read_region(struct umon_reader *r, char *rest)
{
	struct pmcsim_umon_region region = {0};
	struct pmcsim_region *is = &region.is;
	char *name, *word;
	bool good;

	if (r->version < UMON_PLAIN + UMON_REGIONS || r->u->only)
		return false;
	name = umon_text(&rest);
	is->name = name;
	word = umon_word(&rest);
	r->u->only = word && !strcmp(word, "only") && !r->u->n_regions;
	good = name && *name && word &&
	       (r->u->only || !strcmp(word, "part")) &&
	       umon_number(&rest, 10, UINT64_MAX, &is->entries) &&
	       umon_number(&rest, 10, is->entries, &is->unended) &&
	       umon_number(&rest, 10, UINT64_MAX, &is->unbegun) &&
	       umon_number(&rest, 10, UINT64_MAX, &is->left_out);
	for (size_t e = 0; e < r->p->n_events && good; e++)
		good = umon_number(&rest, 10, UINT64_MAX, &region.count[e]);
	good = good && !rest && umon_add_region(r->u, &region);
	free(name);
	return good;
}

static bool
read_process(struct umon_reader *r, char *rest)
{
	uint64_t number, parent, forked, pid;
	void *list = history_grow(r->image, r->p->n_images, &r->images_room,
				  sizeof *r->image);

	if (!list)
		return false;
	r->p->image = r->image = list;
	if (!umon_number(&rest, 10, IMAGES_MAX, &number) ||
	    !umon_number(&rest, 10, IMAGES_MAX, &parent) ||
	    !umon_number(&rest, 10, 1, &forked) ||
	    !umon_number(&rest, 10, INT32_MAX, &pid) || rest)
		return false;
	r->image[r->p->n_images++] = (struct pmcsim_image){
		(unsigned)number, (unsigned)parent, forked, (int)pid};
	return true;
}

static bool
is_build(const char *word)
{
	size_t n = strspn(word, "0123456789abcdef");

	return n && n % 2 == 0 && !word[n];
}

/* Room for one more in a list of the profile's; NULL without memory. */
static char **
grow_list(const struct umon_reader *r, char ***list, size_t *room,
	  const char *const **of)
{
	char **more = history_grow(*list, r->p->n_modules, room, sizeof *more);

	if (more)
		*of = (const char *const *)(*list = more);
	return more;
}

static bool
read_module(struct umon_reader *r, char *rest)
{
	struct pmcsim_profile *p = r->p;
	char *path, *build;

	if (!grow_list(r, &r->module, &r->modules_room, &p->module) ||
	    !grow_list(r, &r->build, &r->builds_room, &p->build))
		return false;
	path = umon_text(&rest);
	if (!path)
		return false;
	build = r->version > UMON_OLDEST ? umon_text(&rest) : NULL;
	r->module[p->n_modules] = path;
	r->build[p->n_modules++] = build;
	return !rest && (p->n_modules > 1) == (*path != '\0') &&
	       (!build || is_build(build));
}

static bool
read_function(struct umon_reader *r, char *rest)
{
	struct pmcsim_umon *u = r->u;
	struct pmcsim_listed l = {0};
	uint64_t module;
	void *list = history_grow(u->listed, u->n_listed, &r->listed_room,
				  sizeof l);

	if (!list)
		return false;
	u->listed = list;
	if (!umon_number(&rest, 10, UINT32_MAX, &module) || !module ||
	    module >= r->p->n_modules ||
	    !umon_number(&rest, 16, UINT64_MAX, &l.start) ||
	    !umon_number(&rest, 16, UINT64_MAX - l.start, &l.size))
		return false;
	l.module = (unsigned)module;
	l.name = umon_text(&rest);
	if (!l.name)
		return false;
	u->listed[u->n_listed++] = l;
	return !rest && *l.name;
}

static bool
read_call(struct umon_reader *r, char *rest)
{
	size_t n = r->p->n_calls;
	void *list = history_grow(r->call, n, &r->calls_room, sizeof *r->call);
	uint64_t parent, module, offset, taken;

	if (!list)
		return false;
	r->p->call = r->call = list;
	if (!r->p->calls || n == UINT32_MAX ||
	    !umon_number(&rest, 10, n, &parent) ||
	    !umon_number(&rest, 10, UINT32_MAX, &module) ||
	    module >= r->p->n_modules ||
	    !umon_number(&rest, 16, UINT64_MAX, &offset) ||
	    !umon_number(&rest, 10, UINT64_MAX, &taken))
		return false;
	r->call[r->p->n_calls++] = (struct pmcsim_call){
		(unsigned)parent, (unsigned)module, offset, taken};
	return !rest;
}

static bool
add_cost(struct umon_reader *r, const struct pmcsim_place *at)
{
	for (unsigned e = 0; e < r->p->n_events; e++) {
		uint64_t cost;

		if (__builtin_mul_overflow(at->count[e],
					   r->p->period && !r->p->estimate[e]
						   ? r->p->each[e] : 1,
					   &cost) ||
		    __builtin_add_overflow(r->cost[e], cost, &r->cost[e]))
			return false;
	}
	return true;
}

static bool
read_place(struct umon_reader *r, char *rest)
{
	void *list = history_grow(r->place, r->p->n_places, &r->places_room,
				  sizeof *r->place);
	struct pmcsim_place at = {0};
	uint64_t image, module;

	if (!list)
		return false;
	r->p->place = r->place = list;
	if (!umon_number(&rest, 10, IMAGES_MAX, &image) ||
	    !umon_number(&rest, 10, UINT32_MAX, &module) ||
	    module >= r->p->n_modules ||
	    !umon_number(&rest, 16, UINT64_MAX, &at.offset) ||
	    !umon_number(&rest, 16, UINT64_MAX, &at.pc) ||
	    (r->p->calls && !umon_number(&rest, 10, r->p->n_calls, &at.path)))
		return false;
	at.image = (unsigned)image;
	at.module = (unsigned)module;
	for (unsigned e = 0; e < r->p->n_events; e++)
		if (!umon_number(&rest, 10, UINT64_MAX, &at.count[e]))
			return false;
	r->place[r->p->n_places++] = at;
	return !rest && add_cost(r, &at);
}

/* Whether all that belongs to one is there and adds up. */
static bool
read_end(struct umon_reader *r, char *rest)
{
	uint64_t sum;

	if (!umon_number(&rest, 16, UINT64_MAX, &sum) || rest ||
	    sum != r->sum || !r->u->cpu || !r->u->command || !r->p->n_events ||
	    !r->p->n_modules)
		return false;
	for (unsigned e = 0; e < r->p->n_events; e++)
		if (r->cost[e] != r->p->total[e] - r->p->rest[e])
			return false;
	return r->ended = true;
}

static const struct {
	const char *word;
	bool (*read)(struct umon_reader *r, char *rest);
} lines[] = {
	{"at", read_place},	   {"module", read_module},
	{"process", read_process}, {"event", read_event}, {"ratio", read_ratio},
	{"region", read_region},
	{"cpu", read_cpu},	   {"clock", read_clock},
	{"command", read_command}, {"state", read_state},
	{"stride", read_stride},   {"lost", read_lost}, {"doubt", read_doubt},
	{"function", read_function}, {"call", read_call},
	{"end", read_end},
};

char
umon_version_of(const char *line)
{
	size_t n = sizeof UMON_MAGIC - 1;
	char version = strncmp(line, UMON_MAGIC, n) ? 0 : line[n];

	return version >= UMON_OLDEST && version <= UMON_VERSION &&
	       !line[n + 1] ? version : 0;
}

bool
umon_take_line(struct umon_reader *r, char *text, size_t length)
{
	bool is_end = !strncmp(text, "end ", 4);
	char *word;

	if (r->ended || strlen(text) != length || text[length - 1] != '\n')
		return false;
	if (!is_end)
		r->sum = umon_sum(r->sum, text, length);
	text[length - 1] = '\0';
	if (r->line == 1) {
		r->version = umon_version_of(text);
		r->p->calls = r->version == UMON_CALLS ||
			      r->version == UMON_CALLS + UMON_REGIONS;
		return r->version != 0;
	}
	word = umon_word(&text);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strcmp(word, lines[i].word))
			return lines[i].read(r, text);
	return false;
}
