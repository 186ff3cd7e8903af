/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "segment.h"

#include "elf_file.h"

void
segments_find(const char *path, void (*fn)(void *arg, const struct segment *s),
	      void *arg)
{
	struct elf_file f;
	u64 at, n;

	if (!elf_file_open(&f, path))
		return;
	at = ELF_FIELD(&f, 0, Ehdr, e_phoff);
	n = ELF_FIELD(&f, 0, Ehdr, e_phnum);
	for (u64 i = 0; i < n; i++, at += ELF_SIZE(&f, Phdr)) {
		struct segment s = {
			.address = ELF_FIELD(&f, at, Phdr, p_vaddr),
			.offset = ELF_FIELD(&f, at, Phdr, p_offset),
			.bytes = ELF_FIELD(&f, at, Phdr, p_filesz),
			.writable = ELF_FIELD(&f, at, Phdr, p_flags) & PF_W,
			.executable = ELF_FIELD(&f, at, Phdr, p_flags) & PF_X,
		};

		if (ELF_FIELD(&f, at, Phdr, p_type) == PT_LOAD)
			fn(arg, &s);
	}
	elf_file_close(&f);
}
