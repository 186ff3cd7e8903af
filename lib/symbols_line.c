/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols.h"

static Dwarf *
dwarf_of(struct symbol_file *f)
{
	if (!f->dwarf_tried)
		f->dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	f->dwarf_tried = true;
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
