/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guard.h"

#include "signals.h"

#include "target/host_maps.h"
#include "target/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define PAGES (1u << 18)
#define GUARDED 512

/* Memory of one kind: ranges in the order of their addresses, none of which
 * touches another. */
struct ranges {
	struct range {
		u64 from, to;
	} *at;
	size_t n, room;
};

static struct ranges both;	/* may be written and executed */
static struct ranges shared;	/* may be written elsewhere as well */
static struct ranges executed;	/* may be executed: that is known */

/* How often a page was written that had code, by the low bits of its number:
 * several may share that, and are then looked at sooner than they need be. */
static u8 faults[PAGES];

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

/* The first range that ends behind that address. */
static size_t
find_range(const struct ranges *r, u64 at)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (r->at[middle].to > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool
has(const struct ranges *r, u64 at)
{
	size_t i = find_range(r, at);

	return i < r->n && r->at[i].from <= at;
}

/* Puts n ranges in place of those from first to before end. */
static void
replace(struct ranges *r, size_t first, size_t end, const struct range *by,
	size_t n)
{
	size_t left = r->n - end, all = first + n + left;

	if (!n && first == end)
		return;
	if (all > r->room) {
		r->room = 2 * all;
		r->at = realloc(r->at, r->room * sizeof *r->at);
		if (!r->at)
			process_die("ranges of memory", ENOMEM);
	}
	memmove(r->at + first + n, r->at + end, left * sizeof *by);
	memcpy(r->at + first, by, n * sizeof *by);
	r->n = all;
}

/* Memory from there to there is of that kind now, or is not. */
static void
put(struct ranges *r, u64 from, u64 to, bool is)
{
	size_t first = find_range(r, from), end = first, n = 0;
	struct range by[2], own = {from, to};

	if (from >= to)
		return;
	if (is && first && r->at[first - 1].to == from)
		end = first--;
	for (; end < r->n && r->at[end].from < to + is; end++)
		;
	if (first < end && r->at[first].from < from) {
		own.from = r->at[first].from;
		by[n++] = (struct range){own.from, from};
	}
	if (first < end && r->at[end - 1].to > to)
		own.to = r->at[end - 1].to;
	if (is) {
		by[0] = own;
		n = 1;
	} else if (own.to > to) {
		by[n++] = (struct range){to, own.to};
	}
	replace(r, first, end, by, n);
}

static u64
pages_end(u64 at, u64 bytes)
{
	return page_of(at + bytes + NATIVE_PAGE - 1);
}

void
guard_mapped(u64 at, u64 bytes, int prot)
{
	int wanted = PROT_WRITE | PROT_EXEC;

	put(&both, page_of(at), pages_end(at, bytes),
	    (prot & wanted) == wanted);
	put(&executed, page_of(at), pages_end(at, bytes), prot & PROT_EXEC);
}

void
guard_forget(u64 at, u64 bytes)
{
	put(&executed, page_of(at), pages_end(at, bytes), false);
	for (u32 i = 0; i < n_guarded;)
		if (guarded[i] + NATIVE_PAGE > at && guarded[i] < at + bytes)
			guarded[i] = guarded[--n_guarded];
		else
			i++;
}

/* The mapping of the kernel's that has that address; false: there is none.  Where
 * its list cannot be had, all is executed. */
static bool
find_mapping(u64 at, struct host_map *found)
{
	struct host_maps all;
	bool is = !host_maps_read(&all);

	*found = (struct host_map){.start = page_of(at),
				   .end = page_of(at) + NATIVE_PAGE,
				   .executable = true};
	for (size_t i = 0; i < all.n && !is; i++) {
		is = all.list[i].start <= at && at < all.list[i].end;
		if (is)
			*found = all.list[i];
	}
	host_maps_free(&all);
	return is;
}

/* What the kernel lets be executed beside that for which it was asked, as stacks,
 * is found when it is. */
bool
guard_executes(u64 at)
{
	struct host_map m;

	if (has(&executed, at))
		return true;
	if (!find_mapping(at, &m) || !m.executable)
		return false;
	guard_mapped(m.start, m.end - m.start,
		     PROT_EXEC | (m.writable ? PROT_WRITE : 0));
	return true;
}

u64
guard_mapped_up_to(u64 at)
{
	struct host_map m;

	return find_mapping(at, &m) ? m.end : at;
}

bool
guard_is_both(u64 at)
{
	return has(&both, at);
}

void
guard_shared(u64 at, u64 bytes, bool is)
{
	u64 n = (bytes + NATIVE_PAGE - 1) / NATIVE_PAGE;
	u64 page = at / NATIVE_PAGE;

	put(&shared, page_of(at), pages_end(at, bytes), is);
	for (n = n < PAGES ? n : PAGES; n; n--, page++)
		faults[page % PAGES] = 0;
}

enum host_change
guard_change(u64 at)
{
	if (has(&shared, at) || faults[at / NATIVE_PAGE % PAGES] >= OFTEN)
		return HOST_UNNOTICED;
	return has(&both, at) ? HOST_NOTICED : HOST_STAYS;
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
