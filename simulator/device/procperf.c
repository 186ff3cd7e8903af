/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "procperf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A line, or what is left of it. */
struct text {
	const char *at, *end;
};

static unsigned
text_counters(const struct machine *m)
{
	unsigned n = m->n_counters;

	if (n > m->config.n_counters)
		n = m->config.n_counters;
	return n < PROCPERF_COUNTERS ? n : PROCPERF_COUNTERS;
}

/* M as it reads in the control register of counter n. */
static u32
more_bit(const struct machine *m, unsigned n)
{
	unsigned real = m->config.n_counters;

	return real && n % real + 1 < real ? PROCPERF_M : 0;
}

size_t
procperf_read(struct machine_map *map, char *text)
{
	const struct machine *m = map->m;
	unsigned n = text_counters(m);
	u64 value[PROCPERF_COUNTERS];
	size_t length = 0;

	text[0] = '\0';
	pmu_read_all(map, 0, n, value);
	for (unsigned i = 0; i < n; i++) {
		u32 control = m->counter[i].control & ~PROCPERF_M;
		u64 shown = m->range_extension ?
			value[i] : pmu_register(&m->config, value[i]);

		length += (size_t)snprintf(
			text + length, PROCPERF_TEXT - length,
			"PerfCnt[%u].Ctl : 0x%08x\n"
			"PerfCnt[%u].Cnt : %llu\n",
			i, control | more_bit(m, i), i,
			(unsigned long long)shown);
	}
	return length;
}

/* The scope that a control word selects, or what is wrong with it. */
static enum procperf_wrong
select_scope(const struct sim_config *config, u32 control,
	     struct pmu_select *select)
{
	unsigned tc = control >> PROCPERF_TCID_SHIFT & PROCPERF_TCID_MASK;
	unsigned vpe = control >> PROCPERF_VPEID_SHIFT & PROCPERF_VPEID_MASK;

	switch (control >> PROCPERF_MT_EN_SHIFT & PROCPERF_MT_EN_MASK) {
	case MT_EN_ALL:
		select->scope = SCOPE_PROCESSOR;
		return PROCPERF_RIGHT;
	case MT_EN_VPE:
		select->scope = SCOPE_VPE;
		select->scope_id = (u8)vpe;
		return vpe < config->topo.vpes ? PROCPERF_RIGHT
					       : PROCPERF_NO_CONTEXT;
	case MT_EN_TC:
		select->scope = SCOPE_TC;
		select->scope_id = (u8)tc;
		return tc < config->topo.tcs ? PROCPERF_RIGHT
					     : PROCPERF_NO_CONTEXT;
	}
	return PROCPERF_NO_SCOPE;
}

static enum procperf_wrong
select_control(const struct machine *m, unsigned n, u32 control,
	       struct pmu_select *select)
{
	const struct sim_config *config = &m->config;
	enum procperf_wrong wrong;

	if (n >= m->n_counters)
		return PROCPERF_NO_COUNTER;
	if (control & PROCPERF_ZERO)
		return PROCPERF_NOT_ZERO;
	wrong = select_scope(config, control, select);
	if (wrong != PROCPERF_RIGHT)
		return wrong;
	select->event = pmu_find_event(config, n,
				       control >> PROCPERF_EVENT_SHIFT &
				       PROCPERF_EVENT_MASK);
	if (select->event < 0)
		return PROCPERF_NO_EVENT;
	return select->scope < config->event[select->event].scope ?
		PROCPERF_NARROW : PROCPERF_RIGHT;
}

enum procperf_wrong
procperf_check(const struct machine_map *map, unsigned n, u32 control)
{
	struct pmu_select select = {0};

	return select_control(map->m, n, control, &select);
}

int
procperf_program(struct machine_map *map, unsigned n, u32 control, u64 value)
{
	struct pmu_select select = {0};

	if (select_control(map->m, n, control, &select) != PROCPERF_RIGHT)
		return -EINVAL;
	select.control = (control & ~PROCPERF_M) | more_bit(map->m, n);
	select.interrupt = control & PROCPERF_IE;
	for (unsigned mode = 0; mode < MODE_N; mode++)
		if (control & PROCPERF_EXL << mode)
			select.modes |= (u8)(1u << mode);
	pmu_program(map, n, &select, value);
	return 0;
}

/* The next word of a line; empty at its end. */
static struct text
next_word(struct text *line)
{
	struct text word;

	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
		line->at++;
	word.at = line->at;
	while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
		line->at++;
	word.end = line->at;
	return word;
}

static bool
word_is(struct text word, const char *s)
{
	size_t length = strlen(s);

	return (size_t)(word.end - word.at) == length &&
	       !memcmp(word.at, s, length);
}

/* Drops 0x; whether it was there. */
static bool
drop_prefix(struct text *word)
{
	if (word->end - word->at < 2 || word->at[0] != '0' ||
	    (word->at[1] != 'x' && word->at[1] != 'X'))
		return false;
	word->at += 2;
	return true;
}

static unsigned
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/* A number, all of the word; false if it is none or more than max. */
static bool
parse_number(struct text word, unsigned base, u64 max, u64 *number)
{
	u64 n = 0;

	if (word.at == word.end)
		return false;
	for (; word.at < word.end; word.at++) {
		unsigned digit = digit_value(*word.at);

		if (digit >= base || digit > max || n > (max - digit) / base)
			return false;
		n = n * base + digit;
	}
	*number = n;
	return true;
}

static int
program_line(struct machine_map *map, struct text num, struct text line)
{
	const struct machine *m = map->m;
	u64 max = m->range_extension ? ~0ull : pmu_register(&m->config, ~0ull);
	struct text control = next_word(&line), value = next_word(&line);
	struct text extra = next_word(&line);
	u64 n, word, start;
	bool hex;

	if (extra.at != extra.end || !text_counters(m) ||
	    !parse_number(num, 10, text_counters(m) - 1, &n))
		return -EINVAL;
	drop_prefix(&control);
	if (!parse_number(control, 16, UINT32_MAX, &word))
		return -EINVAL;
	hex = drop_prefix(&value);
	if (!parse_number(value, hex ? 16 : 10, max, &start))
		return -EINVAL;
	return procperf_program(map, (unsigned)n, (u32)word, start);
}

static int
execute_line(struct machine_map *map, struct text line)
{
	struct text word = next_word(&line);
	struct text rest = line;
	struct text second = next_word(&rest);
	bool alone = second.at == second.end;

	if (word.at == word.end)
		return 0;
	if (alone && word_is(word, "suspend"))
		pmu_stop(map);
	else if (alone && word_is(word, "resume"))
		pmu_resume(map);
	else
		return program_line(map, word, line);
	return 0;
}

long
procperf_write(struct machine_map *map, u32 uid, const char *text,
	       size_t length, unsigned *line)
{
	const char *at = text, *end = text + length;

	*line = 0;
	if (uid != 0)
		return -EPERM;
	for (unsigned number = 1; at < end; number++) {
		size_t left = (size_t)(end - at);
		const char *newline = memchr(at, '\n', left);
		struct text one = {at, newline ? newline : end};
		int error = execute_line(map, one);

		if (error) {
			*line = number;
			return error;
		}
		at = newline ? newline + 1 : end;
	}
	return (long)length;
}
