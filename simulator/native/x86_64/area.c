/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accesses of instructions that save and restore all registers of some
 * kinds: as many, as wide and in the order as QEMU 7.2 makes them. */
#include "area.h"

#include "cpu.h"

#define MOV_EAX 0xb8
#define X87_STEP 16
#define X87_BYTES 10
#define ENVIRONMENT_WORDS 7
#define HEADER 0x200		/* where the components' bits are */

/* Parts of an area, by the bits of those components that have them. */
static const struct part {
	u32 components;
	u16 at, step;		/* of one behind the other */
	u8 n;
	u8 size_log2;
	bool restored;		/* or saved only */
} parts[] = {
	{1, 0x000, 2, 3, 1, true},	/* words of the x87 */
	{1, 0x008, 8, 2, 3, false},	/* where it was */
	{1, 0x020, X87_STEP, 8, 3, true}, /* its registers, of ten bytes */
	{6, 0x018, 4, 1, 2, true},	/* MXCSR */
	{6, 0x01c, 4, 1, 2, false},	/* ... what of it there is */
	{2, 0x0a0, 8, 32, 3, true},	/* SSE */
	{4, 0x240, 8, 32, 3, true},	/* AVX */
	{8, 0x3c0, 8, 8, 3, false},	/* MPX: never in use, by QEMU */
	{16, 0x400, 8, 2, 3, false},
	{0x200, 0xa80, 8, 1, 3, true},	/* PKRU */
};

/* What EAX is before instruction i, if its block tells: which components. */
static u32
components(const struct code_source *s, unsigned i)
{
	u32 value;

	while (i-- > 0) {
		const u8 *code = (const u8 *)(uintptr_t)s->insn[i].pc;

		if (!(s->host[i].changes >> HOST_RAX & 1))
			continue;
		if (code[0] != MOV_EAX)
			break;
		memcpy(&value, code + 1, sizeof value);
		return value;
	}
	return ~0u;
}

static void
add(struct area *a, u16 at, u8 size_log2, bool store)
{
	if (a->n < AREA_ACCESSES)
		a->access[a->n++] = (struct area_access){at, size_log2, store};
}

static void
add_parts(struct area *a, u32 wanted, bool store)
{
	for (unsigned k = 0; k < SIM_COUNT(parts); k++) {
		const struct part *p = &parts[k];

		if (!(p->components & wanted) || !(store || p->restored))
			continue;
		for (unsigned i = 0; i < p->n; i++) {
			u16 at = (u16)(p->at + i * p->step);

			add(a, at, p->size_log2, store);
			if (p->step == X87_STEP)
				add(a, at + 8, 1, store);
		}
	}
}

/* The x87's environment, of words of two or four bytes, of which the first three
 * have something to be loaded; and the registers behind it. */
static void
add_x87(struct area *a, const struct host_insn *h, bool store)
{
	bool all = h->area == HOST_FSAVE || h->area == HOST_FRSTOR;
	u16 step = h->memory[0].bytes == (all ? 94 : 14) ? 2 : 4;
	u16 behind = (u16)(ENVIRONMENT_WORDS * step);

	for (u16 word = 0; word < (store ? ENVIRONMENT_WORDS : 3); word++)
		add(a, (u16)(word * step), store && step == 4 ? 2 : 1, store);
	for (u16 r = 0; all && r < 8; r++) {
		add(a, (u16)(behind + r * X87_BYTES), 3, store);
		add(a, (u16)(behind + r * X87_BYTES + 8), 1, store);
	}
}

/* Ten bytes one by one: loaded from the last digits' on down, but for the sign,
 * which comes last there and is stored first. */
static void
add_decimal(struct area *a, bool store)
{
	if (store)
		add(a, X87_BYTES - 1, 0, true);
	for (u16 k = 0; k < X87_BYTES - 1; k++)
		add(a, store ? k : (u16)(X87_BYTES - 2 - k), 0, store);
	if (!store)
		add(a, X87_BYTES - 1, 0, false);
}

void
area_find(struct area *a, const struct code_source *s, unsigned i)
{
	u32 wanted = components(s, i) & (u32)cpu_xcr0();

	a->n = 0;
	switch (s->host[i].area) {
	case HOST_FXSAVE:
		add_parts(a, 3, true);
		break;
	case HOST_FXRSTOR:
		add_parts(a, 3, false);
		break;
	case HOST_XSAVE:
		add_parts(a, wanted, true);
		add(a, HEADER, 3, false);
		add(a, HEADER, 3, true);
		break;
	case HOST_FSTENV:
	case HOST_FSAVE:
		add_x87(a, &s->host[i], true);
		break;
	case HOST_FLDENV:
	case HOST_FRSTOR:
		add_x87(a, &s->host[i], false);
		break;
	case HOST_FBLD:
	case HOST_FBSTP:
		add_decimal(a, s->host[i].area == HOST_FBSTP);
		break;
	default:
		for (u16 word = 0; word < 3; word++)
			add(a, (u16)(HEADER + 8 * word), 3, false);
		add_parts(a, wanted, false);
		break;
	}
}
