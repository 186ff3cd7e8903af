/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a file was stripped of may be in another one: below /usr/lib/debug by
 * its build id, as Debian's packages have it, or where .gnu_debuglink says,
 * as objcopy --add-gnu-debuglink has it.  It is the right one if it has the
 * same build id.
 */
#include "symbols.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEBUG "/usr/lib/debug"
#define MAX_ID 64		/* bytes */

struct build_id {
	const unsigned char *byte;
	size_t n;
};

static bool
build_id_of(Elf *elf, struct build_id *id)
{
	const void *bytes;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bytes);

	if (n < 2 || n > MAX_ID)
		return false;
	*id = (struct build_id){bytes, (size_t)n};
	return true;
}

/* Takes the file of that name; false if it is none, or another's. */
static bool
take(struct symbol_file *f, const char *path, const struct build_id *id)
{
	struct build_id other;

	f->debug = symbols_open(path, &f->debug_fd);
	if (f->debug && build_id_of(f->debug, &other) && other.n == id->n &&
	    !memcmp(other.byte, id->byte, id->n))
		return true;
	symbols_close(&f->debug, &f->debug_fd);
	return false;
}

/* Its bytes from the first one on, in hexadecimal. */
static void
put_id(const struct build_id *id, size_t first, char *text)
{
	for (size_t i = first; i < id->n; i++)
		text += sprintf(text, "%02x", id->byte[i]);
}

static bool
find_by_id(struct symbol_file *f, const struct build_id *id)
{
	char path[sizeof DEBUG "/.build-id/.debug" + 2 * MAX_ID + 2];
	int at = sprintf(path, DEBUG "/.build-id/%02x/", id->byte[0]);

	put_id(id, 1, path + at);
	strcat(path, ".debug");
	return take(f, path, id);
}

/* A program's own folder comes first. */
static bool
find_by_link(struct symbol_file *f, const struct build_id *id)
{
	static const char *const form[] = {"%.*s%s", "%.*s.debug/%s",
					   DEBUG "%.*s%s"};
	const char *slash = strrchr(f->path, '/'), *link;
	int folder = slash ? (int)(slash + 1 - f->path) : 0;
	GElf_Word crc;

	link = dwelf_elf_gnu_debuglink(f->elf, &crc);
	if (!link || !*link || strchr(link, '/'))
		return false;
	for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
		char path[PATH_MAX];
		int n = snprintf(path, sizeof path, form[i], folder, f->path,
				 link);

		if (n > 0 && n < PATH_MAX && take(f, path, id))
			return true;
	}
	return false;
}

void
symbols_debug(struct symbol_file *f)
{
	struct build_id id;

	if (build_id_of(f->elf, &id) && !find_by_id(f, &id))
		find_by_link(f, &id);
}

char *
pmcsim_build_id(const char *path)
{
	struct build_id id;
	char *text = NULL;
	Elf *elf;
	int fd;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	elf = symbols_open(path, &fd);
	if (elf && build_id_of(elf, &id))
		text = malloc(2 * id.n + 1);
	if (text)
		put_id(&id, 0, text);
	symbols_close(&elf, &fd);
	return text;
}
