/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86 decoder against capstone, over all the code of libraries and
 * programs of the host: branch kind, loads and stores, class and FP flag,
 * and for common integer instructions the registers read and written.
 * Where the two differ on purpose or capstone is wrong, the table
 * `exceptions' says so, by mnemonic.  Skipped when there is no x86 code.
 */
#include "code/decode/decode.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum check {
	CHECK_BRANCH = 1,
	CHECK_MEMORY = 2,
	CHECK_CLASS = 4,
	CHECK_REGS = 8,
};

static const struct {
	const char *mnemonic; /* a trailing * stands for any end */
	unsigned checks;
	const char *why;
} exceptions[] = {
	{"test", CHECK_REGS, "capstone: writes al"},
	{"cdq", CHECK_REGS, "capstone: writes eax"},
	{"cqo", CHECK_REGS, "capstone: writes rax"},
	{"xadd", CHECK_REGS, "capstone: leaves the flags alone"},
	{"leave", CHECK_REGS, "capstone: reads rsp, which it replaces"},
	{"bsr", CHECK_REGS, "ours: keeps its destination for a zero"},
	{"wait", CHECK_CLASS, "ours: counts as x87, computes nothing"},
};

/*
 * What instructions do with a memory operand where capstone's access field
 * is known to be wrong.  Most are stores that it calls loads.
 */
static const struct {
	const char *mnemonic;
	bool first; /* only when it is the first operand */
	unsigned flags;
} accesses[] = {
	{"lea", false, 0}, {"nop", false, 0}, {"prefetch*", false, 0},
	{"test", false, INSN_LOADS}, {"set*", true, INSN_STORES},
	{"mov*", true, INSN_STORES}, {"vmov*", true, INSN_STORES},
	{"fst*", true, INSN_STORES}, {"fist*", true, INSN_STORES},
	{"fnst*", true, INSN_STORES}, {"stmxcsr", true, INSN_STORES},
	{"vstmxcsr", true, INSN_STORES}, {"vextract*", true, INSN_STORES},
	{"cmpxchg", true, INSN_LOADS | INSN_STORES},
	{"xsavec", true, INSN_STORES},
	{"xsave*", true, INSN_LOADS | INSN_STORES},
	{"frstor", true, INSN_LOADS},
	{"ror", true, INSN_LOADS | INSN_STORES},
	{"rol", true, INSN_LOADS | INSN_STORES},
};

/* Extensions that the emulated CPU lacks and the decoder need not know. */
static const char *const unsupported[] = {
	"xbegin", "xend", "xabort", "xtest", "kunpck*", "kmov*", "kortest*",
	"ktest*", "kand*", "kor*", "kxor*", "knot*", "kadd*", "kshift*",
	"rdpkru", "wrpkru",
};

/* Instructions whose registers are compared. */
static const char *const integer[] = {
	"adc", "add", "and", "bswap", "cmp", "dec", "imul", "inc", "lea",
	"mov", "movabs", "movsx", "movsxd", "movzx", "neg", "not", "or",
	"pop", "push", "sar", "sbb", "shl", "shr", "sub", "test", "xadd",
	"xchg", "xor", "call", "ret", "jmp", "cdq", "cqo", "cdqe", "cwde",
	"div", "idiv", "mul", "leave", "rol", "ror", "bsr", "tzcnt",
};

static unsigned n_mismatch;

static bool
matches(const char *pattern, const char *mnemonic)
{
	size_t n = strlen(pattern);

	if (n && pattern[n - 1] == '*')
		return strncmp(pattern, mnemonic, n - 1) == 0;
	return strcmp(pattern, mnemonic) == 0;
}

/* The mnemonic without rep or lock before it. */
static const char *
plain(const cs_insn *ci)
{
	const char *space = strrchr(ci->mnemonic, ' ');

	return space ? space + 1 : ci->mnemonic;
}

static bool
excepted(const cs_insn *ci, enum check check)
{
	for (size_t i = 0; i < SIM_COUNT(exceptions); i++)
		if (exceptions[i].checks & check &&
		    matches(exceptions[i].mnemonic, plain(ci)))
			return true;
	return false;
}

/* Has this been printed for the mnemonic before?  Remembers it. */
static bool
seen(const char *mnemonic, const char *what)
{
	static char keys[256][48];
	static size_t n;
	char key[48];

	snprintf(key, sizeof key, "%.24s %s", mnemonic, what);
	for (size_t i = 0; i < n; i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	if (n < SIM_COUNT(keys))
		strcpy(keys[n++], key);
	return false;
}

static void
mismatch(const cs_insn *ci, enum check check, const char *what, u64 expected,
	 u64 got)
{
	if (excepted(ci, check))
		return;
	n_mismatch++;
	if (seen(plain(ci), what))
		return;
	printf("%s: expected %#llx got %#llx:", what,
	       (unsigned long long)expected, (unsigned long long)got);
	for (unsigned i = 0; i < ci->size; i++)
		printf(" %02x", ci->bytes[i]);
	printf("  %s %s\n", ci->mnemonic, ci->op_str);
}

static bool
in_group(const cs_insn *ci, u8 group)
{
	for (unsigned i = 0; i < ci->detail->groups_count; i++)
		if (ci->detail->groups[i] == group)
			return true;
	return false;
}

/* String instructions by opcode; capstone shares names with SSE moves. */
static bool
is_string(const cs_insn *ci)
{
	u8 op = ci->detail->x86.opcode[0];

	return (op >= 0x6c && op <= 0x6f) || (op >= 0xa4 && op <= 0xa7) ||
	       (op >= 0xaa && op <= 0xaf);
}

static enum insn_branch
branch_expected(const cs_insn *ci)
{
	const cs_x86 *x86 = &ci->detail->x86;
	bool direct = x86->op_count && x86->operands[0].type == X86_OP_IMM;

	if (in_group(ci, CS_GRP_CALL))
		return direct ? BRANCH_CALL : BRANCH_IND_CALL;
	if (in_group(ci, CS_GRP_RET))
		return BRANCH_RETURN;
	if (ci->id == X86_INS_JMP)
		return direct ? BRANCH_JUMP : BRANCH_IND_JUMP;
	if (in_group(ci, CS_GRP_JUMP) || (x86->opcode[0] & 0xfc) == 0xe0)
		return BRANCH_DIRECT_COND;
	if (is_string(ci) && (x86->prefix[0] == 0xf3 || x86->prefix[0] == 0xf2))
		return BRANCH_REP;
	return BRANCH_NONE;
}

/* INSN_LOADS and INSN_STORES of what is not among the operands. */
static unsigned
implicit_memory(const cs_insn *ci)
{
	switch (ci->id) {
	case X86_INS_PUSH:
	case X86_INS_PUSHF:
	case X86_INS_PUSHFQ:
	case X86_INS_CALL:
	case X86_INS_ENTER:
	case X86_INS_INSB:
	case X86_INS_INSD:
		return INSN_STORES;
	case X86_INS_POP:
	case X86_INS_POPF:
	case X86_INS_POPFQ:
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_LEAVE:
	case X86_INS_XLATB:
	case X86_INS_OUTSB:
	case X86_INS_OUTSD:
		return INSN_LOADS;
	default:
		return 0;
	}
}

/* INSN_LOADS and INSN_STORES of memory operand i. */
static unsigned
operand_access(const cs_insn *ci, unsigned i)
{
	const cs_x86_op *op = &ci->detail->x86.operands[i];
	unsigned flags = 0;

	for (size_t j = 0; j < SIM_COUNT(accesses) && !is_string(ci); j++)
		if ((!accesses[j].first || i == 0) &&
		    matches(accesses[j].mnemonic, plain(ci)))
			return accesses[j].flags;
	if (op->access & CS_AC_READ)
		flags |= INSN_LOADS;
	if (op->access & CS_AC_WRITE)
		flags |= INSN_STORES;
	return flags;
}

static void
check_memory(const cs_insn *ci, const struct insn *in)
{
	const cs_x86 *x86 = &ci->detail->x86;
	unsigned got = in->flags & (INSN_LOADS | INSN_STORES);
	unsigned expected = implicit_memory(ci);

	for (unsigned i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_MEM)
			expected |= operand_access(ci, i);
	if (expected != got)
		mismatch(ci, CHECK_MEMORY, "memory", expected, got);
}

/* Scalar and packed floating-point operations: name, class for singles. */
static const struct {
	const char *name;
	u8 cls;
	bool doubles; /* the class after it is for doubles */
} operations[] = {
	{"add", CLASS_FADD, false}, {"sub", CLASS_FADD, false},
	{"min", CLASS_FMIN, false}, {"max", CLASS_FMIN, false},
	{"hadd", CLASS_FHADD, false}, {"hsub", CLASS_FHADD, false},
	{"addsub", CLASS_FADD, false}, {"cmp", CLASS_FMIN, false},
	{"mul", CLASS_FMUL, true}, {"div", CLASS_FDIV, true},
	{"sqrt", CLASS_FSQRT, true}, {"rcp", CLASS_FRCP, false},
	{"rsqrt", CLASS_FRCP, false}, {"comi", CLASS_FCMP, false},
	{"ucomi", CLASS_FCMP, false}, {"round", CLASS_FROUND, false},
	{"dp", CLASS_FDOT, false}, {"mov", CLASS_FMOVE, false},
	{"and", CLASS_FMOVE, false}, {"andn", CLASS_FMOVE, false},
	{"or", CLASS_FMOVE, false}, {"xor", CLASS_FMOVE, false},
	{"unpckl", CLASS_FSHUFFLE, false}, {"unpckh", CLASS_FSHUFFLE, false},
	{"shuf", CLASS_FSHUFFLE, false}, {"mova", CLASS_FMOVE, false},
	{"movu", CLASS_FMOVE, false}, {"movh", CLASS_FMOVE, false},
	{"movl", CLASS_FMOVE, false}, {"movnt", CLASS_FMOVE, false},
	{"blend", CLASS_FMOVE, false}, {"blendv", CLASS_FMOVE, false},
	{"movmsk", CLASS_FEXTRACT, false}, {"test", CLASS_SIMD, false},
};

/* From or to a general register, to another width, or neither. */
static int
conversion_class(const char *name)
{
	static const char *const widths[] = {"ss2sd", "sd2ss", "ps2pd",
					     "pd2ps", "dq2pd", "pd2dq"};

	if (strncmp(name, "cvtsi2s", 7) == 0 || strstr(name, "2si"))
		return CLASS_FCVT_X;
	for (size_t i = 0; i < SIM_COUNT(widths); i++)
		if (strstr(name, widths[i]))
			return CLASS_FCVT_W;
	return CLASS_FCVT;
}

/* The class of an SSE or AVX operation on singles or doubles, or -1. */
static int
vector_class(const char *name)
{
	size_t n;
	const char *end;
	bool dbl;

	name += *name == 'v';
	if (strncmp(name, "cvt", 3) == 0)
		return conversion_class(name);
	if (strncmp(name, "fmadd", 5) == 0 || strncmp(name, "fnmadd", 6) == 0 ||
	    strncmp(name, "fmsub", 5) == 0 || strncmp(name, "fnmsub", 6) == 0)
		return CLASS_FMADD;
	n = strlen(name);
	if (n < 4)
		return -1;
	end = name + n - 2;
	dbl = end[1] == 'd';
	if ((*end != 's' && *end != 'p') || (end[1] != 's' && !dbl))
		return -1;
	if (strncmp(name, "cmp", 3) == 0)
		return CLASS_FMIN;
	for (size_t i = 0; i < SIM_COUNT(operations); i++)
		if (strlen(operations[i].name) == n - 2 &&
		    strncmp(operations[i].name, name, n - 2) == 0)
			return operations[i].cls +
			       (dbl && operations[i].doubles);
	return -1;
}

/* x87: what part of the name says the class; the first match counts. */
static const struct {
	const char *name;
	u8 cls;
} x87[] = {
	{"fadd*", CLASS_FADD}, {"fiadd", CLASS_FADD}, {"fsub*", CLASS_FADD},
	{"fisub*", CLASS_FADD}, {"fmul*", CLASS_FMUL_D},
	{"fimul", CLASS_FMUL_D}, {"fdiv*", CLASS_FDIV_X},
	{"fidiv*", CLASS_FDIV_X}, {"fsqrt", CLASS_FSQRT_X},
	{"fcmov*", CLASS_FCMOV}, {"fcom*", CLASS_FCMP},
	{"fucom*", CLASS_FCMP}, {"fld", CLASS_FMOVE}, {"fld1", CLASS_FMOVE},
	{"fldz", CLASS_FMOVE}, {"fst", CLASS_FMOVE}, {"fstp", CLASS_FMOVE},
	{"fxch", CLASS_FXCH}, {"fabs", CLASS_FCPYS}, {"fchs", CLASS_FCPYS},
	{"fild", CLASS_FCVT}, {"fist*", CLASS_FCVT}, {"fsin", CLASS_FSQRT_D},
	{"fcos", CLASS_FSQRT_D}, {"fpatan", CLASS_FSQRT_D},
	{"fyl2x*", CLASS_FSQRT_D}, {"f2xm1", CLASS_FSQRT_D},
	{"fscale", CLASS_FSQRT_D}, {"fxtract", CLASS_FSQRT_D},
	{"fprem*", CLASS_FDIV_D},
	{"frndint", CLASS_FCVT}, {"fxam", CLASS_FCMP}, {"ftst", CLASS_FCMP},
	{"fldcw", CLASS_SYSREG}, {"fnstcw", CLASS_SYSREG},
	{"fnstsw", CLASS_SYSREG}, {"fnstenv", CLASS_SYSREG},
	{"fldenv", CLASS_SYSREG}, {"fnclex", CLASS_SYSREG},
};

/* Of 256 bits. */
static int
class_of_halves(int cls)
{
	return cls == CLASS_FDIV     ? CLASS_FDIV_Y
	       : cls == CLASS_FDIV_D ? CLASS_FDIV_YD
	       : cls == CLASS_FSQRT  ? CLASS_FSQRT_Y
	       : cls == CLASS_FSQRT_D ? CLASS_FSQRT_YD
				      : cls;
}

static int
class_expected(const cs_insn *ci, const char *name)
{
	int cls;

	for (size_t i = 0; i < SIM_COUNT(x87); i++)
		if (matches(x87[i].name, name))
			return x87[i].cls;
	cls = vector_class(name);
	return strstr(ci->op_str, "ymm") ? class_of_halves(cls) : cls;
}

static bool
computes(int cls)
{
	return (cls >= CLASS_FADD && cls <= CLASS_FCVT);
}

static void
check_class(const cs_insn *ci, const struct insn *in)
{
	const char *name = plain(ci);
	int cls = is_string(ci) ? -1 : class_expected(ci, name);
	bool fp = computes(cls) ||
		  (*name == 'f' && in->dst[0] != REG_NONE && cls != -1) ||
		  (ci->detail->x86.opcode[0] & 0xf8) == 0xd8;

	if (cls != -1 && cls != in->cls)
		mismatch(ci, CHECK_CLASS, "class", (u64)cls, in->cls);
	if (cls == -1 && in->cls >= CLASS_FADD && in->cls <= CLASS_FCVT)
		mismatch(ci, CHECK_CLASS, "fp class", 0, in->cls);
	if (fp != !!(in->flags & INSN_IS_FP))
		mismatch(ci, CHECK_CLASS, "fp flag", fp, in->flags);
}

/* A general register as a bit; the flags as bit 16; else 0. */
static u64
register_bit(unsigned reg)
{
	static const u16 names[16][5] = {
		{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
		{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
		{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
		{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
		{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
		{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
		{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
		{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
		{X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B},
		{X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B},
		{X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B},
		{X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B},
		{X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B},
		{X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B},
		{X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B},
		{X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B},
	};

	for (unsigned i = 0; i < 16; i++)
		for (unsigned j = 0; j < 5; j++)
			if (names[i][j] && names[i][j] == reg)
				return 1u << i;
	return reg == X86_REG_EFLAGS ? 1u << 16 : 0;
}

static u64
our_bits(const u8 *list, unsigned n)
{
	u64 bits = 0;

	for (unsigned i = 0; i < n; i++)
		if (list[i] < 16)
			bits |= 1u << list[i];
		else if (list[i] == REG_FLAGS)
			bits |= 1u << 16;
	return bits;
}

/* Registers written in part: capstone does not count them as read. */
static u64
partly_written(const cs_insn *ci, u64 written)
{
	const cs_x86 *x86 = &ci->detail->x86;
	u64 part = 0;

	for (unsigned i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_REG &&
		    x86->operands[i].size <= 2)
			part |= register_bit(x86->operands[i].reg);
	return part & written & 0xffff;
}

static void
check_registers(csh cs, const cs_insn *ci, const struct insn *in)
{
	cs_regs read, write;
	u8 n_read, n_write;
	u64 reads = 0, writes = 0, ours;

	if (cs_regs_access(cs, ci, read, &n_read, write, &n_write))
		return;
	for (unsigned i = 0; i < n_read; i++)
		reads |= register_bit(read[i]);
	for (unsigned i = 0; i < n_write; i++)
		writes |= register_bit(write[i]);
	ours = our_bits(in->dst, INSN_DST);
	if (ours != writes)
		mismatch(ci, CHECK_REGS, "written", writes, ours);
	reads |= partly_written(ci, writes);
	ours = our_bits(in->src, INSN_SRC) | our_bits(in->addr, INSN_ADDR) |
	       our_bits(&in->data, 1);
	if (ours != reads)
		mismatch(ci, CHECK_REGS, "read", reads, ours);
}

/* EVEX, masks, transactions, four-operand FMA: not to be decoded. */
static bool
is_unsupported(const cs_insn *ci, bool is64)
{
	const char *name = plain(ci);

	if (ci->bytes[0] == 0x62 && (is64 || ci->bytes[1] >= 0xc0))
		return true;
	if (*name == 'v' && vector_class(name) == CLASS_FMADD &&
	    ci->detail->x86.op_count == 4)
		return true;
	for (size_t i = 0; i < SIM_COUNT(unsupported); i++)
		if (matches(unsupported[i], name))
			return true;
	return false;
}

static void
check_insn(csh cs, const cs_insn *ci, bool is64)
{
	enum insn_branch branch = branch_expected(ci);
	struct insn in;

	decode_x86(&in, ci->address, ci->bytes, ci->size, is64);
	if (is_unsupported(ci, is64) || in.flags & INSN_UNKNOWN) {
		if (!is_unsupported(ci, is64) || !(in.flags & INSN_UNKNOWN))
			mismatch(ci, CHECK_CLASS, "unknown",
				 is_unsupported(ci, is64), in.flags);
		return;
	}
	if (branch != in.branch)
		mismatch(ci, CHECK_BRANCH, "branch", branch, in.branch);
	check_memory(ci, &in);
	check_class(ci, &in);
	for (size_t i = 0; i < SIM_COUNT(integer); i++)
		if (strcmp(integer[i], plain(ci)) == 0)
			check_registers(cs, ci, &in);
}

/* Compares all instructions of size bytes of code.  Returns their number. */
static size_t
check_code(const u8 *code, size_t size, u64 address, bool is64)
{
	csh cs;
	cs_insn *ci;
	size_t n = 0;

	assert_int_equal(cs_open(CS_ARCH_X86, is64 ? CS_MODE_64 : CS_MODE_32,
				 &cs), CS_ERR_OK);
	cs_option(cs, CS_OPT_DETAIL, CS_OPT_ON);
	ci = cs_malloc(cs);
	while (size) {
		if (cs_disasm_iter(cs, &code, &size, &address, ci)) {
			check_insn(cs, ci, is64);
			n++;
		} else {
			code++;
			size--;
			address++;
		}
	}
	cs_free(ci, 1);
	cs_close(&cs);
	return n;
}

static size_t
check_elf64(const u8 *image)
{
	const Elf64_Ehdr *eh = (const void *)image;
	const Elf64_Shdr *sh = (const void *)(image + eh->e_shoff);
	const char *names = (const char *)image +
			    sh[eh->e_shstrndx].sh_offset;
	size_t n = 0;

	if (eh->e_machine != EM_X86_64)
		return 0;
	for (unsigned i = 0; i < eh->e_shnum; i++)
		if (strcmp(names + sh[i].sh_name, ".text") == 0)
			n += check_code(image + sh[i].sh_offset, sh[i].sh_size,
					sh[i].sh_addr, true);
	return n;
}

static size_t
check_elf32(const u8 *image)
{
	const Elf32_Ehdr *eh = (const void *)image;
	const Elf32_Shdr *sh = (const void *)(image + eh->e_shoff);
	const char *names = (const char *)image +
			    sh[eh->e_shstrndx].sh_offset;
	size_t n = 0;

	if (eh->e_machine != EM_386)
		return 0;
	for (unsigned i = 0; i < eh->e_shnum; i++)
		if (strcmp(names + sh[i].sh_name, ".text") == 0)
			n += check_code(image + sh[i].sh_offset, sh[i].sh_size,
					sh[i].sh_addr, false);
	return n;
}

/* Returns the number of instructions compared; 0 when it is not there. */
static size_t
check_file(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u8 *image;
	size_t n;

	if (fd < 0)
		return 0;
	assert_int_equal(fstat(fd, &st), 0);
	image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	assert_ptr_not_equal(image, MAP_FAILED);
	n = image[EI_CLASS] == ELFCLASS64 ? check_elf64(image)
					  : check_elf32(image);
	munmap(image, (size_t)st.st_size);
	printf("%s: %zu instructions\n", path, n);
	return n;
}

static void
test_host_code(void **state)
{
	static const char *const files[] = {
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib/x86_64-linux-gnu/libm.so.6",
		"/lib64/ld-linux-x86-64.so.2",
		"/usr/bin/python3",
		"/lib32/libc.so.6",
	};
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(files); i++)
		n += check_file(files[i]);
	if (!n)
		exit(77);
	assert_int_equal(n_mismatch, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
