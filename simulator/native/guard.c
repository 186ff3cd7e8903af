/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guard.h"

#include "signals.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#define PAGES (1u << 18)
#define GUARDED 512

/* Pages that may be written and executed, by the low bits of their numbers:
 * those of a gigabyte, which few programs' code is spread over. */
static u64 both[PAGES / 64];
static u64 shared[PAGES / 64];	/* that may be written elsewhere as well */
static u8 faults[PAGES];	/* how often one was written that had code */

#define OFTEN 100

static u64 guarded[GUARDED];	/* addresses of pages */
static volatile u32 n_guarded;

static u64
page_of(u64 at)
{
	return at & ~(NATIVE_PAGE - 1);
}

static void
protect(u64 page, int prot)
{
	host_kernel(SYS_mprotect, page, NATIVE_PAGE, (u64)prot, 0);
}

void
guard_mapped(u64 at, u64 bytes, int prot)
{
	int wanted = PROT_WRITE | PROT_EXEC;
	u64 n = (bytes + NATIVE_PAGE - 1) / NATIVE_PAGE;
	u64 page = at / NATIVE_PAGE;

	for (n = n < PAGES ? n : PAGES; n; n--, page++)
		if ((prot & wanted) == wanted)
			both[page % PAGES / 64] |= 1ull << page % 64;
		else
			both[page % PAGES / 64] &= ~(1ull << page % 64);
}

void
guard_forget(u64 at, u64 bytes)
{
	for (u32 i = 0; i < n_guarded;)
		if (guarded[i] + NATIVE_PAGE > at && guarded[i] < at + bytes)
			guarded[i] = guarded[--n_guarded];
		else
			i++;
}

void
guard_shared(u64 at, u64 bytes, bool is)
{
	u64 n = (bytes + NATIVE_PAGE - 1) / NATIVE_PAGE;
	u64 page = at / NATIVE_PAGE;

	for (n = n < PAGES ? n : PAGES; n; n--, page++) {
		shared[page % PAGES / 64] &= ~(1ull << page % 64);
		shared[page % PAGES / 64] |= (u64)is << page % 64;
		faults[page % PAGES] = 0;
	}
}

static bool
has(const u64 *pages, u64 at)
{
	u64 number = at / NATIVE_PAGE;

	return pages[number % PAGES / 64] >> number % 64 & 1;
}

enum host_change
guard_change(u64 at)
{
	if (has(shared, at) || faults[at / NATIVE_PAGE % PAGES] >= OFTEN)
		return HOST_UNNOTICED;
	return has(both, at) ? HOST_NOTICED : HOST_STAYS;
}

static s64
find(u64 page)
{
	for (u32 i = 0; i < n_guarded; i++)
		if (guarded[i] == page)
			return i;
	return -1;
}

void
guard_code(u64 at)
{
	u64 page = page_of(at);

	if (guard_change(at) != HOST_NOTICED || find(page) >= 0)
		return;
	if (n_guarded == GUARDED) {
		guard_lift();
		blocks_forget();
	}
	signals_catch_faults();
	guarded[n_guarded++] = page;
	protect(page, PROT_READ | PROT_EXEC);
}

bool
guard_fault(u64 at)
{
	s64 i = find(page_of(at));
	u8 *often = &faults[at / NATIVE_PAGE % PAGES];

	if (i < 0)
		return false;
	*often += *often < OFTEN;
	protect(guarded[i], PROT_READ | PROT_WRITE | PROT_EXEC);
	guarded[i] = guarded[--n_guarded];
	return true;
}

bool
guard_lift(void)
{
	bool some = n_guarded;

	while (n_guarded)
		guard_fault(guarded[0]);
	return some;
}
