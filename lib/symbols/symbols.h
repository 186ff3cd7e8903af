/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ELF files say about addresses.
 *
 *	symbols.c	files, segments, looking up
 *	symbols_debug.c	files that hold what others were stripped of
 *	symbols_dwarf.c	their DWARF, and what several share of it
 *	symbols_fetch.c	... from a server
 *	symbols_inline.c functions within others
 *	symbols_line.c	lines of source
 *	symbols_name.c	names of C++, Rust and D
 *	symbols_scopes.c what of a unit's code is of which function
 *	symbols_source.c names of source files
 *	symbols_table.c	the table of functions
 *	symbols_unit.c	units of DWARF by address
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

#define MAX_BUILD_ID 64		/* bytes */

struct build_id {
	const unsigned char *byte;
	size_t n;
};

/* A source file whose name in DWARF is one in the folder of its unit. */
struct symbol_source {
	const char *name;	/* libdw's; NULL: the place is empty */
	char *path;
};

/* Code of a unit of DWARF, which is at that offset. */
struct unit_range {
	uint64_t start, end;	/* virtual addresses */
	uint64_t unit;
};

/* A function as DWARF has it, for all code that is of it. */
struct scope_function {
	Dwarf_Die die;		/* where it is described */
	const char *name;	/* as symbols have it; NULL: it has none */
	char *plain;		/* as its language has it; NULL: the same */
	const char *file;	/* where it is declared; or NULL */
	unsigned line;
	bool sought;		/* whether symbol is known */
	struct symbol *symbol;	/* of its own code; or NULL */
};

/* A function, or what of another has been put into one. */
struct scope {
	size_t parent;		/* index, a smaller one; 0: none */
	Dwarf_Die die;		/* of its function */
	struct scope_function *function;
	bool inlined;
	const char *file;	/* of the call that it replaces; or NULL */
	unsigned line;
};

/* Code from there to the next one is of a scope. */
struct scope_start {
	uint64_t start;		/* virtual address */
	size_t scope;		/* index; 0: none */
};

struct scopes {
	uint64_t unit;
	struct scope *scope;
	size_t n, room;
	struct scope_start *start;
	size_t n_starts, starts_room;
	struct scope_function *function; /* each once */
	size_t n_functions;
};

struct symbol_load {
	uint64_t offset, vaddr, size;
};

/* An ELF file; without elf, nothing is known of it. */
struct symbol_file {
	char *path;
	int fd, debug_fd, shared_fd;
	Elf *elf;
	Elf *debug;		/* what it was stripped of; or NULL */
	char *debug_path;
	Elf *shared_elf;	/* what dwz has put there; or NULL */
	Dwarf *dwarf, *shared;
	bool dwarf_tried;
	bool ranges_read;
	struct unit_range *range; /* by address */
	size_t n_ranges, ranges_room;
	struct scopes **unit;	/* those that have been read */
	size_t n_units, units_room;
	struct symbol_source *source; /* a hash table; or NULL */
	size_t n_sources, source_mask;
	struct symbol **by_name; /* of the table below; or NULL */
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

/* The same if it has that build id. */
Elf *symbols_open_build(const char *path, const struct build_id *id, int *fd);

/* Where Debian's packages put debug information of that build: in PATH_MAX
 * bytes. */
void symbols_build_path(const struct build_id *id, char *path);

/* Finds what the file was stripped of. */
void symbols_debug(struct symbol_file *f);

/* Lets the user's servers be asked for debug information of that build: where
 * it is now, the caller's; NULL if there are none, or they have it not. */
char *symbols_fetch(const struct build_id *id);

/* The file's DWARF, opened when it is first asked for; NULL: there is none, or
 * not all of it. */
Dwarf *symbols_dwarf(struct symbol_file *f);
void symbols_dwarf_end(struct symbol_file *f);

/* The unit that has the code at an address; false: there is none. */
bool symbols_unit(struct symbol_file *f, uint64_t vaddr, Dwarf_Die *die);

/* A source file's name of a unit with the folder that it is in, if that is
 * known: the file's. */
const char *symbols_source(struct symbol_file *f, Dwarf_Die *unit,
			   const char *name);
void symbols_sources_free(struct symbol_file *f);

/* The scopes of a unit, of the file until it is closed; NULL without memory. */
struct scopes *symbols_scopes(struct symbol_file *f, Dwarf_Die *unit);
void symbols_scopes_free(struct scopes *s);

/* The innermost one of an address; NULL: none. */
const struct scope *symbols_scope(const struct scopes *s, uint64_t vaddr);

/* Makes the table of the file's functions, and of what it was stripped of. */
void symbols_read(struct symbol_file *f);

/* Sorts the table: one symbol per address, the best. */
void symbols_sort(struct symbol_file *f);

/* Adds functions that have lost their symbols, by the name of their address. */
void symbols_unwind(struct symbol_file *f);

/* What to call a function; the symbol's. */
const char *symbol_name(struct symbol *s);

/*
 * Puts the functions in front of frame[0] that have been put into that one at
 * an address; lines are those of the calls then, but for the innermost one's.
 * How many frames there are, up to room, from 1.
 */
size_t symbols_frames(struct symbol_file *f, uint64_t vaddr,
		      struct pmcsim_symbol *frame, size_t room);

/* How far a symbol of the table goes, in bytes; 0: not known. */
uint64_t symbols_extent(const struct symbol_file *f, const struct symbol *s);
/* Where an address is in the file; false: nowhere, and *offset is the address. */
bool symbols_offset(const struct symbol_file *f, uint64_t vaddr,
		    uint64_t *offset);

/* What a name of an object's is in its language, without room for one that is
 * the same: the caller's, or NULL. */
char *symbol_plain(const char *name);

/* Source file and line of an address of the file. */
void symbol_line(struct symbol_file *f, uint64_t vaddr,
		 struct pmcsim_symbol *symbol);

#endif
