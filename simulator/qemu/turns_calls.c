/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that block, create or end threads, per instruction set. */
#include "turns_internal.h"

#include "strings.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/stat.h>

enum row_kind {
	ROW_CLONE,
	ROW_EXIT,
	ROW_EXIT_GROUP,
	ROW_LAST,
	ROW_AFFINITY,
	ROW_FUTEX,
	ROW_SLEEP,	/* nanosleep(request, ...) */
	ROW_CLOCK_SLEEP, /* clock_nanosleep(clock, flags, request, ...) */
	ROW_CLOCK_SLEEP_64, /* the same, times of 64 bits */
	ROW_FILE,	/* blocks unless the file is a regular one */
	ROW_LOCK,	/* fcntl: blocks if it waits for a lock */
	ROW_BLOCK,
};

#define ROW_ISAS 4	/* x86-64, i386, MIPS o32, Alpha */

/*
 * What waits for child processes is not here: threads of the parent do not
 * go on meanwhile, as long as a child runs, so that what they count does not
 * depend on how long that takes.
 */
static const struct row {
	u8 kind;
	short number[ROW_ISAS];	/* -1: not there */
} rows[] = {
	{ROW_CLONE, {56, 120, 4120, 312}},
	{ROW_EXIT, {60, 1, 4001, 1}},
	{ROW_EXIT_GROUP, {231, 252, 4246, 405}},
	{ROW_LAST, {59, 11, 4011, 59}},		/* execve */
	{ROW_LAST, {322, 358, 4356, 513}},	/* execveat */
	{ROW_LAST, {62, 37, 4037, 37}},		/* kill */
	{ROW_LAST, {200, 238, 4236, 381}},	/* tkill */
	{ROW_LAST, {234, 270, 4266, 424}},	/* tgkill */
	{ROW_LAST, {129, 178, 4198, 356}},	/* rt_sigqueueinfo */
	{ROW_LAST, {297, 335, 4332, 492}},	/* rt_tgsigqueueinfo */
	{ROW_AFFINITY, {203, 241, 4239, 395}},
	{ROW_FUTEX, {202, 240, 4238, 394}},
	{ROW_FUTEX, {-1, 422, 4422, -1}},
	{ROW_SLEEP, {35, 162, 4166, 340}},
	{ROW_CLOCK_SLEEP, {230, 267, 4265, 422}},
	{ROW_CLOCK_SLEEP_64, {-1, 407, 4407, -1}},
	{ROW_FILE, {0, 3, 4003, 3}},		/* read */
	{ROW_FILE, {19, 145, 4145, 120}},	/* readv */
	{ROW_FILE, {1, 4, 4004, 4}},		/* write */
	{ROW_FILE, {20, 146, 4146, 121}},	/* writev */
	{ROW_FILE, {275, 313, 4304, 468}},	/* splice */
	{ROW_LOCK, {72, 55, 4055, 92}},		/* fcntl */
	{ROW_LOCK, {-1, 221, 4220, -1}},	/* fcntl64 */
	{ROW_BLOCK, {73, 143, 4143, 131}},	/* flock */
	{ROW_BLOCK, {7, 168, 4188, 94}},	/* poll */
	{ROW_BLOCK, {271, 309, 4302, 464}},	/* ppoll */
	{ROW_BLOCK, {-1, 414, 4414, -1}},	/* ppoll_time64 */
	{ROW_BLOCK, {23, 82, -1, 358}},		/* select */
	{ROW_BLOCK, {-1, 142, 4142, -1}},	/* _newselect */
	{ROW_BLOCK, {270, 308, 4301, 463}},	/* pselect6 */
	{ROW_BLOCK, {-1, 413, 4413, -1}},	/* pselect6_time64 */
	{ROW_BLOCK, {-1, -1, -1, 93}},		/* osf_select */
	{ROW_BLOCK, {232, 256, 4250, 409}},	/* epoll_wait */
	{ROW_BLOCK, {281, 319, 4313, 474}},	/* epoll_pwait */
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
	{ROW_BLOCK, {128, 177, 4197, 355}},	/* rt_sigtimedwait */
	{ROW_BLOCK, {-1, 421, 4421, -1}},	/* its 64-bit form */
	{ROW_BLOCK, {-1, 117, 4117, -1}},	/* ipc */
	{ROW_BLOCK, {65, -1, -1, 206}},		/* semop */
	{ROW_BLOCK, {220, -1, -1, 423}},	/* semtimedop */
	{ROW_BLOCK, {-1, 420, 4420, -1}},	/* semtimedop_time64 */
	{ROW_BLOCK, {70, 401, 4401, 202}},	/* msgrcv */
	{ROW_BLOCK, {69, 400, 4400, 203}},	/* msgsnd */
	{ROW_BLOCK, {242, 279, 4273, 434}},	/* mq_timedsend */
	{ROW_BLOCK, {243, 280, 4274, 435}},	/* mq_timedreceive */
	{ROW_BLOCK, {-1, 418, 4418, -1}},	/* its 64-bit form */
	{ROW_BLOCK, {-1, 419, 4419, -1}},	/* its 64-bit form */
	{ROW_BLOCK, {208, 247, 4243, 400}},	/* io_getevents */
	{ROW_BLOCK, {333, 385, 4368, 523}},	/* io_pgetevents */
};

static const struct row *
find_row(s64 number)
{
	static const u8 column[ISA_N] = {
		[ISA_X86_64] = 0, [ISA_I386] = 1, [ISA_MIPSEL] = 2,
		[ISA_MIPS] = 2, [ISA_ALPHA] = 3,
	};
	unsigned isa = column[plugin.isa];

	for (unsigned i = 0; i < SIM_COUNT(rows); i++)
		if (rows[i].number[isa] == number)
			return &rows[i];
	return NULL;
}

/* A number of 4 or 8 bytes in guest memory; 0 if it is not there. */
static u64
read_number(u64 address, unsigned bytes)
{
	u64 wide = 0;
	u32 narrow = 0;

	address = guest_address(address);
	if (bytes == 8) {
		if (guest_read(&wide, address, 8))
			return 0;
		return plugin.isa == ISA_MIPS ? __builtin_bswap64(wide)
					      : wide;
	}
	if (guest_read(&narrow, address, 4))
		return 0;
	return plugin.isa == ISA_MIPS ? __builtin_bswap32(narrow) : narrow;
}

/* Waits only if the futex still has the value that the caller expects. */
static void
look_at_futex(struct turn_call *call, const u64 arg[8])
{
	switch (arg[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
		if (read_number(arg[0], 4) != (u32)arg[2])
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

static void
look_at_sleep(struct turn_call *call, u64 request, unsigned bytes)
{
	u64 seconds = read_number(request, bytes);
	u64 ns = read_number(request + bytes, bytes);

	call->kind = TURN_BLOCK;
	if (seconds < 1u << 31)
		call->sleep_ns = seconds * 1000000000u + ns;
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

struct turn_call
turn_call_look(s64 number, const u64 arg[8])
{
	const struct row *row = find_row(number);
	struct turn_call call = {TURN_OTHER, 0, 0};

	if (!row)
		return call;
	switch (row->kind) {
	case ROW_CLONE:
		if (is_thread(arg[0]))
			call.kind = TURN_CLONE;
		break;
	case ROW_EXIT:
		call.kind = TURN_EXIT;
		break;
	case ROW_EXIT_GROUP:
		call.kind = TURN_EXIT_GROUP;
		break;
	case ROW_LAST:
		call.kind = TURN_LAST;
		break;
	case ROW_FUTEX:
		look_at_futex(&call, arg);
		break;
	case ROW_SLEEP:
		look_at_sleep(&call, arg[0], guest_word_size());
		break;
	case ROW_CLOCK_SLEEP:
	case ROW_CLOCK_SLEEP_64:
		call.kind = TURN_BLOCK;
		if (!(arg[1] & 1))	/* not until, but for some time */
			look_at_sleep(&call, arg[2],
				      row->kind == ROW_CLOCK_SLEEP
					      ? guest_word_size() : 8);
		break;
	case ROW_FILE:
		if (!is_regular(arg[0]))
			call.kind = TURN_BLOCK;
		break;
	case ROW_LOCK:
		if (waits_for_lock(arg[1]))
			call.kind = TURN_BLOCK;
		break;
	case ROW_BLOCK:
		call.kind = TURN_BLOCK;
		break;
	}
	return call;
}

bool
turn_call_affinity(s64 number, const u64 arg[8], pid_t *tid, unsigned *tc)
{
	const struct row *row = find_row(number);
	unsigned word = guest_word_size(), n = plugin.config->topo.tcs;

	if (!row || row->kind != ROW_AFFINITY || arg[1] < word)
		return false;
	for (unsigned cpu = 0; cpu < n && cpu < arg[1] * 8; cpu++) {
		u64 bits = read_number(arg[2] + cpu / (word * 8) * word, word);

		if (!(bits >> cpu % (word * 8) & 1))
			continue;
		*tid = (pid_t)arg[0];
		*tc = cpu;
		return true;
	}
	return false;
}
