/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slabs.h"

#include "target.h"

#include <sys/mman.h>

#define SLAB_BYTES (1u << 20)
#define HOST_PAGE 4096u

static struct {
	u8 *next;
	size_t left;
	u8 *place;		/* of the first slab; NULL: anywhere */
	u8 *end;		/* ... and of the next one, behind all others */
} slabs;

void *
slabs_memory(void *at, size_t bytes)
{
	void *p = mmap(at, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS |
			       (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (!at || p == at)
		return p;
	munmap(p, bytes);
	return NULL;
}

void
slabs_place(u8 *at)
{
	slabs.place = slabs.end = at;
}

bool
slabs_used(size_t *bytes)
{
	*bytes = slabs.place ? (size_t)(slabs.next - slabs.place) : 0;
	return slabs.place != slabs.end;
}

void
slabs_taken(size_t bytes)
{
	size_t pages = (bytes + HOST_PAGE - 1) & ~(size_t)(HOST_PAGE - 1);

	slabs.next = slabs.place + bytes;
	slabs.left = pages - bytes;
	slabs.end = slabs.place + pages;
}

static u8 *
next_slab(void)
{
	u8 *p = NULL;

	if (slabs.end)
		p = slabs_memory(slabs.end, SLAB_BYTES);
	if (p)
		slabs.end += SLAB_BYTES;
	else
		slabs.place = slabs.end = NULL;
	return p ? p : slabs_memory(NULL, SLAB_BYTES);
}

void *
process_alloc(size_t bytes)
{
	void *p;

	bytes = (bytes + 7) & ~(size_t)7;
	if (bytes > slabs.left) {
		slabs.left = 0;
		slabs.next = bytes > SLAB_BYTES ? NULL : next_slab();
		if (!slabs.next)
			return NULL;
		slabs.left = SLAB_BYTES;
	}
	p = slabs.next;
	slabs.next += bytes;
	slabs.left -= bytes;
	return p;
}

bool
process_take_back(const void *last, size_t bytes)
{
	bytes = (bytes + 7) & ~(size_t)7;
	if ((const u8 *)last + bytes != slabs.next)
		return false;
	slabs.next -= bytes;
	slabs.left += bytes;
	return true;
}
