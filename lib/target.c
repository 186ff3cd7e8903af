/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the target and what executes it. */
#include "target.h"

#include "engine.h"

#include "../simulator/types.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT_LINE 256	 /* bytes of a #! line, the last one its end */
#define SCRIPT_DEPTH 5	 /* scripts that start each other */

#ifndef EM_ALPHA_OLD
#define EM_ALPHA_OLD 0x9026 /* what Alpha programs carry */
#endif

static const struct isa isas[] = {
	{"x86_64", NULL, NULL, "PMCSIM_SYSROOT_X86_64"},
	/* A folder given by -L lets QEMU 7.2's i386 loop after fork. */
	{"i386", NULL, NULL, "PMCSIM_SYSROOT_I386"},
	{"mipsel", "34Kf", "/usr/mipsel-linux-gnu", "PMCSIM_SYSROOT_MIPSEL"},
	{"mips", "34Kf", "/usr/mips-linux-gnu", "PMCSIM_SYSROOT_MIPS"},
	{"alpha", NULL, "/usr/alpha-linux-gnu", "PMCSIM_SYSROOT_ALPHA"},
};

/* What an ELF header must say for each of them. */
static const struct {
	u16 machine;
	u8 class, data;
	u32 flags, mask;
	const char *isa;
} elf_kinds[] = {
	{EM_X86_64, ELFCLASS64, ELFDATA2LSB, 0, 0, "x86_64"},
	{EM_386, ELFCLASS32, ELFDATA2LSB, 0, 0, "i386"},
	{EM_MIPS, ELFCLASS32, ELFDATA2LSB, 0, EF_MIPS_ABI2, "mipsel"},
	{EM_MIPS, ELFCLASS32, ELFDATA2MSB, 0, EF_MIPS_ABI2, "mips"},
	{EM_ALPHA_OLD, ELFCLASS64, ELFDATA2LSB, 0, 0, "alpha"},
};

const struct isa *
isa_named(const char *name)
{
	for (size_t i = 0; i < SIM_COUNT(isas); i++)
		if (strcmp(isas[i].name, name) == 0)
			return &isas[i];
	return NULL;
}

const char *
isa_sysroot(const struct isa *isa)
{
	const char *sysroot = getenv(isa->variable);

	if (!sysroot || !*sysroot)
		sysroot = isa->sysroot;
	return sysroot && access(sysroot, X_OK) == 0 ? sysroot : NULL;
}

static const struct isa *
isa_of_header(const GElf_Ehdr *h)
{
	for (size_t i = 0; i < SIM_COUNT(elf_kinds); i++)
		if (h->e_machine == elf_kinds[i].machine &&
		    h->e_ident[EI_CLASS] == elf_kinds[i].class &&
		    h->e_ident[EI_DATA] == elf_kinds[i].data &&
		    (h->e_flags & elf_kinds[i].mask) == elf_kinds[i].flags)
			return isa_named(elf_kinds[i].isa);
	return NULL;
}

/* 0: may be executed by its permissions; else -errno. */
static int
executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || access(path, X_OK) != 0)
		return -EACCES;
	return 0;
}

/* dir/name of the length given, as PATH has it; empty means here. */
static char *
join(const char *dir, size_t length, const char *name)
{
	char *path;

	if (length == 0) {
		dir = ".";
		length = 1;
	}
	if (asprintf(&path, "%.*s/%s", (int)length, dir, name) < 0)
		return NULL;
	return path;
}

/*
 * A name without slash is looked for in PATH, as shells do: what cannot be
 * executed is passed over, and so is a folder that cannot be searched.
 */
static int
find_in_path(const char *name, char **path)
{
	const char *list = getenv("PATH");
	int err, found = -ENOENT;
	size_t n;

	if (!list)
		list = "/bin:/usr/bin";
	for (;; list += n + 1) {
		n = strcspn(list, ":");
		*path = join(list, n, name);
		if (!*path)
			return -ENOMEM;
		err = executable(*path);
		if (err == 0)
			return 0;
		if (err == -EACCES && access(*path, F_OK) == 0)
			found = err;
		free(*path);
		*path = NULL;
		if (!list[n])
			return found;
	}
}

static int
look_up(const char *name, char **path, struct pmcsim_error *error)
{
	int err;

	if (strchr(name, '/')) {
		err = executable(name);
		*path = err ? NULL : strdup(name);
		if (err == 0 && !*path)
			err = -ENOMEM;
	} else {
		err = *name ? find_in_path(name, path) : -ENOENT;
	}
	if (err == -ENOENT || err == -ENOTDIR)
		return engine_fail(error, -ENOENT, "%s: no such program",
				   *name ? name : "\"\"");
	if (err == -EACCES)
		return engine_fail(error, err,
				 "%s: not executable: permission denied or "
				 "no regular file", name);
	if (err != 0)
		return engine_fail(error, err, "%s: %s", name, strerror(-err));
	return 0;
}

/*
 * Splits a #! line as Linux does: an interpreter and at most one argument,
 * which may be cut off.  -ENOEXEC if no interpreter is named, or that is.
 */
static int
parse_script(char *line, size_t length, char **interpreter, char **argument)
{
	char *end = memchr(line, '\n', length);
	char *p = line + 2;
	bool whole = end || length < SCRIPT_LINE;

	if (!end)
		end = line + length - !whole;
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	p += strspn(p, " \t");
	if (!*p)
		return -ENOEXEC;
	*interpreter = p;
	p += strcspn(p, " \t");
	if (!*p && !whole)
		return -ENOEXEC;
	if (*p)
		*p++ = '\0';
	p += strspn(p, " \t");
	*argument = *p ? p : NULL;
	return 0;
}

/* Puts interpreter [argument] script before the arguments of target. */
static int
start_through(struct target *t, const char *interpreter, const char *argument)
{
	size_t n = 0, k = 0;
	char **argv;

	while (t->argv[n])
		n++;
	argv = calloc(n + 3, sizeof(*argv));
	if (!argv)
		return -ENOMEM;
	argv[k++] = strdup(interpreter);
	if (argument)
		argv[k++] = strdup(argument);
	argv[k++] = t->program;
	if (n > 0)
		memcpy(argv + k, t->argv + 1, (n - 1) * sizeof(*argv));
	free(t->argv[0]);
	free(t->argv);
	t->argv = argv;
	t->program = strdup(interpreter);
	return t->program && argv[0] && argv[1] ? 0 : -ENOMEM;
}

static int
unknown_elf(const struct target *t, const GElf_Ehdr *h,
	    struct pmcsim_error *error)
{
	return engine_fail(error, -ENOTSUP,
			 "%s: no engine for its instruction set (ELF machine "
			 "%u, %d bits, %s endian): x86-64, i386, MIPS o32 "
			 "and Alpha programs can be run",
			 t->program, h->e_machine,
			 h->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
			 h->e_ident[EI_DATA] == ELFDATA2LSB ? "little" : "big");
}

/* Whether the file has all that is to be loaded of it. */
static bool
is_whole(Elf *elf, int fd)
{
	struct stat st;
	GElf_Phdr part;
	size_t n;

	if (fstat(fd, &st) != 0 || elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &part))
			return false;
		/* Of memory that is all zero there is nothing in the file. */
		if ((part.p_type == PT_LOAD || part.p_type == PT_INTERP) &&
		    part.p_filesz &&
		    (part.p_filesz > (u64)st.st_size ||
		     part.p_offset > (u64)st.st_size - part.p_filesz))
			return false;
	}
	return true;
}

static int
inspect_elf(struct target *t, int fd, struct pmcsim_error *error)
{
	GElf_Ehdr header;
	bool is_elf, whole;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	is_elf = elf && elf_kind(elf) == ELF_K_ELF &&
		 gelf_getehdr(elf, &header) &&
		 (header.e_type == ET_EXEC || header.e_type == ET_DYN);
	whole = is_elf && is_whole(elf, fd);
	elf_end(elf);
	if (!is_elf)
		return engine_fail(error, -ENOEXEC,
				 "%s: neither an ELF program nor a script "
				 "with a #! line", t->program);
	t->isa = isa_of_header(&header);
	if (!t->isa)
		return unknown_elf(t, &header, error);
	return whole ? 0 : engine_fail(error, -ENOEXEC,
				       "%s: an ELF program that is cut off",
				       t->program);
}

/* Looks into the program.  1: it was a script, look again. */
static int
inspect(struct target *t, struct pmcsim_error *error)
{
	char line[SCRIPT_LINE + 1], *interpreter, *argument;
	int fd = open(t->program, O_RDONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	if (fd < 0)
		return engine_fail(error, -EACCES, "%s: cannot be read: %s",
				 t->program, strerror(errno));
	n = pread(fd, line, SCRIPT_LINE, 0);
	if (n < 2 || line[0] != '#' || line[1] != '!') {
		err = inspect_elf(t, fd, error);
		close(fd);
		return err;
	}
	close(fd);
	if (parse_script(line, (size_t)n, &interpreter, &argument) != 0)
		return engine_fail(error, -ENOEXEC,
				 "%s: its #! line names no interpreter",
				 t->program);
	if (executable(interpreter) != 0)
		return engine_fail(error, -ENOENT,
				 "%s: its interpreter %s cannot be executed",
				 t->program, interpreter);
	return start_through(t, interpreter, argument) == 0 ? 1 : -ENOMEM;
}

static int
copy_arguments(struct target *t, char *const *argv)
{
	size_t n = 0;

	while (argv[n])
		n++;
	t->argv = calloc(n + 1, sizeof(*t->argv));
	if (!t->argv)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		t->argv[i] = strdup(argv[i]);
		if (!t->argv[i])
			return -ENOMEM;
	}
	return 0;
}

int
target_find(struct target *t, char *const *argv, struct pmcsim_error *error)
{
	int err, depth = 0;

	memset(t, 0, sizeof(*t));
	err = look_up(argv[0], &t->program, error);
	if (err == 0 && copy_arguments(t, argv) != 0)
		err = engine_fail(error, -ENOMEM, "out of memory");
	if (err == 0) {
		do
			err = inspect(t, error);
		while (err == 1 && ++depth < SCRIPT_DEPTH);
	}
	if (err == 1)
		err = engine_fail(error, -ENOEXEC,
				"%s: too many scripts start each other",
				argv[0]);
	if (err != 0)
		target_free(t);
	return err;
}

void
target_free(struct target *t)
{
	for (size_t i = 0; t->argv && t->argv[i]; i++)
		free(t->argv[i]);
	free(t->argv);
	free(t->program);
	memset(t, 0, sizeof(*t));
}
