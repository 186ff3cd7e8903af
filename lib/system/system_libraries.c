/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The libraries that a board's program needs: from where the program says,
 * from the folder that Debian keeps another machine's in, or, of a board for
 * programs of the host, from where the host has them.
 */
#include "system_internal.h"


#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#define DEPTH 8

/* An ELF file that needs libraries. */
struct needer {
	const char *path;
	Elf *elf;
	char search[PATH_MAX];	/* its DT_RUNPATH or DT_RPATH */
	unsigned depth;
};

static bool
is_there(const char *path, int length)
{
	return length < PATH_MAX && !access(path, R_OK);
}

/* In folders that the program names, separated by colons; $ORIGIN is its
 * own. */
static bool
find_in_search(const struct needer *n, const char *name, char path[PATH_MAX])
{
	static const char origin[] = "$ORIGIN";
	const int length = sizeof origin - 1;
	const char *slash = strrchr(n->path, '/');

	for (const char *p = n->search; *p; p += *p == ':') {
		int part = (int)strcspn(p, ":"), own = 0;

		if (slash && !strncmp(p, origin, (size_t)length)) {
			own = (int)(slash - n->path);
			p += length;
			part -= length;
		}
		if (is_there(path, snprintf(path, PATH_MAX, "%.*s%.*s/%s", own,
					    n->path, part, p, name)))
			return true;
		p += part;
	}
	return false;
}

/* Where a library is, and where the guest is to see it; false: nowhere. */
static bool
find_library(const struct system_job *job, const struct needer *n,
	     const char *name, char from[PATH_MAX], char to[PATH_MAX])
{
	const struct system_board *board = job->board;
	const char *root = isa_sysroot(board->isa);
	const char *base = strrchr(name, '/');

	if (!root)
		root = "";
	/* The dynamic linker has a path. */
	if (base && is_there(from, snprintf(from, PATH_MAX, "%s%s", root,
					    name)))
		return !system_job_path(name, to);
	base = base ? base + 1 : name;
	if (find_in_search(n, base, from))
		return !system_job_path(from, to);
	for (const char *const *f = board->libraries; *f; f++)
		if (is_there(from, snprintf(from, PATH_MAX, "%s%s/%s", root,
					    *f, base)))
			return snprintf(to, PATH_MAX, "%s/%s",
					*board->libraries, base) < PATH_MAX;
	return false;
}

static int add_needs(struct system_job *job, const char *path,
		     unsigned depth, struct pmcsim_error *error);

/* A library, or the dynamic linker by its path, and what they need. */
static int
add_library(struct system_job *job, const struct needer *n, const char *name,
	    struct pmcsim_error *error)
{
	char from[PATH_MAX], to[PATH_MAX];
	int rc;

	if (!find_library(job, n, name, from, to))
		return engine_fail(error, -ENOENT, "the library %s of the "
				   "program is not there for %s: link the "
				   "program statically, or install the "
				   "libraries", name,
				   isa_row[job->board->isa].name);
	rc = system_job_add(job, from, to, error);
	if (rc == -EEXIST)
		return 0;
	return rc ? rc : add_needs(job, from, n->depth + 1, error);
}

/* The next entry of a dynamic section with that tag, from *i on, as text;
 * NULL behind the last. */
static const char *
next_text(const struct needer *n, Elf_Scn *section, GElf_Sxword tag, size_t *i)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr header;
	GElf_Dyn dyn;

	if (!data || !gelf_getshdr(section, &header) || !header.sh_entsize)
		return NULL;
	while (*i < header.sh_size / header.sh_entsize &&
	       gelf_getdyn(data, (int)(*i)++, &dyn))
		if (dyn.d_tag == tag)
			return elf_strptr(n->elf, header.sh_link,
					  dyn.d_un.d_val);
	return NULL;
}

static int
add_needed(struct system_job *job, struct needer *n, Elf_Scn *section,
	   struct pmcsim_error *error)
{
	size_t i = 0, old = 0;
	const char *text = next_text(n, section, DT_RUNPATH, &i);
	int rc = 0;

	if (!text)
		text = next_text(n, section, DT_RPATH, &old);
	if (text && strlen(text) < sizeof n->search)
		strcpy(n->search, text);
	i = 0;
	while (!rc && (text = next_text(n, section, DT_NEEDED, &i)))
		rc = add_library(job, n, text, error);
	return rc;
}

static int
add_interpreter(struct system_job *job, const struct needer *n,
		struct pmcsim_error *error)
{
	size_t headers = 0, size = 0;
	char *image = elf_rawfile(n->elf, &size);

	if (!image || elf_getphdrnum(n->elf, &headers))
		return 0;
	for (size_t i = 0; i < headers; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(n->elf, (int)i, &ph) ||
		    ph.p_type != PT_INTERP || ph.p_offset >= size ||
		    !memchr(image + ph.p_offset, 0, size - ph.p_offset))
			continue;
		return add_library(job, n, image + ph.p_offset, error);
	}
	return 0;
}

static int
add_needs(struct system_job *job, const char *path, unsigned depth,
	  struct pmcsim_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
	struct needer n = {.path = path, .depth = depth};
	Elf_Scn *section = NULL;
	bool is_elf;

	if (fd < 0)
		return engine_fail(error, -errno, "%s: %s", path,
				   strerror(errno));
	elf_version(EV_CURRENT);
	n.elf = elf_begin(fd, ELF_C_READ, NULL);
	is_elf = n.elf && elf_kind(n.elf) == ELF_K_ELF && depth < DEPTH;
	if (is_elf)
		rc = add_interpreter(job, &n, error);
	while (!rc && is_elf && (section = elf_nextscn(n.elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_DYNAMIC)
			rc = add_needed(job, &n, section, error);
	}
	elf_end(n.elf);
	close(fd);
	return rc;
}

int
system_job_libraries(struct system_job *job, const char *program,
		     struct pmcsim_error *error)
{
	return add_needs(job, program, 0, error);
}
