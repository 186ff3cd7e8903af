/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's memory: where QEMU would map things. */
#include "guard.h"
#include "keep.h"
#include "limits.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

static u64 next = NATIVE_FIRST;	/* behind what was mapped last */
static u64 break_first, break_now, break_mapped;

u64
space_rights(u64 prot)
{
	return prot & PROT_EXEC ? prot | PROT_READ : prot;
}

static u64
map(u64 at, u64 bytes, int prot, int flags, int fd, u64 offset)
{
	long got = syscall(SYS_mmap, at, bytes, space_rights((u64)prot), flags,
			   fd, offset);

	return got == -1 ? (u64)-errno : (u64)got;
}

static bool
failed(u64 at)
{
	return at > (u64)-4096;
}

/* The kernel puts the engine above that, and what of the target has no place
 * below. */
#define ENGINE_FIRST 0x500000000000ull
#define HIGH 64

static struct {
	u64 from, to;
} high[HIGH];
static unsigned n_high;

static void
note_high(u64 at, u64 bytes)
{
	if (at < ENGINE_FIRST)
		return;
	high[n_high % HIGH].from = at;
	high[n_high++ % HIGH].to = at + native_pages(bytes);
}

/* Whether memory of the engine's own is among it. */
static bool
is_own(u64 at, u64 bytes)
{
	return at < NATIVE_FIRST && at + bytes > NATIVE_OWN;
}

bool
space_is_target(u64 at)
{
	if (at < ENGINE_FIRST)
		return !is_own(at, 1);
	for (unsigned i = 0; i < HIGH && i < n_high; i++)
		if (at >= high[i].from && at < high[i].to)
			return true;
	return false;
}

bool
space_is_break(u64 from, u64 to)
{
	return from < break_mapped && to > break_first;
}

/*
 * Behind what was mapped last, if that is free, or where the kernel finds a
 * place; or where the target would like to have it.
 */
u64
space_map(u64 at, u64 bytes, int prot, int flags, int fd, u64 offset)
{
	bool fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
	u64 start = fixed ? at : at & ~(NATIVE_PAGE - 1);
	u64 got;

	if (fixed && is_own(at, bytes))
		return flags & MAP_FIXED_NOREPLACE ? (u64)-EEXIST : (u64)-ENOMEM;
	if (prot & PROT_WRITE && (flags & MAP_TYPE) == MAP_PRIVATE &&
	    !limits_allow_data(native_pages(bytes)))
		return (u64)-ENOMEM;
	if (fixed)
		blocks_changed(at, bytes);
	else if (!start || is_own(start, bytes))
		start = next;
	got = map(start, bytes, prot, flags, fd, offset);
	if (!failed(got)) {
		note_high(got, bytes);
		guard_mapped(got, bytes, prot);
		guard_shared(got, bytes, (flags & MAP_TYPE) != MAP_PRIVATE);
		keep_mapped(got, bytes, prot, flags, fd);
	}
	if (!fixed && start == next && !failed(got) && got >= NATIVE_FIRST)
		next = got + native_pages(bytes);
	return got;
}

void
space_begin_break(u64 at)
{
	break_first = break_now = break_mapped = native_pages(at);
}

/* As brk(2): the break, moved there if that can be. Pages that are given back are
 * unmapped, so that they are zero when they come again. */
u64
space_break(u64 at)
{
	u64 end = native_pages(at);

	if (at < break_first || end < at)
		return break_now;
	if (end > break_mapped &&
	    (!limits_allow_data(end - break_mapped) ||
	     map(break_mapped, end - break_mapped, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		 0) != break_mapped))
		return break_now;
	if (end < break_mapped) {
		blocks_changed(end, break_mapped - end);
		if (syscall(SYS_munmap, end, break_mapped - end))
			return break_now;
	}
	break_mapped = end;
	break_now = at;
	return at;
}

/* mremap(2): moved, it goes where a mapping would. */
static s64
move(const u64 arg[6])
{
	u64 got;

	if (arg[2] > arg[1] && !limits_allow_data(arg[2] - arg[1]))
		return -ENOMEM;
	blocks_changed(arg[0], arg[1]);
	if (!(arg[3] & MREMAP_MAYMOVE) || arg[3] & MREMAP_FIXED ||
	    arg[2] <= arg[1]) {
		if (arg[3] & MREMAP_FIXED)
			blocks_changed(arg[4], arg[2]);
		got = (u64)syscall(SYS_mremap, arg[0], arg[1], arg[2], arg[3],
				   arg[4]);
		return got == (u64)-1 ? -errno : (s64)got;
	}
	got = space_map(0, arg[2], PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	if (failed(got))
		return (s64)got;
	got = (u64)syscall(SYS_mremap, arg[0], arg[1], arg[2],
			   MREMAP_MAYMOVE | MREMAP_FIXED, got);
	return got == (u64)-1 ? -errno : (s64)got;
}

s64
space_move(const u64 arg[6])
{
	bool shared = guard_change(arg[0]) == HOST_UNNOTICED;
	bool both = guard_is_both(arg[0]);
	s64 got = move(arg);

	if (failed((u64)got))
		return got;
	note_high((u64)got, arg[2]);
	guard_mapped((u64)got, arg[2], both ? PROT_WRITE | PROT_EXEC : 0);
	guard_shared((u64)got, arg[2], shared);
	return got;
}

/* shmat(2): what is there may be written elsewhere. */
s64
space_attach(const u64 arg[6])
{
	struct shmid_ds segment;
	long got;

	if (arg[1])
		blocks_changed(arg[1], shmctl((int)arg[0], IPC_STAT, &segment)
					       ? 0 : segment.shm_segsz);
	got = syscall(SYS_shmat, arg[0], arg[1], arg[2]);
	if (got == -1)
		return -errno;
	if (!shmctl((int)arg[0], IPC_STAT, &segment)) {
		note_high((u64)got, segment.shm_segsz);
		guard_shared((u64)got, segment.shm_segsz, true);
	}
	return got;
}

s64
space_detach(const u64 arg[6])
{
	blocks_changed(arg[0], guard_mapped_up_to(arg[0]) - arg[0]);
	return shmdt((const void *)(uintptr_t)arg[0]) ? -errno : 0;
}
