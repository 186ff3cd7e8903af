/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "terminal.h"

#include <stdlib.h>
#include <unistd.h>

bool
terminal_is(FILE *stream)
{
	const char *kind = getenv("TERM");

	return isatty(fileno(stream)) && kind && strcmp(kind, "dumb") != 0;
}

bool
terminal_has_colours(FILE *stream)
{
	const char *refused = getenv("NO_COLOR");

	return terminal_is(stream) && (!refused || !*refused);
}
