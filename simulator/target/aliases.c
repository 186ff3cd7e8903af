/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host's list of mappings says what is of one file and what can be
 * written, but not what is code: QEMU maps that without the permission to
 * execute it.  So which addresses the target may execute is noted here.
 */
#include "aliases.h"

#include "host_maps.h"
#include "mapping_call.h"
#include "target.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SHMAT 21		/* what ipc() is to do */

struct range {
	u64 start, end;
};

static struct {
	struct range *code;
	size_t n, room;
	bool shared;		/* there may be a shared mapping */
	bool found;		/* a pair: there is nothing more to find */
	pthread_mutex_t lock;
} aliases = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The call that this thread makes. */
static __thread struct mapping_call asked;

/* ---- What may be executed -------------------------------------------- */

static void
append(u64 start, u64 end)
{
	if (aliases.n == aliases.room) {
		size_t room = aliases.room ? 2 * aliases.room : 64;
		void *more = realloc(aliases.code, room * sizeof(struct range));

		if (!more)
			return;
		aliases.code = more;
		aliases.room = room;
	}
	aliases.code[aliases.n++] = (struct range){start, end};
}

static void
take_off(u64 start, u64 end)
{
	size_t n = aliases.n;

	for (size_t i = n; i-- > 0;) {
		struct range *r = &aliases.code[i], old = *r;

		if (old.end <= start || end <= old.start)
			continue;
		*r = aliases.code[--aliases.n];
		if (old.start < start)
			append(old.start, start);
		if (end < old.end)
			append(end, old.end);
	}
}

/* Ranges that touch become one: there are few, then. */
static void
put_on(u64 start, u64 end)
{
	take_off(start, end);
	for (size_t i = 0; i < aliases.n;) {
		struct range *r = &aliases.code[i];

		if (r->start != end && r->end != start) {
			i++;
			continue;
		}
		start = r->start < start ? r->start : start;
		end = r->end > end ? r->end : end;
		*r = aliases.code[--aliases.n];
	}
	append(start, end);
}

static bool
is_code(u64 address)
{
	for (size_t i = 0; i < aliases.n; i++)
		if (address >= aliases.code[i].start &&
		    address < aliases.code[i].end)
			return true;
	return false;
}

/* Returns whether the target may execute what is there now. */
static bool
note(u64 start, u64 bytes, bool code)
{
	u64 end = start + mapping_bytes(bytes);

	if (end <= start)
		return false;
	if (code)
		put_on(start, end);
	else
		take_off(start, end);
	return code;
}

/* ---- Pairs ----------------------------------------------------------- */

/* Whether what is written to w changes the code of a range in m. */
static bool
is_pair(const struct host_map *w, const struct host_map *m,
	const struct range *code)
{
	u64 base = target.guest_base;
	u64 start = code->start + base > m->start ? code->start + base
						  : m->start;
	u64 end = code->end + base < m->end ? code->end + base : m->end;
	u64 first = m->offset + (start - m->start);

	return start < end && w->inode == m->inode && w->device == m->device &&
	       w->start != m->start && first < w->offset + w->end - w->start &&
	       w->offset < first + (end - start);
}

static bool
is_written(const struct host_maps *all, const struct host_map *m,
	   const struct range *code)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].written && is_pair(&all->list[i], m, code))
			return true;
	return false;
}

static bool
find_pair(const struct host_maps *all)
{
	for (size_t i = 0; i < all->n; i++)
		for (size_t c = 0; *all->list[i].path && c < aliases.n; c++)
			if (is_written(all, &all->list[i], &aliases.code[c]))
				return true;
	return false;
}

static void
look(void)
{
	struct host_maps all;

	if (host_maps_read(&all))
		aliases.found = find_pair(&all);
	host_maps_free(&all);
	if (aliases.found)
		machine_doubt(target.map.m, DOUBT_CODE_TWICE);
}

/* ---- System calls ---------------------------------------------------- */

void
aliases_syscall(enum call call, const u64 arg[8])
{
	asked.call = CALL_OTHER;
	if (!aliases.found)
		asked = mapping_call(call, arg);
}

/* QEMU refuses to map memory a second time so, by moving nothing of it. */
static bool
moved(u64 to)
{
	bool code = is_code(asked.arg[0]);

	note(asked.arg[0], asked.arg[1], false);
	return note(to, asked.arg[2], code);
}

/* Notes what the call has mapped at address; whether it can be the second one
 * of a pair. */
static bool
mapped(u64 address)
{
	const u64 *arg = asked.arg;

	switch (asked.call) {
	case CALL_MMAP:
	case CALL_MMAP2:
		aliases.shared |= arg[3] & MAP_SHARED;
		return note(address, arg[1], arg[2] & PROT_EXEC) ||
		       (arg[3] & MAP_SHARED && arg[2] & PROT_WRITE);
	case CALL_MPROTECT:
		return note(arg[0], arg[1], arg[2] & PROT_EXEC) ||
		       arg[2] & PROT_WRITE;
	case CALL_MREMAP:
		return moved(address);
	case CALL_MUNMAP:
		return note(arg[0], arg[1], false);
	case CALL_IPC:
		if ((arg[0] & 0xffff) != SHMAT)
			return false;
		/* fall through */
	case CALL_SHMAT:
		/* Under QEMU only mprotect() makes it executable. */
		return aliases.shared = true;
	default:
		return false;
	}
}

void
aliases_syscall_return(s64 result)
{
	if (!mapping_call_worked(&asked, result))
		return;
	pthread_mutex_lock(&aliases.lock);
	if (mapped((u64)result) && aliases.shared && !aliases.found)
		look();
	pthread_mutex_unlock(&aliases.lock);
	asked.call = CALL_OTHER;
}

void
aliases_fork_child(void)
{
	pthread_mutex_init(&aliases.lock, NULL);
}
