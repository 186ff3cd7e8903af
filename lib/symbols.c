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

struct pmcsim_symbols {
	struct symbol_file **file;
	size_t n, room;
};

/* ---- Functions ------------------------------------------------------- */

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

/* One symbol per address: the best. */
static void
sort_symbols(struct symbol_file *f)
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

static void
read_symbols(struct symbol_file *f)
{
	bool whole = read_tables(f, f->elf);

	if (f->debug)
		whole |= read_tables(f, f->debug);
	if (!whole)
		symbols_unwind(f);
	add_linkage(f);
	sort_symbols(f);
}

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
	read_symbols(f);
}

static void
file_free(struct symbol_file *f)
{
	if (f->dwarf)
		dwarf_end(f->dwarf);
	symbols_close(&f->debug, &f->debug_fd);
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
	f->fd = f->debug_fd = -1;
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
		sort_symbols(s->file[i]);
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
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->symbol[mid].start <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	while (low--) {
		struct symbol *s = &f->symbol[low];

		if (!s->size || vaddr - s->start < s->size)
			return s;
		/* It may lie within a larger one, which begins before. */
		if (vaddr - s->start > 1 << 20)
			return NULL;
	}
	return NULL;
}

static uint64_t
size_of(const struct symbol_file *f, const struct symbol *s)
{
	const struct symbol *end = f->symbol + f->n;

	if (s->size || s + 1 == end)
		return s->size;
	return s[1].start - s->start;
}

void
pmcsim_symbol_find(struct pmcsim_symbols *symbols, const char *path,
		   uint64_t offset, bool line, struct pmcsim_symbol *symbol)
{
	struct symbol_file *f = *path ? file_of(symbols, path, false) : NULL;
	struct symbol *s;
	uint64_t vaddr;

	*symbol = (struct pmcsim_symbol){0};
	if (!f || !(f->elf || f->listed) || !address_of(f, offset, &vaddr))
		return;
	s = find_symbol(f, vaddr);
	if (s) {
		symbol->name = symbol_name(s);
		symbol->unnamed = s->unnamed;
		symbol->start = offset - (vaddr - s->start);
		symbol->size = size_of(f, s);
	}
	if (line && f->elf)
		symbol_line(f, vaddr, symbol);
}

static bool
offset_of(const struct symbol_file *f, uint64_t vaddr, uint64_t *offset)
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
	if (offset_of(f, f->symbol[n].start, &symbol->start)) {
		symbol->name = symbol_name(&f->symbol[n]);
		symbol->unnamed = f->symbol[n].unnamed;
		symbol->size = size_of(f, &f->symbol[n]);
	}
	return true;
}
