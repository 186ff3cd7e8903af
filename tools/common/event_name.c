/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_name.h"

#include <ctype.h>

bool
event_is_name(const char *word)
{
	return *word && !isdigit((unsigned char)*word);
}

const struct pmcsim_event *
event_named(const struct tool *tool, const struct pmcsim_cpu *cpu,
	    unsigned counters, const char *option, const char *name)
{
	struct pmcsim_lexicon *lexicon;
	const struct pmcsim_event *event;
	struct pmcsim_error error;

	if (pmcsim_lexicon_load(cpu, &lexicon, &error) != 0)
		tool_fail(tool, TOOL_FAILED, "%s", error.text);
	event = pmcsim_lexicon_event(lexicon, counters, name);
	pmcsim_lexicon_free(lexicon);
	if (!event && option)
		tool_fail(tool, TOOL_USAGE,
			  "%s %s: no event of that name that %s of %s counts; "
			  "\"pmcsim list %s\" lists them", option,
			  tool_word(name),
			  counters == EVERY_COUNTER ? "a counter"
						    : "this counter",
			  pmcsim_cpu_name(cpu), pmcsim_cpu_name(cpu));
	return event;
}
