/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file is that the target wants executed. */
#include "program.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ssize_t
read_head(const char *path, char head[SCRIPT_BYTES + 1])
{
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || access(path, X_OK))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = pread(fd, head, SCRIPT_BYTES, 0);
	close(fd);
	return n < 0 ? 0 : n;
}

enum program_kind
program_look(struct program *p)
{
	char head[SCRIPT_BYTES + 1], *interpreter, *argument;

	for (unsigned depth = 0; p->path && depth <= SCRIPT_DEPTH; depth++) {
		ssize_t n = read_head(p->path, head);

		if (n < 0)
			return PROGRAM_NONE;
		if (n >= ISA_HEADER && !memcmp(head, ELFMAG, SELFMAG)) {
			p->isa = isa_of_elf((const u8 *)head);
			return p->isa < ISA_N ? PROGRAM_ELF : PROGRAM_ODD;
		}
		if (!script_begins(head, (size_t)n))
			return PROGRAM_ODD;
		if (!script_split(head, (size_t)n, &interpreter, &argument))
			return PROGRAM_NONE;
		script_start(p, interpreter, argument);
		if (p->argv.failed)
			return PROGRAM_NONE;
	}
	return PROGRAM_NONE;
}
