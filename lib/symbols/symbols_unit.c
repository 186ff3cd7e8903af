/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which unit of a file's DWARF has the code at an address. */
#include "symbols.h"

#include "history.h"

#include <stdlib.h>

static int
by_start(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static bool
add_range(struct symbol_file *f, uint64_t start, uint64_t end, uint64_t unit)
{
	void *list = history_grow(f->range, f->n_ranges, &f->ranges_room,
				  sizeof *f->range);

	if (!list)
		return false;
	f->range = list;
	f->range[f->n_ranges++] = (struct unit_range){start, end, unit};
	return true;
}

static void
add_unit(struct symbol_file *f, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (start < end &&
		    !add_range(f, start, end, dwarf_dieoffset(die)))
			return;
}

/* Many files have no table of addresses: it is made of what units say. */
static void
read_ranges(struct symbol_file *f, Dwarf *dwarf)
{
	Dwarf_Off offset = 0, next;
	size_t header;
	Dwarf_Die die;

	f->ranges_read = true;
	while (!dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL,
			     NULL)) {
		if (dwarf_offdie(dwarf, offset + header, &die))
			add_unit(f, &die);
		if (next <= offset)
			break;
		offset = next;
	}
	if (f->n_ranges)
		qsort(f->range, f->n_ranges, sizeof *f->range, by_start);
}

/* The last range that begins at an address or before it, if it goes so far. */
static const struct unit_range *
find_range(const struct symbol_file *f, uint64_t vaddr)
{
	size_t n = history_begun(f->range, f->n_ranges, sizeof *f->range,
				 vaddr);

	return n && vaddr < f->range[n - 1].end ? &f->range[n - 1] : NULL;
}

bool
symbols_unit(struct symbol_file *f, uint64_t vaddr, Dwarf_Die *die)
{
	Dwarf *dwarf = symbols_dwarf(f);
	const struct unit_range *range;

	if (!dwarf)
		return false;
	if (!f->ranges_read)
		read_ranges(f, dwarf);
	range = find_range(f, vaddr);
	if (range)
		return dwarf_offdie(dwarf, range->unit, die);
	return dwarf_addrdie(dwarf, vaddr, die);
}
