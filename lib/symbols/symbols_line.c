/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols.h"

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
 * opens whatever another part of the file's DWARF is said to be in. */
static bool
is_whole(Elf *elf)
{
	static const char *const strings[] = {".debug_str", ".debug_line_str",
					      NULL};
	static const char *const elsewhere[] = {".gnu_debugaltlink",
						".debug_sup", NULL};
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
		if (name && is_one_of(name, elsewhere))
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

static Dwarf *
dwarf_of(struct symbol_file *f)
{
	if (f->dwarf_tried)
		return f->dwarf;
	f->dwarf_tried = true;
	f->dwarf = dwarf_in(f->elf);
	if (!f->dwarf && f->debug)
		f->dwarf = dwarf_in(f->debug);
	return f->dwarf;
}

/* The unit that has an address; many have no table of addresses. */
static Dwarf_Die *
find_unit(Dwarf *dwarf, uint64_t vaddr, Dwarf_Die *die)
{
	Dwarf_Off offset = 0, next;
	size_t header;

	if (dwarf_addrdie(dwarf, vaddr, die))
		return die;
	while (!dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL,
			     NULL)) {
		if (dwarf_offdie(dwarf, offset + header, die) &&
		    dwarf_haspc(die, vaddr) > 0)
			return die;
		if (next <= offset)
			return NULL;
		offset = next;
	}
	return NULL;
}

void
symbol_line(struct symbol_file *f, uint64_t vaddr,
	    struct pmcsim_symbol *symbol)
{
	Dwarf *dwarf = dwarf_of(f);
	Dwarf_Die die;
	Dwarf_Line *line;
	int number;

	if (!dwarf || !find_unit(dwarf, vaddr, &die))
		return;
	line = dwarf_getsrc_die(&die, vaddr);
	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return;
	symbol->file = dwarf_linesrc(line, NULL, NULL);
	symbol->line = symbol->file ? (unsigned)number : 0;
}
