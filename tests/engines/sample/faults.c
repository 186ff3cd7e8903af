/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults: what handlers are told, and may change. */
#include "sample.h"

#include <setjmp.h>
#include <ucontext.h>

static volatile uintptr_t fault_at;

static volatile int fault_code, mended;

static volatile long long fault_trap, fault_error;

static sigjmp_buf back;

static void
overflow(char *p)
{
	char big[4096];

	memset(big, *p, sizeof big);
	overflow(big);
	*p = big[1];
}

static void
jump_back(int s)
{
	siglongjmp(back, s);
}

static void
take_own_stack(void)
{
	static char stack[65536];
	stack_t new = {.ss_sp = stack, .ss_size = sizeof stack};

	sigaltstack(&new, NULL);
}

static void
stack_overflows(void)
{
	int s;

	take_own_stack();
	catch(SIGSEGV, jump_back, SA_ONSTACK);
	s = sigsetjmp(back, 1);
	if (!s)
		overflow((char[]){1});
	SAY("signal %d\n", s);
}

static void
fault(int s, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	fault_trap = c->uc_mcontext.gregs[REG_TRAPNO];
	fault_error = c->uc_mcontext.gregs[REG_ERR];
	fault_code = info->si_code;
	fault_at = (uintptr_t)info->si_addr;
	siglongjmp(back, s);
}

static void
try(const char *what, void (*run)(void))
{
	int s = sigsetjmp(back, 1);

	if (!s)
		run();
	SAY("%s: signal %d code %d trap %lld error %lld\n", what, s, fault_code,
	    fault_trap, fault_error);
}

static char *volatile pages;

static volatile int zero;

static void
read_none(void)
{
	(void)*(volatile char *)8;
	SAY("read\n");
}

static void
write_read_only(void)
{
	pages[5] = 1;
}

static void
divide(void)
{
	zero = 5 / zero;
}

static void
undefined(void)
{
	__asm__ volatile("ud2");
}

static void
trap(void)
{
	__asm__ volatile("int3");
}

static void
privileged(void)
{
	__asm__ volatile("hlt");
}

static void
far_address(void)
{
	(void)*(volatile char *)0x8000000000000000u;
}

static void
behind_file(void)
{
	int fd = memfd_create("short", 0);
	char *p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	zero = *(volatile char *)p;
}

static void
jump_far(void)
{
	((void (*)(void))0x8000000000000000u)();
}

static void
no_operation(void)
{
	__asm__ volatile(".byte 0xf0, 0x89, 0xc0"); /* lock mov */
}

static void
call_null(void)
{
	static void (*volatile null)(void);

	null();
}

static void
faults_tell(void)
{
	static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

	pages = map(PAGE, PROT_READ, MAP_PRIVATE);
	for (unsigned i = 0; i < 5; i++)
		catch_info(all[i], fault, 0);
	try("no page", read_none);
	SAY("at %lx\n", (long)fault_at);
	try("read-only", write_read_only);
	SAY("at %ld\n", (long)(fault_at - (uintptr_t)pages));
	try("divide", divide);
	try("ud2", undefined);
	SAY("at %d\n", fault_at - (uintptr_t)undefined < 16);
	try("int3", trap);
	try("hlt", privileged);
	try("far", far_address);
	try("behind a file", behind_file);
	try("jump far", jump_far);
	SAY("at %ld\n", (long)fault_at);
	try("no operation", no_operation);
	SAY("at %d\n", fault_at - (uintptr_t)no_operation < 16);
	try("null", call_null);
	try("null again", call_null);
	SAY("at %ld\n", (long)fault_at);
}

static void
mend(int s, siginfo_t *info, void *context)
{
	(void)s;
	(void)context;
	mprotect((char *)((uintptr_t)info->si_addr & -(uintptr_t)PAGE), PAGE,
		 PROT_READ | PROT_WRITE);
	mended++;
}

static void
faults_are_mended(void)
{
	long sum = 0;

	pages = map(16 * PAGE, PROT_NONE, MAP_PRIVATE);
	catch_info(SIGSEGV, mend, 0);
	for (unsigned i = 0; i < 16; i++)
		pages[i * PAGE + i] = (char)i;
	for (unsigned i = 0; i < 16; i++)
		sum += pages[i * PAGE + i];
	SAY("%d faults, sum %ld\n", (int)mended, sum);
}

static void
skip(int s, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	(void)s;
	(void)info;
	SAY("rax %llx rcx %llx\n", c->uc_mcontext.gregs[REG_RAX],
	    c->uc_mcontext.gregs[REG_RCX]);
	c->uc_mcontext.gregs[REG_RIP] += 2;
	c->uc_mcontext.gregs[REG_RDX] = 0x1234;
	c->uc_mcontext.gregs[REG_EFL] |= 1;
}

static void
context_is_changed(void)
{
	unsigned long rdx;
	bool carry;

	catch_info(SIGILL, skip, 0);
	__asm__ volatile("mov $0x55, %%eax; mov $0x66, %%ecx; clc\n\t"
			 "ud2\n\tsetc %1"
			 : "=d"(rdx), "=q"(carry) : : "rax", "rcx", "cc");
	SAY("rdx %lx carry %d\n", rdx, carry);
}

static void
abort_ends(void)
{
	in_child(abort);
}

static void
kill_self(void)
{
	raise(SIGTERM);
}

static void
killed(void)
{
	in_child(kill_self);
	in_child(read_none);
	in_child(divide);
	in_child(undefined);
	in_child(trap);
}

/* ---- Code that may not be executed ---------------------------------------- */

static char *near;		/* addresses are told from there on */

static void
tell_code(int s, siginfo_t *info, void *context)
{
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

	SAY("signal %d code %d at %ld, rip %ld, trap %lld error %llx, %d\n", s,
	    info->si_code, (char *)info->si_addr - near, (char *)g[REG_RIP] - near,
	    g[REG_TRAPNO], g[REG_ERR],
	    s != SIGSEGV || g[REG_CR2] == (greg_t)info->si_addr);
	siglongjmp(back, 1);
}

static void
call(char *at)
{
	if (!sigsetjmp(back, 1)) {
		((void (*)(void))at)();
		SAY("it is executed\n");
	}
}

static char *
new_pages(unsigned n, int prot)
{
	char *p = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, 0x90, n * PAGE);
	for (unsigned i = 0; i < n; i++)
		p[i * PAGE + 8] = (char)0xc3;
	mprotect(p, n * PAGE, prot);
	return p;
}

static void
code_without_rights(void)
{
	static char data[16] = {(char)0xc3};
	char local[16] = {(char)0xc3};
	char *p = near = new_pages(3, PROT_READ | PROT_WRITE);

	catch_info(SIGSEGV, tell_code, 0);
	call(p);
	near = data;
	call(data);
	near = local;
	call(local);
	near = strdup("\xc3");
	call(near);
	near = p;
	mprotect(p, PAGE, PROT_READ | PROT_EXEC);
	call(p);
	mprotect(p, PAGE, PROT_READ);
	call(p);
	mprotect(p, PAGE, PROT_EXEC);
	call(p);
	mprotect(p, PAGE, PROT_NONE);
	call(p);
	syscall(SYS_pkey_mprotect, p, PAGE, PROT_READ | PROT_EXEC, -1);
	call(p);
	syscall(SYS_pkey_mprotect, p, PAGE, PROT_READ, -1);
	call(p);
	mprotect(p, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	call(p);
	munmap(p, PAGE);
	call(p);
	mmap(p, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	*p = (char)0xc3;
	call(p);
	mmap(p, PAGE, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	*p = (char)0xc3;
	call(p);
}

/* What is on both sides of an end. */
static void
code_up_to_the_end(void)
{
	static const int rights[] = {PROT_READ, PROT_NONE,
				     PROT_READ | PROT_EXEC};
	char *p = near = new_pages(2, PROT_READ | PROT_WRITE | PROT_EXEC);
	char *end = p + PAGE;

	catch_info(SIGSEGV, tell_code, 0);
	catch_info(SIGILL, tell_code, 0);
	for (unsigned i = 0; i < 4; i++) {
		mprotect(p, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
		memcpy(end - 2, "\x90\x90", 2);
		if (i < 3)
			mprotect(end, PAGE, rights[i]);
		else
			munmap(end, PAGE);
		call(end - 2);		/* two no-ops, */
		memcpy(end - 2, "\x90\xb8", 2); /* mov of a constant, */
		call(end - 2);
		call(end - 1);
		memcpy(end - 2, "\x0f\x0b", 2); /* none */
		call(end - 2);
		memcpy(end - 2, "\xeb\x00", 2); /* a jump */
		call(end - 2);
		memcpy(end - 2, "\x90\xc3", 2);
		call(end - 2);
	}
}

static void
code_is_nowhere(void)
{
	sigset_t set;

	signal(SIGSEGV, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_BLOCK, &set, NULL);
	((void (*)(void))16)();
}

static void
tell_none(int s)
{
	SAY("signal %d\n", s);
	_exit(3);
}

static void
code_is_blocked(void)
{
	sigset_t set;

	signal(SIGSEGV, tell_none);
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigprocmask(SIG_BLOCK, &set, NULL);
	((void (*)(void))16)();
}

/* A signal that is sent does nothing; a fault ends the process all the same. */
static void
fault_is_ignored(void)
{
	char *p = new_pages(1, PROT_READ | PROT_WRITE | PROT_EXEC);

	signal(SIGSEGV, SIG_IGN);
	((void (*)(void))p)();
	raise(SIGSEGV);
	SAY("it goes on\n");
	*(volatile int *)16 = 1;
}

static void
faults_end(void)
{
	in_child(code_is_nowhere);
	in_child(code_is_blocked);
	in_child(fault_is_ignored);
}

/* ---- Branches that fault: nothing has changed ---------------------------- */

/* Of three pages the second one, at RDI, may be accessed.  Registers have what is
 * near it, or small numbers, when the one instruction faults. */
#define BRANCH(name, stack, insn)                                          \
	void name(char *page);                                             \
	__asm__(".text\n" #name ":\n lea " stack "(%rdi), %rsp\n"           \
		"lea -64(%rdi), %rcx\n mov $8, %edx\n mov $3, %eax\n"       \
		"mov $4, %esi\n mov $5, %ebx\n mov $6, %ebp\n"              \
		"lea -32(%rdi), %r8\n lea 4096(%rdi), %r9\n mov $7, %r10d\n" \
		"mov $9, %r11d\n" insn "\n ud2\n")

BRANCH(call_direct, "", "call killed");
BRANCH(call_register, "", "call *%rdi");
BRANCH(call_rcx, "", "call *%rcx");
BRANCH(call_memory, "2048", "call *(%rcx)");
BRANCH(call_scaled, "2048", "call *8(%rcx,%rdx,2)");
BRANCH(call_stored, "", "call *16(%rdi)");
BRANCH(call_near, "2048", "call *nothing(%rip)");
BRANCH(jump_memory, "2048", "jmp *(%rcx)");
BRANCH(jump_scaled, "2048", "jmp *-8(%r8,%rdx,4)");
BRANCH(jump_segment, "2048", "jmp *%fs:(%rcx)");
BRANCH(jump_near, "2048", "jmp *nothing(%rip)");
BRANCH(return_nowhere, "-8", "ret");
BRANCH(return_far, "4096", "ret $16");
BRANCH(push_memory, "", "push 8(%rdi)");

char nothing[2 * PAGE] __attribute__((aligned(PAGE)));

static void
tell_registers(int s, siginfo_t *info, void *context)
{
	static const char *const names[] = {
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi",
		"rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp"};
	const greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
	long long distance = (char *)info->si_addr - pages;

	for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
		long long v = reg[i];

		if (i < REG_R12 || i > REG_R15)
			SAY(" %s %lld", names[i],
			    v >= 0 && v < PAGE ? v : v - (long long)(uintptr_t)pages);
	}
	/* The program's own, and threads' memory, are anywhere. */
	if (distance > -PAGE && distance <= PAGE)
		SAY(" address %lld\n", distance);
	else
		SAY(" far away\n");
	siglongjmp(back, s);
}

static void
branches_fault(void)
{
	static const struct {
		const char *name;
		void (*run)(char *page);
	} branch[] = {
#define BRANCH_OF(name) {#name, name}
		BRANCH_OF(call_direct), BRANCH_OF(call_register),
		BRANCH_OF(call_rcx), BRANCH_OF(call_memory),
		BRANCH_OF(call_scaled), BRANCH_OF(call_stored),
		BRANCH_OF(jump_memory), BRANCH_OF(jump_scaled),
		BRANCH_OF(return_nowhere), BRANCH_OF(return_far),
		BRANCH_OF(push_memory), BRANCH_OF(jump_segment),
		BRANCH_OF(call_near), BRANCH_OF(jump_near),
	};
	take_own_stack();
	pages = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	pages += PAGE;
	mprotect(pages, PAGE, PROT_READ | PROT_WRITE);
	mprotect(nothing, PAGE, PROT_NONE);
	catch(SIGSEGV, tell_registers, SA_ONSTACK | SA_SIGINFO);
	for (unsigned i = 0; i < sizeof branch / sizeof *branch; i++) {
		SAY("%s:", branch[i].name);
		if (!sigsetjmp(back, 1))
			branch[i].run(pages);
	}
}

static const struct sample samples[] = {
	SAMPLE(stack_overflows), SAMPLE(faults_tell), SAMPLE(faults_are_mended),
	SAMPLE(context_is_changed), SAMPLE(abort_ends), SAMPLE(killed),
	SAMPLE(code_without_rights), SAMPLE(code_up_to_the_end),
	SAMPLE(faults_end), SAMPLE(branches_fault),
};

SAMPLES(samples)
