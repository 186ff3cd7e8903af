/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DWARF of a file: its own, or that of what it was stripped of, with what
 * dwz has put into a file that several share.  libdw would open whatever file
 * that is said to be: here it is one that has the build id, and is given to
 * libdw before that asks for it.
 */
#include "symbols.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

/* libdw reads on behind a section of strings that does not end with one, and
 * opens what .debug_sup says that another part of the file's DWARF is in. */
static bool
is_whole(Elf *elf)
{
	static const char *const strings[] = {".debug_str", ".debug_line_str",
					      NULL};
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = NULL, *bytes;
		GElf_Shdr header;
		Elf_Data *data;

		if (gelf_getshdr(section, &header))
			name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, ".debug_sup"))
			return false;
		if (!name || !is_one_of(name, strings))
			continue;
		data = elf_getdata(section, NULL);
		bytes = data ? data->d_buf : NULL;
		if (!bytes || !data->d_size || bytes[data->d_size - 1])
			return false;
	}
	return true;
}

/* libdw replaces compressed sections by what they were: it has them first. */
static Dwarf *
dwarf_in(Elf *elf)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);

	if (dwarf && !is_whole(elf)) {
		dwarf_end(dwarf);
		return NULL;
	}
	return dwarf;
}

/* ---- What several files share ---------------------------------------- */

static bool
take_shared(struct symbol_file *f, const char *path, const struct build_id *id)
{
	f->shared_elf = symbols_open_build(path, id, &f->shared_fd);
	f->shared = f->shared_elf ? dwarf_in(f->shared_elf) : NULL;
	if (f->shared)
		return true;
	symbols_close(&f->shared_elf, &f->shared_fd);
	return false;
}

static bool
fetch_shared(struct symbol_file *f, const struct build_id *id)
{
	char *path = symbols_fetch(id);
	bool found = path && take_shared(f, path, id);

	free(path);
	return found;
}

/* By its id, then by its name, which may be one beside the file that names
 * it. */
static bool
find_shared(struct symbol_file *f, const char *from, const char *name,
	    const struct build_id *id)
{
	const char *slash = strrchr(from, '/');
	int folder = *name != '/' && slash ? (int)(slash + 1 - from) : 0;
	char path[PATH_MAX];
	int length;

	if (id->n < 2 || id->n > MAX_BUILD_ID)
		return false;
	symbols_build_path(id, path);
	if (take_shared(f, path, id))
		return true;
	length = snprintf(path, sizeof path, "%.*s%s", folder, from, name);
	return (length > 0 && length < PATH_MAX &&
		take_shared(f, path, id)) || fetch_shared(f, id);
}

/* The DWARF in one file, complete: NULL if there is none, or a part of it
 * cannot be found. */
static Dwarf *
whole_dwarf(struct symbol_file *f, Elf *elf, const char *path)
{
	Dwarf *dwarf = dwarf_in(elf);
	const char *name;
	const void *id;
	ssize_t n;

	if (!dwarf)
		return NULL;
	n = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id);
	if (n == 0)
		return dwarf;
	if (n > 0 && find_shared(f, path, name,
				 &(struct build_id){id, (size_t)n})) {
		dwarf_setalt(dwarf, f->shared);
		return dwarf;
	}
	dwarf_end(dwarf);
	return NULL;
}

Dwarf *
symbols_dwarf(struct symbol_file *f)
{
	if (f->dwarf_tried)
		return f->dwarf;
	f->dwarf_tried = true;
	f->dwarf = whole_dwarf(f, f->elf, f->path);
	if (!f->dwarf && f->debug)
		f->dwarf = whole_dwarf(f, f->debug, f->debug_path);
	return f->dwarf;
}

void
symbols_dwarf_end(struct symbol_file *f)
{
	if (f->dwarf)
		dwarf_end(f->dwarf);
	if (f->shared)
		dwarf_end(f->shared);
	symbols_close(&f->shared_elf, &f->shared_fd);
}
