/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols.h"

void
symbol_line(struct symbol_file *f, uint64_t vaddr,
	    struct pmcsim_symbol *symbol)
{
	Dwarf *dwarf = symbols_dwarf(f);
	Dwarf_Die die;
	Dwarf_Line *line;
	int number;

	if (!dwarf || !symbols_unit(f, vaddr, &die))
		return;
	line = dwarf_getsrc_die(&die, vaddr);
	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return;
	symbol->file = symbols_source(f, &die,
				      dwarf_linesrc(line, NULL, NULL));
	symbol->line = symbol->file ? (unsigned)number : 0;
}
