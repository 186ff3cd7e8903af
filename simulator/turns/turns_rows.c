/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "turns_rows.h"

#include "turns_internal.h"

#include <errno.h>

static const struct row_time times[ROW_KINDS] = {
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
	{ROW_SPLICE, {275, 313, 4304, 468}},
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
	{ROW_QUIET, {4, 106, 4106, 67}},	/* stat */
	{ROW_QUIET, {5, 108, 4108, 91}},	/* fstat */
	{ROW_QUIET, {6, 107, 4107, 68}},	/* lstat */
	{ROW_QUIET, {-1, 195, 4213, 425}},	/* stat64 */
	{ROW_QUIET, {-1, 196, 4214, 426}},	/* lstat64 */
	{ROW_QUIET, {-1, 197, 4215, 427}},	/* fstat64 */
	{ROW_QUIET, {262, 300, 4293, 455}},	/* newfstatat, fstatat64 */
	{ROW_QUIET, {332, 383, 4366, 522}},	/* statx */
	{ROW_QUIET, {8, 19, 4019, 19}},		/* lseek */
	{ROW_QUIET, {-1, 140, 4140, -1}},	/* _llseek */
	{ROW_QUIET, {21, 33, 4033, 33}},	/* access */
	{ROW_QUIET, {269, 307, 4300, 462}},	/* faccessat */
	{ROW_QUIET, {439, 439, 4439, 549}},	/* faccessat2 */
	{ROW_QUIET, {89, 85, 4085, 58}},	/* readlink */
	{ROW_QUIET, {267, 305, 4298, 460}},	/* readlinkat */
	{ROW_QUIET, {79, 183, 4203, 367}},	/* getcwd */
	{ROW_QUIET, {78, 141, 4141, 305}},	/* getdents */
	{ROW_QUIET, {217, 220, 4219, 377}},	/* getdents64 */
	{ROW_QUIET, {63, 122, 4122, 339}},	/* uname */
	{ROW_QUIET, {102, 199, 4024, 24}},	/* getuid */
	{ROW_QUIET, {107, 201, 4049, -1}},	/* geteuid */
	{ROW_QUIET, {104, 200, 4047, 47}},	/* getgid */
	{ROW_QUIET, {108, 202, 4050, -1}},	/* getegid */
	{ROW_QUIET, {110, 64, 4064, -1}},	/* getppid */
	{ROW_QUIET, {95, 60, 4060, 60}},	/* umask */
	{ROW_QUIET, {32, 41, 4041, 41}},	/* dup */
	{ROW_QUIET, {13, 174, 4194, 352}},	/* rt_sigaction */
	{ROW_QUIET, {131, 186, 4206, 235}},	/* sigaltstack */
	{ROW_QUIET, {14, 175, 4195, 353}},	/* rt_sigprocmask */
	{ROW_QUIET, {15, 173, 4193, 351}},	/* rt_sigreturn */
	{ROW_QUIET, {-1, 126, 4126, 48}},	/* sigprocmask */
	{ROW_QUIET, {-1, 119, 4119, 103}},	/* sigreturn */
	{ROW_QUIET, {97, 191, 4076, 144}},	/* getrlimit */
	{ROW_QUIET, {302, 340, 4338, 496}},	/* prlimit64 */
	{ROW_QUIET, {229, 266, 4264, 421}},	/* clock_getres */
	{ROW_QUIET, {99, 116, 4116, 318}},	/* sysinfo */
	{ROW_QUIET, {100, 43, 4043, 323}},	/* times */
	{ROW_QUIET, {11, 91, 4091, 73}},	/* munmap */
	{ROW_QUIET, {25, 163, 4167, 341}},	/* mremap */
	{ROW_QUIET, {318, 355, 4353, 511}},	/* getrandom */
	{ROW_CLOSE, {3, 6, 4006, 6}},
	{ROW_OPEN, {2, 5, 4005, 45}},
	{ROW_OPENAT, {257, 295, 4288, 450}},
	{ROW_PLACE, {17, 180, 4200, 349}},	/* pread64 */
	{ROW_PLACE, {18, 181, 4201, 350}},	/* pwrite64 */
	{ROW_IOCTL, {16, 54, 4054, 54}},
	{ROW_PLAIN, {204, 242, 4240, 396}},	/* sched_getaffinity */
	{ROW_PLAIN, {98, 77, 4077, 364}},	/* getrusage */
	{ROW_CLOCK, {228, 265, 4263, 420}},
	{ROW_CLOCK_64, {-1, 403, 4403, -1}},
	{ROW_DAY, {96, 78, 4078, 359}},
};

#define MIPS_FIRST 4000
#define NUMBERS 600		/* behind the instruction set's first one */

enum row_kind
turn_row(s64 number)
{
	static const u8 column[ISA_N] = {
		[ISA_X86_64] = 0, [ISA_I386] = 1, [ISA_MIPSEL] = 2,
		[ISA_MIPS] = 2, [ISA_ALPHA] = 3,
	};
	static u8 table[NUMBERS];
	static bool ready;
	unsigned isa = column[target.isa];
	s64 first = isa == column[ISA_MIPS] ? MIPS_FIRST : 0;

	if (!ready)
		for (unsigned i = 0; i < SIM_COUNT(rows); i++)
			if (rows[i].number[isa] >= first)
				table[rows[i].number[isa] - first] =
					rows[i].kind;
	ready = true;
	return number >= first && number < first + NUMBERS
		       ? table[number - first] : ROW_NONE;
}

const struct row_time *
turn_row_time(enum row_kind kind)
{
	return &times[kind];
}
