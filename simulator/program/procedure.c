/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "procedure.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALPHA_GP_LOAD 0x88	/* st_other: it begins with loading GP, ... */
#define ALPHA_GP_BYTES 8	/* ... which is so long */

struct file {
	const u8 *data;
	size_t size;
	bool wide;		/* 64 bits */
	bool big;		/* bytes of a number are in the other order */
};

/* A number of the file; 0 where it ends. */
static u64
number(const struct file *f, u64 at, unsigned bytes)
{
	u64 n = 0;

	if (at > f->size || bytes > f->size - at)
		return 0;
	for (unsigned i = 0; i < bytes; i++)
		n |= (u64)f->data[at + (f->big ? bytes - 1 - i : i)] << 8 * i;
	return n;
}

#define FIELD(f, at, type, field)                                          \
	((f)->wide ? number(f, (at) + offsetof(Elf64_##type, field),       \
			    sizeof(((Elf64_##type *)0)->field))            \
		   : number(f, (at) + offsetof(Elf32_##type, field),       \
			    sizeof(((Elf32_##type *)0)->field)))
#define SIZE(f, type) \
	((f)->wide ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

/* Where in the file an address of its own is; false: in none of it. */
static bool
offset_of(const struct file *f, u64 address, u64 *offset)
{
	u64 at = FIELD(f, 0, Ehdr, e_phoff), n = FIELD(f, 0, Ehdr, e_phnum);

	for (u64 i = 0; i < n; i++, at += SIZE(f, Phdr)) {
		u64 start = FIELD(f, at, Phdr, p_vaddr);

		if (FIELD(f, at, Phdr, p_type) != PT_LOAD ||
		    address < start ||
		    address - start >= FIELD(f, at, Phdr, p_filesz))
			continue;
		*offset = address - start + FIELD(f, at, Phdr, p_offset);
		return true;
	}
	return false;
}

static bool
is_named(const struct file *f, u64 at, const char *name)
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
look_at_symbol(const struct file *f, u64 at, u64 names,
	       const struct search *s)
{
	unsigned type = FIELD(f, at, Sym, st_info) & 0xf;
	u64 offset;

	if (FIELD(f, at, Sym, st_shndx) == SHN_UNDEF ||
	    (type != STT_FUNC && type != STT_NOTYPE) ||
	    !is_named(f, names + FIELD(f, at, Sym, st_name), s->name) ||
	    !offset_of(f, FIELD(f, at, Sym, st_value), &offset))
		return;
	s->fn(s->arg, offset);
	if (FIELD(f, 0, Ehdr, e_machine) == EM_ALPHA &&
	    (FIELD(f, at, Sym, st_other) & ALPHA_GP_LOAD) == ALPHA_GP_LOAD)
		s->fn(s->arg, offset + ALPHA_GP_BYTES);
}

static void
look_at_table(const struct file *f, u64 sections, u64 at,
	      const struct search *s)
{
	u64 first = FIELD(f, at, Shdr, sh_offset);
	u64 bytes = FIELD(f, at, Shdr, sh_size), size = SIZE(f, Sym);
	u64 link = FIELD(f, at, Shdr, sh_link);
	u64 names = FIELD(f, sections + link * SIZE(f, Shdr), Shdr, sh_offset);

	if (first > f->size || bytes > f->size - first)
		return;
	for (u64 i = 0; i < bytes / size; i++)
		look_at_symbol(f, first + i * size, names, s);
}

/* The table of all symbols; that of dynamic ones where it was stripped. */
static void
look_at_sections(const struct file *f, const struct search *s)
{
	u64 sections = FIELD(f, 0, Ehdr, e_shoff);
	u64 n = FIELD(f, 0, Ehdr, e_shnum), dynamic = 0, all = 0;

	for (u64 i = 0; i < n; i++) {
		u64 at = sections + i * SIZE(f, Shdr);

		if (FIELD(f, at, Shdr, sh_type) == SHT_SYMTAB)
			all = at;
		else if (FIELD(f, at, Shdr, sh_type) == SHT_DYNSYM)
			dynamic = at;
	}
	if (all || dynamic)
		look_at_table(f, sections, all ? all : dynamic, s);
}

void
procedure_find(const char *path, const char *name,
	       void (*fn)(void *arg, u64 offset), void *arg)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct search s = {name, fn, arg};
	struct file f = {0};
	struct stat st;
	void *data = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    st.st_size > EI_NIDENT) {
		f.size = (size_t)st.st_size;
		data = mmap(NULL, f.size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED)
		return;
	f.data = data;
	f.wide = f.data[EI_CLASS] == ELFCLASS64;
	f.big = f.data[EI_DATA] == ELFDATA2MSB;
	if (!memcmp(f.data, ELFMAG, SELFMAG))
		look_at_sections(&f, &s);
	munmap(data, f.size);
}
