/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the functions of a stripped file begin and end: what it keeps to be
 * unwound says so.  The sorted table in .eh_frame_hdr has their addresses,
 * and with each one where in .eh_frame its length is.
 */
#include "symbols.h"

#include "history.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_VERSION 1
#define COUNT_ENCODING 0x03	/* a number of 32 bits */
#define TABLE_ENCODING 0x3b	/* such offsets from the section, signed */
#define HEADER 12		/* bytes before the table */
#define NAME 19			/* "0x", 16 digits, 0 */

/* A section's bytes. */
struct section {
	const unsigned char *data;
	uint64_t vaddr, size;
	bool swapped;		/* big endian */
};

static bool
find_section(Elf *elf, const char *name, struct section *s)
{
	const char *ident = elf_getident(elf, NULL);
	Elf_Scn *section = NULL;
	size_t names;
	GElf_Shdr header;
	Elf_Data *data;

	if (!ident || elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *this;

		if (!gelf_getshdr(section, &header) ||
		    header.sh_type == SHT_NOBITS)
			continue;
		this = elf_strptr(elf, names, header.sh_name);
		data = this && !strcmp(this, name) ? elf_rawdata(section, NULL)
						   : NULL;
		if (!data || !data->d_buf)
			continue;
		*s = (struct section){data->d_buf, header.sh_addr,
				      data->d_size,
				      ident[EI_DATA] == ELFDATA2MSB};
		return true;
	}
	return false;
}

/* 32 bits at an address; false if they are not of the section. */
static bool
word_at(const struct section *s, uint64_t vaddr, int32_t *word)
{
	uint32_t raw;

	if (s->size < sizeof raw || vaddr - s->vaddr > s->size - sizeof raw)
		return false;
	memcpy(&raw, s->data + (vaddr - s->vaddr), sizeof raw);
	*word = (int32_t)(s->swapped ? be32toh(raw) : le32toh(raw));
	return true;
}

/* Bytes of the function that begins there and is described here; 0 if that
 * is not told in the usual way. */
static uint64_t
size_at(const struct section *frames, uint64_t start, uint64_t vaddr)
{
	int32_t begin, size;

	if (!word_at(frames, vaddr + 8, &begin) ||
	    !word_at(frames, vaddr + 12, &size) ||
	    vaddr + 8 + (uint64_t)(int64_t)begin != start)
		return 0;
	return (uint32_t)size;
}

static int
add_function(struct symbol_file *f, uint64_t start, uint64_t size,
	     char *name)
{
	void *list = history_grow(f->symbol, f->n, &f->room,
				  sizeof *f->symbol);

	if (!list)
		return -ENOMEM;
	snprintf(name, NAME, "0x%llx", (unsigned long long)start);
	f->symbol = list;
	f->symbol[f->n++] = (struct symbol){.start = start, .size = size,
					    .name = name, .unnamed = true};
	return 0;
}

void
symbols_unwind(struct symbol_file *f)
{
	struct section table, frames = {0};
	int32_t n, start, frame;

	if (!find_section(f->elf, ".eh_frame_hdr", &table) ||
	    table.size < HEADER || table.data[0] != TABLE_VERSION ||
	    table.data[2] != COUNT_ENCODING ||
	    table.data[3] != TABLE_ENCODING ||
	    !word_at(&table, table.vaddr + 8, &n) || n <= 0 ||
	    (uint64_t)n > (table.size - HEADER) / 8)
		return;
	find_section(f->elf, ".eh_frame", &frames);
	f->names = calloc((size_t)n, NAME);
	for (int32_t i = 0; f->names && i < n; i++) {
		uint64_t at = table.vaddr + HEADER + 8 * (uint64_t)i, vaddr;

		if (!word_at(&table, at, &start) ||
		    !word_at(&table, at + 4, &frame))
			return;
		vaddr = table.vaddr + (uint64_t)(int64_t)start;
		if (add_function(f, vaddr,
				 size_at(&frames, vaddr, table.vaddr +
					 (uint64_t)(int64_t)frame),
				 f->names + (size_t)i * NAME))
			return;
	}
}
