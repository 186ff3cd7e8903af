/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile of user code in a system: what is the command's program is known
 * from its file, if that is linked to fixed addresses.  The system does not
 * tell which process code belongs to, nor where libraries are.
 */
#include "profile/profile_places.h"
#include "engine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SEGMENTS 8
#define OTHER_CODE "other user code"

struct segments {
	size_t n;
	GElf_Phdr segment[MAX_SEGMENTS];
};

static void
read_segments(Elf *elf, struct segments *s)
{
	GElf_Ehdr header;
	size_t n = 0;

	if (!gelf_getehdr(elf, &header) || header.e_type != ET_EXEC ||
	    elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && s->n < MAX_SEGMENTS; i++) {
		GElf_Phdr *ph = &s->segment[s->n];

		if (gelf_getphdr(elf, (int)i, ph) && ph->p_type == PT_LOAD &&
		    ph->p_flags & PF_X)
			s->n++;
	}
}

/* The code of a program at fixed addresses; none of another one. */
static void
find_segments(const char *path, struct segments *s)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	s->n = 0;
	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf) {
		read_segments(elf, s);
		elf_end(elf);
	}
	close(fd);
}

static const GElf_Phdr *
segment_at(const struct segments *s, uint64_t pc)
{
	for (size_t i = 0; i < s->n; i++)
		if (pc - s->segment[i].p_vaddr < s->segment[i].p_filesz)
			return &s->segment[i];
	return NULL;
}

/* Two modules more, and their numbers behind the others'. */
static int
add_modules(struct pmcsim_profile *p, const char *program)
{
	const char **module = (const char **)(void *)p->module;
	size_t n = p->n_modules ? p->n_modules : 1;

	module = realloc(module, (n + 2) * sizeof *module);
	if (!module)
		return -ENOMEM;
	p->module = module;
	if (!p->n_modules)
		module[0] = strdup("");
	module[n] = strdup(program);
	module[n + 1] = strdup(OTHER_CODE);
	p->n_modules = n + 2;
	return module[0] && module[n] && module[n + 1] ? (int)n : -ENOMEM;
}

static int
name_places(struct pmcsim_profile *p, const char *program,
	    const struct segments *s)
{
	struct pmcsim_place *at = (struct pmcsim_place *)(void *)p->place;
	int first = add_modules(p, program);

	for (size_t i = 0; first > 0 && i < p->n_places; i++) {
		const GElf_Phdr *ph = segment_at(s, at[i].pc);

		at[i].module = (unsigned)first + !ph;
		if (ph)
			at[i].offset = at[i].pc - ph->p_vaddr + ph->p_offset;
	}
	profile_sort_places(p);
	return first < 0 ? first : s->n > 0;
}

int
pmcsim_system_name(char *const *argv, struct pmcsim_profile *profile)
{
	struct segments segments = {0};
	struct program target;
	char *path = NULL;
	int rc;

	if (!target_find(&target, argv, NULL)) {
		path = realpath(target.path, NULL);
		program_free(&target);
	}
	if (path)
		find_segments(path, &segments);
	rc = name_places(profile, path ? path : "", &segments);
	free(path);
	return rc;
}
