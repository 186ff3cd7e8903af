/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_disassemble.h"

#include "code/decode/alpha_text.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST 16		/* bytes of an instruction, and one more */
#define MIPS16 0x04000000	/* in e_flags: EF_MIPS_ARCH_ASE_M16 */

/* Capstone goes on with whatever it is given: without memory, this tool fails. */
static const struct tool *user;

static void *
stop_if_none(void *memory)
{
	if (!memory)
		tool_fail(user, TOOL_FAILED, "out of memory");
	return memory;
}

static void *
allocate(size_t n)
{
	return stop_if_none(malloc(n));
}

static void *
allocate_zeros(size_t n, size_t size)
{
	return stop_if_none(calloc(n, size));
}

static void *
allocate_again(void *memory, size_t n)
{
	return stop_if_none(realloc(memory, n));
}

static void
watch_memory(const struct tool *tool)
{
	cs_opt_mem memory = {allocate, allocate_zeros, allocate_again, free,
			     vsnprintf};

	user = tool;
	cs_option(0, CS_OPT_MEM, (size_t)(uintptr_t)&memory);
}

struct disassembler {
	int fd;
	bool alpha;		/* else: */
	csh handle;
	cs_insn *insn;
	char text[sizeof ((cs_insn *)NULL)->mnemonic +
		  sizeof ((cs_insn *)NULL)->op_str + 1];
};

static int
open_mips(const Elf32_Ehdr *e, csh *handle)
{
	bool big = e->e_ident[EI_DATA] == ELFDATA2MSB;
	uint32_t flags = big ? be32toh(e->e_flags) : le32toh(e->e_flags);

	if (e->e_ident[EI_CLASS] != ELFCLASS32 || flags & MIPS16)
		return -1;
	return cs_open(CS_ARCH_MIPS, CS_MODE_MIPS32 |
		       (big ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN),
		       handle) == CS_ERR_OK ? 0 : -1;
}

static int
open_x86(cs_mode mode, csh *handle)
{
	if (cs_open(CS_ARCH_X86, mode, handle) != CS_ERR_OK)
		return -1;
	cs_option(*handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return 0;
}

/* Only a regular file is read: the path may lead to anything by now. */
static int
open_file(const char *path, Elf32_Ehdr *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    pread(fd, e, sizeof *e, 0) == sizeof *e &&
	    !memcmp(e->e_ident, ELFMAG, SELFMAG))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int
open_instructions(struct disassembler *d, const Elf32_Ehdr *e)
{
	bool big = e->e_ident[EI_DATA] == ELFDATA2MSB;

	switch (big ? be16toh(e->e_machine) : le16toh(e->e_machine)) {
	case EM_X86_64:
		return open_x86(CS_MODE_64, &d->handle);
	case EM_386:
		return open_x86(CS_MODE_32, &d->handle);
	case EM_MIPS:
		return open_mips(e, &d->handle);
	case EM_ALPHA:
		d->alpha = !big;
		return big ? -1 : 0;
	default:
		return -1;
	}
}

struct disassembler *
disassembler_new(const struct tool *tool, const char *path)
{
	struct disassembler *d = calloc(1, sizeof *d);
	Elf32_Ehdr e;

	if (!d)
		return NULL;
	watch_memory(tool);
	d->fd = open_file(path, &e);
	if (d->fd < 0 || open_instructions(d, &e) != 0) {
		disassembler_free(d);
		return NULL;
	}
	if (!d->alpha)
		d->insn = cs_malloc(d->handle);
	return d;
}

void
disassembler_free(struct disassembler *d)
{
	if (!d)
		return;
	if (d->insn)
		cs_free(d->insn, 1);
	if (d->handle)
		cs_close(&d->handle);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

static const char *
text_alpha(struct disassembler *d, uint64_t offset)
{
	uint32_t word;

	if (pread(d->fd, &word, sizeof word, (off_t)offset) != sizeof word)
		return NULL;
	alpha_text(d->text, le32toh(word), offset);
	return d->text;
}

const char *
disassembler_text(struct disassembler *d, uint64_t offset)
{
	uint8_t bytes[LONGEST];
	const uint8_t *code = bytes;
	size_t left;
	ssize_t n;

	if (!d)
		return NULL;
	if (d->alpha)
		return text_alpha(d, offset);
	n = pread(d->fd, bytes, sizeof bytes, (off_t)offset);
	left = n > 0 ? (size_t)n : 0;
	if (!d->insn ||
	    !cs_disasm_iter(d->handle, &code, &left, &offset, d->insn))
		return NULL;
	snprintf(d->text, sizeof d->text, "%s%s%s", d->insn->mnemonic,
		 *d->insn->op_str ? " " : "", d->insn->op_str);
	return d->text;
}
