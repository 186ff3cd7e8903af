/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "places_program.h"

#include "engine.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_PARTS 8
#define MAX_HEADERS 64
#define COMPARED 64		/* bytes */

static struct {
	bool looked;
	char *path;
	struct program_part part[MAX_PARTS];
	unsigned n;
} program;

static void
read_headers(int fd)
{
	Elf64_Phdr header[MAX_HEADERS];
	Elf64_Ehdr head;
	ssize_t bytes;

	if (pread(fd, &head, sizeof head, 0) != sizeof head ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_phnum > MAX_HEADERS)
		return;
	bytes = (ssize_t)(head.e_phnum * sizeof *header);
	if (pread(fd, header, (size_t)bytes, (off_t)head.e_phoff) != bytes)
		return;
	for (unsigned i = 0; i < head.e_phnum && program.n < MAX_PARTS; i++) {
		const Elf64_Phdr *h = &header[i];

		if (h->p_type == PT_LOAD && h->p_flags & PF_X)
			program.part[program.n++] = (struct program_part){
				h->p_vaddr, h->p_vaddr + h->p_filesz,
				h->p_offset, program.path};
	}
}

/* Moves the parts to where the first of them has been put. */
static void
move_to(u64 start)
{
	u64 first = ~0ull;

	for (unsigned i = 0; i < program.n; i++)
		if (program.part[i].start < first)
			first = program.part[i].start;
	for (unsigned i = 0; i < program.n; i++) {
		program.part[i].start += start - first;
		program.part[i].end += start - first;
	}
}

char *
program_file(void)
{
	char *given = engine->program();
	char *file = given ? realpath(given, NULL) : NULL;

	free(given);
	return file;
}

void
program_look_up(void)
{
	u64 start;
	int fd;

	if (program.looked)
		return;
	program.looked = true;
	if (target.isa != ISA_ALPHA)
		return;
	if (!engine->program_start(&start))
		return;
	program.path = program_file();
	fd = program.path ? open(program.path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	read_headers(fd);
	close(fd);
	move_to(start);
}

/* Whether memory has at pc what the file has. */
static bool
is_copy(const struct program_part *part, u64 pc)
{
	u8 there[COMPARED], here[COMPARED];
	size_t n = part->end - pc < COMPARED ? part->end - pc : COMPARED;
	int fd = open(part->path, O_RDONLY | O_CLOEXEC);
	bool same = fd >= 0 &&
		    pread(fd, there, n, (off_t)(part->offset + pc -
						part->start)) == (ssize_t)n &&
		    !guest_read(here, pc, n) && !memcmp(there, here, n);

	if (fd >= 0)
		close(fd);
	return same;
}

bool
program_part(u64 pc, struct program_part *part)
{
	for (unsigned i = 0; i < program.n; i++) {
		*part = program.part[i];
		if (pc >= part->start && pc < part->end)
			return is_copy(part, pc);
	}
	return false;
}
