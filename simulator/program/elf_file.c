/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool
elf_file_open(struct elf_file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *data = MAP_FAILED;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    st.st_size > EI_NIDENT)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			    fd, 0);
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED)
		return false;
	f->data = data;
	f->size = (size_t)st.st_size;
	f->wide = f->data[EI_CLASS] == ELFCLASS64;
	f->big = f->data[EI_DATA] == ELFDATA2MSB;
	if (!memcmp(f->data, ELFMAG, SELFMAG))
		return true;
	elf_file_close(f);
	return false;
}

void
elf_file_close(const struct elf_file *f)
{
	munmap((void *)(uintptr_t)f->data, f->size);
}

u64
elf_number(const struct elf_file *f, u64 at, unsigned bytes)
{
	u64 n = 0;

	if (at > f->size || bytes > f->size - at)
		return 0;
	for (unsigned i = 0; i < bytes; i++)
		n |= (u64)f->data[at + (f->big ? bytes - 1 - i : i)] << 8 * i;
	return n;
}
