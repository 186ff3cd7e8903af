/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that block, create or end threads, per instruction set. */
#include "turns_internal.h"

#include "target/guest_strings.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum row_kind {
	ROW_CLONE,
	ROW_EXIT,
	ROW_EXIT_GROUP,
	ROW_LAST,
	ROW_AFFINITY,
	ROW_FILE,	/* blocks unless the file is a regular one */
	ROW_LOCK,	/* fcntl: blocks if it waits for a lock */
	ROW_BLOCK,
	ROW_YIELD,	/* wakes none; counts as a call that may wait for others */
	ROW_PLAIN,	/* see turn_call_is_plain() */

	/* With a time in one argument: see times[]. */
	ROW_CLOCK,	/* clock_gettime(clock, time) */
	ROW_CLOCK_64,
	ROW_DAY,	/* gettimeofday(time, ...) */
	ROW_FUTEX,
	ROW_FUTEX_64,
	ROW_SLEEP,	/* nanosleep(time, ...) */
	ROW_CLOCK_SLEEP, /* clock_nanosleep(clock, flags, time, ...) */
	ROW_CLOCK_SLEEP_64,
	ROW_POLL,
	ROW_PPOLL,
	ROW_PPOLL_64,
	ROW_SELECT,
	ROW_PSELECT,
	ROW_PSELECT_64,
	ROW_EPOLL,
	ROW_EPOLL_64,
	ROW_SIGNAL,
	ROW_SIGNAL_64,
	ROW_SEMAPHORE,
	ROW_SEMAPHORE_64,
	ROW_MESSAGE,
	ROW_MESSAGE_64,
	ROW_KINDS
};

enum row_form {
	TIME_NONE,
	TIME_SPEC,	/* struct timespec */
	TIME_SPEC_64,	/* the same with numbers of 64 bits */
	TIME_VAL,	/* struct timeval */
	TIME_MS		/* milliseconds, not in memory */
};

/* The time that a call reads, or waits for at most. */
static const struct row_time {
	u8 form;
	u8 arg;
	short result;		/* once it is over */
	bool updated;		/* the call says what is left */
	bool absolute;
	u8 found;		/* enum turn_found */
} times[ROW_KINDS] = {
	[ROW_CLOCK] = {TIME_SPEC, 1, 0, false, false},
	[ROW_CLOCK_64] = {TIME_SPEC_64, 1, 0, false, false},
	[ROW_DAY] = {TIME_VAL, 0, 0, false, false},
	[ROW_FUTEX] = {TIME_SPEC, 3, -ETIMEDOUT, false, false},
	[ROW_FUTEX_64] = {TIME_SPEC_64, 3, -ETIMEDOUT, false, false},
	[ROW_SLEEP] = {TIME_SPEC, 0, 0, false, false},
	[ROW_CLOCK_SLEEP] = {TIME_SPEC, 2, 0, false, false},
	[ROW_CLOCK_SLEEP_64] = {TIME_SPEC_64, 2, 0, false, false},
	[ROW_POLL] = {TIME_MS, 2, 0, false, false, FOUND_EVENTS},
	[ROW_PPOLL] = {TIME_SPEC, 2, 0, true, false, FOUND_EVENTS},
	[ROW_PPOLL_64] = {TIME_SPEC_64, 2, 0, true, false, FOUND_EVENTS},
	[ROW_SELECT] = {TIME_VAL, 4, 0, true, false, FOUND_SETS},
	[ROW_PSELECT] = {TIME_SPEC, 4, 0, true, false, FOUND_SETS},
	[ROW_PSELECT_64] = {TIME_SPEC_64, 4, 0, true, false, FOUND_SETS},
	[ROW_EPOLL] = {TIME_MS, 3, 0, false, false},
	[ROW_EPOLL_64] = {TIME_SPEC_64, 3, 0, false, false},
	[ROW_SIGNAL] = {TIME_SPEC, 2, -EAGAIN, false, false},
	[ROW_SIGNAL_64] = {TIME_SPEC_64, 2, -EAGAIN, false, false},
	[ROW_SEMAPHORE] = {TIME_SPEC, 3, -EAGAIN, false, false},
	[ROW_SEMAPHORE_64] = {TIME_SPEC_64, 3, -EAGAIN, false, false},
	[ROW_MESSAGE] = {TIME_SPEC, 4, -ETIMEDOUT, false, true},
	[ROW_MESSAGE_64] = {TIME_SPEC_64, 4, -ETIMEDOUT, false, true},
};

/* Longer than that, in seconds, is as good as for ever. */
#define LONG_WAIT (1ull << 33)

#define ROW_ISAS 4	/* x86-64, i386, MIPS o32, Alpha */

/*
 * What waits for child processes is not here: threads of the parent do not
 * go on meanwhile, as long as a child runs, so that what they count does not
 * depend on how long that takes.  If it sleeps for some time, one of them may be
 * there to end it: they go on after a while (turns_patience.c).
 */
static const struct row {
	u8 kind;
	short number[ROW_ISAS];	/* -1: not there */
} rows[] = {
	{ROW_CLONE, {56, 120, 4120, 312}},
	{ROW_EXIT, {60, 1, 4001, 1}},
	{ROW_EXIT_GROUP, {231, 252, 4246, 405}},
	{ROW_LAST, {59, 11, 4011, 59}},	/* execve */
	{ROW_LAST, {322, 358, 4356, 513}},	/* execveat */
	{ROW_LAST, {62, 37, 4037, 37}},	/* kill */
	{ROW_LAST, {200, 238, 4236, 381}},	/* tkill */
	{ROW_LAST, {234, 270, 4266, 424}},	/* tgkill */
	{ROW_LAST, {129, 178, 4198, 356}},	/* rt_sigqueueinfo */
	{ROW_LAST, {297, 335, 4332, 492}},	/* rt_tgsigqueueinfo */
	{ROW_AFFINITY, {203, 241, 4239, 395}},
	{ROW_FUTEX, {202, 240, 4238, 394}},
	{ROW_FUTEX_64, {-1, 422, 4422, -1}},
	{ROW_SLEEP, {35, 162, 4166, 340}},	/* nanosleep */
	{ROW_CLOCK_SLEEP, {230, 267, 4265, 422}},
	{ROW_CLOCK_SLEEP_64, {-1, 407, 4407, -1}},
	{ROW_FILE, {0, 3, 4003, 3}},	/* read */
	{ROW_FILE, {19, 145, 4145, 120}},	/* readv */
	{ROW_FILE, {1, 4, 4004, 4}},	/* write */
	{ROW_FILE, {20, 146, 4146, 121}},	/* writev */
	{ROW_FILE, {275, 313, 4304, 468}},	/* splice */
	{ROW_LOCK, {72, 55, 4055, 92}},	/* fcntl */
	{ROW_LOCK, {-1, 221, 4220, -1}},	/* fcntl64 */
	{ROW_BLOCK, {73, 143, 4143, 131}},	/* flock */
	{ROW_POLL, {7, 168, 4188, 94}},	/* poll */
	{ROW_PPOLL, {271, 309, 4302, 464}},	/* ppoll */
	{ROW_PPOLL_64, {-1, 414, 4414, -1}},	/* its 64-bit form */
	{ROW_SELECT, {23, -1, -1, 358}},	/* select */
	{ROW_BLOCK, {-1, 82, -1, -1}},	/* select */
	{ROW_SELECT, {-1, 142, 4142, -1}},	/* _newselect */
	{ROW_PSELECT, {270, 308, 4301, 463}},	/* pselect6 */
	{ROW_PSELECT_64, {-1, 413, 4413, -1}},	/* its 64-bit form */
	{ROW_BLOCK, {-1, -1, -1, 93}},	/* osf_select */
	{ROW_EPOLL, {232, 256, 4250, 409}},	/* epoll_wait */
	{ROW_EPOLL, {281, 319, 4313, 474}},	/* epoll_pwait */
	{ROW_EPOLL_64, {441, 441, 4441, 551}},	/* epoll_pwait2 */
	{ROW_BLOCK, {43, -1, 4168, 99}},	/* accept */
	{ROW_BLOCK, {288, 364, 4334, 502}},	/* accept4 */
	{ROW_BLOCK, {42, 362, 4170, 98}},	/* connect */
	{ROW_BLOCK, {-1, -1, 4175, 102}},	/* recv */
	{ROW_BLOCK, {45, 371, 4176, 125}},	/* recvfrom */
	{ROW_BLOCK, {47, 372, 4177, 113}},	/* recvmsg */
	{ROW_BLOCK, {299, 337, 4335, 479}},	/* recvmmsg */
	{ROW_BLOCK, {-1, 417, 4417, -1}},	/* recvmmsg_time64 */
	{ROW_BLOCK, {-1, -1, 4178, 101}},	/* send */
	{ROW_BLOCK, {44, 369, 4180, 133}},	/* sendto */
	{ROW_BLOCK, {46, 370, 4179, 114}},	/* sendmsg */
	{ROW_BLOCK, {307, 345, 4343, 503}},	/* sendmmsg */
	{ROW_BLOCK, {-1, 102, 4102, -1}},	/* socketcall */
	{ROW_BLOCK, {34, 29, 4029, -1}},	/* pause */
	{ROW_BLOCK, {130, 179, 4199, 357}},	/* rt_sigsuspend */
	{ROW_BLOCK, {-1, 72, 4072, 111}},	/* sigsuspend */
	{ROW_SIGNAL, {128, 177, 4197, 355}},	/* rt_sigtimedwait */
	{ROW_SIGNAL_64, {-1, 421, 4421, -1}},	/* its 64-bit form */
	{ROW_BLOCK, {-1, 117, 4117, -1}},	/* ipc */
	{ROW_BLOCK, {65, -1, -1, 206}},	/* semop */
	{ROW_SEMAPHORE, {220, -1, -1, 423}},	/* semtimedop */
	{ROW_SEMAPHORE_64, {-1, 420, 4420, -1}},	/* its 64-bit form */
	{ROW_BLOCK, {70, 401, 4401, 202}},	/* msgrcv */
	{ROW_BLOCK, {69, 400, 4400, 203}},	/* msgsnd */
	{ROW_MESSAGE, {242, 279, 4273, 434}},	/* mq_timedsend */
	{ROW_MESSAGE, {243, 280, 4274, 435}},	/* mq_timedreceive */
	{ROW_MESSAGE_64, {-1, 418, 4418, -1}},	/* its 64-bit form */
	{ROW_MESSAGE_64, {-1, 419, 4419, -1}},	/* its 64-bit form */
	{ROW_BLOCK, {208, 247, 4243, 400}},	/* io_getevents */
	{ROW_BLOCK, {333, 385, 4368, 523}},	/* io_pgetevents */
	{ROW_YIELD, {24, 158, 4162, 334}},	/* sched_yield */
	{ROW_PLAIN, {9, 90, 4090, 71}},	/* mmap */
	{ROW_PLAIN, {-1, 192, 4210, -1}},	/* mmap2 */
	{ROW_PLAIN, {10, 125, 4125, 74}},	/* mprotect */
	{ROW_PLAIN, {12, 45, 4045, 17}},	/* brk */
	{ROW_PLAIN, {28, 219, 4218, 75}},	/* madvise */
	{ROW_PLAIN, {39, 20, 4020, 20}},	/* getpid */
	{ROW_PLAIN, {186, 224, 4222, 378}},	/* gettid */
	{ROW_PLAIN, {204, 242, 4240, 396}},	/* sched_getaffinity */
	{ROW_PLAIN, {98, 77, 4077, 364}},	/* getrusage */
	{ROW_CLOCK, {228, 265, 4263, 420}},
	{ROW_CLOCK_64, {-1, 403, 4403, -1}},
	{ROW_DAY, {96, 78, 4078, 359}},
};

static const struct row *
find_row(s64 number)
{
	static const u8 column[ISA_N] = {
		[ISA_X86_64] = 0, [ISA_I386] = 1, [ISA_MIPSEL] = 2,
		[ISA_MIPS] = 2, [ISA_ALPHA] = 3,
	};
	unsigned isa = column[target.isa];

	for (unsigned i = 0; i < SIM_COUNT(rows); i++)
		if (rows[i].number[isa] == number)
			return &rows[i];
	return NULL;
}

static bool
reads_clock(const struct row *row)
{
	return row->kind >= ROW_CLOCK && row->kind <= ROW_DAY;
}

u64
turn_number(u64 address, unsigned bytes)
{
	u64 wide = 0;
	u32 narrow = 0;

	address = guest_address(address);
	if (bytes == 8) {
		if (guest_read(&wide, address, 8))
			return 0;
		return target.isa == ISA_MIPS ? __builtin_bswap64(wide)
					      : wide;
	}
	if (guest_read(&narrow, address, 4))
		return 0;
	return target.isa == ISA_MIPS ? __builtin_bswap32(narrow) : narrow;
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
is_clock_sleep(const struct row *row)
{
	return row->kind == ROW_CLOCK_SLEEP || row->kind == ROW_CLOCK_SLEEP_64;
}

/* For how long the call waits at most.  One that does not wait at all does
 * not block. */
static void
look_at_time(struct turn_call *call, const struct row *row, const u64 arg[8])
{
	const struct row_time *time = &times[row->kind];
	struct turn_wait *w = &call->wait;
	u64 value = arg[time->arg];

	if (time->form == TIME_NONE || call->kind != TURN_BLOCK)
		return;
	w->result = time->result;
	w->updated = time->updated;
	w->arg = time->arg;
	w->found = time->found;
	memcpy(w->files, arg, sizeof w->files);
	if (row->kind == ROW_SLEEP)
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
		call->kind = TURN_OTHER;
}

static bool
is_regular(u64 fd)
{
	struct stat st;

	return !fstat((int)fd, &st) && S_ISREG(st.st_mode);
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
look_at_kind(struct turn_call *call, const struct row *row, const u64 arg[8])
{
	switch (row->kind) {
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
		if (!is_regular(arg[0]))
			call->kind = TURN_BLOCK;
		break;
	case ROW_LOCK:
		if (waits_for_lock(arg[1]))
			call->kind = TURN_BLOCK;
		break;
	case ROW_AFFINITY:
	case ROW_YIELD:
	case ROW_PLAIN:
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
	const struct row *row = find_row(number);

	return row && (row->kind == ROW_PLAIN || reads_clock(row));
}

bool
turn_call_wakes(s64 number, const u64 arg[2], u64 *futex)
{
	const struct row *row = find_row(number);

	*futex = 0;
	if (row && row->kind == ROW_YIELD)
		return false;
	if (!row || (row->kind != ROW_FUTEX && row->kind != ROW_FUTEX_64))
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
	const struct row *row = find_row(number);
	struct turn_call call = {.kind = TURN_OTHER};

	if (!row)
		return call;
	look_at_kind(&call, row, arg);
	if (!call.futex || !is_priority_wait(arg[1]))
		look_at_time(&call, row, arg);
	return call;
}

bool
turn_call_clock(s64 number, const u64 arg[2], struct turn_clock_call *call)
{
	const struct row *row = find_row(number);
	const struct row_time *time;

	if (!row || !reads_clock(row))
		return false;
	time = &times[row->kind];
	call->clock = row->kind == ROW_DAY ? CLOCK_REALTIME : (u32)arg[0];
	call->address = arg[time->arg];
	call->bytes = number_bytes(time);
	call->micro = time->form == TIME_VAL;
	return call->address;
}

bool
turn_call_affinity(s64 number, const u64 arg[8], pid_t *tid, unsigned *tc)
{
	const struct row *row = find_row(number);
	unsigned word = guest_word_size(), n = target.config->topo.tcs;

	if (!row || row->kind != ROW_AFFINITY || arg[1] < word)
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
