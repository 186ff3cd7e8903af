/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operands are spelled with a letter each: a b c and A B C are the register
 * fields, as in the rows of the decoder (b may be a literal), d a displacement
 * of bytes, t the target of a branch, h that which a jump is predicted to have,
 * n a number as it stands, p what PALcode is called for.
 */
#include "alpha_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "alpha_tables.h"

struct form {
	u32 mask, match;
	const char *name, *operands;
	bool same;	/* only if the fields a and b are the same */
};

/* What an assembler has a shorter name for; the first that matches. */
static const struct form short_forms[] = {
	{0xffffffff, 0x00000000, "halt", "", false},
	{0xffffffff, 0x00000002, "draina", "", false},
	{0xffffffff, 0x00000080, "bpt", "", false},
	{0xffffffff, 0x00000081, "bugchk", "", false},
	{0xffffffff, 0x00000083, "callsys", "", false},
	{0xffffffff, 0x000000aa, "gentrap", "", false},
	{0xffe00000, 0x2fe00000, "unop", "", false},
	{0xfc1f0000, 0x201f0000, "lda", "a,d", false},
	{0xfc1f0000, 0x241f0000, "ldah", "a,d", false},
	{0xffe00000, 0xc3e00000, "br", "t", false},
	{0xfc1fffff, 0x601fc000, "rpcc", "a", false},
	{0xffffffff, 0x6bfa8001, "ret", "", false},
	{0xffe0ffff, 0x6be00000, "jmp", "(b)", false},
	{0xfc00c000, 0x68008000, "ret", "a,(b),n", false},
	{0xfc00c000, 0x6800c000, "jcr", "a,(b),n", false},
	{0xffe00fe0, 0x43e00000, "sextl", "b,c", false},
	{0xffe00fe0, 0x43e00120, "negl", "b,c", false},
	{0xffe00fe0, 0x43e00520, "negq", "b,c", false},
	{0xffe00fe0, 0x43e00920, "negl/v", "b,c", false},
	{0xffe00fe0, 0x43e00d20, "negq/v", "b,c", false},
	{0xffffffff, 0x47ff041f, "nop", "", false},
	{0xffffffe0, 0x47ff0400, "clr", "c", false},
	{0xffe00fe0, 0x47e00400, "mov", "b,c", false},
	{0xfc001fe0, 0x44000400, "mov", "a,c", true},
	{0xffe00fe0, 0x47e00500, "not", "b,c", false},
	{0xffe0ffe0, 0x57e01020, "negf", "B,C", false},
	{0xffe0ffe0, 0x57e09020, "negf/s", "B,C", false},
	{0xffe0ffe0, 0x57e01420, "negg", "B,C", false},
	{0xffe0ffe0, 0x57e09420, "negg/s", "B,C", false},
	{0xffe0ffe0, 0x5be01020, "negs", "B,C", false},
	{0xffe0ffe0, 0x5be0b020, "negs/su", "B,C", false},
	{0xffe0ffe0, 0x5be0f020, "negs/sui", "B,C", false},
	{0xffe0ffe0, 0x5be01420, "negt", "B,C", false},
	{0xffe0ffe0, 0x5be0b420, "negt/su", "B,C", false},
	{0xffe0ffe0, 0x5be0f420, "negt/sui", "B,C", false},
	{0xffe0ffe0, 0x5be05580, "cvtst", "B,C", false},
	{0xffe0ffe0, 0x5be0d580, "cvtst/s", "B,C", false},
	{0xffffffff, 0x5fff041f, "fnop", "", false},
	{0xffffffe0, 0x5fff0400, "fclr", "C", false},
	{0xffe0ffe0, 0x5fe00400, "fabs", "B,C", false},
	{0xfc00ffe0, 0x5c000400, "fmov", "A,C", true},
	{0xfc00ffe0, 0x5c000420, "fneg", "A,C", true},
	{0xffe0ffe0, 0x5fe00600, "cvtql", "B,C", false},
	{0xffe0ffe0, 0x5fe02600, "cvtql/v", "B,C", false},
	{0xffe0ffe0, 0x5fe0a600, "cvtql/sv", "B,C", false},
};

static const struct form *
find_short(u32 word)
{
	bool same = alpha_field(word, 21, 5) == alpha_field(word, 16, 5);

	for (size_t i = 0; i < SIM_COUNT(short_forms); i++) {
		const struct form *f = &short_forms[i];

		if ((word & f->mask) == f->match && (same || !f->same))
			return f;
	}
	return NULL;
}

/* ---- Operands --------------------------------------------------------- */

static const char *const registers[32] = {
	"v0", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "s0", "s1",
	"s2", "s3", "s4", "s5", "fp", "a0", "a1", "a2", "a3", "a4", "a5",
	"t8", "t9", "t10", "t11", "ra", "t12", "at", "gp", "sp", "zero",
};

static unsigned
field_of(char letter, u32 word)
{
	switch (letter | 0x20) {
	case 'a':
		return alpha_field(word, 21, 5);
	case 'b':
		return alpha_field(word, 16, 5);
	default:
		return alpha_field(word, 0, 5);
	}
}

/* Instructions from the next one on, in so many bits. */
static u64
target(u32 word, u64 pc, unsigned bits)
{
	s64 n = (s64)((u64)word << (64 - bits)) >> (64 - bits);

	return pc + 4 + 4 * (u64)n;
}

static int
put_operand(char *text, size_t room, char letter, u32 word, u64 pc)
{
	switch (letter) {
	case 'A':
	case 'B':
	case 'C':
		return snprintf(text, room, "$f%u", field_of(letter, word));
	case 'd':
		return snprintf(text, room, "%d", (int16_t)word);
	case 't':
		return snprintf(text, room, "0x%" PRIx64,
				target(word, pc, 21));
	case 'h':
		return snprintf(text, room, "0x%" PRIx64,
				target(word, pc, 14));
	case 'n':
		return snprintf(text, room, "%#x", alpha_field(word, 0, 14));
	case 'p':
		return snprintf(text, room, "%#x", alpha_field(word, 0, 26));
	case 'b':
		if (alpha_has_literal(word))
			return snprintf(text, room, "%#x",
					alpha_field(word, 13, 8));
		/* fall through */
	case 'a':
	case 'c':
		return snprintf(text, room, "%s",
				registers[field_of(letter, word)]);
	default:
		return snprintf(text, room, "%c", letter);
	}
}

static void
put(char text[ALPHA_TEXT], const char *name, const char *more,
    const char *operands, u32 word, u64 pc)
{
	size_t n = (size_t)snprintf(text, ALPHA_TEXT, "%s%s%s", name, more,
				    *operands ? " " : "");

	for (const char *p = operands; *p; p++)
		n += (size_t)put_operand(text + n, ALPHA_TEXT - n, *p, word,
					 pc);
}

/* ---- Instructions ----------------------------------------------------- */

/* Of an operate: what is read, then what is written, each field once, with
 * commas.  False if a field that is not named is not as it should be. */
static bool
operate_operands(char operands[8], const char *ops, u32 word)
{
	const char *reads = strchr(ops, '<');
	size_t n = 0;

	for (const char *p = reads ? reads + 1 : ops; *p && *p != *ops; p++) {
		operands[n++] = *p;
		operands[n++] = ',';
	}
	operands[n] = *ops;
	operands[n + 1] = '\0';
	for (const char *p = "abc"; *p; p++)
		if (!strchr(operands, *p) && !strchr(operands, *p & ~0x20) &&
		    (*p != 'b' || !alpha_has_literal(word)) &&
		    field_of(*p, word) != ALPHA_ZERO)
			return false;
	return true;
}

/* Letters behind the name of a floating-point operate, NULL: there are none
 * like these.  Results that are integers overflow. */
static const char *
qualifiers(char more[8], const struct op_row *row, u32 word)
{
	static const char *const traps[2][8] = {
		{"", "u", NULL, NULL, "s", "su", NULL, NULL},	/* VAX */
		{"", "u", NULL, NULL, NULL, "su", NULL, "sui"},	/* IEEE */
	};
	static const char *const rounding[4] = {"c", "m", "", "d"};
	unsigned opcode = word >> 26, how = alpha_field(word, 11, 2);
	bool vax = opcode == 0x15 ||
		   (opcode == 0x14 && alpha_field(word, 5, 4) == 0xa);
	const char *trap = traps[!vax][alpha_field(word, 13, 3)];
	char *u;

	if (!trap || (vax && how & 1))
		return NULL;
	snprintf(more, 8, "%s%s%s", *trap || how != 2 ? "/" : "", trap,
		 rounding[how]);
	u = strchr(more, 'u');
	if (u && row->name[strlen(row->name) - 1] == 'q' &&
	    row->cls == CLASS_FCVT)
		*u = 'v';
	return more;
}

/* The register that holds the state of floating point is named thrice. */
static bool
state_operands(char operands[8], u32 word)
{
	strcpy(operands, "A");
	return field_of('a', word) == field_of('b', word) &&
	       field_of('a', word) == field_of('c', word);
}

static bool
put_operate(char text[ALPHA_TEXT], const struct op_row *row, u32 word)
{
	unsigned opcode = word >> 26;
	bool fp = opcode >= 0x14 && opcode <= 0x17;
	char operands[8], letters[8] = "";
	const char *more = letters;
	bool good = row->cls == CLASS_FMOVE
			    ? state_operands(operands, word)
			    : operate_operands(operands, row->ops, word);

	if (!fp)
		good &= alpha_has_literal(word) || !alpha_field(word, 13, 3);
	else if (opcode == 0x17 || row->cls == CLASS_FTRANSFER)
		good &= !alpha_field(word, 11, 5);
	else
		more = qualifiers(letters, row, word);
	if (good && more)
		put(text, row->name, more, operands, word, 0);
	return good && more;
}

/* Opcode 0x18: all 16 bits of the function matter. */
static bool
put_misc(char text[ALPHA_TEXT], const struct op_row *row, u32 word)
{
	bool cache = *row->ops == '[';

	if (alpha_field(word, 0, 10) ||
	    (cache && field_of('a', word) != ALPHA_ZERO))
		return false;
	if (!strcmp(row->name, "rpcc"))
		put(text, row->name, "", "a,b", word, 0);
	else
		put(text, row->name, "", cache ? "(b)" : row->ops, word, 0);
	return true;
}

static const char *
operands_of(const struct op_row *row, u32 word)
{
	unsigned opcode = word >> 26;

	if (opcode == 0)
		return row->cls == CLASS_SYSCALL ? "p" : "";
	if (opcode == 0x1a)
		return "a,(b),h";
	if (opcode >= 0x30)
		return (opcode & 7) % 4 && opcode < 0x38 ? "A,t" : "a,t";
	return opcode >= 0x20 && opcode <= 0x27 ? "A,d(b)" : "a,d(b)";
}

void
alpha_text(char text[ALPHA_TEXT], u32 word, u64 pc)
{
	const struct form *f = find_short(word);
	struct op_row row = alpha_row(word);
	unsigned opcode = word >> 26;
	bool known = row.ops;

	if (f)
		put(text, f->name, "", f->operands, word, pc);
	else if (known && opcode == 0x18)
		known = put_misc(text, &row, word);
	else if (known && ((opcode >= 0x10 && opcode <= 0x17) ||
			   opcode == 0x1c))
		known = put_operate(text, &row, word);
	else if (known)
		put(text, row.name, "", operands_of(&row, word), word, pc);
	if (!f && !known)
		snprintf(text, ALPHA_TEXT, ".long 0x%x", word);
}
