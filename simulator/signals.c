/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signals.h"

#include <string.h>

static const struct {
	const char *name;
	const char *text;
} signals[SIG_N] = {
#define SIGNAL(id, name, text) [SIG_##id] = {name, text},
#include "signals.def"
#undef SIGNAL
};

const char *
signal_name(enum sim_signal s)
{
	return signals[s].name;
}

const char *
signal_text(enum sim_signal s)
{
	return signals[s].text;
}

int
signal_find(const char *name)
{
	for (int s = 0; s < SIG_N; s++)
		if (!strcmp(signals[s].name, name))
			return s;
	return -1;
}
