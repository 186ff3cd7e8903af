/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of ELF, of any instruction set, of which nothing is believed. */
#ifndef PROGRAM_ELF_FILE_H
#define PROGRAM_ELF_FILE_H

#include "machine/types.h"

#include <elf.h>
#include <stddef.h>

struct elf_file {
	const u8 *data;
	size_t size;
	bool wide;		/* 64 bits */
	bool big;		/* bytes of a number are in the other order */
};

/* The file at that path, until it is closed; false: it cannot be read, or is no such
 * file. */
bool elf_file_open(struct elf_file *f, const char *path);
void elf_file_close(const struct elf_file *f);

/* A number of the file; 0 where it ends. */
u64 elf_number(const struct elf_file *f, u64 at, unsigned bytes);

#define ELF_FIELD(f, at, type, field)                                         \
	((f)->wide ? elf_number(f, (at) + offsetof(Elf64_##type, field),      \
				sizeof(((Elf64_##type *)0)->field))           \
		   : elf_number(f, (at) + offsetof(Elf32_##type, field),      \
				sizeof(((Elf32_##type *)0)->field)))
#define ELF_SIZE(f, type) \
	((f)->wide ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

#endif
