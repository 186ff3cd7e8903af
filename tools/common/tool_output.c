/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a tool's report goes: a file that is complete or as it was, and
 * folders. */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static _Noreturn void
fail(const struct tool *tool, const char *where, int err)
{
	tool_fail(tool, TOOL_FAILED, "%s: %s", where, strerror(-err));
}

void
tool_make_folders(const struct tool *tool, char *path)
{
	for (char *p = path + (*path != '\0');; p++) {
		char c = *p;

		if (c && c != '/')
			continue;
		*p = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			fail(tool, path, -errno);
		*p = c;
		if (!c)
			return;
	}
}

void
tool_output_check(const struct tool *tool, const char *path)
{
	int err = path ? pmcsim_output_check(path) : 0;

	if (err != 0)
		fail(tool, path, err);
}

void
tool_output_open(struct tool_output *o, const struct tool *tool,
		 const char *path, bool append, FILE *other)
{
	int err;

	*o = (struct tool_output){
		.tool = tool, .path = path, .stream = other};
	if (!path)
		return;
	err = pmcsim_output_open(path, append, &o->file, &o->stream);
	if (err != 0)
		fail(tool, path, err);
}

FILE *
tool_output_descriptor(const struct tool *tool, const char *option, int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	FILE *stream = own < 0 ? NULL : fdopen(own, "w");

	if (!stream)
		tool_fail(tool, TOOL_USAGE, "%s %d: %s", option, fd,
			  strerror(errno));
	return stream;
}

/* The status alone can tell of a failure of stderr. */
void
tool_output_close(struct tool_output *o, int err)
{
	if (o->file && err != 0)
		pmcsim_output_abandon(o->file);
	else if (o->file)
		err = pmcsim_output_close(o->file);
	else if (err == 0 && (fflush(o->stream) != 0 || ferror(o->stream)))
		err = errno ? -errno : -EIO;
	if (err != 0)
		fail(o->tool, o->path ? o->path : "standard output", err);
}
