/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's relocations name what it imports, and where the addresses
 * are that it calls through: in its global offset table.
 */
#include "import.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct search {
	const char *name;
	void (*ours)(void);
	bool found;
};

/* Of the program, as it is in memory. */
struct dynamic {
	const Elf64_Sym *symbol;
	const char *string;
	const Elf64_Rela *call, *data;	/* relocations of both kinds */
	size_t call_bytes, data_bytes;
};

/* The dynamic linker has made addresses of offsets, or not. */
static const void *
pointer(const struct dl_phdr_info *program, const Elf64_Dyn *d)
{
	Elf64_Addr at = d->d_un.d_ptr;

	return (const void *)(at < program->dlpi_addr
			      ? at + program->dlpi_addr : at);
}

static struct dynamic
dynamic_of(const struct dl_phdr_info *program, const Elf64_Dyn *d)
{
	struct dynamic all = {.symbol = NULL};

	for (; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			all.symbol = pointer(program, d);
		else if (d->d_tag == DT_STRTAB)
			all.string = pointer(program, d);
		else if (d->d_tag == DT_JMPREL)
			all.call = pointer(program, d);
		else if (d->d_tag == DT_PLTRELSZ)
			all.call_bytes = d->d_un.d_val;
		else if (d->d_tag == DT_RELA)
			all.data = pointer(program, d);
		else if (d->d_tag == DT_RELASZ)
			all.data_bytes = d->d_un.d_val;
	}
	return all;
}

/* It may be among what is made read-only once the program is linked. */
static bool
set(void *place, void (*ours)(void))
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)place & ~(page - 1));

	if (mprotect(start, page, PROT_READ | PROT_WRITE))
		return false;
	memcpy(place, &ours, sizeof ours);
	return true;
}

static void
go_through(struct search *s, const struct dl_phdr_info *program,
	   const struct dynamic *d, const Elf64_Rela *r, size_t bytes)
{
	for (; r && bytes >= sizeof *r; r++, bytes -= sizeof *r) {
		const Elf64_Sym *symbol = d->symbol + ELF64_R_SYM(r->r_info);
		unsigned type = ELF64_R_TYPE(r->r_info);

		if ((type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) &&
		    !strcmp(d->string + symbol->st_name, s->name) &&
		    set((void *)(program->dlpi_addr + r->r_offset), s->ours))
			s->found = true;
	}
}

/* The first object is the program. */
static int
search_program(struct dl_phdr_info *program, size_t size, void *search)
{
	(void)size;
	for (unsigned i = 0; i < program->dlpi_phnum; i++) {
		const Elf64_Phdr *p = &program->dlpi_phdr[i];
		struct dynamic d;

		if (p->p_type != PT_DYNAMIC)
			continue;
		d = dynamic_of(program, (const Elf64_Dyn *)
			       (program->dlpi_addr + p->p_vaddr));
		if (!d.symbol || !d.string)
			continue;
		go_through(search, program, &d, d.call, d.call_bytes);
		go_through(search, program, &d, d.data, d.data_bytes);
	}
	return 1;
}

bool
import_replace(const char *name, void (*ours)(void))
{
	struct search s = {name, ours, false};

	dl_iterate_phdr(search_program, &s);
	return s.found;
}
