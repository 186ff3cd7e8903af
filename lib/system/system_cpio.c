/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Archives that kernels unpack: cpio's "newc" format, 13 numbers in
 * hexadecimal behind a magic one, the name, the data, each padded to a
 * multiple of 4 bytes.
 */
#include "system_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define MAGIC "070701"
#define TRAILER "TRAILER!!!"

static void
pad(struct cpio *c)
{
	while (c->bytes & 3) {
		putc(0, c->out);
		c->bytes++;
	}
}

int
cpio_add(struct cpio *c, const char *name, mode_t mode, dev_t device,
	 const void *data, size_t bytes)
{
	size_t length = strlen(name) + 1;
	int n;

	if (bytes > UINT32_MAX)
		return -EFBIG;
	n = fprintf(c->out, MAGIC "%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x"
		    "%08x%08x%08x", c->inode++, mode, 0u, 0u,
		    S_ISDIR(mode) ? 2u : 1u, 0u, (unsigned)bytes, 0u, 0u,
		    major(device), minor(device), (unsigned)length, 0u);
	fwrite(name, 1, length, c->out);
	if (n > 0)
		c->bytes += (unsigned)n + length;
	pad(c);
	if (bytes)
		fwrite(data, 1, bytes, c->out);
	c->bytes += bytes;
	pad(c);
	return ferror(c->out) ? -EIO : 0;
}

int
cpio_add_file(struct cpio *c, const char *name, mode_t mode,
	      const char *path)
{
	FILE *file = fopen(path, "re");
	struct stat st;
	char *data;
	int rc = 0;

	if (!file)
		return -errno;
	if (fstat(fileno(file), &st)) {
		fclose(file);
		return -errno;
	}
	data = malloc((size_t)st.st_size + 1);
	if (!data)
		rc = -ENOMEM;
	else if (fread(data, 1, (size_t)st.st_size, file) !=
		 (size_t)st.st_size)
		rc = -EIO;
	else
		rc = cpio_add(c, name, mode, 0, data, (size_t)st.st_size);
	free(data);
	fclose(file);
	return rc;
}

int
cpio_end(struct cpio *c)
{
	int rc = cpio_add(c, TRAILER, 0, 0, NULL, 0);

	return fflush(c->out) ? -errno : rc;
}
