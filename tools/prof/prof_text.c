/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_MAX (64l << 20)	/* of a file */
#define NAMED 5			/* files that a note names */

struct prof_texts {
	const struct prof *p;
	struct prof_text **text;
	size_t n, room;
	struct timespec data;	/* when the data were written; 0: not known */
	char **newer;
	size_t n_newer;
};

struct prof_texts *
prof_texts_open(const struct prof *p)
{
	struct prof_texts *t = tool_alloc(p->tool, 1, sizeof *t);
	struct stat st;

	t->p = p;
	if (stat(p->data, &st) == 0)
		t->data = st.st_mtim;
	return t;
}

/* ---- A file ---------------------------------------------------------- */

/* Only a regular file is read: the path may lead to anything by now. */
static int
open_file(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode) &&
	    st->st_size <= BYTES_MAX)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* A name, and parts of it from each slash on, below a folder. */
static int
open_below(const char *folder, const char *name, struct stat *st)
{
	int fd = -1;

	while (fd < 0 && *name) {
		char *path;

		name += strspn(name, "/");
		if (asprintf(&path, "%s/%s", folder, name) < 0)
			return -1;
		fd = open_file(path, st);
		free(path);
		name += strcspn(name, "/");
	}
	return fd;
}

static int
find_file(const struct prof_texts *t, const char *name, struct stat *st)
{
	const struct prof_names *folders = &t->p->o->source;
	int fd = -1;

	for (size_t i = 0; i < folders->n && fd < 0; i++)
		fd = open_below(folders->name[i], name, st);
	/* A path that does not begin at the root is none from here. */
	if (fd < 0 && *name == '/')
		fd = open_file(name, st);
	return fd;
}

static void
read_file(const struct prof_texts *t, struct prof_text *text, int fd,
	  size_t size)
{
	size_t n = 0;
	ssize_t got;

	text->bytes = tool_alloc(t->p->tool, size + 1, 1);
	while (n < size && (got = read(fd, text->bytes + n, size - n)) > 0)
		n += (size_t)got;
	for (size_t i = 0; i < n; i++)
		text->n += text->bytes[i] == '\n';
	text->n += n && text->bytes[n - 1] != '\n';
	text->line = tool_alloc(t->p->tool, text->n + 1, sizeof *text->line);
	for (size_t i = 0, at = 0; i < text->n; i++) {
		char *end = memchr(text->bytes + at, '\n', n - at);

		text->line[i] = text->bytes + at;
		if (end)
			*end = '\0';
		at = end ? (size_t)(end - text->bytes) + 1 : n;
	}
}

static bool
is_newer(const struct prof_texts *t, const struct stat *st)
{
	if (st->st_mtim.tv_sec != t->data.tv_sec)
		return t->data.tv_sec && st->st_mtim.tv_sec > t->data.tv_sec;
	return st->st_mtim.tv_nsec > t->data.tv_nsec;
}

/* ---- All ------------------------------------------------------------- */

static void *
more(const struct prof_texts *t, void *list, size_t n, size_t bytes)
{
	list = reallocarray(list, n, bytes);
	if (!list)
		tool_fail(t->p->tool, TOOL_FAILED, "out of memory");
	return list;
}

static struct prof_text *
add(struct prof_texts *t, const char *name)
{
	struct prof_text *text = tool_alloc(t->p->tool, 1, sizeof *text);
	struct stat st;
	int fd = find_file(t, name, &st);

	text->name = name;
	if (fd >= 0) {
		read_file(t, text, fd, (size_t)st.st_size);
		close(fd);
		if (is_newer(t, &st)) {
			t->newer = more(t, t->newer, t->n_newer + 1,
					sizeof *t->newer);
			t->newer[t->n_newer++] = (char *)(uintptr_t)name;
		}
	}
	t->text = more(t, t->text, t->n + 1, sizeof(struct prof_text *));
	return t->text[t->n++] = text;
}

const struct prof_text *
prof_text(struct prof_texts *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->text[i]->name, name))
			return t->text[i];
	return add(t, name);
}

/* Names of a list, but no more than a note can have. */
static void
put_names(const char *const *name, size_t n, FILE *out)
{
	for (size_t i = 0; i < n && i < NAMED; i++)
		fprintf(out, "%s%s", i ? ", " : "", name[i]);
	if (n > NAMED)
		fprintf(out, ", and %zu more", n - NAMED);
}

static void
tell(const struct prof_texts *t, const char *what, const char *const *name,
     size_t n)
{
	char *list = NULL;
	size_t bytes;
	FILE *out = n ? open_memstream(&list, &bytes) : NULL;

	if (!out)
		return;
	put_names(name, n, out);
	tool_close_text(t->p->tool, out, &list);
	tool_note(t->p->tool, "%s: %s", what, list);
	free(list);
}

void
prof_texts_tell(const struct prof_texts *t)
{
	const char **missing = tool_alloc(t->p->tool, t->n + 1,
					  sizeof *missing);
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (!t->text[i]->bytes)
			missing[n++] = t->text[i]->name;
	tell(t, "sources not found, see -source", missing, n);
	tell(t, "sources that have changed since the program ran",
	     (const char *const *)t->newer, t->n_newer);
	free(missing);
}

void
prof_texts_close(struct prof_texts *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->text[i]->bytes);
		free(t->text[i]->line);
		free(t->text[i]);
	}
	free(t->text);
	free(t->newer);
	free(t);
}
