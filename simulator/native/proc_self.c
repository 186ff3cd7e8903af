/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc/self tells of the process, without what is the engine's. */
#include "proc.h"

#include "filters.h"

#include <inttypes.h>
#include <linux/seccomp.h>
#include <stdlib.h>

#define NAME_COLUMN 73		/* of a line of maps */
#define STACK_FIELD 28		/* of stat: the address of the stack's end */

/* ---- Maps -------------------------------------------------------------- */

/* A mapping's line, with the name that it has in a process of its own. */
static void
write_map(FILE *f, char *line, u64 from, u64 to)
{
	const char *name = from <= native.stack.pointer &&
				   to > native.stack.pointer ? "[stack]" :
			   space_is_break(from, to) ? "[heap]" : NULL;

	line[strcspn(line, "\n")] = '\0';
	if (name)
		fprintf(f, "%-*s%s\n", NAME_COLUMN, line, name);
	else
		fprintf(f, "%s\n", line);
}

/* Of a file whose lines belong to the mapping that was named last. */
void
proc_write_mappings(FILE *f, const char *path)
{
	FILE *kernel = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool shown = false;
	u64 from, to;

	while (kernel && getline(&line, &size, kernel) > 0)
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &from, &to) == 2) {
			shown = space_is_target(from);
			if (shown)
				write_map(f, line, from, to);
		} else if (shown) {
			fputs(line, f);
		}
	free(line);
	if (kernel)
		fclose(kernel);
}

/* ---- The program's start ----------------------------------------------- */

void
proc_write_environ(FILE *f, const char *path)
{
	(void)path;
	for (size_t i = 0; i < native.env.n; i++)
		fwrite(native.env.s[i], strlen(native.env.s[i]) + 1, 1, f);
}

void
proc_write_auxv(FILE *f, const char *path)
{
	(void)path;
	fwrite(native.auxiliary, sizeof native.auxiliary[0],
	       native.n_auxiliary, f);
}

/* The kernel's, but for the stack.  Behind the name, which may have spaces, fields
 * are numbers. */
void
proc_write_stat(FILE *f, const char *path)
{
	FILE *kernel = fopen(path, "re");
	char *line = NULL, *field;
	size_t size = 0;

	if (kernel && getline(&line, &size, kernel) > 0 &&
	    (field = strrchr(line, ')'))) {
		fprintf(f, "%.*s)", (int)(field - line), line);
		field = strtok(field + 1, " \n");
		for (int n = 3; field; n++, field = strtok(NULL, " \n"))
			if (n == STACK_FIELD)
				fprintf(f, " %" PRIu64, native.stack.pointer);
			else
				fprintf(f, " %s", field);
		putc('\n', f);
	}
	free(line);
	if (kernel)
		fclose(kernel);
}

/* With the filters of its calls that are the engine's. */
void
proc_write_status(FILE *f, const char *path)
{
	FILE *kernel = fopen(path, "re");
	unsigned n = filters_count(), has;
	char *line = NULL;
	size_t size = 0;

	while (kernel && getline(&line, &size, kernel) > 0)
		if (!strncmp(line, "Seccomp:", 8))
			fprintf(f, "Seccomp:\t%d\n", SECCOMP_MODE_FILTER);
		else if (sscanf(line, "Seccomp_filters: %u", &has) == 1)
			fprintf(f, "Seccomp_filters:\t%u\n", has + n);
		else
			fputs(line, f);
	free(line);
	if (kernel)
		fclose(kernel);
}
