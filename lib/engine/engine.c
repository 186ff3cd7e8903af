/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine.h"

#include "program/isa.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The function that a QEMU which takes plugins offers to them. */
#define PLUGIN_SYMBOL "qemu_plugin_register_vcpu_tb_trans_cb"

int
engine_fail(struct pmcsim_error *error, int code, const char *format, ...)
{
	va_list args;

	if (error) {
		va_start(args, format);
		vsnprintf(error->text, sizeof error->text, format, args);
		va_end(args);
	}
	return code;
}

const char *
pmcsim_engine_isa(unsigned n)
{
	return n < ISA_N ? isa_row[n].name : NULL;
}

char *
pmcsim_engine_folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char *path = NULL;

	if (cache && *cache == '/') {
		if (asprintf(&path, "%s/pmcsim/engine", cache) < 0)
			return NULL;
	} else if (home && *home) {
		if (asprintf(&path, "%s/.cache/pmcsim/engine", home) < 0)
			return NULL;
	}
	return path;
}

static bool
section_has_symbol(Elf_Scn *section, const GElf_Shdr *header, Elf *elf)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = header->sh_entsize ? header->sh_size / header->sh_entsize
				      : 0;

	for (size_t i = 0; data && i < n; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, (int)i, &symbol) ||
		    symbol.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && !strcmp(name, PLUGIN_SYMBOL))
			return true;
	}
	return false;
}

/* Static when there is no interpreter; good when it offers the symbol. */
static enum engine_kind
inspect_elf(Elf *elf)
{
	enum engine_kind kind = ENGINE_STATIC;
	Elf_Scn *section = NULL;
	size_t n = 0;

	if (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &n))
		return ENGINE_NOT_QEMU;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_INTERP)
			kind = ENGINE_NO_PLUGINS;
	}
	while (kind == ENGINE_NO_PLUGINS &&
	       (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_DYNSYM &&
		    section_has_symbol(section, &header, elf))
			kind = ENGINE_GOOD;
	}
	return kind;
}

/* Copies characters of a set; false if there are none or too many. */
static bool
copy_span(char *to, size_t size, const char *from, const char *end,
	  const char *set)
{
	size_t n = 0;

	while (from + n < end && from[n] && strchr(set, from[n]))
		n++;
	if (!n || n >= size)
		return false;
	memcpy(to, from, n);
	to[n] = '\0';
	return true;
}

/*
 * Finds what --version would print, "qemu-x86_64 version 7.2.22" or, of a
 * system's emulator, "QEMU emulator version 7.2.22", among the program's
 * constants.
 */
static void
find_version(const char *image, size_t size, struct engine_info *info)
{
	static const char key[] = " version ", system[] = "QEMU emulator";
	const char *end = image + size, *p = image;

	while ((p = memmem(p, (size_t)(end - p), key, sizeof key - 1))) {
		const char *name = p;

		while (name > image && p - name < 20 && name[-1] > ' ')
			name--;
		/* Whatever stands in front of the name is not part of it. */
		name = memmem(name, (size_t)(p - name), "qemu-", 5);
		if ((size_t)(p - image) >= sizeof system - 1 &&
		    !memcmp(p - (sizeof system - 1), system,
			    sizeof system - 1)) {
			copy_span(info->version, sizeof info->version,
				  p + sizeof key - 1, end, "0123456789.");
			return;
		}
		p += sizeof key - 1;
		if (name && copy_span(info->version, sizeof info->version, p,
				      end, "0123456789.")) {
			copy_span(info->isa, sizeof info->isa, name + 5, p,
				  "abcdefghijklmnopqrstuvwxyz_0123456789");
			return;
		}
	}
}

/* The same, first where constants usually are: not beside code. */
static void
find_version_quickly(Elf *elf, const char *image, size_t size,
		     struct engine_info *info)
{
	size_t n = 0;

	if (elf && elf_kind(elf) == ELF_K_ELF)
		elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && !*info->version; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD &&
		    !(ph.p_flags & PF_X) && ph.p_offset <= size &&
		    ph.p_filesz <= size - ph.p_offset)
			find_version(image + ph.p_offset, ph.p_filesz, info);
	}
	if (!*info->version)
		find_version(image, size, info);
}

static bool
is_old(const char *version)
{
	char *dot;
	unsigned long major = strtoul(version, &dot, 10);
	unsigned long minor = *dot == '.' ? strtoul(dot + 1, NULL, 10) : 0;

	return *version && (major < 7 || (major == 7 && minor < 2));
}

int
pmcsim_engine_inspect(const char *path, struct engine_info *info)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), status = 0;
	struct stat st;
	char *image;
	Elf *elf;

	*info = (struct engine_info){ .kind = ENGINE_NOT_QEMU };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size) {
		close(fd);
		return -EACCES;
	}
	image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		status = -errno;
	close(fd);
	if (status)
		return status;
	elf_version(EV_CURRENT);
	elf = elf_memory(image, (size_t)st.st_size);
	if (elf)
		info->kind = inspect_elf(elf);
	find_version_quickly(elf, image, (size_t)st.st_size, info);
	elf_end(elf);
	munmap(image, (size_t)st.st_size);
	if (info->kind != ENGINE_GOOD && !*info->version)
		info->kind = ENGINE_NOT_QEMU;
	else if (info->kind == ENGINE_GOOD && is_old(info->version))
		info->kind = ENGINE_OLD;
	return 0;
}

#define ADVICE "run \"pmcsim engine\" to fetch one that does, or name " \
	"one with PMCSIM_QEMU"

int
engine_judge(const char *path, const char *isa, struct pmcsim_error *error)
{
	struct engine_info info;
	int status = pmcsim_engine_inspect(path, &info);

	if (status)
		return engine_fail(error, -ENXIO, "cannot read %s: %s", path,
				   strerror(-status));
	switch (info.kind) {
	case ENGINE_NOT_QEMU:
		return engine_fail(error, -ENXIO,
				   "%s is not a QEMU user emulator", path);
	case ENGINE_STATIC:
		return engine_fail(error, -ENXIO, "%s (%s) is statically "
				   "linked and takes no plugins: " ADVICE,
				   path, info.version);
	case ENGINE_NO_PLUGINS:
		return engine_fail(error, -ENXIO, "%s (%s) was built without "
				   "plugins: " ADVICE, path, info.version);
	case ENGINE_OLD:
		return engine_fail(error, -ENXIO, "%s is version %s, and 7.2 "
				   "or later is needed: " ADVICE, path,
				   info.version);
	case ENGINE_GOOD:
		break;
	}
	if (*info.isa && strcmp(info.isa, isa))
		return engine_fail(error, -ENXIO, "%s is a QEMU for %s, and "
				   "one for %s is needed: set PMCSIM_QEMU to "
				   "a folder that holds qemu-%s", path,
				   info.isa, isa, isa);
	return 0;
}

/* *path = folder/qemu-isa if there is such a program, else NULL. */
static int
in_folder(const char *folder, size_t length, const char *isa, char **path)
{
	*path = NULL;
	if (asprintf(path, "%.*s/qemu-%s", (int)length, folder, isa) < 0)
		return -ENOMEM;
	if (access(*path, X_OK)) {
		free(*path);
		*path = NULL;
	}
	return 0;
}

/*
 * What $PMCSIM_QEMU names: a folder, a program, or a program for another
 * instruction set with the one wanted beside it.
 */
static int
find_named(const char *named, const char *isa, char **path,
	   struct pmcsim_error *error)
{
	const char *slash = strrchr(named, '/');
	struct engine_info info;
	struct stat st;
	int status = 0;

	if (stat(named, &st))
		return engine_fail(error, -ENXIO, "PMCSIM_QEMU names %s: %s",
				   named, strerror(errno));
	if (S_ISDIR(st.st_mode))
		status = in_folder(named, strlen(named), isa, path);
	else if (slash && !pmcsim_engine_inspect(named, &info) &&
		 *info.isa && strcmp(info.isa, isa))
		status = in_folder(named, (size_t)(slash - named), isa, path);
	else if (!(*path = strdup(named)))
		status = -ENOMEM;
	if (status)
		return engine_fail(error, -ENOMEM, "out of memory");
	if (!*path)
		return engine_fail(error, -ENXIO, "PMCSIM_QEMU names %s, where "
				   "there is no qemu-%s", named, isa);
	return engine_judge(*path, isa, error);
}

/* The user's own or the private engine, if it is there and any good. */
static int
find_private(const char *isa, char **path)
{
	static const char *const folders[] = { "own", ENGINE_VERSION "/bin" };
	char *base = pmcsim_engine_folder(), *folder;
	int status = 0;

	for (unsigned i = 0; base && !*path && !status &&
	     i < sizeof folders / sizeof *folders; i++) {
		if (asprintf(&folder, "%s/%s", base, folders[i]) < 0) {
			status = -ENOMEM;
			break;
		}
		status = in_folder(folder, strlen(folder), isa, path);
		free(folder);
		if (*path && engine_judge(*path, isa, NULL)) {
			free(*path);
			*path = NULL;
		}
	}
	free(base);
	return status;
}

/* The first good one on the search path; error keeps why one was not. */
static int
find_system(const char *isa, char **path, struct pmcsim_error *error)
{
	const char *search = getenv("PATH");
	int status = 0;

	if (!search || !*search)
		search = "/usr/local/bin:/usr/bin";
	while (!status && *search) {
		size_t length = strcspn(search, ":");

		if (length)
			status = in_folder(search, length, isa, path);
		if (*path) {
			if (!engine_judge(*path, isa, error))
				return 0;
			free(*path);
			*path = NULL;
		}
		search += length;
		search += *search == ':';
	}
	return status;
}

int
pmcsim_engine_find(const char *isa, char **path, struct pmcsim_error *error)
{
	const char *named = getenv("PMCSIM_QEMU");
	struct pmcsim_error why = { "" };
	int status;

	*path = NULL;
	if (named && *named) {
		status = find_named(named, isa, path, error);
		if (status) {
			free(*path);
			*path = NULL;
		}
		return status;
	}
	status = find_private(isa, path);
	if (!status && !*path)
		status = find_system(isa, path, &why);
	if (status)
		return engine_fail(error, status, "out of memory");
	if (*path)
		return 0;
	if (*why.text)
		return engine_fail(error, -ENXIO, "%s", why.text);
	return engine_fail(error, -ENXIO, "there is no QEMU for %s: run "
			   "\"pmcsim engine\" to fetch one, or name one with "
			   "PMCSIM_QEMU", isa);
}
