/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "isa.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EM_ALPHA_USED 0x9026	/* what Alpha programs carry */

_Static_assert(sizeof(Elf32_Ehdr) == ISA_HEADER, "as much as a header has");

const struct isa_row isa_row[ISA_N] = {
	[ISA_X86_64] = {"x86_64", NULL, NULL, "PMCSIM_SYSROOT_X86_64",
			"1024M"},
	/* A folder given by -L lets QEMU 7.2's i386 loop after fork. */
	[ISA_I386] = {"i386", NULL, NULL, "PMCSIM_SYSROOT_I386", "256M"},
	[ISA_MIPSEL] = {"mipsel", "34Kf", "/usr/mipsel-linux-gnu",
			"PMCSIM_SYSROOT_MIPSEL", "256M"},
	[ISA_MIPS] = {"mips", "34Kf", "/usr/mips-linux-gnu",
		      "PMCSIM_SYSROOT_MIPS", "256M"},
	[ISA_ALPHA] = {"alpha", NULL, "/usr/alpha-linux-gnu",
		       "PMCSIM_SYSROOT_ALPHA", "1024M"},
};

/* What an ELF header says, byte order undone, for each of them. */
static const struct {
	u16 machine;
	u8 class, data;
} elf_kind[ISA_N] = {
	[ISA_X86_64] = {EM_X86_64, ELFCLASS64, ELFDATA2LSB},
	[ISA_I386] = {EM_386, ELFCLASS32, ELFDATA2LSB},
	[ISA_MIPSEL] = {EM_MIPS, ELFCLASS32, ELFDATA2LSB},
	[ISA_MIPS] = {EM_MIPS, ELFCLASS32, ELFDATA2MSB},
	[ISA_ALPHA] = {EM_ALPHA_USED, ELFCLASS64, ELFDATA2LSB},
};

enum isa
isa_named(const char *name)
{
	enum isa isa = 0;

	while (isa < ISA_N && strcmp(isa_row[isa].name, name))
		isa++;
	return isa;
}

const char *
isa_sysroot(enum isa isa)
{
	const char *sysroot = getenv(isa_row[isa].variable);

	if (!sysroot || !*sysroot)
		sysroot = isa_row[isa].sysroot;
	return sysroot && !access(sysroot, X_OK) ? sysroot : NULL;
}

static u32
number(const u8 *at, unsigned bytes, bool big)
{
	u32 value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (u32)at[i] << 8 * (big ? bytes - 1 - i : i);
	return value;
}

enum isa
isa_of_elf(const u8 head[ISA_HEADER])
{
	bool big = head[EI_DATA] == ELFDATA2MSB;
	u16 machine = (u16)number(head + offsetof(Elf32_Ehdr, e_machine), 2,
				  big);
	u32 flags = number(head + offsetof(Elf32_Ehdr, e_flags), 4, big);

	if (machine == EM_MIPS && flags & EF_MIPS_ABI2)
		return ISA_N;
	for (enum isa isa = 0; isa < ISA_N; isa++)
		if (elf_kind[isa].machine == machine &&
		    elf_kind[isa].class == head[EI_CLASS] &&
		    elf_kind[isa].data == head[EI_DATA])
			return isa;
	return ISA_N;
}
