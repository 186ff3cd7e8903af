/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's lock: a word that says which thread has it.  It is no mutex of
 * the C library's, whose state has pointers and kinds: the word can be written
 * by the target, and nothing more may come of it than a wait that ends.
 *
 * The low half is the thread's number, which is what futexes look at, and the
 * high half its PID namespace: numbers of others mean other threads.
 */
#include "machine_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAITED 0x80000000u	/* a waiter is to be woken */
#define LAST_THREAD (1u << 22)	/* Linux's PID_MAX_LIMIT */
#define LOOK_MS 20		/* so often it is looked whether it lives */
#define STAT_BYTES 256

static u64
own_lock(const struct machine_map *map)
{
	return (u64)map->pids << 32 | (u32)syscall(SYS_gettid);
}

static u32
thread_of(u64 lock)
{
	return (u32)lock & ~WAITED;
}

bool
machine_lock_is_sound(u64 lock)
{
	return thread_of(lock) <= LAST_THREAD && (thread_of(lock) || !lock);
}

void
machine_lock_look(struct machine_map *map)
{
	struct stat st;

	map->pids = stat("/proc/self/ns/pid", &st) ? 0 : (u32)st.st_ino;
}

/* One that has ended, and that its parent has not waited for. */
static bool
is_zombie(u32 thread)
{
	char path[32], text[STAT_BYTES];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%u/stat", thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	return end && end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X');
}

static bool
is_dead(const struct machine_map *map, u64 lock)
{
	u32 pids = (u32)(lock >> 32);

	if (pids && map->pids && pids != map->pids)
		return false;
	return (kill((s32)thread_of(lock), 0) && errno == ESRCH) ||
	       is_zombie(thread_of(lock));
}

static u64
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

/* Until the low half is another one, or it is time to look again. */
static void
wait_for(u64 *lock, u64 seen)
{
	const struct timespec look = {0, LOOK_MS * 1000000};

	if (!(seen & WAITED) &&
	    !__atomic_compare_exchange_n(lock, &seen, seen | WAITED, false,
					 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return;
	syscall(SYS_futex, lock, FUTEX_WAIT, (u32)seen | WAITED, &look, NULL,
		0);
}

/* 0: still another's; else it is ours, and was free (1), or of one that is
 * dead (2) or has kept it too long (3). */
static int
try_lock(struct machine_map *map, u64 own, bool impatient, u64 *seen)
{
	u64 *lock = &map->m->lock;
	int from = 1;

	*seen = __atomic_load_n(lock, __ATOMIC_RELAXED);
	if (*seen)
		from = is_dead(map, *seen) ? 2 : impatient ? 3 : 0;
	if (from && !__atomic_compare_exchange_n(lock, seen, own | WAITED,
						 false, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
		from = 0;
	return from;
}

static void
lock_slowly(struct machine_map *map, u64 own)
{
	u64 until = now_ms() + map->patience, seen;
	int from;

	while (!(from = try_lock(map, own, now_ms() > until, &seen)))
		if (seen)
			wait_for(&map->m->lock, seen);
	if (from == 3)
		machine_doubt(map->m, DOUBT_LOCK_BROKEN);
	if (from > 1)
		journal_apply(map);
}

void
machine_lock(struct machine_map *map)
{
	u64 own = own_lock(map), unowned = 0;

	if (!__atomic_compare_exchange_n(&map->m->lock, &unowned, own, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		lock_slowly(map, own);
}

/* It may have been taken from us. */
void
machine_unlock(struct machine_map *map)
{
	u64 *lock = &map->m->lock, own = own_lock(map), seen = own;

	if (__atomic_compare_exchange_n(lock, &seen, 0, false,
					__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		return;
	seen = own | WAITED;
	if (__atomic_compare_exchange_n(lock, &seen, 0, false,
					__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		syscall(SYS_futex, lock, FUTEX_WAKE, 1, NULL, NULL, 0);
}
