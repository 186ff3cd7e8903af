/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the counters: from the words of the command line to bits. */
#include "pctr.h"
#include "common/event_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A hexadecimal number to max that ends before one of the characters. */
static unsigned
hexadecimal(const char *text, unsigned long max, const char *ends,
	    const char *what)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 16);
	if (end == text || !strchr("0123456789abcdefABCDEF", *text) ||
	    !strchr(ends, *end) || errno || value > max)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "%s: not a %s, which is hexadecimal, 0 to %lx",
			  text, what, max);
	return (unsigned)value;
}

const struct pmcsim_event *
pctr_find(const struct pmcsim_cpu *cpu, unsigned counter, uint32_t function)
{
	return pmcsim_cpu_event(cpu, counter,
				function & (pmcsim_pctr_family(cpu) == 6 ?
						    P6CTR_EVENT : P5CTR_EVENT));
}

static bool
has(const struct pctr_wish *wish, char letter)
{
	return strchr(wish->flags, letter) != NULL;
}

static void
only_letters(const struct pctr_wish *wish, const char *letters, int family)
{
	size_t n = strspn(wish->flags, letters);

	if (wish->flags[n])
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-%c: the counters of family %d have no such flag",
			  wish->flags[n], family);
}

/* The event of a function, NULL if there is none; not one that only the other
 * counter has. */
static const struct pmcsim_event *
find_own(const struct pmcsim_cpu *cpu, unsigned counter, uint32_t f)
{
	const struct pmcsim_event *event = pctr_find(cpu, counter, f);
	const struct pmcsim_event *other = pctr_find(cpu, !counter, f);

	if (!event && other)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "%s can be counted on counter %d only",
			  other->name, !counter);
	return event;
}

static uint32_t
p5_function(const struct pmcsim_cpu *cpu, unsigned counter,
	    const struct pctr_wish *wish)
{
	uint32_t f = hexadecimal(wish->function, P5CTR_EVENT, "", "function");

	only_letters(wish, "cku", 5);
	find_own(cpu, counter, f);
	if (wish->mask || wish->threshold)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-%c: the counters of family 5 have none",
			  wish->mask ? 'm' : 't');
	if (has(wish, 'k') || !has(wish, 'u'))
		f |= P5CTR_K;
	if (has(wish, 'u') || !has(wish, 'k'))
		f |= P5CTR_U;
	return has(wish, 'c') ? f | P5CTR_C : f;
}

static uint32_t
threshold(const char *text, const char *where)
{
	unsigned long value;
	char *end;

	value = strtoul(text, &end, 0);
	if (end == text || !strchr("0123456789", *text) ||
	    (*end && *end != '/') || value > 255)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "%s: a counter mask is 0 to 255",
			  *text ? text : where);
	return (uint32_t)value << P6CTR_CM_SHIFT;
}

static uint32_t
mask_letter(char letter, const char *where)
{
	switch (letter) {
	case 'm': case 'M':
		return P6CTR_UM_M;
	case 'e': case 'E':
		return P6CTR_UM_E;
	case 's': case 'S':
		return P6CTR_UM_S;
	case 'i': case 'I':
		return P6CTR_UM_I;
	case 'a': case 'A':
		return P6CTR_UM_A;
	}
	tool_fail(&pctr_tool, TOOL_USAGE,
		  "%s: a unit mask has the letters m, e, s, i, or a", where);
}

/* Whether an event's unit mask is written as a number. */
static bool
has_number(const struct pmcsim_event *event)
{
	return event && (event->masked == PMCSIM_MASK_BITS ||
			 event->masked == PMCSIM_MASK_NUMBER);
}

/* The unit mask as it was asked for; *asked whether it was. */
static uint32_t
unit_mask(const struct pmcsim_event *event, const struct pctr_wish *wish,
	  bool *asked)
{
	const char *slash = strchr(wish->function, '/');
	uint32_t mask = 0;

	if (wish->mask)
		mask = hexadecimal(wish->mask, 0xff, "", "unit mask") << 8;
	if (slash && has_number(event)) {
		mask |= hexadecimal(slash + 1, 0xff, "", "unit mask") << 8;
		slash = "/";
	} else if (slash) {
		/* There is one at least. */
		mask |= mask_letter(slash[1], wish->function);
	}
	for (const char *c = slash ? slash + 1 : ""; *c; c++)
		mask |= mask_letter(*c, wish->function);
	for (const char *c = wish->flags; *c; c++)
		if (strchr("MESIA", *c))
			mask |= mask_letter(*c, wish->flags);
	*asked = wish->mask || slash || strpbrk(wish->flags, "MESIA");
	return mask;
}

/* The same of an event whose mask is a number. */
static uint32_t
check_number(const struct pmcsim_event *event, uint32_t mask,
	     const char *function)
{
	bool bits = event->masked == PMCSIM_MASK_BITS;
	uint32_t limit = event->mask_limit << 8;

	if (bits ? mask & ~limit : mask > limit)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  bits ? "%s: %s takes the bits %x of a unit mask"
			       : "%s: %s takes a unit mask of 0 to %x",
			  function, event->name, event->mask_limit);
	return mask;
}

/* Only bits that the event has; its own default if none was asked for. */
static uint32_t
check_mask(const struct pmcsim_event *event, uint32_t mask, bool asked,
	   const char *function)
{
	uint32_t can = 0;

	if (!asked)
		return event ? event->mask_default << 8 : 0;
	if (has_number(event))
		return check_number(event, mask, function);
	if (event && event->masked == PMCSIM_MASK_MESI)
		can = P6CTR_UM_MESI;
	else if (event && event->masked == PMCSIM_MASK_AGENT)
		can = P6CTR_UM_A;
	if (mask & ~can)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "%s: %s takes %s unit mask", function,
			  event ? event->name : "an unknown function",
			  !can ? "no" : can == P6CTR_UM_A ? "only /a of a" :
						      "only /mesi of a");
	return mask;
}

static uint32_t
p6_function(const struct pmcsim_cpu *cpu, unsigned counter,
	    const struct pctr_wish *wish)
{
	uint32_t f = hexadecimal(wish->function, P6CTR_EVENT, "+/", "function");
	const char *plus = strchr(wish->function, '+');
	const struct pmcsim_event *event;
	uint32_t mask;
	bool asked;

	only_letters(wish, "eikuMESIA", 6);
	if (!f)
		return 0;
	event = find_own(cpu, counter, f);
	mask = unit_mask(event, wish, &asked);
	f |= check_mask(event, mask, asked, wish->function);
	if (plus)
		f |= threshold(plus + 1, wish->function);
	else if (wish->threshold)
		f |= threshold(wish->threshold, "-t");
	if (has(wish, 'k') || !has(wish, 'u'))
		f |= P6CTR_K;
	if (has(wish, 'u') || !has(wish, 'k'))
		f |= P6CTR_U;
	if (has(wish, 'e'))
		f |= P6CTR_E;
	if (has(wish, 'i'))
		f |= P6CTR_I;
	return f | P6CTR_EN;
}

/* Whether a function begins with its number. */
static bool
is_number(const char *function)
{
	size_t n = strspn(function, "0123456789abcdefABCDEF");

	return n && strchr("+/", function[n]);
}

/* A function that is named, "BR_INST_RETIRED+1", by its number; the caller's.
 */
static char *
by_number(const struct pmcsim_cpu *cpu, unsigned counter, const char *function)
{
	bool p6 = pmcsim_pctr_family(cpu) == 6;
	size_t n = p6 ? strcspn(function, "+/") : strlen(function);
	char *name = strndup(function, n), *text;
	const struct pmcsim_event *e;

	if (!name)
		tool_fail(&pctr_tool, TOOL_FAILED, "out of memory");
	e = event_named(&pctr_tool, cpu, 1u << counter,
			counter ? "-s 1" : "-s 0", name);
	if (asprintf(&text, "%x%s", e->code, function + n) < 0)
		tool_fail(&pctr_tool, TOOL_FAILED, "out of memory");
	free(name);
	return text;
}

uint32_t
pctr_function(const struct pmcsim_cpu *cpu, unsigned counter,
	      const struct pctr_wish *wish)
{
	struct pctr_wish own = *wish;
	char *text = is_number(wish->function)
			     ? NULL : by_number(cpu, counter, wish->function);
	uint32_t f;

	if (text)
		own.function = text;
	f = pmcsim_pctr_family(cpu) == 6 ? p6_function(cpu, counter, &own)
					 : p5_function(cpu, counter, &own);
	free(text);
	return f;
}
