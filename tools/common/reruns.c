/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the runs of one command were the same. */
#include "reruns.h"

#include "streams.h"

static void
widen(struct reruns_range *range, bool first, uint64_t n)
{
	if (first || n < range->least)
		range->least = n;
	if (first || n > range->most)
		range->most = n;
}

void
reruns_add(struct reruns *r, struct pmcsim_machine *m)
{
	bool first = r->n++ == 0;

	widen(&r->instructions, first, pmcsim_machine_instructions(m));
	widen(&r->cycles, first, pmcsim_machine_cycles(m));
}

static bool
differ(const struct reruns_range *range, uint64_t part)
{
	return range->most - range->least > (part ? range->most / part : 0);
}

static void
tell_range(const struct tool *tool, const struct reruns_range *range,
	   const char *what, const char *remedy, const struct outside *o)
{
	tool_note(tool,
		  "the runs differ, from %llu to %llu %s, so figures of "
		  "different runs do not match exactly%s",
		  (unsigned long long)range->least,
		  (unsigned long long)range->most, what, remedy);
	if (streams_input_passes())
		tool_note(tool,
			  "standard input is no file: each run reads what "
			  "those before it have left; --keep-input lets each "
			  "read all of it");
	else if (o && !outside_given(o))
		tool_note(tool,
			  "if the command asks for random numbers, the time or "
			  "how much memory is free, --random SEED and --clock "
			  "machine give it the same in each run");
}

void
reruns_tell(const struct reruns *r, const struct tool *tool,
	    enum reruns_how how, const char *remedy, const struct outside *o)
{
	if (differ(&r->instructions, how == RERUNS_ROUGH ? 1000 : 0))
		tell_range(tool, &r->instructions, "instructions", remedy, o);
	else if (how == RERUNS_CYCLES && differ(&r->cycles, 0))
		tell_range(tool, &r->cycles, "cycles", remedy, o);
}
