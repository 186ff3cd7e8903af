/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads umon.out(5).  Nothing in a file is believed: every line has its
 * form, numbers their ranges, and everything adds up.
 */
#include "symbols/history.h"
#include "umon.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMAGES_MAX (1u << 24)	/* numbers of programs */

struct reader {
	const char *path;
	struct pmcsim_umon *u;
	struct pmcsim_profile *p;
	char **module, **build;
	struct pmcsim_image *image;
	struct pmcsim_place *place;
	struct pmcsim_call *call;
	size_t modules_room, builds_room, images_room, places_room,
	       calls_room, listed_room;
	char version;
	size_t n_command, command_room;
	uint64_t cost[PMCSIM_PROFILE_EVENTS];	/* at places so far */
	uint64_t sum;
	unsigned long line;
	bool ended;
};

/* ---- Words ----------------------------------------------------------- */

/* The next word, up to a blank, or NULL behind the last. */
static char *
take(char **rest)
{
	char *word = *rest, *end;

	if (!word)
		return NULL;
	end = strchr(word, ' ');
	if (end)
		*end++ = '\0';
	*rest = end;
	return word;
}

/* What put_word() has made of a text; the caller's, NULL if it is bad. */
static char *
take_text(char **rest)
{
	char *word = take(rest), *out;

	if (!word || !*word)
		return NULL;
	if (!strcmp(word, "\\"))
		return strdup("");
	out = word;
	for (const char *in = word; *in; out++) {
		unsigned code = 0;

		if (*in != '\\') {
			*out = *in++;
			continue;
		}
		in++;
		for (int i = 0; i < 3; i++, in++) {
			if (*in < '0' || *in > '7')
				return NULL;
			code = code * 8 + (unsigned)(*in - '0');
		}
		if (!code || code > 255)
			return NULL;
		*out = (char)code;
	}
	*out = '\0';
	return strdup(word);
}

static bool
take_number(char **rest, unsigned base, uint64_t max, uint64_t *number)
{
	char *word = take(rest), *end;

	if (!word || !isxdigit((unsigned char)*word))
		return false;
	errno = 0;
	*number = strtoull(word, &end, (int)base);
	return !*end && !errno && *number <= max;
}

/* ---- Lines ----------------------------------------------------------- */

static bool
read_cpu(struct reader *r, char *rest)
{
	if (r->u->cpu)
		return false;
	r->u->cpu = take_text(&rest);
	return r->u->cpu && !rest;
}

static bool
read_clock(struct reader *r, char *rest)
{
	return take_number(&rest, 10, UINT64_MAX, &r->u->clock_hz) && !rest;
}

static bool
read_command(struct reader *r, char *rest)
{
	if (r->u->command)
		return false;
	do {
		char **list = history_grow(r->u->command, r->n_command + 1,
					   &r->command_room, sizeof *list);

		if (!list)
			return false;
		r->u->command = list;
		list[r->n_command] = rest ? take_text(&rest) : NULL;
		list[r->n_command + 1] = NULL;
		if (!list[r->n_command++])
			return false;
	} while (rest);
	return true;
}

static bool
read_state(struct reader *r, char *rest)
{
	r->u->partial = rest && !strcmp(rest, "partial");
	return rest && (r->u->partial || !strcmp(rest, "complete"));
}

static bool
read_stride(struct reader *r, char *rest)
{
	return take_number(&rest, 10, UINT64_MAX, &r->u->stride) && !rest;
}

static bool
read_lost(struct reader *r, char *rest)
{
	uint64_t n;

	if (!take_number(&rest, 10, UINT32_MAX, &n) || rest)
		return false;
	r->p->lost = (unsigned)n;
	return true;
}

static bool
read_doubt(struct reader *r, char *rest)
{
	int n = rest ? pmcsim_doubt_find(rest) : -1;

	if (n >= 0)
		r->u->doubts |= 1u << n;
	return n >= 0;
}

static bool
read_event(struct reader *r, char *rest)
{
	size_t e = r->p->n_events;

	if (e == PMCSIM_PROFILE_EVENTS || r->p->n_places)
		return false;
	r->p->n_events++;
	r->u->event[e] = take_text(&rest);
	r->u->label[e] = take_text(&rest);
	if (!r->u->event[e] || !*r->u->event[e] || !r->u->label[e] ||
	    !take_number(&rest, 10, UINT64_MAX, &r->p->each[e]) ||
	    !take_number(&rest, 10, UINT64_MAX, &r->p->total[e]) ||
	    !take_number(&rest, 10, r->p->total[e], &r->p->rest[e]) || !rest)
		return false;
	r->p->of_samples[e] = !strcmp(rest, "instructions");
	r->p->estimate[e] = r->p->of_samples[e] || !strcmp(rest, "estimated");
	if (!r->p->estimate[e] && strcmp(rest, "counted"))
		return false;
	r->p->period = r->p->each[0];
	return !r->p->each[e] == !r->p->period;
}

static bool
read_ratio(struct reader *r, char *rest)
{
	struct pmcsim_ratio *ratio = &r->u->ratio[r->u->n_ratios];
	uint64_t n[4];

	if (r->u->n_ratios == PMCSIM_PROFILE_EVENTS)
		return false;
	r->u->n_ratios++;
	ratio->name = take_text(&rest);
	ratio->label = take_text(&rest);
	if (!ratio->name || !*ratio->name || !ratio->label)
		return false;
	for (unsigned i = 0; i < 4; i++)
		if (!take_number(&rest, 10, INT32_MAX, &n[i]))
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
read_process(struct reader *r, char *rest)
{
	uint64_t number, parent, forked, pid;
	void *list = history_grow(r->image, r->p->n_images, &r->images_room,
				  sizeof *r->image);

	if (!list)
		return false;
	r->p->image = r->image = list;
	if (!take_number(&rest, 10, IMAGES_MAX, &number) ||
	    !take_number(&rest, 10, IMAGES_MAX, &parent) ||
	    !take_number(&rest, 10, 1, &forked) ||
	    !take_number(&rest, 10, INT32_MAX, &pid) || rest)
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
grow_list(const struct reader *r, char ***list, size_t *room,
	  const char *const **of)
{
	char **more = history_grow(*list, r->p->n_modules, room, sizeof *more);

	if (more)
		*of = (const char *const *)(*list = more);
	return more;
}

static bool
read_module(struct reader *r, char *rest)
{
	struct pmcsim_profile *p = r->p;
	char *path, *build;

	if (!grow_list(r, &r->module, &r->modules_room, &p->module) ||
	    !grow_list(r, &r->build, &r->builds_room, &p->build))
		return false;
	path = take_text(&rest);
	if (!path)
		return false;
	build = r->version > UMON_OLDEST ? take_text(&rest) : NULL;
	r->module[p->n_modules] = path;
	r->build[p->n_modules++] = build;
	return !rest && (p->n_modules > 1) == (*path != '\0') &&
	       (!build || is_build(build));
}

static bool
read_function(struct reader *r, char *rest)
{
	struct pmcsim_umon *u = r->u;
	struct pmcsim_listed l = {0};
	uint64_t module;
	void *list = history_grow(u->listed, u->n_listed, &r->listed_room,
				  sizeof l);

	if (!list)
		return false;
	u->listed = list;
	if (!take_number(&rest, 10, UINT32_MAX, &module) || !module ||
	    module >= r->p->n_modules ||
	    !take_number(&rest, 16, UINT64_MAX, &l.start) ||
	    !take_number(&rest, 16, UINT64_MAX - l.start, &l.size))
		return false;
	l.module = (unsigned)module;
	l.name = take_text(&rest);
	if (!l.name)
		return false;
	u->listed[u->n_listed++] = l;
	return !rest && *l.name;
}

static bool
read_call(struct reader *r, char *rest)
{
	size_t n = r->p->n_calls;
	void *list = history_grow(r->call, n, &r->calls_room, sizeof *r->call);
	uint64_t parent, module, offset, taken;

	if (!list)
		return false;
	r->p->call = r->call = list;
	if (!r->p->calls || n == UINT32_MAX ||
	    !take_number(&rest, 10, n, &parent) ||
	    !take_number(&rest, 10, UINT32_MAX, &module) ||
	    module >= r->p->n_modules ||
	    !take_number(&rest, 16, UINT64_MAX, &offset) ||
	    !take_number(&rest, 10, UINT64_MAX, &taken))
		return false;
	r->call[r->p->n_calls++] = (struct pmcsim_call){
		(unsigned)parent, (unsigned)module, offset, taken};
	return !rest;
}

static bool
add_cost(struct reader *r, const struct pmcsim_place *at)
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
read_place(struct reader *r, char *rest)
{
	void *list = history_grow(r->place, r->p->n_places, &r->places_room,
				  sizeof *r->place);
	struct pmcsim_place at = {0};
	uint64_t image, module;

	if (!list)
		return false;
	r->p->place = r->place = list;
	if (!take_number(&rest, 10, IMAGES_MAX, &image) ||
	    !take_number(&rest, 10, UINT32_MAX, &module) ||
	    module >= r->p->n_modules ||
	    !take_number(&rest, 16, UINT64_MAX, &at.offset) ||
	    !take_number(&rest, 16, UINT64_MAX, &at.pc) ||
	    (r->p->calls && !take_number(&rest, 10, r->p->n_calls, &at.path)))
		return false;
	at.image = (unsigned)image;
	at.module = (unsigned)module;
	for (unsigned e = 0; e < r->p->n_events; e++)
		if (!take_number(&rest, 10, UINT64_MAX, &at.count[e]))
			return false;
	r->place[r->p->n_places++] = at;
	return !rest && add_cost(r, &at);
}

/* Whether all that belongs to one is there and adds up. */
static bool
read_end(struct reader *r, char *rest)
{
	uint64_t sum;

	if (!take_number(&rest, 16, UINT64_MAX, &sum) || rest ||
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
	bool (*read)(struct reader *r, char *rest);
} lines[] = {
	{"at", read_place},	   {"module", read_module},
	{"process", read_process}, {"event", read_event}, {"ratio", read_ratio},
	{"cpu", read_cpu},	   {"clock", read_clock},
	{"command", read_command}, {"state", read_state},
	{"stride", read_stride},   {"lost", read_lost}, {"doubt", read_doubt},
	{"function", read_function}, {"call", read_call},
	{"end", read_end},
};

/* The version of a file that begins so; 0: of none that we know. */
static char
version_of(const char *line)
{
	size_t n = sizeof UMON_MAGIC - 1;
	char version = strncmp(line, UMON_MAGIC, n) ? 0 : line[n];

	return version >= UMON_OLDEST && version <= UMON_VERSION &&
	       !line[n + 1] ? version : 0;
}

static bool
read_line(struct reader *r, char *text, size_t length)
{
	bool is_end = !strncmp(text, "end ", 4);
	char *word;

	if (r->ended || strlen(text) != length || text[length - 1] != '\n')
		return false;
	if (!is_end)
		r->sum = umon_sum(r->sum, text, length);
	text[length - 1] = '\0';
	if (r->line == 1) {
		r->version = version_of(text);
		r->p->calls = r->version == UMON_VERSION;
		return r->version != 0;
	}
	word = take(&text);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strcmp(word, lines[i].word))
			return lines[i].read(r, text);
	return false;
}

/* ---- Files ----------------------------------------------------------- */

/* A stream of a regular file; others could keep us waiting, or never end. */
static FILE *
open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	FILE *in;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		in = fdopen(fd, "r");
		if (in)
			return in;
	} else {
		errno = EINVAL;
	}
	close(fd);
	return NULL;
}

bool
pmcsim_umon_is(const char *path)
{
	char text[sizeof UMON_MAGIC + 1] = "";
	FILE *in = open_file(path);
	size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;

	if (in)
		fclose(in);
	return n == sizeof text - 1 && version_of(text);
}

static int
fail(const struct reader *r, struct pmcsim_error *error, const char *what)
{
	snprintf(error->text, sizeof error->text, "%s: line %lu: %s", r->path,
		 r->line, what);
	return -EINVAL;
}

static const char *
what_is_wrong(const struct reader *r, const char *line)
{
	if (r->line > 1)
		return "not as in a profile";
	if (!strncmp(line, UMON_MAGIC, sizeof UMON_MAGIC - 1))
		return "a profile of a version that is not known";
	return "not a profile";
}

static int
read_lines(struct reader *r, FILE *in, struct pmcsim_error *error)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t length;
	int rc = 0;

	while (!rc && (length = getline(&text, &room, in)) > 0) {
		r->line++;
		if (!read_line(r, text, (size_t)length))
			rc = fail(r, error, what_is_wrong(r, text));
	}
	free(text);
	if (!rc && ferror(in)) {
		rc = -errno;
		snprintf(error->text, sizeof error->text, "%s: %s", r->path,
			 strerror(errno));
	} else if (!rc && !r->line) {
		rc = -EINVAL;
		snprintf(error->text, sizeof error->text,
			 "%s: the file is empty", r->path);
	} else if (!rc && !r->ended) {
		rc = fail(r, error, "the profile is cut off");
	}
	return rc;
}

int
pmcsim_umon_read(const char *path, struct pmcsim_umon **umon,
		 struct pmcsim_error *error)
{
	struct reader r = {.path = path, .sum = UMON_SUM};
	FILE *in = open_file(path);
	int rc;

	if (!in) {
		rc = -errno;
		snprintf(error->text, sizeof error->text, "%s: %s", path,
			 strerror(errno));
		return rc;
	}
	r.u = calloc(1, sizeof *r.u);
	r.p = calloc(1, sizeof *r.p);
	if (!r.u || !r.p) {
		free(r.u);
		free(r.p);
		fclose(in);
		snprintf(error->text, sizeof error->text, "out of memory");
		return -ENOMEM;
	}
	r.u->profile = r.p;
	rc = read_lines(&r, in, error);
	fclose(in);
	if (rc) {
		pmcsim_umon_free(r.u);
		return rc;
	}
	*umon = r.u;
	return 0;
}
