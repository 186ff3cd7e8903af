/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file is that the target wants executed. */
#include "follow.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES 256		/* of a script that the kernel looks at; the
				 * last one has to be the line's end */
#define SCRIPT_DEPTH 5		/* scripts that start each other */
#define EM_ALPHA_USED 0x9026	/* what Alpha programs carry */

/* What an ELF header says, byte order undone. */
static const struct {
	u16 machine;
	u8 class, data;
	enum decode_isa isa;
} elf_kinds[] = {
	{EM_X86_64, ELFCLASS64, ELFDATA2LSB, ISA_X86_64},
	{EM_386, ELFCLASS32, ELFDATA2LSB, ISA_I386},
	{EM_MIPS, ELFCLASS32, ELFDATA2LSB, ISA_MIPSEL},
	{EM_MIPS, ELFCLASS32, ELFDATA2MSB, ISA_MIPS},
	{EM_ALPHA_USED, ELFCLASS64, ELFDATA2LSB, ISA_ALPHA},
};

static u32
number(const u8 *at, unsigned bytes, bool big)
{
	u32 value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (u32)at[i] << 8 * (big ? bytes - 1 - i : i);
	return value;
}

static enum program_kind
look_at_elf(struct program *p, const u8 *head)
{
	bool big = head[EI_DATA] == ELFDATA2MSB;
	u16 machine = (u16)number(head + offsetof(Elf32_Ehdr, e_machine), 2,
				  big);
	u32 flags = number(head + offsetof(Elf32_Ehdr, e_flags), 4, big);

	if (machine == EM_MIPS && flags & EF_MIPS_ABI2)
		return PROGRAM_ODD;
	for (size_t i = 0; i < SIM_COUNT(elf_kinds); i++)
		if (elf_kinds[i].machine == machine &&
		    elf_kinds[i].class == head[EI_CLASS] &&
		    elf_kinds[i].data == head[EI_DATA]) {
			p->isa = elf_kinds[i].isa;
			return PROGRAM_ELF;
		}
	return PROGRAM_ODD;
}

/*
 * Splits a #! line in place as Linux does: an interpreter and at most one
 * argument, "" if there is none.  False if it names no interpreter or is cut
 * off within its path.
 */
static bool
split_script(char *line, size_t length, char **interpreter, char **argument)
{
	char *end = memchr(line, '\n', length), *at = line + 2;
	bool whole = end || length < HEAD_BYTES;

	if (!end)
		end = line + length - !whole;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	at += strspn(at, " \t");
	*interpreter = at;
	at += strcspn(at, " \t");
	if (at == *interpreter || (at == end && !whole))
		return false;
	if (*at)
		*at++ = '\0';
	*argument = at + strspn(at, " \t");
	return true;
}

/* interpreter [argument] script instead of argv[0]. */
static void
start_through(struct program *p, const char *interpreter,
	      const char *argument)
{
	if (p->argv.n) {
		free(p->argv.s[0]);
		p->argv.s[0] = p->path;
	} else {
		strings_own(&p->argv, p->path);
	}
	if (*argument)
		strings_push(&p->argv, argument);
	strings_push(&p->argv, interpreter);
	p->path = strdup(interpreter);
}

static ssize_t
read_head(const char *path, char head[HEAD_BYTES + 1])
{
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || access(path, X_OK))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = pread(fd, head, HEAD_BYTES, 0);
	close(fd);
	return n < 0 ? 0 : n;
}

enum program_kind
program_look(struct program *p)
{
	char head[HEAD_BYTES + 1], *interpreter, *argument;

	for (unsigned depth = 0; p->path && depth <= SCRIPT_DEPTH; depth++) {
		ssize_t n = read_head(p->path, head);

		if (n < 0)
			return PROGRAM_NONE;
		if (n >= (ssize_t)sizeof(Elf32_Ehdr) &&
		    !memcmp(head, ELFMAG, SELFMAG))
			return look_at_elf(p, (const u8 *)head);
		if (n < 2 || head[0] != '#' || head[1] != '!')
			return PROGRAM_ODD;
		if (!split_script(head, (size_t)n, &interpreter, &argument))
			return PROGRAM_NONE;
		start_through(p, interpreter, argument);
	}
	return PROGRAM_NONE;
}

void
program_free(struct program *p)
{
	free(p->path);
	p->path = NULL;
	strings_free(&p->argv);
}
