/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signals.h"

#include <string.h>

static const char *const names[SIG_N] = {
#define SIGNAL(id, name, text) [SIG_##id] = name,
#include "signals.def"
#undef SIGNAL
};

const char *
signal_name(enum sim_signal s)
{
	return names[s];
}

int
signal_find(const char *name)
{
	for (int s = 0; s < SIG_N; s++)
		if (!strcmp(names[s], name))
			return s;
	return -1;
}
