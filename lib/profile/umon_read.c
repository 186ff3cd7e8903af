/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads umon.out(5): files, and what is wrong with them. */
#include "umon_read_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A stream of a regular file; others could keep us waiting, or never end. */
static FILE *
open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	FILE *in;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		in = fdopen(fd, "r");
		if (in)
			return in;
	} else {
		errno = EINVAL;
	}
	close(fd);
	return NULL;
}

bool
pmcsim_umon_is(const char *path)
{
	char text[sizeof UMON_MAGIC + 1] = "";
	FILE *in = open_file(path);
	size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;

	if (in)
		fclose(in);
	return n == sizeof text - 1 && umon_version_of(text);
}

static int
fail(const struct umon_reader *r, struct pmcsim_error *error, const char *what)
{
	snprintf(error->text, sizeof error->text, "%s: line %lu: %s", r->path,
		 r->line, what);
	return -EINVAL;
}

static const char *
what_is_wrong(const struct umon_reader *r, const char *line)
{
	if (r->line > 1)
		return "not as in a profile";
	if (!strncmp(line, UMON_MAGIC, sizeof UMON_MAGIC - 1))
		return "a profile of a version that is not known";
	return "not a profile";
}

static int
read_lines(struct umon_reader *r, FILE *in, struct pmcsim_error *error)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t length;
	int rc = 0;

	while (!rc && (length = getline(&text, &room, in)) > 0) {
		r->line++;
		if (!umon_take_line(r, text, (size_t)length))
			rc = fail(r, error, what_is_wrong(r, text));
	}
	free(text);
	if (!rc && ferror(in)) {
		rc = -errno;
		snprintf(error->text, sizeof error->text, "%s: %s", r->path,
			 strerror(errno));
	} else if (!rc && !r->line) {
		rc = -EINVAL;
		snprintf(error->text, sizeof error->text,
			 "%s: the file is empty", r->path);
	} else if (!rc && !r->ended) {
		rc = fail(r, error, "the profile is cut off");
	}
	return rc;
}

int
pmcsim_umon_read(const char *path, struct pmcsim_umon **umon,
		 struct pmcsim_error *error)
{
	struct umon_reader r = {.path = path, .sum = UMON_SUM};
	FILE *in = open_file(path);
	int rc;

	if (!in) {
		rc = -errno;
		snprintf(error->text, sizeof error->text, "%s: %s", path,
			 strerror(errno));
		return rc;
	}
	r.u = calloc(1, sizeof *r.u);
	r.p = calloc(1, sizeof *r.p);
	if (!r.u || !r.p) {
		free(r.u);
		free(r.p);
		fclose(in);
		snprintf(error->text, sizeof error->text, "out of memory");
		return -ENOMEM;
	}
	r.u->profile = r.p;
	rc = read_lines(&r, in, error);
	fclose(in);
	if (rc) {
		pmcsim_umon_free(r.u);
		return rc;
	}
	*umon = r.u;
	return 0;
}
