/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which snapshot goes with which QEMU: only the one that has written it can
 * read it, and only with the same options.
 */
#include "system_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRIME 0x100000001b3ull

uint64_t
system_hash(uint64_t hash, const void *data, size_t bytes)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ p[i]) * PRIME;
	return hash;
}

/* Adds a file's contents to a hash: 0 or -errno. */
static int
hash_file(uint64_t *hash, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data;
	int rc = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		rc = -errno;
	data = rc || !st.st_size ? NULL :
		mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		rc = -errno;
	close(fd);
	if (rc || !data)
		return rc;
	*hash = system_hash(*hash, data, (size_t)st.st_size);
	munmap(data, (size_t)st.st_size);
	return 0;
}

static uint64_t
hash_text(uint64_t hash, const char *text)
{
	return system_hash(hash, text, strlen(text) + 1);
}

int
system_engine_key(const struct system_board *board, const char *qemu,
		  uint64_t *key)
{
	*key = hash_text(SYSTEM_HASH_START, board->name);
	for (const char *const *o = board->machine; *o; o++)
		*key = hash_text(*key, *o);
	*key = hash_text(*key, board->append);
	*key = system_image_key(board, *key);
	return hash_file(key, qemu);
}

int
system_content_key(const char *folder, uint64_t engine_key, uint64_t *key)
{
	static const char *const files[] = {SYSTEM_INITRD, SYSTEM_KERNEL};
	char path[PATH_MAX];
	int rc = 0;

	*key = SYSTEM_HASH_START;
	for (size_t i = 0; i < sizeof files / sizeof *files && !rc; i++) {
		if (snprintf(path, sizeof path, "%s/%s", folder, files[i]) >=
		    (int)sizeof path)
			return -ENAMETOOLONG;
		rc = hash_file(key, path);
	}
	*key = system_hash(*key, &engine_key, sizeof engine_key);
	return rc;
}
