/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The libraries that a board's program needs, from the folder that Debian
 * keeps them in on other machines. */
#include "system_internal.h"

#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH 8

/* Where a library is under the folder; false: nowhere. */
static bool
find_library(const char *sysroot, const char *name, char path[PATH_MAX])
{
	static const char *const places[] = {"lib", "usr/lib"};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (snprintf(path, PATH_MAX, "%s/%s/%s", sysroot, places[i],
			     name) < PATH_MAX && !access(path, R_OK))
			return true;
	return false;
}

static int add_needs(struct system_job *job, const char *path,
		     unsigned depth, struct pmcsim_error *error);

/* A library, or the dynamic linker by its path, and what they need. */
static int
add_library(struct system_job *job, const char *name, unsigned depth,
	    struct pmcsim_error *error)
{
	const char *sysroot = isa_sysroot(isa_named(job->board->isa));
	const char *base = strrchr(name, '/');
	char from[PATH_MAX], to[PATH_MAX];
	int rc;

	base = base ? base + 1 : name;
	if (!sysroot || !find_library(sysroot, base, from))
		return engine_fail(error, -ENOENT, "the library %s of the "
				   "program is not there for %s: link the "
				   "program statically, or install the "
				   "libraries", base, job->board->isa);
	if (snprintf(to, sizeof to, "/lib/%s", base) >= (int)sizeof to)
		return -ENAMETOOLONG;
	rc = system_job_add(job, from, to, error);
	if (rc == -EEXIST)
		return 0;
	return rc ? rc : add_needs(job, from, depth + 1, error);
}

static int
add_needed(struct system_job *job, Elf *elf, Elf_Scn *section,
	   const GElf_Shdr *header, unsigned depth, struct pmcsim_error *error)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t n = header->sh_entsize ? header->sh_size / header->sh_entsize
				      : 0;
	int rc = 0;

	for (size_t i = 0; data && i < n && !rc; i++) {
		const char *name;
		GElf_Dyn dyn;

		if (!gelf_getdyn(data, (int)i, &dyn) || dyn.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(elf, header->sh_link, dyn.d_un.d_val);
		if (name)
			rc = add_library(job, name, depth, error);
	}
	return rc;
}

static int
add_interpreter(struct system_job *job, Elf *elf, unsigned depth,
		struct pmcsim_error *error)
{
	size_t n = 0, size = 0;
	char *image = elf_rawfile(elf, &size);

	if (!image || elf_getphdrnum(elf, &n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(elf, (int)i, &ph) ||
		    ph.p_type != PT_INTERP || ph.p_offset >= size ||
		    !memchr(image + ph.p_offset, 0, size - ph.p_offset))
			continue;
		return add_library(job, image + ph.p_offset, depth, error);
	}
	return 0;
}

static int
add_needs(struct system_job *job, const char *path, unsigned depth,
	  struct pmcsim_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
	Elf_Scn *section = NULL;
	Elf *elf;

	if (fd < 0)
		return engine_fail(error, -errno, "%s: %s", path,
				   strerror(errno));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && depth < DEPTH)
		rc = add_interpreter(job, elf, depth, error);
	while (!rc && elf && depth < DEPTH &&
	       (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_DYNAMIC)
			rc = add_needed(job, elf, section, &header, depth,
					error);
	}
	elf_end(elf);
	close(fd);
	return rc;
}

int
system_job_libraries(struct system_job *job, const char *program,
		     struct pmcsim_error *error)
{
	return add_needs(job, program, 0, error);
}
