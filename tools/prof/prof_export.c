/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What exports share. */
#include "prof.h"

#include <strings.h>

unsigned
prof_chosen(const struct prof *p)
{
	for (unsigned e = 0; p->o->event && e < p->u->profile->n_events; e++)
		if (!strcasecmp(p->o->event, p->u->event[e]))
			return e;
	return 0;
}

const char *
prof_export_name(const struct prof *p, const struct pmcsim_profile_row *row)
{
	const char *module = p->u->profile->module[row->module];

	return row->symbol.name ? row->symbol.name :
	       *module ? prof_base(module) : "(no file)";
}
