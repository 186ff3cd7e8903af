/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "regions.h"

#include <inttypes.h>
#include <string.h>

bool
regions_apply(const struct tool *tool, struct regions_option *o, int id,
	      const char *argument)
{
	if (id != REGIONS_NAME && id != REGIONS_FUNCTION)
		return false;
	if (!*argument)
		tool_fail(tool, TOOL_USAGE, "%sregion%s: the name is empty",
			  tool_dashes(tool),
			  id == REGIONS_FUNCTION ? "-function" : "");
	if (o->name)
		tool_fail(tool, TOOL_USAGE,
			  "%sregion%s %s: %sregion%s %s is asked for already, "
			  "and one region is counted alone",
			  tool_dashes(tool),
			  id == REGIONS_FUNCTION ? "-function" : "", argument,
			  tool_dashes(tool), o->function ? "-function" : "",
			  o->name);
	o->name = argument;
	o->function = id == REGIONS_FUNCTION;
	return true;
}

static void
check_name(const struct tool *tool, const struct regions_option *o, int rc)
{
	if (rc != 0)
		tool_fail(tool, TOOL_USAGE,
			  "%sregion-function %s: a name of more than 127 bytes",
			  tool_dashes(tool), o->name);
}

void
regions_set(const struct tool *tool, const struct regions_option *o,
	    struct pmcsim_machine *m)
{
	if (o->threads)
		pmcsim_machine_count_threads(m);
	else if (o->first)
		pmcsim_machine_count_first(m);
	else
		check_name(tool, o, pmcsim_machine_count_regions(
					    m, o->function ? o->name : NULL));
}

void
regions_profile(const struct tool *tool, const struct regions_option *o,
		struct pmcsim_machine *m)
{
	check_name(tool, o,
		   pmcsim_machine_profile_region(m, o->name, o->function));
}

struct pmcsim_region *
regions_list(const struct tool *tool, const struct regions_option *o,
	     struct pmcsim_machine *m, size_t *n)
{
	size_t all;
	struct pmcsim_region *list;

	if (pmcsim_machine_regions(m, &list, &all) != 0)
		tool_fail(tool, TOOL_FAILED, "out of memory");
	*n = 0;
	for (size_t i = 0; i < all; i++)
		if ((list[i].kind == PMCSIM_REGION_THREAD) ==
		    (o->threads || o->first))
			list[(*n)++] = list[i];
	return list;
}

const struct pmcsim_region *
regions_asked(const struct regions_option *o, const struct pmcsim_region *list,
	      size_t n)
{
	if (o->first)
		return n ? list : NULL;
	for (size_t i = 0; i < n; i++)
		/* There is one of a procedure at most. */
		if (list[i].kind == (o->function ? PMCSIM_REGION_FUNCTION
						 : PMCSIM_REGION_MARKED) &&
		    (o->function || !strcmp(list[i].name, o->name)))
			return &list[i];
	return NULL;
}

static bool
was_begun(const struct pmcsim_region *r)
{
	return r && (r->entries || r->unbegun);
}

static void
note(const struct tool *tool, const struct pmcsim_region *r, uint64_t n,
     const char *one, const char *many)
{
	if (n)
		tool_note(tool, "region %s: %" PRIu64 " %s", r->name, n,
			  n == 1 ? one : many);
}

void
regions_note(const struct tool *tool, const struct regions_option *o,
	     struct pmcsim_machine *m, const struct pmcsim_region *list,
	     size_t n)
{
	unsigned lost = pmcsim_machine_regions_lost(m);

	if (o->function && !pmcsim_machine_has_procedure(m))
		tool_note(tool, "no file that the command has executed has a "
			  "procedure %s", o->name);
	else if (o->name && !was_begun(regions_asked(o, list, n)))
		tool_note(tool, "region %s: the command never began it",
			  o->name);
	for (size_t i = 0; i < n; i++) {
		const struct pmcsim_region *r = &list[i];

		if (o->name && r != regions_asked(o, list, n))
			continue;
		note(tool, r, r->unended,
		     "entry never ended: it is counted to the end of its "
		     "thread",
		     "entries never ended: they are counted to the ends of "
		     "their threads");
		note(tool, r, r->unbegun, "end without a beginning",
		     "ends without a beginning");
		note(tool, r, r->left_out,
		     "entry not counted: its thread was in too many regions",
		     "entries not counted: their threads were in too many "
		     "regions");
	}
	if (lost && o->threads)
		tool_note(tool, "%u threads, or regions, not counted: there are "
			  "too many", lost);
	else if (lost)
		tool_note(tool, "%u markers of regions not counted: there are "
			  "too many names", lost);
}
