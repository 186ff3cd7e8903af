/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "places_program.h"

#include "engine.h"
#include "program/segment.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_PARTS 8
#define COMPARED 64		/* bytes */

static struct {
	bool looked;
	char *path;
	struct program_part part[MAX_PARTS];
	unsigned n;
} program;

static void
add_part(void *unused, const struct segment *s)
{
	(void)unused;
	if (s->executable && program.n < MAX_PARTS)
		program.part[program.n++] = (struct program_part){
			s->address, s->address + s->bytes, s->offset,
			program.path};
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

	if (program.looked)
		return;
	program.looked = true;
	if (target.isa != ISA_ALPHA)
		return;
	if (!engine->program_start(&start))
		return;
	program.path = program_file();
	if (!program.path)
		return;
	segments_find(program.path, add_part, NULL);
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
