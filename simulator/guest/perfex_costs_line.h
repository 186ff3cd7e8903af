/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of a file of costs, for the command and for libperfex. */
#ifndef PERFEX_COSTS_LINE_H
#define PERFEX_COSTS_LINE_H

#include <string.h>

#define COSTS_EVENTS 32
#define COSTS_KINDS 3		/* typical, least, most */
#define COSTS_MAX_CLOCKS 1e9

/* A number of clocks, in the C locale's notation whatever the locale is. */
static inline int
costs_number(char **at, double *clocks)
{
	char *p = *at + strspn(*at, " \t"), *start = p;
	double scale = 1;

	*clocks = 0;
	for (; *p >= '0' && *p <= '9'; p++)
		*clocks = *clocks * 10 + (*p - '0');
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++)
			*clocks += (*p - '0') * (scale /= 10);
	*at = p;
	return p > start && (p > start + 1 || *start != '.') &&
	       *clocks <= COSTS_MAX_CLOCKS && (!*p || strchr(" \t\n\r", *p));
}

/* Takes what the line says, which is cut at a comment; 0, or -1: it is none. */
static inline int
costs_line(char *line, double clocks[COSTS_EVENTS][COSTS_KINDS])
{
	double event, one[COSTS_KINDS];
	unsigned i;

	line[strcspn(line, "#\n\r")] = '\0';
	if (!line[strspn(line, " \t")])
		return 0;
	if (!costs_number(&line, &event) || event >= COSTS_EVENTS ||
	    event != (unsigned)event)
		return -1;
	for (i = 0; i < COSTS_KINDS; i++)
		if (!costs_number(&line, &one[i]))
			return -1;
	if (line[strspn(line, " \t")] || one[1] > one[2])
		return -1;
	memcpy(clocks[(unsigned)event], one, sizeof one);
	return 0;
}

#endif
