/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random_code SEED COUNT [NUMBER]: executes COUNT sequences of random
 * instructions, and prints of each what it has left in registers, flags and
 * memory, as a hash; or the signal and the instruction that has ended it.  An
 * engine has to print the same.  Of sequence NUMBER it prints the bytes, and all
 * that it has left.
 *
 * Instructions are what Zydis decodes of random bytes, with operands in memory
 * put into a buffer of this program's.  Where flags are undefined, an
 * instruction that defines them follows: they may be what they were.
 *
 * Linked without -pie, since addresses come to be operands.
 */
#define _GNU_SOURCE
#include <Zydis/Zydis.h>

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define INSNS 24	/* of a sequence, at most */
#define BATCH 2000	/* sequences that are made at once */
#define CODE_BYTES (BATCH * (INSNS * (15 + 3 + 2) + 14))
#define BUFFER 4096

static uint8_t code[(CODE_BYTES + 4095) / 4096 * 4096]
	__attribute__((aligned(4096)));
static uint8_t buffer[BUFFER] __attribute__((aligned(4096)));
static uint8_t *begins[BATCH + 1];
static uint64_t dice;

/* What a sequence begins and ends with: used by name in the code below. */
struct state {
	uint64_t reg[16];	/* by number; rsp is not set */
	uint64_t flags, unused[7];
	uint8_t ymm[16][32];
	uint8_t fx[512];
};
struct state random_begin __attribute__((aligned(64)));
struct state random_end __attribute__((aligned(64)));
uint64_t random_stack, random_entry;

/* Registers, by where they are in a state. */
#define VECTORS(X)                                                       \
	X("0", "192") X("1", "224") X("2", "256") X("3", "288")          \
	X("4", "320") X("5", "352") X("6", "384") X("7", "416")          \
	X("8", "448") X("9", "480") X("10", "512") X("11", "544")        \
	X("12", "576") X("13", "608") X("14", "640") X("15", "672")
#define GENERAL(X)                                                       \
	X("rax", "0") X("rcx", "8") X("rdx", "16") X("rbx", "24")        \
	X("rbp", "40") X("rsi", "48") X("rdi", "56") X("r8", "64")       \
	X("r9", "72") X("r10", "80") X("r11", "88") X("r12", "96")       \
	X("r13", "104") X("r14", "112") X("r15", "120")
#define LOAD_VECTOR(n, at) "	vmovdqu random_begin+" at "(%rip), %ymm" n "\n"
#define SAVE_VECTOR(n, at) "	vmovdqu %ymm" n ", random_end+" at "(%rip)\n"
#define LOAD(name, at) "	mov random_begin+" at "(%rip), %" name "\n"
#define SAVE(name, at) "	mov %" name ", random_end+" at "(%rip)\n"

void random_run(void);
void random_finish(void);
__asm__(".text\n.globl random_run\nrandom_run:\n"
	"	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n"
	"	push %r14\n	push %r15\n	sub $264, %rsp\n"
	"	mov %rsp, random_stack(%rip)\n"
	"	mov %rsp, %rdi\n	mov $33, %ecx\n	mov $5, %eax\n"
	"	rep stosq\n"
	"	fxrstor64 random_begin+192+512(%rip)\n"
	VECTORS(LOAD_VECTOR)
	"	push random_begin+128(%rip)\n	popfq\n"
	GENERAL(LOAD)
	"	jmp *random_entry(%rip)\n"
	".globl random_finish\nrandom_finish:\n"
	GENERAL(SAVE)
	SAVE("rsp", "32")
	"	mov random_stack(%rip), %rsp\n"
	"	pushfq\n	pop random_end+128(%rip)\n"
	"	cld\n"
	VECTORS(SAVE_VECTOR)
	"	fxsave64 random_end+192+512(%rip)\n"
	"	fninit\n	vzeroupper\n"
	"	add $264, %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n"
	"	pop %rbp\n	pop %rbx\n	ret\n");

static uint64_t
roll(void)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return dice * 0x2545f4914f6cdd1d;
}

static unsigned
below(unsigned n)
{
	return (unsigned)((roll() >> 32) % n);
}

/* ---- Which instructions -------------------------------------------------- */

static bool
is_of_v3(ZydisISAExt ext)
{
	switch (ext) {
	case ZYDIS_ISA_EXT_BASE:
	case ZYDIS_ISA_EXT_LONGMODE:
	case ZYDIS_ISA_EXT_X87:
	case ZYDIS_ISA_EXT_MMX:
	case ZYDIS_ISA_EXT_SSE:
	case ZYDIS_ISA_EXT_SSE2:
	case ZYDIS_ISA_EXT_SSE3:
	case ZYDIS_ISA_EXT_SSSE3:
	case ZYDIS_ISA_EXT_SSE4:
	case ZYDIS_ISA_EXT_AVX:
	case ZYDIS_ISA_EXT_AVX2:
	case ZYDIS_ISA_EXT_BMI1:
	case ZYDIS_ISA_EXT_BMI2:
	case ZYDIS_ISA_EXT_FMA:
	case ZYDIS_ISA_EXT_F16C:
	case ZYDIS_ISA_EXT_LZCNT:
	case ZYDIS_ISA_EXT_MOVBE:
		return true;
	default:
		return false;
	}
}

/* What leaves the sequence, asks for more than the program's state, or changes
 * how what is behind it works. */
static bool
is_left_out(const ZydisDecodedInstruction *insn)
{
	static const char *const parts[] = {
		"cpuid", "rdtsc", "rdpmc", "xgetbv", "xsave", "xrstor",
		"fxsave", "fxrstor", "syscall", "int", "ud", "hlt", "ldmxcsr",
		"fldcw", "fldenv", "frstor", "sgdt", "sidt", "sldt", "str",
		"smsw", "lar", "lsl", "verr", "verw", "popf", "iret", "enter",
		"leave", "maskmov", "gather", "xlat", "fnsave", "fnstenv",
		"lss", "lfs", "lgs", "clflush", "nop", "rdsspd", "fxtract",
		"swapgs", "wait", "emms", "cldemote", "endbr", "vmaskmov"};
	const char *name = ZydisMnemonicGetString(insn->mnemonic);

	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_IO:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_STRINGOP:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_SYSTEM:
	case ZYDIS_CATEGORY_SEGOP:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return true;
	default:
		break;
	}
	if (insn->attributes &
	    (ZYDIS_ATTRIB_HAS_SEGMENT | ZYDIS_ATTRIB_IS_PRIVILEGED |
	     ZYDIS_ATTRIB_HAS_ADDRESSSIZE))
		return true;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(name, parts[i]))
			return true;
	return !is_of_v3(insn->meta.isa_ext);
}

/* r14 and r15 lead to the buffer, and the stack stays. */
static bool
writes_kept(const ZydisDecodedInstruction *insn,
	    const ZydisDecodedOperand *operand)
{
	for (unsigned i = 0; i < insn->operand_count; i++) {
		ZydisRegister r = operand[i].type == ZYDIS_OPERAND_TYPE_REGISTER
				? operand[i].reg.value : ZYDIS_REGISTER_NONE;
		bool written = operand[i].actions &
			       ZYDIS_OPERAND_ACTION_MASK_WRITE;
		bool hidden = operand[i].visibility ==
			      ZYDIS_OPERAND_VISIBILITY_HIDDEN;

		if (r >= ZYDIS_REGISTER_ES && r <= ZYDIS_REGISTER_GS)
			return true;
		r = ZydisRegisterGetLargestEnclosing(
			ZYDIS_MACHINE_MODE_LONG_64, r);
		if (r == ZYDIS_REGISTER_RSP && (!hidden || !written))
			return !hidden;
		if (written && (r == ZYDIS_REGISTER_R14 ||
				r == ZYDIS_REGISTER_R15))
			return true;
	}
	return false;
}

/* Puts an operand in memory into the buffer: by r15, with r14, or by rip. */
static void
put_in_buffer(ZydisEncoderOperand *o)
{
	unsigned at = 128 + below(BUFFER / 2);

	if (below(4))
		at &= ~63u;
	o->mem.base = ZYDIS_REGISTER_R15;
	o->mem.index = ZYDIS_REGISTER_NONE;
	o->mem.scale = 0;
	o->mem.displacement = at;
	switch (below(4)) {
	case 0:
		o->mem.index = ZYDIS_REGISTER_R14;
		o->mem.scale = (ZyanU8)(1u << below(4));
		break;
	case 1:
		o->mem.base = ZYDIS_REGISTER_RIP;
		o->mem.displacement = (ZyanI64)(uintptr_t)&buffer[at];
		break;
	}
}

static ZydisDecoder decoder;

/* One more instruction at that address; its bytes, 0: not this time. */
static size_t
put_insn(uint8_t *to)
{
	static const uint8_t define[] = {0x4d, 0x39, 0xf6}; /* cmp r14, r14 */
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisEncoderRequest request;
	ZyanUSize size = 15;
	uint64_t bytes[2] = {roll(), roll()};

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, 15, &insn,
						 operand)) ||
	    is_left_out(&insn) || writes_kept(&insn, operand))
		return 0;
	/* Of a string of bits in memory: anywhere. */
	if (insn.meta.category == ZYDIS_CATEGORY_BITBYTE &&
	    operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY)
		return 0;
	if ((insn.meta.category == ZYDIS_CATEGORY_BINARY) && below(8) &&
	    strstr(ZydisMnemonicGetString(insn.mnemonic), "div"))
		return 0;
	if (!ZYAN_SUCCESS(ZydisEncoderDecodedInstructionToEncoderRequest(
		    &insn, operand, insn.operand_count_visible, &request)))
		return 0;
	for (unsigned i = 0; i < request.operand_count; i++)
		if (request.operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			put_in_buffer(&request.operands[i]);
	if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstructionAbsolute(
		    &request, to, &size, (ZyanU64)(uintptr_t)to)))
		return 0;
	if (insn.cpu_flags && insn.cpu_flags->undefined) {
		memcpy(to + size, define, sizeof define);
		size += sizeof define;
	}
	return size;
}

static size_t
put_some(uint8_t *to)
{
	size_t n;

	while (!(n = put_insn(to)))
		;
	return n;
}

/* A sequence, with jumps over single instructions; where it ends. */
static uint8_t *
put_sequence(uint8_t *to)
{
	static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
	uint64_t finish = (uint64_t)(uintptr_t)random_finish;
	unsigned n = 4 + below(INSNS - 4);

	for (unsigned i = 0; i < n; i++) {
		if (!below(8)) {
			size_t over = put_some(to + 2);

			to[0] = (uint8_t)(0x70 + below(16));
			to[1] = (uint8_t)over;
			to += 2 + over;
		} else {
			to += put_some(to);
		}
	}
	memcpy(to, jump, sizeof jump);
	memcpy(to + sizeof jump, &finish, sizeof finish);
	return to + sizeof jump + sizeof finish;
}

static void
make_batch(void)
{
	uint8_t *to = code;

	if (mprotect(code, sizeof code, PROT_READ | PROT_WRITE))
		exit(2);
	for (unsigned i = 0; i < BATCH; i++) {
		begins[i] = to;
		to = put_sequence(to);
	}
	begins[BATCH] = to;
	if (mprotect(code, sizeof code, PROT_READ | PROT_EXEC))
		exit(2);
}

/* ---- What comes of them --------------------------------------------------- */

static sigjmp_buf back;
static volatile int signalled;
static volatile uint64_t where;

static void
on_signal(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;

	(void)info;
	signalled = sig;
	where = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
	siglongjmp(back, 1);
}

static uint64_t
hash(uint64_t h, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n--)
		h = (h ^ *p++) * 0x100000001b3;
	return h;
}

/* A value that is often small, or a power of two. */
static uint64_t
some_value(void)
{
	uint64_t v = roll();

	switch (below(4)) {
	case 0:
		return v & 0xff;
	case 1:
		return 1ull << (v & 63);
	default:
		return v;
	}
}

static void
make_state(void)
{
	memset(&random_begin, 0, sizeof random_begin);
	for (unsigned i = 0; i < 16; i++)
		random_begin.reg[i] = some_value();
	random_begin.reg[14] = 8;
	random_begin.reg[15] = (uint64_t)(uintptr_t)buffer;
	random_begin.flags = 0x202 | (roll() & 0x8d5);
	for (unsigned i = 0; i < sizeof random_begin.ymm / 8; i++) {
		uint64_t v = some_value();

		memcpy(&random_begin.ymm[0][8 * i], &v, 8);
	}
	random_begin.fx[0] = 0x7f;
	random_begin.fx[1] = 0x03;
	random_begin.fx[24] = 0x80;
	random_begin.fx[25] = 0x1f;
	for (unsigned i = 0; i < BUFFER; i += 8) {
		uint64_t v = some_value();

		memcpy(&buffer[i], &v, 8);
	}
}

static void
run_one(unsigned i)
{
	uint64_t h = 0xcbf29ce484222325;

	make_state();
	random_entry = (uint64_t)(uintptr_t)begins[i];
	if (sigsetjmp(back, 1)) {
		printf("signal %d at %d", signalled,
		       (int)(where - random_entry));
	} else {
		random_run();
		random_end.reg[4] -= random_stack;
		/* Where the last x87 instruction was. */
		memset(random_end.fx + 6, 0, 18);
		h = hash(h, &random_end, sizeof random_end);
		printf("%016llx", (unsigned long long)h);
	}
	h = hash(h, buffer, sizeof buffer);
	printf(" %016llx\n", (unsigned long long)h);
}

static void
dump(const char *name, const void *data, size_t n)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < n; i += 16) {
		printf("%s %zx:", name, i);
		for (size_t k = i; k < i + 16 && k < n; k++)
			printf(" %02x", p[k]);
		putchar('\n');
	}
}

static void
show(unsigned i)
{
	for (const uint8_t *p = begins[i]; p < begins[i + 1]; p++)
		printf("%02x", *p);
	putchar('\n');
}

int
main(int argc, char **argv)
{
	static uint8_t other[65536];
	stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
	struct sigaction a = {.sa_sigaction = on_signal,
			      .sa_flags = SA_SIGINFO | SA_ONSTACK};
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
	long only = argc > 3 ? atol(argv[3]) : -1;

	dice = 0x9e3779b97f4a7c15 * (argc > 1 ? strtoul(argv[1], NULL, 10) + 1
					      : 1);
	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGBUS, &a, NULL);
	sigaction(SIGFPE, &a, NULL);
	sigaction(SIGILL, &a, NULL);
	sigaction(SIGTRAP, &a, NULL);
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	for (unsigned long n = 0; n < count; n += BATCH) {
		make_batch();
		for (unsigned i = 0; i < BATCH && n + i < count; i++) {
			if (only >= 0 && n + i == (unsigned long)only)
				show(i);
			run_one(i);
			if (only >= 0 && n + i == (unsigned long)only) {
				dump("state", &random_end, sizeof random_end);
				dump("memory", buffer, sizeof buffer);
			}
		}
	}
	return 0;
}
