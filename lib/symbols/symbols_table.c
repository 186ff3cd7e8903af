/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols.h"

#include "history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of names for one address: a function's, global, not a local label. */
static uint8_t
rank_of(const GElf_Sym *s, const char *name)
{
	return (uint8_t)((GELF_ST_TYPE(s->st_info) == STT_FUNC) * 8 +
			 (s->st_size != 0) * 4 +
			 (GELF_ST_BIND(s->st_info) == STB_GLOBAL) * 2 +
			 (*name != '_' && *name != '.' && *name != '$'));
}

static int
add_symbol(struct symbol_file *f, const GElf_Sym *s, const char *name,
	   bool mips)
{
	void *list = history_grow(f->symbol, f->n, &f->room,
				  sizeof *f->symbol);

	if (!list)
		return -ENOMEM;
	f->symbol = list;
	f->symbol[f->n++] = (struct symbol){
		/* MIPS16 functions have odd addresses. */
		.start = mips ? s->st_value & ~1ull : s->st_value,
		.size = s->st_size, .name = name, .rank = rank_of(s, name),
	};
	return 0;
}

static bool
is_code(Elf *elf, const GElf_Sym *s)
{
	unsigned type = GELF_ST_TYPE(s->st_info);
	Elf_Scn *section;
	GElf_Shdr header;

	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return s->st_shndx != SHN_UNDEF;
	if (type != STT_NOTYPE || s->st_shndx == SHN_UNDEF ||
	    s->st_shndx >= SHN_LORESERVE)
		return false;
	section = elf_getscn(elf, s->st_shndx);
	return section && gelf_getshdr(section, &header) &&
	       header.sh_flags & SHF_EXECINSTR;
}

static int
add_table(struct symbol_file *f, Elf *elf, Elf_Scn *section,
	  const GElf_Shdr *header, bool mips)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = header->sh_entsize ? header->sh_size / header->sh_entsize
				      : 0;
	int rc = 0;

	for (size_t i = 0; data && i < n && i < INT32_MAX && !rc; i++) {
		const char *name;
		GElf_Sym s;

		if (!gelf_getsym(data, (int)i, &s))
			break;
		if (!is_code(elf, &s))
			continue;
		name = elf_strptr(elf, header->sh_link, s.st_name);
		if (name && *name && *name != '$')
			rc = add_symbol(f, &s, name, mips);
	}
	return rc;
}

static int
by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	/* free() of the C library is cfree() as well. */
	if (strlen(x->name) != strlen(y->name))
		return strlen(x->name) < strlen(y->name) ? -1 : 1;
	return strcmp(x->name, y->name);
}

void
symbols_sort(struct symbol_file *f)
{
	size_t n = 0;

	if (!f->n)
		return;
	qsort(f->symbol, f->n, sizeof *f->symbol, by_address);
	for (size_t i = 1; i < f->n; i++)
		if (f->symbol[i].start != f->symbol[n].start)
			f->symbol[++n] = f->symbol[i];
	f->n = n + 1;
}

/* Adds what elf has, f's file or what that was stripped of; true if that is
 * more than the names that it links with. */
static bool
read_tables(struct symbol_file *f, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr ehdr;
	bool mips = gelf_getehdr(elf, &ehdr) && ehdr.e_machine == EM_MIPS;
	bool whole = false;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_SYMTAB &&
		     header.sh_type != SHT_DYNSYM))
			continue;
		whole |= header.sh_type == SHT_SYMTAB;
		if (add_table(f, elf, section, &header, mips))
			break;
	}
	return whole;
}

static bool
is_linkage(const char *name)
{
	return !strncmp(name, ".plt", 4) || !strcmp(name, ".iplt") ||
	       !strcmp(name, ".MIPS.stubs");
}

/* The jumps to functions of other files have no symbols: they are called by
 * their section, which begins behind _init, a symbol without a size. */
static void
add_linkage(struct symbol_file *f)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return;
	while ((section = elf_nextscn(f->elf, section))) {
		GElf_Shdr header;
		const char *name;
		GElf_Sym s = {.st_info = GELF_ST_INFO(STB_LOCAL, STT_FUNC)};

		if (!gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_EXECINSTR) || !header.sh_size)
			continue;
		name = elf_strptr(f->elf, names, header.sh_name);
		s.st_value = header.sh_addr;
		s.st_size = header.sh_size;
		if (name && is_linkage(name) && add_symbol(f, &s, name, false))
			return;
	}
}

void
symbols_read(struct symbol_file *f)
{
	bool whole = read_tables(f, f->elf);

	if (f->debug)
		whole |= read_tables(f, f->debug);
	if (!whole)
		symbols_unwind(f);
	add_linkage(f);
	symbols_sort(f);
}
