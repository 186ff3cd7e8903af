/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frames.h"

#include "guest_bytes.h"
#include "places.h"

#include <elf.h>
#include <stddef.h>

#define FILES 64
#define TABLE_VERSION 1
#define TABLE_ENCODING 0x3b	/* 32 bits, signed, from the header on */
#define TABLE_ENTRY 8

/* A mapping of code, and where its file's .eh_frame_hdr is; 0: nowhere. */
struct file {
	u64 start, end, header;
};

static struct {
	struct file file[FILES];
	unsigned n;
} known;

/* ---- Files ----------------------------------------------------------- */

/* A field of a structure of ELF, whose words have another size if wide. */
#define FIELD(g, base, wide, type, field)                                  \
	((g).at = (base) + ((wide) ? offsetof(Elf64_##type, field)          \
				   : offsetof(Elf32_##type, field)),        \
	 guest_number(&(g), (wide) ? sizeof((Elf64_##type *)0)->field       \
				   : sizeof((Elf32_##type *)0)->field))

/* Of a file whose beginning is mapped there. */
static u64
find_header(u64 start)
{
	struct guest_bytes g = guest_bytes_at(start + EI_CLASS);
	bool wide = guest_number(&g, 1) == ELFCLASS64, loaded = false;
	u64 at = start + FIELD(g, start, wide, Ehdr, e_phoff);
	u64 size = FIELD(g, start, wide, Ehdr, e_phentsize);
	u64 n = FIELD(g, start, wide, Ehdr, e_phnum), moved = 0, header = 0;

	for (; n-- && !g.bad; at += size) {
		u64 type = FIELD(g, at, wide, Phdr, p_type);
		u64 vaddr = FIELD(g, at, wide, Phdr, p_vaddr);

		if (type == PT_LOAD && !loaded) {
			loaded = true;
			moved = start - (vaddr - FIELD(g, at, wide, Phdr,
						       p_offset));
		} else if (type == PT_GNU_EH_FRAME) {
			header = vaddr;
		}
	}
	return header && loaded && !g.bad ? header + moved : 0;
}

static const struct file *
file_at(u64 pc)
{
	struct file *f;
	u64 start;

	for (unsigned i = 0; i < known.n; i++)
		if (pc >= known.file[i].start && pc < known.file[i].end)
			return &known.file[i];
	if (known.n == FILES)
		known.n = 0;
	f = &known.file[known.n];
	if (!places_file(pc, &start, &f->start, &f->end))
		return NULL;
	f->header = find_header(start);
	known.n++;
	return f;
}

/* ---- Functions ------------------------------------------------------- */

static u64
entry_at(u64 table, u64 i, u64 header, unsigned which)
{
	struct guest_bytes g =
		guest_bytes_at(table + i * TABLE_ENTRY + 4 * which);

	return header + (u64)(s64)(s32)guest_number(&g, 4);
}

/* The description of the last function that begins at pc or before. */
static u64
search(u64 header, u64 pc)
{
	struct guest_bytes g = guest_bytes_at(header);
	u8 version = (u8)guest_number(&g, 1);
	u8 frames = (u8)guest_number(&g, 1), number = (u8)guest_number(&g, 1);
	u8 table = (u8)guest_number(&g, 1);
	u64 from = 0, to;

	if (version != TABLE_VERSION || table != TABLE_ENCODING)
		return 0;
	guest_encoded(&g, frames);
	to = guest_encoded(&g, number);
	if (g.bad)
		return 0;
	while (from < to) {
		u64 middle = from + (to - from) / 2;

		if (entry_at(g.at, middle, header, 0) <= pc)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? entry_at(g.at, from - 1, header, 1) : 0;
}

/* Encodings that a description has from its CIE. */
struct encodings {
	u8 address, calls;
};

static bool
read_common(u64 at, struct encodings *e)
{
	struct guest_bytes g = guest_bytes_at(at + 8);
	u8 version = (u8)guest_number(&g, 1), what[8] = {0};
	unsigned n = 0;

	*e = (struct encodings){.calls = ENCODING_OMIT};
	while (n < sizeof what && (what[n] = (u8)guest_number(&g, 1)))
		n++;
	if (what[0] != 'z' || n == sizeof what)
		return false;
	guest_uleb(&g);
	guest_sleb(&g);
	if (version == 1)
		guest_number(&g, 1);
	else
		guest_uleb(&g);
	guest_uleb(&g);
	for (unsigned i = 1; i < n; i++)
		if (what[i] == 'P')
			guest_encoded(&g, (u8)guest_number(&g, 1) &
						  ~ENCODING_INDIRECT);
		else if (what[i] == 'L')
			e->calls = (u8)guest_number(&g, 1);
		else if (what[i] == 'R')
			e->address = (u8)guest_number(&g, 1);
	return !g.bad;
}

bool
frames_find(u64 pc, struct frame_function *f)
{
	const struct file *file = file_at(pc);
	u64 at = file && file->header ? search(file->header, pc) : 0;
	struct guest_bytes g = guest_bytes_at(at + 4);
	struct encodings e;

	if (!at || !read_common(g.at - guest_number(&g, 4), &e))
		return false;
	f->start = guest_encoded(&g, e.address);
	f->end = f->start + guest_encoded(&g, e.address & ENCODING_FORMAT);
	guest_uleb(&g);
	f->calls = e.calls == ENCODING_OMIT ? 0 : guest_encoded(&g, e.calls);
	return !g.bad && pc >= f->start && pc < f->end;
}
