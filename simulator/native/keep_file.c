/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that has images of code.  Its first pages say where they are.  It never
 * gets shorter, and images stay as they are once they are listed, since processes
 * have mapped them.
 *
 * A target shares its engine's memory, and may give up rights that other processes
 * of the run have.  So what stays mapped is of a descriptor for reading only, and
 * what is mapped for writing goes before the target goes on: if it may open the
 * file no more, it can change none of it.
 */
#include "keep_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMAGES 256u
#define LIST_BYTES (16 * NATIVE_PAGE)

struct list {
	u32 n;			/* entries that are there */
	u32 writer;		/* process that is about to put one there; if it
				   is killed then, there will be no more */
	u64 end;		/* of the last image; 0: there is none */
	struct entry {
		struct keep_key key;
		u64 offset, bytes;
		u32 blocks;
	} entry[IMAGES];
};

_Static_assert(sizeof(struct list) <= LIST_BYTES, "the list has its room");

/* Only the file that the machine's starter has made: when that has ended, its
 * number may be another process's. */
static bool
is_ours(const struct stat *st)
{
	const struct machine *m = target.map.m;

	return st->st_dev == m->kept.device && st->st_ino == m->kept.inode &&
	       S_ISREG(st->st_mode);
}

static bool
open_file(struct keep_file *file, int flags)
{
	const struct machine *m = target.map.m;
	char path[64];
	struct stat st;

	*file = (struct keep_file){.fd = -1};
	snprintf(path, sizeof path, "/proc/%d/fd/%d", m->kept.pid,
		 m->kept.fd);
	if (!m->kept.pid || stat(path, &st) || !is_ours(&st))
		return false;
	file->fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file->fd >= 0 && !fstat(file->fd, &st) && is_ours(&st) &&
	    st.st_size > (off_t)LIST_BYTES)
		file->bytes = (u64)st.st_size;
	return file->bytes;
}

bool
keep_file_open(struct keep_file *file, bool writes)
{
	int prot = writes ? PROT_READ | PROT_WRITE : PROT_READ;
	void *p = MAP_FAILED;

	if (open_file(file, writes ? O_RDWR : O_RDONLY))
		p = mmap(NULL, LIST_BYTES, prot, MAP_SHARED, file->fd, 0);
	if (p == MAP_FAILED) {
		keep_file_close(file);
		return false;
	}
	file->list = p;
	return true;
}

void
keep_file_close(struct keep_file *file)
{
	if (file->list)
		munmap(file->list, LIST_BYTES);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct keep_file){.fd = -1};
}

static const struct entry *
find(const struct keep_file *file, const struct keep_key *key)
{
	const struct list *list = file->list;
	u32 n = __atomic_load_n(&list->n, __ATOMIC_ACQUIRE);
	const struct entry *best = NULL;

	for (u32 i = 0; i < n && i < IMAGES; i++) {
		const struct entry *e = &list->entry[i];

		if (!memcmp(&e->key, key, sizeof *key) &&
		    (!best || e->blocks > best->blocks))
			best = e;
	}
	return best;
}

const struct keep_image *
keep_file_find(const struct keep_file *file, const struct keep_key *key,
	       u64 *offset)
{
	const struct entry *e = find(file, key);
	void *p;

	if (!e || e->offset > file->bytes ||
	    e->bytes > file->bytes - e->offset ||
	    e->bytes < sizeof(struct keep_image))
		return NULL;
	p = mmap(NULL, e->bytes, PROT_READ, MAP_PRIVATE, file->fd,
		 (off_t)e->offset);
	*offset = e->offset;
	return p == MAP_FAILED ? NULL : p;
}

/* A part more than there is, and some: what it takes to write them is gained by the
 * next few processes. */
bool
keep_file_wants(const struct keep_file *file, const struct keep_key *key,
		u32 blocks)
{
	const struct entry *e = find(file, key);

	return !e || blocks > e->blocks + e->blocks / 64 + 32;
}

struct keep_image *
keep_file_room(const struct keep_file *file, u64 bytes)
{
	struct list *list = file->list;
	u64 end = list->end ? list->end : LIST_BYTES;
	void *p;

	if (list->n >= IMAGES || end > file->bytes ||
	    bytes > file->bytes - end)
		return NULL;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd,
		 (off_t)end);
	return p == MAP_FAILED ? NULL : p;
}

void
keep_file_put(const struct keep_file *file, const struct keep_image *image,
	      const struct keep_key *key, u32 blocks)
{
	struct list *list = file->list;
	u64 end = list->end ? list->end : LIST_BYTES;

	list->entry[list->n] = (struct entry){
		.key = *key, .offset = end, .bytes = image->bytes,
		.blocks = blocks};
	list->end = end + image->bytes;
	__atomic_store_n(&list->n, list->n + 1, __ATOMIC_RELEASE);
}

bool
keep_file_lock(const struct keep_file *file)
{
	u32 none = 0;

	return __atomic_compare_exchange_n(&file->list->writer, &none,
					   (u32)getpid(), false,
					   __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

void
keep_file_unlock(const struct keep_file *file)
{
	__atomic_store_n(&file->list->writer, 0, __ATOMIC_RELEASE);
}
