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

static bool
find_by_id(struct symbol_file *f, const struct build_id *id)
{
	char path[sizeof DEBUG "/.build-id/.debug" + 2 * MAX_ID + 2];
	int at = sprintf(path, DEBUG "/.build-id/%02x/", id->byte[0]);

	for (size_t i = 1; i < id->n; i++)
		at += sprintf(path + at, "%02x", id->byte[i]);
	memcpy(path + at, ".debug", sizeof ".debug");
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
