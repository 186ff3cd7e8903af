/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_maps.h"

#include "task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernel writes a newline in a path, and nothing else, in octal. */
static void
restore_newlines(char *path)
{
	char *to = path;

	for (; *path; path++, to++) {
		bool newline = !strncmp(path, "\\012", 4);

		*to = newline ? '\n' : *path;
		path += newline ? 3 : 0;
	}
	*to = '\0';
}

/* One line of the list, which loses its end. */
static bool
parse_line(char *line, struct host_map *m)
{
	unsigned long start, end, offset, inode;
	unsigned major, minor;
	char may[5];
	bool file;
	int at = 0;

	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &start, &end, may,
		   &offset, &major, &minor, &inode, &at) < 7)
		return false;
	restore_newlines(line + at);
	/* The first segment of System V has number 0, but a device. */
	file = major || minor || inode;
	*m = (struct host_map){
		.start = start,
		.end = end,
		.offset = offset,
		.inode = inode,
		.device = (u64)major << 32 | minor,
		.writable = may[1] == 'w',
		.executable = may[2] == 'x',
		.written = file && may[1] == 'w' && may[3] == 's',
		.path = line + (file ? at : (int)strlen(line)),
	};
	return true;
}

bool
host_maps_read(struct host_maps *all)
{
	size_t lines = 1, bytes;
	char *save;

	*all = (struct host_maps){
		.text = task_read_all(TASK_SELF, "maps", &bytes)};
	if (!all->text)
		return false;
	for (const char *p = all->text; *p; p++)
		lines += *p == '\n';
	all->list = malloc(lines * sizeof *all->list);
	if (!all->list)
		return false;
	for (char *line = strtok_r(all->text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (parse_line(line, &all->list[all->n]))
			all->n++;
	return true;
}

void
host_maps_free(struct host_maps *all)
{
	free(all->list);
	free(all->text);
}
