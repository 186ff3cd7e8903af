/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that a program does not let itself make. */
#include "sample.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(k) BPF_STMT(BPF_RET | BPF_K, k)
#define IF(k, then, other) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, then, other)

static long
add(const struct sock_filter *code, size_t n, unsigned long flags)
{
	struct sock_fprog program = {(unsigned short)n,
				     (struct sock_filter *)code};

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* What getppid() comes to from here on. */
static long
for_getppid(unsigned action, unsigned long flags)
{
	const struct sock_filter code[] = {
		LOAD(nr), IF(SYS_getppid, 0, 1), RETURN(action),
		RETURN(SECCOMP_RET_ALLOW)};

	return add(code, 4, flags);
}

static void
limit(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* 1 stands for any process. */
static long
parent(void)
{
	long result = syscall(SYS_getppid);

	return result > 0 ? 1 : result;
}

static void
an_error(void)
{
	DO(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	DO(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	DO(prctl(PR_GET_SECCOMP));
	DO(for_getppid(SECCOMP_RET_ERRNO | EXDEV, 0));
	DO(prctl(PR_GET_SECCOMP));
	DO(parent());
	SAY("%d\n", getpid() > 0);
	DO(for_getppid(SECCOMP_RET_ERRNO | EBADE, 0));
	DO(parent());
	DO(for_getppid(SECCOMP_RET_LOG, 0));
	DO(parent());
	DO(for_getppid(SECCOMP_RET_TRACE, 0));
	DO(parent());
	DO(for_getppid(SECCOMP_RET_ERRNO, 0));
	DO(parent());
}

static void
an_error_beyond_all(void)
{
	limit();
	DO(for_getppid(SECCOMP_RET_ERRNO | 0xffff, 0));
	SAY("%ld %d\n", syscall(SYS_getppid), errno);
}

/* All but these end the process: nothing else is called on its behalf. */
static void
few_are_allowed(void)
{
	const struct sock_filter code[] = {
		LOAD(nr), IF(SYS_write, 3, 0), IF(SYS_exit_group, 2, 0),
		IF(SYS_mmap, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS),
		RETURN(SECCOMP_RET_ALLOW)};
	struct timespec now;
	volatile char *p;

	SAY("before\n");
	limit();
	DO(add(code, 6, 0));
	clock_gettime(CLOCK_MONOTONIC, &now);
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*p = 1;
	for (volatile unsigned i = 0; i < 3000000; i++)
		;
	DO(*p);
	_exit(7);
}

static void
the_process_ends(void)
{
	limit();
	DO(for_getppid(SECCOMP_RET_KILL_PROCESS, 0));
	parent();
	SAY("not reached\n");
}

static void
an_unknown_action_ends(void)
{
	limit();
	DO(for_getppid(0x12340000, 0));
	parent();
	SAY("not reached\n");
}

static void *
calls(void *unused)
{
	(void)unused;
	DO(parent());
	return NULL;
}

static void
threads_end(void)
{
	pthread_t thread;

	limit();
	DO(for_getppid(SECCOMP_RET_KILL_THREAD, 0));
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, calls, NULL);
		pthread_join(thread, NULL);
		SAY("goes on\n");
	}
	parent();
	SAY("not reached\n");
}

static pthread_barrier_t barrier;

static void *
calls_later(void *unused)
{
	pthread_barrier_wait(&barrier);
	return calls(unused);
}

static void
all_threads(void)
{
	pthread_t thread;

	limit();
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, calls_later, NULL);
	DO(for_getppid(SECCOMP_RET_ERRNO | EXDEV, SECCOMP_FILTER_FLAG_TSYNC));
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

static void *
has_its_own(void *unused)
{
	DO(for_getppid(SECCOMP_RET_ERRNO | EXDEV, 0));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return calls(unused);
}

static void
not_all_threads(void)
{
	pthread_t thread;

	limit();
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, has_its_own, NULL);
	pthread_barrier_wait(&barrier);
	SAY("%d\n", for_getppid(SECCOMP_RET_ERRNO | EBADE,
				SECCOMP_FILTER_FLAG_TSYNC) > 0);
	DO(for_getppid(SECCOMP_RET_ERRNO | EBADE,
		       SECCOMP_FILTER_FLAG_TSYNC |
			       SECCOMP_FILTER_FLAG_TSYNC_ESRCH));
	DO(parent());
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

static void
told(int sig, siginfo_t *info, void *context)
{
	(void)context;
	SAY("%d %d %d %d %x %d\n", sig, info->si_code, info->si_errno,
	    info->si_syscall, info->si_arch, info->si_call_addr != NULL);
}

static void
a_signal(void)
{
	struct sigaction action = {.sa_sigaction = told,
				   .sa_flags = SA_SIGINFO};
	sigset_t set;

	limit();
	sigaction(SIGSYS, &action, NULL);
	DO(for_getppid(SECCOMP_RET_TRAP | 12, 0));
	DO(parent());
	sigemptyset(&set);
	sigaddset(&set, SIGSYS);
	sigprocmask(SIG_BLOCK, &set, NULL);
	parent();
	SAY("not reached\n");
}

static void
a_signal_ends(void)
{
	limit();
	signal(SIGSYS, SIG_IGN);
	DO(for_getppid(SECCOMP_RET_TRAP, 0));
	parent();
	SAY("not reached\n");
}

static void
strictly(void)
{
	int ends[2];
	char byte = 'a';

	pipe(ends);
	SAY("before\n");
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	write(ends[1], &byte, 1);
	read(ends[0], &byte, 1);
	syscall(SYS_exit, byte);
}

static void
strictly_ends(void)
{
	DO(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
	syscall(SYS_getpid);
	SAY("not reached\n");
}

static void
handed_on(void)
{
	const struct sock_filter code[] = {
		LOAD(nr), IF(SYS_getuid, 0, 1),
		RETURN(SECCOMP_RET_ERRNO | EXDEV),
		RETURN(SECCOMP_RET_ALLOW)};

	limit();
	DO(add(code, 4, 0));
	DO(for_getppid(SECCOMP_RET_ERRNO | EXDEV, 0));
	system("id -u; grep Seccomp: /proc/self/status; "
	       "sh -c 'echo $PPID; id -ru'; ls /proc/self/fd | grep -c '^.$'");
	if (!vfork()) {
		execlp("id", "id", "-r", "-u", (char *)NULL);
		_exit(1);
	}
	wait(NULL);
}

#define BAD(...)                                              \
	do {                                                  \
		const struct sock_filter code_[] = {__VA_ARGS__}; \
							      \
		DO(add(code_, sizeof code_ / sizeof *code_, 0)); \
	} while (0)

static void
what_is_none(void)
{
	unsigned action = SECCOMP_RET_TRAP;
	struct sock_filter long_one[4097];

	limit();
	BAD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), RETURN(0));
	BAD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64), RETURN(0));
	BAD(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0), RETURN(0));
	BAD(BPF_STMT(BPF_LD | BPF_W | BPF_IND, 0), RETURN(0));
	BAD(LOAD(nr));
	BAD(BPF_STMT(BPF_LD | BPF_MEM, 0), RETURN(0));
	BAD(BPF_STMT(BPF_ST, 16), RETURN(0));
	BAD(IF(1, 0, 1), BPF_STMT(BPF_ST, 3), BPF_STMT(BPF_LD | BPF_MEM, 3),
	    RETURN(0));
	BAD(BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, 3), RETURN(0));
	BAD(BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0), RETURN(0));
	BAD(BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 32), RETURN(0));
	BAD(IF(1, 1, 0), RETURN(0));
	BAD(BPF_STMT(BPF_JMP | BPF_JA, 1), RETURN(0));
	BAD(BPF_STMT(BPF_RET | BPF_X, 0));
	BAD(BPF_STMT(BPF_RET | BPF_K | 0x100, 0));
	for (unsigned i = 0; i < 4097; i++)
		long_one[i] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	DO(add(long_one, 4097, 0));
	DO(add(long_one, 0, 0));
	DO(add((void *)1, 2, 0));
	DO(add(long_one, 1, 1 << 10));
	DO(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 16));
	DO(prctl(PR_SET_SECCOMP, 9, 0));
	DO(syscall(SYS_seccomp, 77, 0, NULL));
	DO(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL));
	DO(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
	DO(add(long_one, 4096, 0));
	for (unsigned i = 0; i < 7; i++)
		add(long_one, 4096, 0);
	DO(add(long_one, 4096, 0));
	DO(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
}

static void
without_rights(void)
{
	setresuid(65534, 65534, 65534);
	DO(for_getppid(SECCOMP_RET_ERRNO | EXDEV, 0));
	limit();
	DO(for_getppid(SECCOMP_RET_ERRNO | EXDEV, 0));
}

/* ---- What is worked out, of any instructions ------------------------------ */

static unsigned long state;

static unsigned
any(unsigned below)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(state >> 33) % below;
}

/* Some number, more often a small one. */
static unsigned
any_number(void)
{
	unsigned bits = any(33);

	return bits ? (any(1u << 16) << 16 | any(1u << 16)) >> (32 - bits) : 0;
}

/* Any but a return: most are taken by the kernel. */
static struct sock_filter
any_instruction(unsigned left)
{
	static const unsigned char alu[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV,
					    BPF_OR,  BPF_AND, BPF_LSH, BPF_RSH,
					    BPF_NEG, BPF_XOR};
	static const unsigned char jumps[] = {BPF_JA, BPF_JEQ, BPF_JGT,
					      BPF_JGE, BPF_JSET};
	struct sock_filter i = {.k = any_number()};
	unsigned char op;

	switch (any(8)) {
	case 0:
		i.code = BPF_LD | BPF_W | BPF_ABS;
		/* Where the instruction is differs. */
		i.k = 4 * any(14);
		i.k += i.k < 8 ? 0 : 8;
		break;
	case 1:
		i.code = any(2) ? BPF_LD | BPF_IMM : BPF_LDX | BPF_IMM;
		break;
	case 2:
		i.code = (unsigned short)(BPF_MISC |
					  (any(2) ? BPF_TAX : BPF_TXA));
		break;
	case 3:
		i.code = any(2) ? BPF_ST : BPF_STX;
		i.k = any(3);
		break;
	case 4:
		i.code = any(2) ? BPF_LD | BPF_MEM : BPF_LDX | BPF_MEM;
		i.k = any(3);
		break;
	case 5:
		i.code = any(2) ? BPF_LD | BPF_W | BPF_LEN
				: BPF_LDX | BPF_W | BPF_LEN;
		break;
	case 6:
		op = jumps[any(sizeof jumps)];
		i.code = (unsigned short)(BPF_JMP | op |
			 (op != BPF_JA && any(2) ? BPF_X : BPF_K));
		if (op == BPF_JA)
			i.k = any(left < 3 ? left : 3);
		i.jt = (unsigned char)any(left < 4 ? left : 4);
		i.jf = (unsigned char)any(left < 4 ? left : 4);
		break;
	default:
		op = alu[any(sizeof alu)];
		i.code = (unsigned short)(BPF_ALU | op |
			 (op != BPF_NEG && any(2) ? BPF_X : BPF_K));
		if (op == BPF_LSH || op == BPF_RSH)
			i.k %= 33;
	}
	return i;
}

#define BODY 20

/* What getppid() of any arguments comes to. */
static void
of_any_instructions(unsigned seed)
{
	struct sock_filter code[BODY + 12];
	unsigned n = 0;

	state = seed;
	code[n++] = (struct sock_filter)LOAD(nr);
	code[n++] = (struct sock_filter)IF(SYS_getppid, 1, 0);
	code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	for (unsigned i = 0; i < 3; i++)
		code[n++] = (struct sock_filter)BPF_STMT(BPF_ST, i);
	for (unsigned i = 0; i < BODY; i++)
		code[n++] = any_instruction(BODY - i);
	/* In place of a register that a shift may not have. */
	for (unsigned i = 0; i < n; i++)
		if (code[i].code == (BPF_ALU | BPF_LSH | BPF_X) ||
		    code[i].code == (BPF_ALU | BPF_RSH | BPF_X))
			code[i].code = BPF_ALU | BPF_XOR | BPF_X;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K,
						 0xfff);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_OR | BPF_K,
						 SECCOMP_RET_ERRNO);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_A, 0);
	if (add(code, n, 0)) {
		SAY("%u: %s\n", seed, strerrorname_np(errno));
		_exit(0);
	}
	for (unsigned i = 0; i < 4; i++) {
		errno = 0;
		syscall(SYS_getppid, any_number(), any_number(), any_number(),
			(unsigned long)any_number() << 20 | any_number(),
			any_number(), ~(unsigned long)any_number());
		SAY("%u: %d\n", seed, errno);
	}
	_exit(0);
}

static void
any_instructions(void)
{
	int status;

	limit();
	for (unsigned seed = 0; seed < 200; seed++) {
		pid_t child = fork();

		if (!child)
			of_any_instructions(seed);
		waitpid(child, &status, 0);
		if (status)
			SAY("%u ends by %d\n", seed, WTERMSIG(status));
	}
}

static const struct sample samples[] = {
	SAMPLE(an_error), SAMPLE(an_error_beyond_all), SAMPLE(few_are_allowed),
	SAMPLE(the_process_ends), SAMPLE(an_unknown_action_ends),
	SAMPLE(threads_end), SAMPLE(all_threads), SAMPLE(not_all_threads),
	SAMPLE(a_signal), SAMPLE(a_signal_ends), SAMPLE(strictly),
	SAMPLE(strictly_ends), SAMPLE(handed_on), SAMPLE(what_is_none),
	SAMPLE(without_rights), SAMPLE(any_instructions),
};

SAMPLES(samples)
