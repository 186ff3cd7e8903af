/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branches that only a register or a word of memory knows: where they lead, and what
 * registers and flags are there. */
#include "sample.h"

#define REGISTERS rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
#define N_REGISTERS 15
#define TIMES 3			/* the first time it is not known where that leads */
#define FLAGS 0x8d5u		/* all six of arithmetic */

static const char *const names[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8",
				    "r9", "r10", "r11", "r12", "r13", "r14", "r15"};

/* What is in the registers before a branch; and behind it, with the flags. */
uint64_t branch_in[N_REGISTERS], branch_out[N_REGISTERS], branch_flags, branch_pointer,
	branch_words[4];

/*
 * Procedures that load all registers and the flags, leave by a branch, and store the
 * registers where that has led: behind the branch, or in a procedure.  Some store the
 * flags before, as conditions and as a word.
 */
#define ALL_BEGIN                                                                \
	"push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n" \
	"mov %rsp, branch_pointer(%rip)\n"                                       \
	"pushq branch_flags(%rip)\n popfq\n"                                      \
	"i = 0\n"                                                                \
	".irp r, " LIST "\n mov branch_in+8*i(%rip), %\\r\n i = i + 1\n .endr\n"
#define ALL_END                                                                  \
	"i = 0\n"                                                                \
	".irp r, " LIST "\n mov %\\r, branch_out+8*i(%rip)\n i = i + 1\n .endr\n"  \
	"mov branch_pointer(%rip), %rsp\n"                                       \
	"pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n"
#define FLAGS_OUT                                                                \
	"setc branch_words(%rip)\n setp branch_words+1(%rip)\n"                  \
	"setz branch_words+2(%rip)\n sets branch_words+3(%rip)\n"                \
	"seto branch_words+4(%rip)\n pushfq\n pop branch_words+16(%rip)\n"
#define STRING_(...) #__VA_ARGS__
#define STRING(...) STRING_(__VA_ARGS__)
#define LIST STRING(REGISTERS)

__asm__(".text\n"
	/* where they lead */
	"branch_here:\n" ALL_END
	"branch_here_with_flags:\n" FLAGS_OUT ALL_END
	"branch_procedure:\n ret\n"
	"branch_procedure_with_flags:\n jc 1f\n jo 2f\n ret\n"
	"1: jo 3f\n ret\n2: ret\n3: ret\n"
	"branch_return:\n" ALL_BEGIN "push branch_words+8(%rip)\n ret\n"
	"branch_return_more:\n" ALL_BEGIN
	"push branch_flags(%rip)\n push branch_words+8(%rip)\n ret $8\n"
	"branch_jump_word:\n" ALL_BEGIN "jmp *branch_words+8(%rip)\n"
	"branch_call_word:\n" ALL_BEGIN "call *branch_words+8(%rip)\n" FLAGS_OUT ALL_END
	".macro by reg\n"
	"branch_jump_\\reg\\():\n" ALL_BEGIN "jmp *%\\reg\n"
	"branch_call_\\reg\\():\n" ALL_BEGIN "call *%\\reg\n" FLAGS_OUT ALL_END
	".endm\n"
	".irp s, " LIST "\n by \\s\n .endr\n"
	".data\n"
	"branch_jumps:\n .irp s, " LIST "\n .quad branch_jump_\\s\n .endr\n"
	"branch_calls:\n .irp s, " LIST "\n .quad branch_call_\\s\n .endr\n"
	".text\n");

typedef void code_fn(void);
extern code_fn branch_here, branch_here_with_flags, branch_procedure,
	branch_procedure_with_flags, branch_return, branch_return_more, branch_jump_word,
	branch_call_word;
extern code_fn *const branch_jumps[N_REGISTERS], *const branch_calls[N_REGISTERS];

static const uint64_t flags[] = {0, 1, 0x10, 0x40, 0x80, 0x800, 0x801, FLAGS};

/* By code, to place, whose address is in register at, or in branch_words[1]. */
static void
branch_once(code_fn *code, code_fn *place, int at, uint64_t with)
{
	memset(branch_out, 0, sizeof branch_out);
	memset(branch_words, 0, sizeof branch_words);
	for (int i = 0; i < N_REGISTERS; i++)
		branch_in[i] = 0x0123456789abcdefull * (uint64_t)(i + 3);
	if (at >= 0)
		branch_in[at] = (uint64_t)(uintptr_t)place;
	branch_words[1] = (uint64_t)(uintptr_t)place;
	branch_flags = 0x202 | with;
	code();
	for (int i = 0; i < N_REGISTERS; i++)
		if (branch_out[i] != branch_in[i])
			SAY("%s: %llx\n", names[i], (unsigned long long)branch_out[i]);
}

static void
branch_often(const char *how, code_fn *code, code_fn *place, int at)
{
	for (int k = 0; k < TIMES; k++)
		for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
			branch_once(code, place, at, flags[f]);
			SAY("%s %llx: %llx %llx\n", how,
			    (unsigned long long)flags[f],
			    (unsigned long long)branch_words[0],
			    (unsigned long long)branch_words[2] & FLAGS);
		}
}

/* By each register, and by memory: to both places. */
static void
branch_by_all(code_fn *const by[N_REGISTERS], code_fn *by_word, code_fn *place,
	      code_fn *with_flags)
{
	for (int i = 0; i < N_REGISTERS; i++) {
		branch_often(names[i], by[i], place, i);
		branch_often(names[i], by[i], with_flags, i);
	}
	branch_often("word", by_word, place, -1);
	branch_often("word", by_word, with_flags, -1);
}

static void
jumps(void)
{
	branch_by_all(branch_jumps, branch_jump_word, branch_here,
		      branch_here_with_flags);
}

static void
calls(void)
{
	branch_by_all(branch_calls, branch_call_word, branch_procedure,
		      branch_procedure_with_flags);
}

static void
returns(void)
{
	branch_often("return", branch_return, branch_here, -1);
	branch_often("return", branch_return, branch_here_with_flags, -1);
	branch_often("more", branch_return_more, branch_here, -1);
	branch_often("more", branch_return_more, branch_here_with_flags, -1);
}

/* ---- Addresses whose low bits are the same --------------------------------- */

#define ALIKE 24
#define APART (1u << 20)
#define ROUNDS 2000

typedef unsigned number_fn(void);

/* mov number, %eax; ret */
static void
write_number(uint8_t *code, uint32_t number)
{
	code[0] = 0xb8;
	memcpy(code + 1, &number, sizeof number);
	code[5] = 0xc3;
}

static void
alike(void)
{
	uint8_t *code = mmap(NULL, ALIKE * APART, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint64_t sum = 0;

	for (unsigned i = 0; i < ALIKE; i++)
		write_number(code + i * APART, 1000 + i);
	for (unsigned k = 0; k < ROUNDS; k++)
		for (unsigned i = 0; i <= k % ALIKE; i++)
			sum = sum * 3 + ((number_fn *)(code + i * APART))();
	SAY("%llx\n", (unsigned long long)sum);
	/* Some become others, and one is gone. */
	for (unsigned i = 0; i < ALIKE; i += 5)
		write_number(code + i * APART, 2000 + i);
	munmap(code + 3 * APART, APART);
	for (unsigned k = 0; k < ROUNDS; k++)
		for (unsigned i = 0; i < ALIKE; i++)
			if (i != 3)
				sum = sum * 3 + ((number_fn *)(code + i * APART))();
	SAY("%llx\n", (unsigned long long)sum);
}

/* The word with the target cannot be read: registers are what they were. */
static void
on_fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;

	SAY("%d at %lx: %llx %llx %llx %llx\n", number, (long)(uintptr_t)info->si_addr,
	    uc->uc_mcontext.gregs[REG_RAX], uc->uc_mcontext.gregs[REG_RCX],
	    uc->uc_mcontext.gregs[REG_R10], uc->uc_mcontext.gregs[REG_R11]);
	_exit(3);
}

static void
no_target(void)
{
	catch_info(SIGSEGV, on_fault, 0);
	__asm__ volatile("mov $0x11, %%eax\n mov $0x22, %%ecx\n mov $0x33, %%r10d\n"
			 "mov $0x44, %%r11d\n jmp *(%%r11,%%r10,4)\n"
			 ::: "rax", "rcx", "r10", "r11");
}

static void
no_code(void)
{
	catch_info(SIGSEGV, on_fault, 0);
	__asm__ volatile("mov $0x11, %%eax\n mov $0x22, %%ecx\n mov $0x33, %%r10d\n"
			 "mov $0x44, %%r11d\n jmp *%%r11\n"
			 ::: "rax", "rcx", "r10", "r11");
}

static const struct sample samples[] = {
	SAMPLE(jumps), SAMPLE(calls), SAMPLE(returns), SAMPLE(alike), SAMPLE(no_target),
	SAMPLE(no_code),
};

SAMPLES(samples)
