/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that block, wake, create or end threads. */
#include "turns_internal.h"
#include "turns_rows.h"

#include "target/guest_strings.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/major.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

/* Longer than that, in seconds, is as good as for ever. */
#define LONG_WAIT (1ull << 33)

static bool
reads_clock(enum row_kind row)
{
	return row >= ROW_CLOCK && row <= ROW_DAY;
}

/* As the target has it in its memory: all its numbers are 4 or 8 bytes. */
static u64
number_of(const void *memory, unsigned bytes)
{
	bool swap = target.isa == ISA_MIPS;
	u64 wide;
	u32 narrow;

	if (bytes == 8) {
		memcpy(&wide, memory, sizeof wide);
		return swap ? __builtin_bswap64(wide) : wide;
	}
	memcpy(&narrow, memory, sizeof narrow);
	return swap ? __builtin_bswap32(narrow) : narrow;
}

u64
turn_number(u64 address, unsigned bytes)
{
	u8 memory[8];

	return guest_read(memory, guest_address(address), bytes)
		       ? 0 : number_of(memory, bytes);
}

u64
turn_number_there(u64 address, unsigned bytes)
{
	u64 at = target.guest_base + guest_address(address);

	return target.guest_base_known
		       ? number_of((const void *)(uintptr_t)at, bytes)
		       : turn_number(address, bytes);
}

int
turn_number_set(u64 address, unsigned bytes, u64 value)
{
	bool swap = target.isa == ISA_MIPS;
	u64 wide = swap ? __builtin_bswap64(value) : value;
	u32 narrow = swap ? __builtin_bswap32((u32)value) : (u32)value;

	return guest_write(guest_address(address),
			   bytes == 8 ? (void *)&wide : (void *)&narrow,
			   bytes);
}

/* The kernel does not let signals end these waits. */
static bool
is_priority_wait(u64 operation)
{
	operation &= FUTEX_CMD_MASK;
	return operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2 ||
	       operation == FUTEX_WAIT_REQUEUE_PI;
}

/* Waits only if the futex still has the value that the caller expects. */
static void
look_at_futex(struct turn_call *call, const u64 arg[8])
{
	switch (arg[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT_BITSET:
		call->wait.absolute = true;
		call->wait.clock = arg[1] & FUTEX_CLOCK_REALTIME
					   ? CLOCK_REALTIME : CLOCK_MONOTONIC;
		/* fall through */
	case FUTEX_WAIT:
	case FUTEX_WAIT_REQUEUE_PI:
		if (turn_number(arg[0], 4) != (u32)arg[2])
			return;
		break;
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		break;
	default:
		return;
	}
	call->kind = TURN_BLOCK;
	call->futex = guest_address(arg[0]);
}

static u8
number_bytes(const struct row_time *time)
{
	return time->form == TIME_SPEC_64 ? 8 : (u8)guest_word_size();
}

/* Seconds and what is behind the point, in ns; false if no thread waits. */
static bool
read_time(struct turn_wait *w)
{
	u64 seconds = turn_number(w->address, w->bytes);
	u64 part = turn_number(w->address + w->bytes, w->bytes);

	if (seconds >= LONG_WAIT || part >= (w->micro ? 1000000u : 1000000000u))
		return false;
	w->ns = seconds * 1000000000u + part * (w->micro ? 1000u : 1u);
	return true;
}

static bool
is_clock_sleep(enum row_kind row)
{
	return row == ROW_CLOCK_SLEEP || row == ROW_CLOCK_SLEEP_64;
}

static bool
is_sleep(enum row_kind row)
{
	return row == ROW_SLEEP || is_clock_sleep(row);
}

/* For how long the call waits at most.  One that does not wait at all does
 * not block; a sleep gives way then. */
static void
look_at_time(struct turn_call *call, enum row_kind row, const u64 arg[8])
{
	const struct row_time *time = turn_row_time(row);
	struct turn_wait *w = &call->wait;
	u64 value = arg[time->arg];

	if (time->form == TIME_NONE || call->kind != TURN_BLOCK)
		return;
	w->result = time->result;
	w->updated = time->updated;
	w->arg = time->arg;
	w->found = time->found;
	memcpy(w->files, arg, sizeof w->files);
	if (row == ROW_SLEEP)
		w->rest = arg[1];
	else if (is_clock_sleep(row) && !w->absolute)
		w->rest = arg[3];
	w->absolute |= time->absolute;
	if (time->form == TIME_MS) {
		w->timed = (s32)value >= 0;
		w->ns = (u64)(u32)value * 1000000u;
	} else if (value) {
		w->address = value;
		w->micro = time->form == TIME_VAL;
		w->bytes = number_bytes(time);
		w->timed = read_time(w);
	}
	if (w->timed && !w->ns)
		call->kind = is_sleep(row) ? TURN_YIELD : TURN_OTHER;
}

/* Nothing that is done with such a file is waited for: a regular one, a folder,
 * /dev/null and its like. */
static bool
is_calm(const struct stat *st)
{
	return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode) ||
	       (S_ISCHR(st->st_mode) && major(st->st_rdev) == MEM_MAJOR);
}

static bool
is_calm_file(u64 fd)
{
	struct stat st;

	return fstat((int)fd, &st) || is_calm(&st);
}

/* QEMU makes a thread of what shares memory, and is no vfork. */
static bool
is_thread(u64 flags)
{
	return flags & CLONE_VM && !(flags & CLONE_VFORK);
}

/* F_SETLKW, F_SETLKW64 and F_OFD_SETLKW, of one instruction set or other. */
static bool
waits_for_lock(u64 command)
{
	return command == 7 || command == 9 || command == 14 ||
	       command == 35 || command == 38;
}

/* What kind a call is that a row describes. */
static void
look_at_kind(struct turn_call *call, enum row_kind row, const u64 arg[8])
{
	switch (row) {
	case ROW_CLONE:
		if (is_thread(arg[0]))
			call->kind = TURN_CLONE;
		break;
	case ROW_EXIT:
		call->kind = TURN_EXIT;
		break;
	case ROW_EXIT_GROUP:
		call->kind = TURN_EXIT_GROUP;
		break;
	case ROW_LAST:
		call->kind = TURN_LAST;
		break;
	case ROW_YIELD:
		call->kind = TURN_YIELD;
		break;
	case ROW_FUTEX:
	case ROW_FUTEX_64:
		look_at_futex(call, arg);
		break;
	case ROW_CLOCK_SLEEP:
	case ROW_CLOCK_SLEEP_64:
		call->kind = TURN_BLOCK;
		call->wait.clock = (u8)arg[0];
		call->wait.absolute = arg[1] & TIMER_ABSTIME;
		break;
	case ROW_FILE:
	case ROW_SPLICE:
		if (core.recording && !is_calm_file(arg[0]))
			call->kind = TURN_BLOCK;
		break;
	case ROW_LOCK:
		if (waits_for_lock(arg[1]))
			call->kind = TURN_BLOCK;
		break;
	case ROW_NONE:
	case ROW_AFFINITY:
	case ROW_PLAIN:
	case ROW_QUIET:
	case ROW_CLOSE:
	case ROW_OPEN:
	case ROW_OPENAT:
	case ROW_PLACE:
	case ROW_IOCTL:
	case ROW_CLOCK:
	case ROW_CLOCK_64:
	case ROW_DAY:
		break;
	default:
		call->kind = TURN_BLOCK;
		break;
	}
}

bool
turn_call_is_plain(s64 number)
{
	enum row_kind row = turn_row(number);

	return row == ROW_PLAIN || reads_clock(row);
}

/* Whether it leads to one, or to nothing. */
static bool
is_calm_path(u64 folder, u64 path)
{
	u64 at = target.guest_base + guest_address(path);
	struct stat st;

	return target.guest_base_known &&
	       (syscall(SYS_newfstatat, (int)folder, at, &st, 0) ||
		is_calm(&st));
}

/* fcntl() and ioctl() that only ask, or set what the descriptor has. */
static bool
is_calm_command(u64 command)
{
	return command == F_GETFD || command == F_SETFD || command == F_GETFL;
}

static bool
is_calm_request(u64 request)
{
	return target.isa == ISA_X86_64 && (request == TCGETS ||
	       request == TIOCGWINSZ || request == FIOCLEX);
}

bool
turn_call_is_quiet(s64 number, const u64 arg[2])
{
	enum row_kind row = turn_row(number);

	switch (row) {
	case ROW_PLAIN:
	case ROW_QUIET:
		return true;
	case ROW_FILE:
	case ROW_PLACE:
	case ROW_CLOSE:
		return is_calm_file(arg[0]);
	case ROW_OPEN:
		return is_calm_path((u64)AT_FDCWD, arg[0]);
	case ROW_OPENAT:
		return is_calm_path(arg[0], arg[1]);
	case ROW_LOCK:
		return is_calm_command(arg[1]);
	case ROW_IOCTL:
		return is_calm_request(arg[1]);
	default:
		return reads_clock(row);
	}
}

bool
turn_call_wakes(s64 number, const u64 arg[2], u64 *futex)
{
	enum row_kind row = turn_row(number);

	*futex = 0;
	if (row == ROW_YIELD)
		return false;
	if (row != ROW_FUTEX && row != ROW_FUTEX_64)
		return true;
	switch (arg[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return false;
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		if (arg[1] & FUTEX_PRIVATE_FLAG)
			*futex = guest_address(arg[0]);
		break;
	}
	return true;
}

struct turn_call
turn_call_look(s64 number, const u64 arg[8])
{
	enum row_kind row = turn_row(number);
	struct turn_call call = {.kind = TURN_OTHER};

	look_at_kind(&call, row, arg);
	if (!call.futex || !is_priority_wait(arg[1]))
		look_at_time(&call, row, arg);
	return call;
}

bool
turn_call_clock(s64 number, const u64 arg[2], struct turn_clock_call *call)
{
	enum row_kind row = turn_row(number);
	const struct row_time *time;

	if (!reads_clock(row))
		return false;
	time = turn_row_time(row);
	call->clock = row == ROW_DAY ? CLOCK_REALTIME : (u32)arg[0];
	call->address = arg[time->arg];
	call->bytes = number_bytes(time);
	call->micro = time->form == TIME_VAL;
	return call->address;
}

bool
turn_call_affinity(s64 number, const u64 arg[8], pid_t *tid, unsigned *tc)
{
	enum row_kind row = turn_row(number);
	unsigned word = guest_word_size(), n = target.config->topo.tcs;

	if (row != ROW_AFFINITY || arg[1] < word)
		return false;
	for (unsigned cpu = 0; cpu < n && cpu < arg[1] * 8; cpu++) {
		u64 bits = turn_number(arg[2] + cpu / (word * 8) * word, word);

		if (!(bits >> cpu % (word * 8) & 1))
			continue;
		*tid = (pid_t)arg[0];
		*tc = cpu;
		return true;
	}
	return false;
}
