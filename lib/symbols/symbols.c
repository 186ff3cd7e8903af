/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols.h"

#include "history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LOADS 64

/* Callers ask for one instruction many times: for each path to it. */
struct asked {
	char *path;		/* NULL: nothing yet */
	uint64_t offset;
	size_t n;
	struct pmcsim_symbol frame[PMCSIM_FRAMES];
};

struct pmcsim_symbols {
	struct symbol_file **file;
	size_t n, room;
	struct asked asked;
};

/* ---- Files ----------------------------------------------------------- */

static void
read_loads(struct symbol_file *f)
{
	size_t n = 0;

	if (elf_getphdrnum(f->elf, &n))
		return;
	if (n > MAX_LOADS)
		n = MAX_LOADS;
	f->load = calloc(n + 1, sizeof *f->load);
	for (size_t i = 0; f->load && i < n; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(f->elf, (int)i, &ph) && ph.p_type == PT_LOAD)
			f->load[f->n_loads++] = (struct symbol_load){
				ph.p_offset, ph.p_vaddr, ph.p_filesz};
	}
}

/* Only a regular file is opened: the path may lead to anything by now. */
Elf *
symbols_open(const char *path, int *fd)
{
	struct stat st;
	Elf *elf = NULL;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd >= 0 && !fstat(*fd, &st) && S_ISREG(st.st_mode))
		elf = elf_begin(*fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		symbols_close(&elf, fd);
	return elf;
}

void
symbols_close(Elf **elf, int *fd)
{
	elf_end(*elf);
	if (*fd >= 0)
		close(*fd);
	*elf = NULL;
	*fd = -1;
}

static void
open_file(struct symbol_file *f)
{
	f->elf = symbols_open(f->path, &f->fd);
	if (!f->elf)
		return;
	symbols_debug(f);
	read_loads(f);
	symbols_read(f);
}

static void
file_free(struct symbol_file *f)
{
	for (size_t i = 0; i < f->n_units; i++)
		symbols_scopes_free(f->unit[i]);
	free(f->unit);
	free(f->range);
	symbols_sources_free(f);
	free(f->by_name);
	symbols_dwarf_end(f);
	symbols_close(&f->debug, &f->debug_fd);
	free(f->debug_path);
	symbols_close(&f->elf, &f->fd);
	for (size_t i = 0; i < f->n; i++)
		free(f->symbol[i].plain);
	free(f->load);
	free(f->symbol);
	free(f->names);
	free(f->path);
	free(f);
}

static struct symbol_file *
file_new(const char *path, bool listed)
{
	struct symbol_file *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->fd = f->debug_fd = f->shared_fd = -1;
	f->path = strdup(path);
	if (!f->path) {
		free(f);
		return NULL;
	}
	f->listed = listed;
	if (!listed)
		open_file(f);
	return f;
}

static struct symbol_file *
file_of(struct pmcsim_symbols *s, const char *path, bool listed)
{
	void *list;

	for (size_t i = s->n; i--;)
		if (!strcmp(s->file[i]->path, path))
			return s->file[i];
	list = history_grow(s->file, s->n, &s->room, sizeof *s->file);
	if (!list)
		return NULL;
	s->file = list;
	s->file[s->n] = file_new(path, listed);
	return s->file[s->n] ? s->file[s->n++] : NULL;
}

struct pmcsim_symbols *
pmcsim_symbols_new(void)
{
	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	return calloc(1, sizeof(struct pmcsim_symbols));
}

void
pmcsim_symbols_free(struct pmcsim_symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		file_free(s->file[i]);
	free(s->file);
	free(s->asked.path);
	free(s);
}

/* ---- Functions without a file ---------------------------------------- */

static int
list_function(struct pmcsim_symbols *s, const char *module,
	      const struct pmcsim_listed *l)
{
	struct symbol_file *f = file_of(s, module, true);
	void *list;

	if (!f || !f->listed)
		return f ? 0 : -ENOMEM;
	list = history_grow(f->symbol, f->n, &f->room, sizeof *f->symbol);
	if (!list)
		return -ENOMEM;
	f->symbol = list;
	f->symbol[f->n++] = (struct symbol){
		.start = l->start, .size = l->size, .name = l->name};
	return 0;
}

struct pmcsim_symbols *
pmcsim_umon_symbols(const struct pmcsim_umon *u)
{
	struct pmcsim_symbols *s = pmcsim_symbols_new();

	for (size_t i = 0; s && i < u->n_listed; i++) {
		const struct pmcsim_listed *l = &u->listed[i];

		if (list_function(s, u->profile->module[l->module], l)) {
			pmcsim_symbols_free(s);
			return NULL;
		}
	}
	for (size_t i = 0; s && i < s->n; i++)
		symbols_sort(s->file[i]);
	return s;
}

/* ---- Looking up ------------------------------------------------------ */

static bool
address_of(const struct symbol_file *f, uint64_t offset, uint64_t *vaddr)
{
	*vaddr = offset;
	for (size_t i = 0; i < f->n_loads; i++) {
		const struct symbol_load *l = &f->load[i];

		if (offset < l->offset || offset - l->offset >= l->size)
			continue;
		*vaddr = l->vaddr + (offset - l->offset);
		return true;
	}
	return f->listed;
}

/* The last symbol at or before an address, if it goes so far.  One without
 * a size goes as far as the next. */
static struct symbol *
find_symbol(const struct symbol_file *f, uint64_t vaddr)
{
	size_t n = history_begun(f->symbol, f->n, sizeof *f->symbol, vaddr);

	while (n--) {
		struct symbol *s = &f->symbol[n];

		if (!s->size || vaddr - s->start < s->size)
			return s;
		/* It may lie within a larger one, which begins before. */
		if (vaddr - s->start > 1 << 20)
			return NULL;
	}
	return NULL;
}

uint64_t
symbols_extent(const struct symbol_file *f, const struct symbol *s)
{
	const struct symbol *end = f->symbol + f->n;

	if (s->size || s + 1 == end)
		return s->size;
	return s[1].start - s->start;
}

/* The file that has something at an offset; NULL: there is nothing known. */
static struct symbol_file *
find_file(struct pmcsim_symbols *symbols, const char *path, uint64_t offset,
	  uint64_t *vaddr)
{
	struct symbol_file *f = *path ? file_of(symbols, path, false) : NULL;

	return f && (f->elf || f->listed) && address_of(f, offset, vaddr)
		       ? f : NULL;
}

void
pmcsim_symbol_find(struct pmcsim_symbols *symbols, const char *path,
		   uint64_t offset, bool line, struct pmcsim_symbol *symbol)
{
	uint64_t vaddr;
	struct symbol_file *f = find_file(symbols, path, offset, &vaddr);
	struct symbol *s;

	*symbol = (struct pmcsim_symbol){0};
	if (!f)
		return;
	s = find_symbol(f, vaddr);
	if (s) {
		symbol->name = symbol_name(s);
		symbol->unnamed = s->unnamed;
		symbol->start = offset - (vaddr - s->start);
		symbol->size = symbols_extent(f, s);
	}
	if (line && f->elf)
		symbol_line(f, vaddr, symbol);
}

static size_t
find_frames(struct pmcsim_symbols *symbols, const char *path, uint64_t offset,
	    struct pmcsim_symbol *frame, size_t room)
{
	uint64_t vaddr;
	struct symbol_file *f = find_file(symbols, path, offset, &vaddr);

	pmcsim_symbol_find(symbols, path, offset, true, &frame[0]);
	return f && f->elf ? symbols_frames(f, vaddr, frame, room) : 1;
}

/* Notes what was found; without memory it is looked for again. */
static void
remember(struct asked *a, const char *path, uint64_t offset)
{
	if (!a->path || strcmp(a->path, path)) {
		free(a->path);
		a->path = strdup(path);
	}
	a->offset = offset;
}

size_t
pmcsim_symbol_frames(struct pmcsim_symbols *symbols, const char *path,
		     uint64_t offset, struct pmcsim_symbol *frame, size_t room)
{
	struct asked *a = &symbols->asked;

	if (room != PMCSIM_FRAMES)
		return find_frames(symbols, path, offset, frame, room);
	if (!a->path || a->offset != offset || strcmp(a->path, path)) {
		a->n = find_frames(symbols, path, offset, a->frame, room);
		remember(a, path, offset);
	}
	memcpy(frame, a->frame, a->n * sizeof *frame);
	return a->n;
}

bool
symbols_offset(const struct symbol_file *f, uint64_t vaddr, uint64_t *offset)
{
	*offset = vaddr;
	for (size_t i = 0; i < f->n_loads; i++) {
		const struct symbol_load *l = &f->load[i];

		if (vaddr < l->vaddr || vaddr - l->vaddr >= l->size)
			continue;
		*offset = l->offset + (vaddr - l->vaddr);
		return true;
	}
	return f->listed;
}

bool
pmcsim_symbols_function(struct pmcsim_symbols *symbols, const char *path,
			size_t n, struct pmcsim_symbol *symbol)
{
	struct symbol_file *f = *path ? file_of(symbols, path, false) : NULL;

	*symbol = (struct pmcsim_symbol){0};
	if (!f || n >= f->n)
		return false;
	if (symbols_offset(f, f->symbol[n].start, &symbol->start)) {
		symbol->name = symbol_name(&f->symbol[n]);
		symbol->unnamed = f->symbol[n].unnamed;
		symbol->size = symbols_extent(f, &f->symbol[n]);
	}
	return true;
}
