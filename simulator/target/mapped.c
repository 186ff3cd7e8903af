/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mapped.h"

#include "core/pages.h"
#include "core/tlb.h"
#include "host_maps.h"
#include "mapping_call.h"
#include "program/segment.h"
#include "target.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define OWN_FILES 0x500000000000ull /* those of the engine lie behind */
#define DONTNEED 4		/* madvise() */
#define DONTNEED_ALPHA 6

/* The call that this thread makes. */
static __thread struct {
	struct mapping_call call;
	bool file;		/* mmap() is to map one */
	bool shares;		/* a child is to have this process's memory */
} asked;

static u64 program_break;	/* as brk() has said; 0: it has not */

static bool
is_asked_for(void)
{
	return target.config->ledger.fault_around && core.pages;
}

static u64
first_page(u64 at)
{
	return at >> tlb_page_bits(&core);
}

/* Behind the page with the byte in front of that address. */
static u64
end_page(u64 at)
{
	return ((at - 1) >> tlb_page_bits(&core)) + 1;
}

/* What is written to a file stays in its pages; what is written to a private mapping
 * is in copies. */
static enum page_kind
kind_of(bool writable, bool shared)
{
	if (!writable)
		return PAGES_FILE;
	return shared ? PAGES_ALONE : PAGES_FILE_WRITTEN;
}

/* What has been there is gone: pages are touched anew. */
static void
map(u64 first, u64 end, enum page_kind kind)
{
	if (pages_map(core.pages, first, end, kind))
		tlb_unmap(&core, first, end);
}

static void
forget(u64 first, u64 end)
{
	if (pages_forget(core.pages, first, end))
		tlb_unmap(&core, first, end);
}

/* A file whose beginning is mapped: its segments go by its first one. */
struct loaded {
	u64 start;		/* of that, the target's address */
	u64 bias;
	bool found;
};

static void
load(void *arg, const struct segment *s)
{
	struct loaded *l = arg;

	if (!l->found)
		l->bias = l->start - mapping_start(s->address);
	l->found = true;
	if (s->bytes)
		map(first_page(s->address + l->bias),
		    end_page(s->address + l->bias + s->bytes),
		    kind_of(s->writable, false));
}

/* What is mapped already.  The host has other rights there than the target, whose code
 * QEMU does not execute in place, and fewer mappings: files tell. */
static void
begin_with(const struct host_map *m)
{
	struct loaded l = {.start = m->start - target.guest_base};

	if (m->start < target.guest_base || l.start >= OWN_FILES ||
	    *m->path != '/')
		return;
	map(first_page(l.start), end_page(m->end - target.guest_base),
	    kind_of(m->writable, m->written));
	if (!m->offset)
		segments_find(m->path, load, &l);
}

void
mapped_begin(void)
{
	struct host_maps all;

	if (!is_asked_for())
		return;
	if (host_maps_read(&all))
		for (size_t i = 0; i < all.n; i++)
			begin_with(&all.list[i]);
	host_maps_free(&all);
}

static bool
is_file(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

void
mapped_syscall(enum call call, const u64 arg[8])
{
	asked.call.call = CALL_OTHER;
	if (!is_asked_for())
		return;
	asked.call = mapping_call(call, arg);
	asked.shares = call == CALL_VFORK ||
		       (call == CALL_CLONE && arg[0] & CLONE_VFORK);
	if (asked.call.call == CALL_MMAP || asked.call.call == CALL_MMAP2)
		asked.file = is_file((int)asked.call.arg[4]);
}

/* What brk() gives back is zero when it comes again. */
static void
move_break(u64 to)
{
	if (to < program_break)
		forget(end_page(to), end_page(program_break));
	program_break = to;
}

static void
advised(const u64 arg[6])
{
	u64 drops = target.isa == ISA_ALPHA ? DONTNEED_ALPHA : DONTNEED;

	if (arg[2] == drops && arg[1])
		forget(first_page(arg[0]), end_page(arg[0] + arg[1]));
}

static void
moved(const u64 arg[6], u64 to)
{
	u64 from = arg[0], before = mapping_bytes(arg[1]);
	u64 bytes = mapping_bytes(arg[2]);
	u64 kept = before < bytes ? before : bytes;

	if (from != to && kept)
		pages_move(core.pages, first_page(from), end_page(from + kept),
			   first_page(to));
	if (before > kept)
		map(first_page(from + kept), end_page(from + before),
		    PAGES_ALONE);
}

static void
changed(u64 result)
{
	const u64 *arg = asked.call.arg;
	u64 bytes = mapping_bytes(arg[1]), first = first_page(arg[0]);

	switch (asked.call.call) {
	case CALL_BRK:
		move_break(result);
		break;
	case CALL_MADVISE:
		advised(arg);
		break;
	case CALL_MMAP:
	case CALL_MMAP2:
		map(first_page(result), end_page(result + bytes),
		    asked.file ? kind_of(arg[2] & PROT_WRITE,
					 arg[3] & MAP_SHARED)
			       : PAGES_ALONE);
		break;
	case CALL_MPROTECT:
		if (bytes)
			pages_protect(core.pages, first,
				      end_page(arg[0] + bytes),
				      arg[2] & PROT_WRITE);
		break;
	case CALL_MREMAP:
		moved(arg, result);
		break;
	case CALL_MUNMAP:
		map(first, end_page(arg[0] + bytes), PAGES_ALONE);
		break;
	default:
		break;
	}
}

void
mapped_syscall_return(s64 result)
{
	if (mapping_call_worked(&asked.call, result))
		changed((u64)result);
	asked.call.call = CALL_OTHER;
}

void
mapped_forked(bool child)
{
	if (!is_asked_for() || asked.shares)
		return;
	pages_fork(core.pages, child);
	tlb_unmap(&core, 0, first_page(~0ull));
}
