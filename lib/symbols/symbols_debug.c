/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a file was stripped of may be in another one: below /usr/lib/debug by
 * its build id, as Debian's packages have it, or where .gnu_debuglink says,
 * as objcopy --add-gnu-debuglink has it, or with a server (symbols_fetch.c).
 * It is the right one if it has the same build id.
 */
#include "symbols.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEBUG "/usr/lib/debug"

static bool
build_id_of(Elf *elf, struct build_id *id)
{
	const void *bytes;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bytes);

	if (n < 2 || n > MAX_BUILD_ID)
		return false;
	*id = (struct build_id){bytes, (size_t)n};
	return true;
}

Elf *
symbols_open_build(const char *path, const struct build_id *id, int *fd)
{
	Elf *elf = symbols_open(path, fd);
	struct build_id other;

	if (elf && build_id_of(elf, &other) && other.n == id->n &&
	    !memcmp(other.byte, id->byte, id->n))
		return elf;
	symbols_close(&elf, fd);
	return NULL;
}

/* Its bytes from the first one on, in hexadecimal. */
static void
put_id(const struct build_id *id, size_t first, char *text)
{
	for (size_t i = first; i < id->n; i++)
		text += sprintf(text, "%02x", id->byte[i]);
}

void
symbols_build_path(const struct build_id *id, char *path)
{
	path += sprintf(path, DEBUG "/.build-id/%02x/", id->byte[0]);
	put_id(id, 1, path);
	strcat(path, ".debug");
}

/* Takes the file of that name; false if it is none, or another's. */
static bool
take(struct symbol_file *f, const char *path, const struct build_id *id)
{
	f->debug = symbols_open_build(path, id, &f->debug_fd);
	if (!f->debug)
		return false;
	f->debug_path = strdup(path);
	if (f->debug_path)
		return true;
	symbols_close(&f->debug, &f->debug_fd);
	return false;
}

static bool
find_by_id(struct symbol_file *f, const struct build_id *id)
{
	char path[PATH_MAX];

	symbols_build_path(id, path);
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

static bool
has_dwarf(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = NULL;
		GElf_Shdr header;

		if (gelf_getshdr(section, &header))
			name = elf_strptr(elf, names, header.sh_name);
		if (name && (!strcmp(name, ".debug_info") ||
			     !strcmp(name, ".zdebug_info")))
			return true;
	}
	return false;
}

void
symbols_debug(struct symbol_file *f)
{
	struct build_id id;
	char *path;

	if (!build_id_of(f->elf, &id) || find_by_id(f, &id) ||
	    find_by_link(f, &id) || has_dwarf(f->elf))
		return;
	path = symbols_fetch(&id);
	if (path)
		take(f, path, &id);
	free(path);
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
