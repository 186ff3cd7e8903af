/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Developer check: a target that executes nearly every x86 encoding once,
 * with a memory and with a register operand, for memcheck_plugin.c to look
 * at.  What the emulated CPU does not have raises a signal and is skipped.
 * Freestanding, for both modes (add -m32 for i386):
 *
 *	gcc -O1 -static -no-pie -nostdlib -ffreestanding -mno-sse \
 *		-fno-stack-protector -fcf-protection=none \
 *		tests/dev/x86_every_op.c -o every_op
 *
 * Left out: far transfers, system calls and repeated strings.
 */
#include <stdint.h>

typedef uint8_t u8;
typedef unsigned long word;

enum {
	SCRATCH = 0x20000800, /* what most registers hold */
	SCRATCH_PAGE = 0x20000000,
	CODE = 0x30000000,
	SLOT = 32,
	SLOTS = 400000,
};

#ifdef __x86_64__
enum { IS64 = 1, SYS_MMAP = 9, SYS_SIGACTION = 13, SYS_ALTSTACK = 131,
       SYS_EXIT = 231 };

static long
sys(long n, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = -1;
	register long r9 __asm__("r9") = 0;
	long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
			   "r"(r9) : "rcx", "r11", "memory");
	return result;
}

__asm__(".globl _start, run, back\n"
	"_start: xor %ebp, %ebp\n call start\n"
	"run: push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n"
	" push %r15\n mov %rsp, saved\n mov %rdi, target\n"
	" mov $0x20000800, %eax\n mov $5, %ecx\n mov %rax, %rdx\n"
	" mov %rax, %rbx\n mov %rax, %rsi\n mov %rax, %rdi\n"
	" mov %rax, %rbp\n mov %rax, %rsp\n mov %rax, %r8\n"
	" mov %rax, %r9\n mov %rax, %r10\n mov %rax, %r11\n"
	" mov %rax, %r12\n mov %rax, %r13\n mov %rax, %r14\n"
	" mov %rax, %r15\n jmp *target\n"
	"back: cld\n mov saved, %rsp\n pop %r15\n pop %r14\n pop %r13\n"
	" pop %r12\n pop %rbp\n pop %rbx\n ret\n"
	"return_from_signal: mov $15, %eax\n syscall\n"
	"on_signal: jmp back\n");
#else
enum { IS64 = 0, SYS_MMAP = 192, SYS_SIGACTION = 174, SYS_ALTSTACK = 186,
       SYS_EXIT = 252 };

long sys(long n, long a, long b, long c, long d);

__asm__(".globl _start, run, back, sys\n"
	"_start: xor %ebp, %ebp\n call start\n"
	"sys: push %ebx\n push %esi\n push %edi\n push %ebp\n"
	" mov 20(%esp), %eax\n mov 24(%esp), %ebx\n mov 28(%esp), %ecx\n"
	" mov 32(%esp), %edx\n mov 36(%esp), %esi\n mov $-1, %edi\n"
	" xor %ebp, %ebp\n int $0x80\n"
	" pop %ebp\n pop %edi\n pop %esi\n pop %ebx\n ret\n"
	"run: push %ebx\n push %ebp\n push %esi\n push %edi\n"
	" mov 20(%esp), %eax\n mov %esp, saved\n mov %eax, target\n"
	" mov $0x20000800, %eax\n mov $5, %ecx\n mov %eax, %edx\n"
	" mov %eax, %ebx\n mov %eax, %esi\n mov %eax, %edi\n"
	" mov %eax, %ebp\n mov %eax, %esp\n jmp *target\n"
	"back: cld\n mov saved, %esp\n pop %edi\n pop %esi\n pop %ebp\n"
	" pop %ebx\n ret\n"
	"return_from_signal: mov $173, %eax\n int $0x80\n"
	"on_signal: jmp back\n");
#endif

/* What generated code cannot do: transfers of control, and popf. */
#ifdef __x86_64__
#define REG(name) "%r" name
#define POINTER "8"
#else
#define REG(name) "%e" name
#define POINTER "4"
#endif
__asm__(".globl transfers\n"
	"transfers: push " REG("bx") "\n mov $callee, %ebx\n"
	" call callee\n call *" REG("bx") "\n"
	" push " REG("bx") "\n call *(" REG("sp") ")\n pop " REG("cx") "\n"
	" pushf\n popf\n pushfw\n popfw\n"
	" mov $by_register, %ebx\n jmp *" REG("bx") "\n"
	"by_register: mov $by_memory, %ebx\n push " REG("bx") "\n"
	" jmp *(" REG("sp") ")\n"
	"by_memory: pop " REG("bx") "\n mov $3, %ecx\n"
	"around: loop around\n jecxz no_count\n"
	"no_count: test %ecx, %ecx\n je taken\n"
	"taken: jne not_taken\n"
	"not_taken: push $0\n call callee_pops\n jmp done\n"
	"callee: ret\n"
	"callee_pops: ret $" POINTER "\n"
	"done: pop " REG("bx") "\n ret\n");

word saved, target;
extern char back[], on_signal[], return_from_signal[];
word back_address = (word)back;
void run(const u8 *code);
void transfers(void);
void start(void);

static u8 alternate[1 << 16] __attribute__((aligned(64)));

/* One encoding; the first bytes, a ModRM byte and no-ops follow. */
struct encoding {
	u8 bytes[8];
	unsigned n;
};

static u8 *slot;
static unsigned slots;

static void
put(struct encoding *e, unsigned byte)
{
	e->bytes[e->n++] = (u8)byte;
}

/* Writes an encoding, ten no-ops and a jump back to the next slot. */
static void
emit(const struct encoding *e, unsigned modrm)
{
	u8 *p = slot;

	if (++slots > SLOTS)
		sys(SYS_EXIT, 1, 0, 0, 0);
	for (unsigned i = 0; i < e->n; i++)
		*p++ = e->bytes[i];
	*p++ = (u8)modrm;
	while (p < slot + 20)
		*p++ = 0x90;
	*p++ = 0xff;
	*p++ = IS64 ? 0x24 : 0x25;
	if (IS64)
		*p++ = 0x25;
	for (unsigned i = 0; i < 4; i++)
		*p++ = (u8)((word)&back_address >> 8 * i);
	slot += SLOT;
}

static int
in(unsigned opcode, const char *ranges)
{
	for (const u8 *r = (const u8 *)ranges; r[0] || r[1]; r += 2)
		if (opcode >= r[0] && opcode <= r[1])
			return 1;
	return 0;
}

/* Opcodes of a map that extend into ModRM.reg; or are not to be run. */
static const char *const groups[4] = {
	"\x80\x83\x8f\x8f\xc0\xc1\xc6\xc7\xd0\xd3\xd8\xdf\xf6\xf7\xfe\xff\0",
	"\0\1\x0d\x0d\x18\x1f\x71\x73\xae\xae\xba\xba\xc7\xc7\0",
	"\xf3\xf3\0", "\0",
};
static const char *const excluded64[4] = {
	"\x0f\x0f\x26\x26\x2e\x2e\x36\x36\x3e\x3e\x40\x4f\x62\x62\x64\x67"
	"\x70\x7f\x9a\x9a\x9d\x9d\xa0\xa3\xc2\xc5\xc8\xc8\xca\xcf\xe0\xef"
	"\xf0\xf4\0",
	"\x05\x05\x07\x07\x34\x38\x3a\x3a\x80\x8f\0", "\x90\x93\0", "\0",
};
static const char *const excluded32[4] = {
	"\x0f\x0f\x26\x26\x2e\x2e\x36\x36\x3e\x3e\x62\x62\x64\x67"
	"\x70\x7f\x9a\x9a\x9d\x9d\xa0\xa3\xc2\xc5\xc8\xc8\xca\xcf\xe0\xef"
	"\xf0\xf4\0",
	"\x05\x05\x07\x07\x34\x38\x3a\x3a\x80\x8f\0", "\x90\x93\0", "\0",
};
/* Invalid with another ModRM.reg, though QEMU executes some of those. */
static const char only_reg_0[] = "\x8f\x8f\xc6\xc7\0";
static const char strings[] = "\x6c\x6f\xa4\xa7\xaa\xaf\0";

static int
is_excluded(unsigned map, unsigned opcode)
{
	return in(opcode, IS64 ? excluded64[map] : excluded32[map]);
}

/* With [rsi], and with registers; all the fields that choose an operation. */
static void
operands(const struct encoding *e, unsigned map, unsigned opcode)
{
	int group = in(opcode, groups[map]);
	int x87 = map == 0 && opcode >= 0xd8 && opcode <= 0xdf;

	for (unsigned reg = group ? 0 : 1; reg <= (group ? 7 : 1); reg++) {
		if (map == 0 && opcode == 0xff && reg >= 2 && reg <= 5)
			continue;
		if (map == 0 && reg && in(opcode, only_reg_0))
			continue;
		emit(e, reg << 3 | 6);
		for (unsigned rm = 0; rm < 8; rm++)
			if (rm == 6 || x87 || (map == 1 && opcode == 1))
				emit(e, 0xc0 | reg << 3 | rm);
	}
}

static void
legacy(unsigned map, unsigned opcode, unsigned prefix, unsigned w)
{
	static const u8 prefixes[4] = {0, 0x66, 0xf3, 0xf2};
	struct encoding e = {.n = 0};

	if (map == 0 && prefix >= 2 && in(opcode, strings))
		return;
	if (prefix)
		put(&e, prefixes[prefix]);
	if (w)
		put(&e, 0x48);
	if (map)
		put(&e, 0x0f);
	if (map > 1)
		put(&e, map == 2 ? 0x38 : 0x3a);
	put(&e, opcode);
	operands(&e, map, opcode);
}

/* QEMU 7.2 aborts on wrong encodings of insertions and scalar rounding. */
static int
aborts(unsigned map, unsigned opcode, unsigned prefix, unsigned l)
{
	if (map == 1)
		return opcode == 0xc4 && (l || prefix != 1);
	if (map == 3 && opcode >= 0x20 && opcode <= 0x22)
		return l || prefix != 1;
	return map == 3 && l && (opcode == 0x0a || opcode == 0x0b);
}

static void
vex(unsigned map, unsigned opcode, unsigned prefix, unsigned w)
{
	for (unsigned l = 0; l < 2; l++) {
		if (aborts(map, opcode, prefix, l))
			continue;
		/* No second operand; then the vector or register 2. */
		for (unsigned v = 0; v <= 2; v += 2) {
			struct encoding e = {.n = 0};

			put(&e, 0xc4);
			put(&e, 0xe0 | map);
			put(&e, w << 7 | (~v & 15) << 3 | l << 2 | prefix);
			put(&e, opcode);
			operands(&e, map, opcode);
		}
	}
}

static void
absolute_moves(void)
{
	for (unsigned opcode = 0xa0; opcode < 0xa4; opcode++) {
		struct encoding e = {.n = 0};

		put(&e, opcode);
		put(&e, 0x00);
		put(&e, 0x08);
		put(&e, 0x00);
		put(&e, 0x20);
		for (unsigned i = 0; IS64 && i < 3; i++)
			put(&e, 0);
		emit(&e, IS64 ? 0 : 0x90);
	}
}

static void
generate(void)
{
	for (unsigned map = 0; map < 4; map++) {
		for (unsigned op = 0; op < 256; op++) {
			if (is_excluded(map, op))
				continue;
			for (unsigned i = 0; i < 8; i++) {
				if (IS64 || i < 4)
					legacy(map, op, i & 3, i >> 2);
				if (map)
					vex(map, op, i & 3, i >> 2);
			}
		}
	}
	absolute_moves();
}

static void
catch_signals(void)
{
	static const u8 numbers[] = {4, 5, 7, 8, 11};
	word action[5] = {
		(word)on_signal,
		0x4c000000, /* SA_NODEFER, SA_ONSTACK, SA_RESTORER */
		(word)return_from_signal,
	};
	word stack[3] = {(word)alternate, 0, sizeof alternate};

	sys(SYS_ALTSTACK, (long)stack, 0, 0, 0);
	for (unsigned i = 0; i < sizeof numbers; i++)
		sys(SYS_SIGACTION, numbers[i], (long)action, 0, 8);
}

void
start(void)
{
	enum { ALL = 7, FIXED = 0x32 };
	volatile uint32_t *scratch = (uint32_t *)(word)SCRATCH;

	sys(SYS_MMAP, SCRATCH_PAGE, 0x4000, ALL, FIXED);
	slot = (u8 *)sys(SYS_MMAP, CODE, (long)SLOT * SLOTS, ALL, FIXED);
	generate();
	catch_signals();
	transfers();
	for (unsigned i = 0; i < slots; i++) {
		for (int j = -8; j < 24; j++)
			scratch[j] = 0x7f7f7f7f;
		run((const u8 *)(word)CODE + (word)i * SLOT);
	}
	sys(SYS_EXIT, 0, 0, 0, 0);
}
