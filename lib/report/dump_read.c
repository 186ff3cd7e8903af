/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading dumps of /proc/perf: those of pc_sweep, and plain ones. */
#include "dump.h"
#include "json.h"
#include "pmcsim.h"

#include "device/procperf.h"
#include "engine/engine.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LISTED_MAX 1024
#define QUOTED 80		/* characters of a line that is wrong */

struct reader {
	FILE *in;
	struct pmcsim_dump *dump;
	struct pmcsim_error *error;
	unsigned long line;
	size_t repeat;		/* of the run that is being read, from 0 */
	bool begun;		/* there was something of this sweep */
	FILE *other;		/* collects lines of no dump; NULL: none yet */
	size_t other_size;
	bool has_control;	/* a Ctl line waits for its Cnt line */
	unsigned counter;
	uint32_t control;
};

static int
bad(struct reader *r, const char *what, const char *text)
{
	size_t length = strcspn(text, "\n");

	return engine_fail(r->error, -EINVAL, "line %lu: %s%s%.*s", r->line,
			   what, *text ? ": " : "",
			   length < QUOTED ? (int)length : QUOTED, text);
}

static void
free_words(char **word)
{
	for (size_t i = 0; word && word[i]; i++)
		free(word[i]);
	free(word);
}

static int
read_name(struct reader *r, const char *text, char **name)
{
	const char *p = text;

	free(*name);
	*name = json_read_string(&p);
	return *name && !*p ? 0 : bad(r, "not a quoted name", text);
}

static int
read_cpu(struct reader *r, const char *text)
{
	return read_name(r, text, &r->dump->cpu);
}

/* Kernel code was executed, so that no count is the ledger's. */
static int
read_system(struct reader *r, const char *text)
{
	return read_name(r, text, &r->dump->system);
}

static int
read_command(struct reader *r, const char *text)
{
	char **word = calloc(strlen(text) / 2 + 2, sizeof(*word));
	const char *p = text;
	size_t n = 0;

	if (!word)
		return -ENOMEM;
	free_words(r->dump->command);
	r->dump->command = word;
	while (*p) {
		word[n] = json_read_string(&p);
		if (!word[n++])
			return bad(r, "not a list of quoted words", text);
		p += strspn(p, " ");
	}
	return 0;
}

/* Ascending event numbers. */
static int
read_list(struct reader *r, const char *text, unsigned **list, size_t *n)
{
	unsigned code[LISTED_MAX];
	const char *p;
	char *end;

	text += strspn(text, " ");
	for (p = text, *n = 0;; (*n)++, p = end) {
		p += strspn(p, " ");
		if (!*p)
			break;
		unsigned long value = strtoul(p, &end, 10);

		if (!isdigit((unsigned char)*p) || end == p ||
		    value > PROCPERF_EVENT_MASK || *n == LISTED_MAX ||
		    (*n > 0 && value <= code[*n - 1]))
			return bad(r, "not a list of events", text);
		code[*n] = (unsigned)value;
	}
	free(*list);
	*list = malloc((*n + 1) * sizeof(**list));
	if (!*list)
		return -ENOMEM;
	memcpy(*list, code, *n * sizeof(**list));
	r->dump->has_lists = true;
	return 0;
}

/* "1 of 3" or "1 of 3, repeat 2 of 5" */
static int
read_run(struct reader *r, const char *text)
{
	unsigned long k, runs, repeat = 1, repeats = 1;
	int used = 0, more = 0;

	if (sscanf(text, "%lu of %lu%n", &k, &runs, &used) != 2 || used == 0 ||
	    (text[used] &&
	     (sscanf(text + used, ", repeat %lu of %lu%n", &repeat, &repeats,
		     &more) != 2 || text[used + more])) ||
	    k == 0 || k > runs || repeat == 0 || repeat > repeats)
		return bad(r, "not a run's number", text);
	r->repeat = repeat - 1;
	r->dump->runs = runs;
	return 0;
}

static struct pmcsim_dump_count *
last_count(struct reader *r)
{
	return r->dump->n ? &r->dump->count[r->dump->n - 1] : NULL;
}

/* After the count that did: its counter's number. */
static int
read_wrapped(struct reader *r, const char *text)
{
	struct pmcsim_dump_count *c = last_count(r);

	if (!c || strtoul(text, NULL, 10) != r->counter)
		return bad(r, "not the counter just read", text);
	c->count.value.wrapped = true;
	return 0;
}

static const char *
after(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static int
read_partial(struct reader *r, const char *text)
{
	if (*text)
		return bad(r, "not the end of a partial sweep", text);
	r->dump->partial = true;
	return 0;
}

static int
read_doubt(struct reader *r, const char *text)
{
	int n = pmcsim_doubt_find(text);

	if (n < 0)
		return bad(r, "not the name of a doubt", text);
	r->dump->doubts |= 1u << n;
	return 0;
}

static int
read_even(struct reader *r, const char *text)
{
	return read_list(r, text, &r->dump->even, &r->dump->n_even);
}

static int
read_odd(struct reader *r, const char *text)
{
	return read_list(r, text, &r->dump->odd, &r->dump->n_odd);
}

static int
read_begin(struct reader *r, const char *text)
{
	if (strcmp(text, DUMP_VERSION) != 0)
		return bad(r, "dumps of another version", text);
	return 0;
}

static unsigned
mt_en(uint32_t control)
{
	return control >> PROCPERF_MT_EN_SHIFT & PROCPERF_MT_EN_MASK;
}

/* What a control word selects; false: nothing. */
static bool
decode_control(uint32_t control, struct pmcsim_count *count)
{
	unsigned tc = control >> PROCPERF_TCID_SHIFT & PROCPERF_TCID_MASK;
	unsigned vpe = control >> PROCPERF_VPEID_SHIFT & PROCPERF_VPEID_MASK;

	count->code = control >> PROCPERF_EVENT_SHIFT & PROCPERF_EVENT_MASK;
	count->modes = control & 0xf;
	count->tc = mt_en(control) == MT_EN_TC ? (int)tc : -1;
	count->vpe = mt_en(control) == MT_EN_VPE ? (int)vpe : -1;
	return count->modes != 0;
}

static int
add_count(struct reader *r, uint64_t value)
{
	struct pmcsim_dump *d = r->dump;
	struct pmcsim_dump_count c = {.repeat = r->repeat};
	void *more;

	r->has_control = false;
	if (!decode_control(r->control, &c.count))
		return 0;
	c.count.parity = r->counter & 1;
	c.count.value.count = c.count.value.shown = value;
	c.count.value.ledger = !d->system &&
			       (c.count.modes & ~PROCPERF_U) != 0;
	more = realloc(d->count, (d->n + 1) * sizeof(*d->count));
	if (!more)
		return -ENOMEM;
	d->count = more;
	d->count[d->n++] = c;
	return 0;
}

/* Behind DUMP_COUNTER: "0].Ctl : 0x80000528", "0].Cnt : 108399" */
static int
read_counter(struct reader *r, const char *text)
{
	unsigned counter;
	char kind[4], *end;
	unsigned long long value;
	int used = 0;

	if (sscanf(text, "%3u].%3s : %n", &counter, kind, &used) != 2 ||
	    used == 0 || !isdigit((unsigned char)text[used]))
		return bad(r, "not a line of a /proc/perf dump", text);
	errno = 0;
	value = strtoull(text + used, &end,
			 strcmp(kind, "Ctl") == 0 ? 16 : 10);
	if (*end || errno)
		return bad(r, "not a number", text + used);
	if (strcmp(kind, "Ctl") == 0) {
		if (r->has_control)
			return bad(r, "control without a count before", text);
		if (value > UINT32_MAX)
			return bad(r, "not a control word of 32 bits", text);
		if (mt_en((uint32_t)value) == MT_EN_RESERVED)
			return bad(r, "MT_EN of 3 is reserved", text);
		r->counter = counter;
		r->control = (uint32_t)value;
		r->has_control = true;
		return 0;
	}
	if (strcmp(kind, "Cnt") != 0 || !r->has_control ||
	    counter != r->counter)
		return bad(r, "count without its control", text);
	return add_count(r, value);
}

/* Lines of dumps, by how they begin. */
static const struct {
	const char *prefix;
	int (*read)(struct reader *r, const char *text);
} kinds[] = {
	{DUMP_BEGIN, read_begin},     {DUMP_CPU, read_cpu},
	{DUMP_COMMAND, read_command}, {DUMP_EVEN, read_even},
	{DUMP_ODD, read_odd},	      {DUMP_RUN, read_run},
	{DUMP_WRAPPED, read_wrapped}, {DUMP_PARTIAL, read_partial},
	{DUMP_COUNTER, read_counter}, {DUMP_SYSTEM, read_system},
	{DUMP_DOUBT, read_doubt},
};

static int
keep_other(struct reader *r, const char *text)
{
	if (r->has_control)
		return bad(r, "not the count of the control before", text);
	if (!r->other)
		r->other = open_memstream(&r->dump->other, &r->other_size);
	if (!r->other || fputs(text, r->other) < 0)
		return -ENOMEM;
	return 0;
}

static int
read_line(struct reader *r, char *text)
{
	size_t n = strcspn(text, "\r\n");
	const char *rest;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		rest = after(text, kinds[i].prefix);
		if (!rest)
			continue;
		text[n] = '\0';
		r->begun = true;
		return kinds[i].read(r, rest);
	}
	return keep_other(r, text);
}

/* Reads up to the end, or to the line that begins another sweep. */
static int
read_sweep(struct reader *r)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t n;
	int err = 0;

	while (err == 0 && (n = getline(&text, &room, r->in)) >= 0) {
		r->line++;
		if (after(text, DUMP_BEGIN) && r->begun)
			break;
		if ((size_t)n != strlen(text))
			err = bad(r, "not text", "");
		else
			err = read_line(r, text);
	}
	free(text);
	if (r->other && (fclose(r->other) != 0 || !r->dump->other) && err == 0)
		err = -ENOMEM;
	if (err == 0 && ferror(r->in))
		err = engine_fail(r->error, -EIO, "cannot be read: %s",
				  strerror(errno));
	if (err == 0 && r->has_control)
		err = bad(r, "control without a count at the end", "");
	if (err == -ENOMEM)
		engine_fail(r->error, err, "out of memory");
	return err;
}

int
pmcsim_dump_read(FILE *in, unsigned long *line, struct pmcsim_dump *dump,
		 struct pmcsim_error *error)
{
	struct reader r = {
		.in = in, .dump = dump, .error = error, .line = *line};
	int err;

	memset(dump, 0, sizeof(*dump));
	err = read_sweep(&r);
	*line = r.line;
	if (err == 0 && (r.begun || dump->other))
		return 1;
	pmcsim_dump_free(dump);
	return err;
}

void
pmcsim_dump_free(struct pmcsim_dump *dump)
{
	free_words(dump->command);
	free(dump->other);
	free(dump->cpu);
	free(dump->system);
	free(dump->even);
	free(dump->odd);
	free(dump->count);
	memset(dump, 0, sizeof(*dump));
}
