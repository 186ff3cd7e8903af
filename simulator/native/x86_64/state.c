/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the engine and the target's code. */
#include "state.h"
#include "vectors.h"

#include "machine/ahead.h"

#include <asm/prctl.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HWCAP2_FSGSBASE 2u

struct host_state host_state;

/* What the code below takes for granted. */
#define AT(field, offset)                                              \
	_Static_assert(offsetof(struct host_state, field) == (offset), \
		       "host_state." #field)
AT(reg[0], 0);
AT(flags, 128);
AT(target, 136);
AT(fs, 144);
AT(engine_fs, 152);
AT(stack, 160);
AT(pointer, 168);
AT(exit, 176);
AT(entry, 184);
AT(leave, 192);
AT(on_access, 224);
AT(on_missed, 232);
AT(on_ask, 240);
AT(indirect, 200);
AT(ask, 216);
AT(vectors, 248);
AT(slot, 256);
AT(on_page, 384);
AT(no_page, 392);
AT(known, 1024);
_Static_assert(HOST_TARGETS == 32768 && HOST_TARGET_SHIFT == 2 &&
	       HOST_TARGET_FOLD == 15 && sizeof(struct host_target) == 32,
	       "as the code below finds it");

/*
 * host_go: saves what C wants to keep, and enters.  host_leave: the way back.
 * The flags are pushed where there is a stack of the engine's.
 */
__asm__(
".text\n"
".globl host_go\n.hidden host_go\n.type host_go, @function\n"
"host_go:\n"
"	push %rbx\n	push %rbp\n	push %r12\n"
"	push %r13\n	push %r14\n	push %r15\n"
"	push %rax\n	push %rdx\n"
"	mov %rsp, %rcx\n	and $-16, %rsp\n"
"	push %rcx\n	push %rcx\n"
"	mov %rsp, %gs:160\n"
"	push %gs:128\n	popfq\n"
"	mov %gs:0, %rax\n	mov %gs:8, %rcx\n	mov %gs:16, %rdx\n"
"	mov %gs:24, %rbx\n	mov %gs:40, %rbp\n	mov %gs:48, %rsi\n"
"	mov %gs:56, %rdi\n	mov %gs:64, %r8\n	mov %gs:72, %r9\n"
"	mov %gs:80, %r10\n	mov %gs:88, %r11\n	mov %gs:96, %r12\n"
"	mov %gs:104, %r13\n	mov %gs:112, %r14\n	mov %gs:120, %r15\n"
"	mov %gs:32, %rsp\n"
"	jmp *%gs:184\n"
".globl host_leave\n.hidden host_leave\n.type host_leave, @function\n"
"host_leave:\n"
"	mov %rsp, %gs:32\n"
"	mov %gs:160, %rsp\n"
"	mov %rax, %gs:0\n	mov %rcx, %gs:8\n	mov %rdx, %gs:16\n"
"	mov %rbx, %gs:24\n	mov %rbp, %gs:40\n	mov %rsi, %gs:48\n"
"	mov %rdi, %gs:56\n	mov %r8, %gs:64\n	mov %r9, %gs:72\n"
"	mov %r10, %gs:80\n	mov %r11, %gs:88\n	mov %r12, %gs:96\n"
"	mov %r13, %gs:104\n	mov %r14, %gs:112\n	mov %r15, %gs:120\n"
"	pushfq\n	pop %gs:128\n"
".globl host_left\n.hidden host_left\nhost_left:\n"
"	mov %gs:160, %rsp\n"
"	cld\n"
"	pop %rcx\n	mov %rcx, %rsp\n"
"	pop %rdx\n	pop %rax\n"
"	pop %r15\n	pop %r14\n	pop %r13\n"
"	pop %r12\n	pop %rbp\n	pop %rbx\n"
"	ret\n"
/* The target of an indirect branch is in the state. */
".globl host_indirect\n.hidden host_indirect\n.type host_indirect, @function\n"
"host_indirect:\n"
"	mov %rax, %gs:256\n	lahf\n	seto %al\n"
"	mov %rax, %gs:264\n	mov %rcx, %gs:272\n"
"	mov %gs:136, %rcx\n"
"	mov %ecx, %eax\n	shl $3, %eax\n	and $0xfffe0, %eax\n"
"	cmp %gs:1024(%rax), %rcx\n"
"	je 2f\n"
"	mov %rcx, %rax\n	shr $15, %rax\n	xor %ecx, %eax\n"
"	shl $3, %eax\n	and $0xfffe0, %eax\n"
"	cmp %gs:1024(%rax), %rcx\n"
"	jne 1f\n"
"2:	mov %gs:1032(%rax), %rcx\n	mov %rcx, %gs:184\n"
"	mov %gs:264, %rax\n	add $127, %al\n	sahf\n"
"	mov %gs:256, %rax\n	mov %gs:272, %rcx\n"
"	jmp *%gs:184\n"
"1:	mov %gs:264, %rax\n	add $127, %al\n	sahf\n"
"	mov %gs:256, %rax\n	mov %gs:272, %rcx\n"
"	jmp host_leave\n"
/* What is asked is on the stack; the answer may change registers. */
".globl host_ask\n.hidden host_ask\n.type host_ask, @function\n"
"host_ask:\n"
"	mov %rax, %gs:0\n	mov %rcx, %gs:8\n	mov %rdx, %gs:16\n"
"	mov %rbx, %gs:24\n	mov %rbp, %gs:40\n	mov %rsi, %gs:48\n"
"	mov %rdi, %gs:56\n	mov %r8, %gs:64\n	mov %r9, %gs:72\n"
"	mov %r10, %gs:80\n	mov %r11, %gs:88\n	mov %r12, %gs:96\n"
"	mov %r13, %gs:104\n	mov %r14, %gs:112\n	mov %r15, %gs:120\n"
"	pushfq\n	pop %gs:128\n	cld\n"
"	mov 8(%rsp), %rdi\n"
"	call *%gs:240\n"
"	push %gs:128\n	popfq\n"
"	mov %gs:0, %rax\n	mov %gs:8, %rcx\n	mov %gs:16, %rdx\n"
"	mov %gs:24, %rbx\n	mov %gs:40, %rbp\n	mov %gs:48, %rsi\n"
"	mov %gs:56, %rdi\n	mov %gs:64, %r8\n	mov %gs:72, %r9\n"
"	mov %gs:80, %r10\n	mov %gs:88, %r11\n	mov %gs:96, %r12\n"
"	mov %gs:104, %r13\n	mov %gs:112, %r14\n	mov %gs:120, %r15\n"
"	ret $8\n"
/* Arguments are those of both functions. */
".globl host_miss\n.hidden host_miss\n.type host_miss, @function\n"
"host_miss:\n"
"	cmpb $0, %gs:392\n	je 1f\n	movb $0, %gs:392\n"
"	call *%gs:384\n	test %al, %al\n	jz 1f\n	ret\n"
"1:	push %rcx\n	push %r8\n	push %r9\n	push %r10\n"
"	push %r11\n"
"	call *%gs:232\n"
"	pop %r11\n	pop %r10\n	pop %r9\n	pop %r8\n"
"	pop %rcx\n	ret\n");

extern void host_go(void), host_leave(void), host_indirect(void),
	host_ask(void), host_miss(void);

s64
host_kernel(u64 number, u64 a, u64 b, u64 c, u64 d)
{
	register u64 r10 __asm__("r10") = d;
	s64 result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

void
host_set_fs(u64 base)
{
	if (host_state.has_fsbase)
		__asm__ volatile("wrfsbase %0" : : "r"(base));
	else
		host_kernel(SYS_arch_prctl, ARCH_SET_FS, base, 0, 0);
}

u64
host_get_fs(void)
{
	u64 base = 0;

	if (host_state.has_fsbase)
		__asm__ volatile("rdfsbase %0" : "=r"(base));
	else
		host_kernel(SYS_arch_prctl, ARCH_GET_FS,
			    (u64)(uintptr_t)&base, 0, 0);
	return base;
}

void
host_put_aside(struct host_thread *thread)
{
	memcpy(thread->reg, host_state.reg, sizeof thread->reg);
	thread->flags = host_state.flags;
	thread->target = host_state.target;
	thread->exit = host_state.exit;
	thread->fs = host_state.fs;
	thread->engine_fs = host_state.engine_fs;
	thread->vectors = host_state.vectors;
	thread->kept = host_state.kept;
	thread->alignment = host_state.alignment;
	thread->gs = host_state.gs;
}

void
host_take_back(const struct host_thread *thread)
{
	memcpy(host_state.reg, thread->reg, sizeof thread->reg);
	host_state.flags = thread->flags;
	host_state.target = thread->target;
	host_state.exit = thread->exit;
	host_state.fs = thread->fs;
	host_state.engine_fs = thread->engine_fs;
	host_state.vectors = thread->vectors;
	host_state.kept = thread->kept;
	host_state.alignment = thread->alignment;
	host_state.gs = thread->gs;
}

int
host_thread_begin(struct host_thread *thread)
{
	thread->engine_fs = host_get_fs();
	vectors_give(thread->vectors);
	return syscall(SYS_arch_prctl, ARCH_SET_GS, &host_state) ? -errno : 0;
}

int
host_thread_copy(struct host_thread *thread)
{
	u64 vectors = vectors_new();

	if (!vectors)
		return -ENOMEM;
	host_put_aside(thread);
	vectors_take(host_state.vectors);
	memcpy((void *)(uintptr_t)vectors,
	       (void *)(uintptr_t)host_state.vectors, vectors_bytes());
	thread->vectors = vectors;
	thread->kept = vectors_second(vectors);
	return 0;
}

void
host_thread_free(struct host_thread *thread)
{
	vectors_free(thread->vectors);
}

int
host_begin(const struct host_calls *calls, bool beyond)
{
	u64 vectors = vectors_new();

	if (!vectors)
		return -ENOMEM;
	ahead_of_writes(&host_state, sizeof host_state);
	host_state.vectors = vectors;
	host_state.kept = vectors_second(vectors);
	vectors_begin(beyond);
	vectors_give(vectors);
	host_state.leave = host_leave;
	host_state.indirect = host_indirect;
	host_state.ask = host_ask;
	host_state.on_access = calls->access;
	host_state.on_missed = calls->missed;
	host_state.on_page = calls->page;
	host_state.miss = host_miss;
	host_state.on_ask = calls->ask;
	host_state.on_record = calls->record;
	host_state.on_behind = calls->behind;
	host_state.has_fsbase = getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE;
	host_state.engine_fs = host_get_fs();
	host_state.flags = 0x202;
	return syscall(SYS_arch_prctl, ARCH_SET_GS, &host_state) ? -errno : 0;
}

void
host_run(void *code)
{
	u64 vectors = host_state.vectors;

	host_state.entry = (u64)(uintptr_t)code;
	host_set_fs(host_state.fs);
	host_state.inside = 1;
	vectors_load(vectors);
	__asm__ volatile("call host_go"
			 : : : "memory", "cc", "rax", "rcx", "rdx", "rsi",
			       "rdi", "r8", "r9", "r10", "r11");
	vectors_store(vectors);
	host_state.inside = 0;
	host_set_fs(host_state.engine_fs);
}

void
host_keep_vectors(void)
{
	vectors_save_all(host_state.kept);
}

bool
host_library_begin(void)
{
	if (!host_state.inside)
		return false;
	host_state.inside = 0;
	host_set_fs(host_state.engine_fs);
	host_keep_vectors();
	return true;
}

void
host_library_end(void)
{
	vectors_restore_all(host_state.kept);
	host_set_fs(host_state.fs);
	host_state.inside = 1;
}
