/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ELF files say about addresses.
 *
 *	symbols.c	files, segments, looking up
 *	symbols_debug.c	files that hold what others were stripped of
 *	symbols_line.c	lines of source, from DWARF
 *	symbols_name.c	names of C++, Rust and D
 *	symbols_table.c	the table of functions
 *	symbols_unwind.c functions without a name
 *
 * Nothing in a file is believed: offsets and sizes are compared with what
 * there is, by libelf or here.
 */
#ifndef LIB_SYMBOLS_H
#define LIB_SYMBOLS_H

#include "pmcsim.h"

#include <elfutils/libdw.h>
#include <gelf.h>

struct symbol {
	uint64_t start, size;	/* virtual addresses */
	const char *name;	/* in the file's string table, or in names */
	char *plain;		/* as its language has it; NULL: the same */
	bool tried;		/* whether plain is known */
	bool unnamed;		/* name is made up of its address */
	uint8_t rank;		/* of several at one address, the better */
};

struct symbol_load {
	uint64_t offset, vaddr, size;
};

/* An ELF file; without elf, nothing is known of it. */
struct symbol_file {
	char *path;
	int fd, debug_fd;
	Elf *elf;
	Elf *debug;		/* what it was stripped of; or NULL */
	Dwarf *dwarf;
	bool dwarf_tried;
	struct symbol_load *load;
	size_t n_loads;
	struct symbol *symbol;	/* by address */
	size_t n, room;
	char *names;		/* made up; or NULL */
	bool listed;		/* by a profile: there is no file */
};

/* The ELF file at path, and its descriptor; NULL and -1: there is none. */
Elf *symbols_open(const char *path, int *fd);
void symbols_close(Elf **elf, int *fd);

/* Finds what the file was stripped of. */
void symbols_debug(struct symbol_file *f);

/* Makes the table of the file's functions, and of what it was stripped of. */
void symbols_read(struct symbol_file *f);

/* Sorts the table: one symbol per address, the best. */
void symbols_sort(struct symbol_file *f);

/* Adds functions that have lost their symbols, by the name of their address. */
void symbols_unwind(struct symbol_file *f);

/* What to call a function; the symbol's. */
const char *symbol_name(struct symbol *s);

/* Source file and line of an address of the file. */
void symbol_line(struct symbol_file *f, uint64_t vaddr,
		 struct pmcsim_symbol *symbol);

#endif
