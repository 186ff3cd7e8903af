/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "procedure.h"

#include "elf_file.h"

#include <string.h>

#define ALPHA_GP_LOAD 0x88	/* st_other: it begins with loading GP, ... */
#define ALPHA_GP_BYTES 8	/* ... which is so long */

/* Where in the file an address of its own is; false: in none of it. */
static bool
offset_of(const struct elf_file *f, u64 address, u64 *offset)
{
	u64 at = ELF_FIELD(f, 0, Ehdr, e_phoff), n = ELF_FIELD(f, 0, Ehdr, e_phnum);

	for (u64 i = 0; i < n; i++, at += ELF_SIZE(f, Phdr)) {
		u64 start = ELF_FIELD(f, at, Phdr, p_vaddr);

		if (ELF_FIELD(f, at, Phdr, p_type) != PT_LOAD ||
		    address < start ||
		    address - start >= ELF_FIELD(f, at, Phdr, p_filesz))
			continue;
		*offset = address - start + ELF_FIELD(f, at, Phdr, p_offset);
		return true;
	}
	return false;
}

static bool
is_named(const struct elf_file *f, u64 at, const char *name)
{
	size_t length = strlen(name) + 1;

	return at <= f->size && length <= f->size - at &&
	       !memcmp(f->data + at, name, length);
}

struct search {
	const char *name;
	void (*fn)(void *arg, u64 offset);
	void *arg;
};

static void
look_at_symbol(const struct elf_file *f, u64 at, u64 names,
	       const struct search *s)
{
	unsigned type = ELF_FIELD(f, at, Sym, st_info) & 0xf;
	u64 offset;

	if (ELF_FIELD(f, at, Sym, st_shndx) == SHN_UNDEF ||
	    (type != STT_FUNC && type != STT_NOTYPE) ||
	    !is_named(f, names + ELF_FIELD(f, at, Sym, st_name), s->name) ||
	    !offset_of(f, ELF_FIELD(f, at, Sym, st_value), &offset))
		return;
	s->fn(s->arg, offset);
	if (ELF_FIELD(f, 0, Ehdr, e_machine) == EM_ALPHA &&
	    (ELF_FIELD(f, at, Sym, st_other) & ALPHA_GP_LOAD) == ALPHA_GP_LOAD)
		s->fn(s->arg, offset + ALPHA_GP_BYTES);
}

static void
look_at_table(const struct elf_file *f, u64 sections, u64 at,
	      const struct search *s)
{
	u64 first = ELF_FIELD(f, at, Shdr, sh_offset);
	u64 bytes = ELF_FIELD(f, at, Shdr, sh_size), size = ELF_SIZE(f, Sym);
	u64 link = ELF_FIELD(f, at, Shdr, sh_link);
	u64 names = ELF_FIELD(f, sections + link * ELF_SIZE(f, Shdr), Shdr, sh_offset);

	if (first > f->size || bytes > f->size - first)
		return;
	for (u64 i = 0; i < bytes / size; i++)
		look_at_symbol(f, first + i * size, names, s);
}

/* The table of all symbols; that of dynamic ones where it was stripped. */
static void
look_at_sections(const struct elf_file *f, const struct search *s)
{
	u64 sections = ELF_FIELD(f, 0, Ehdr, e_shoff);
	u64 n = ELF_FIELD(f, 0, Ehdr, e_shnum), dynamic = 0, all = 0;

	for (u64 i = 0; i < n; i++) {
		u64 at = sections + i * ELF_SIZE(f, Shdr);

		if (ELF_FIELD(f, at, Shdr, sh_type) == SHT_SYMTAB)
			all = at;
		else if (ELF_FIELD(f, at, Shdr, sh_type) == SHT_DYNSYM)
			dynamic = at;
	}
	if (all || dynamic)
		look_at_table(f, sections, all ? all : dynamic, s);
}

void
procedure_find(const char *path, const char *name,
	       void (*fn)(void *arg, u64 offset), void *arg)
{
	const struct search s = {name, fn, arg};
	struct elf_file f;

	if (!elf_file_open(&f, path))
		return;
	look_at_sections(&f, &s);
	elf_file_close(&f);
}
