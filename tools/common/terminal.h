/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown on a terminal only. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "tool.h"

/* Whether the stream is a terminal that can move its cursor; and whether it is
 * to be coloured: NO_COLOR is not set, or empty. */
bool terminal_is(FILE *stream);
bool terminal_has_colours(FILE *stream);

#define TERMINAL_RED "\033[31m"
#define TERMINAL_GREEN "\033[32m"
#define TERMINAL_PLAIN "\033[0m"

#endif
