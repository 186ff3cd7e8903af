/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vectors.h"

#include <cpuid.h>
#include <sys/mman.h>

#define MXCSR_AT 6		/* word of XSAVE's area */
#define MXCSR_DEFAULT 0x1f80
#define ASIDE_BYTES (16 * 32 + 64)

static bool all;		/* everything is in XSAVE's area */

size_t
vectors_bytes(void)
{
	unsigned a, b = 0, c, d;

	__cpuid_count(13, 0, a, b, c, d);
	return b;
}

size_t
vectors_place(unsigned component)
{
	static unsigned place[8];
	unsigned a, b = 0, c, d;

	if (!place[component]) {
		__cpuid_count(13, component, a, b, c, d);
		place[component] = b;
	}
	return place[component];
}

/* As XSAVE wants it. */
static size_t
room(void)
{
	static size_t bytes;

	if (!bytes)
		bytes = (vectors_bytes() + 63) & ~(size_t)63;
	return bytes;
}

static bool
has_avx(void)
{
	unsigned a, b, c = 0, d;

	__cpuid(1, a, b, c, d);
	return c & bit_AVX && c & bit_OSXSAVE;
}

void
vectors_begin(bool beyond)
{
	all = beyond || !has_avx();
}

u64
vectors_new(void)
{
	void *p = mmap(NULL, 2 * room() + ASIDE_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 0;
	((u32 *)p)[MXCSR_AT] = MXCSR_DEFAULT;
	return (u64)(uintptr_t)p;
}

void
vectors_free(u64 area)
{
	munmap((void *)(uintptr_t)area, 2 * room() + ASIDE_BYTES);
}

u64
vectors_second(u64 area)
{
	return area + room();
}

void
vectors_save_all(u64 area)
{
	__asm__ volatile("xsave64 (%0)"
			 : : "r"(area), "a"(-1), "d"(-1)
			 : "memory");
}

void
vectors_restore_all(u64 area)
{
	__asm__ volatile("xrstor64 (%0)"
			 : : "r"(area), "a"(-1), "d"(-1)
			 : "memory");
}

/* ---- One by one ------------------------------------------------------------ */

#define EACH(f) \
	f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) \
	f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define LOAD(r) "vmovdqu 32*" #r "(%0), %%ymm" #r "\n\t"
#define STORE(r) "vmovdqu %%ymm" #r ", 32*" #r "(%0)\n\t"

static u64
aside(u64 area)
{
	return area + 2 * room();
}

static void
load(u64 from)
{
	__asm__ volatile(EACH(LOAD) "ldmxcsr 32*16(%0)"
			 : : "r"(from) : "memory");
}

static void
store(u64 to)
{
	__asm__ volatile(EACH(STORE) "stmxcsr 32*16(%0)"
			 : : "r"(to) : "memory");
}

void
vectors_load(u64 area)
{
	if (all)
		vectors_restore_all(area);
	else
		load(aside(area));
}

void
vectors_store(u64 area)
{
	if (all)
		vectors_save_all(area);
	else
		store(aside(area));
}

void
vectors_take(u64 area)
{
	if (all)
		return;
	load(aside(area));
	vectors_save_all(area);
}

void
vectors_give(u64 area)
{
	if (all)
		return;
	vectors_restore_all(area);
	store(aside(area));
}
