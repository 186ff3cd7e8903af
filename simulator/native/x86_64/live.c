/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which registers and flags code needs: backwards through a block, from what
 * the code behind it needs, as far as a few instructions tell.
 */
#include "code.h"

#include "machine/ahead.h"
#include "target/target.h"

#define AHEAD 10		/* instructions that are looked at */
#define DEPTH 2			/* branches that are followed */
#define KNOWN 8192u		/* instructions that are kept */

static const struct code_live all = {0xffff, HOST_FLAGS};

struct code_live code_live[BLOCK_MAX_INSN + 1];

/* What was found to be needed at some places, so many branches ahead. */
#define LOOKED 4096u

static struct looked {
	u64 pc;
	struct code_live live;
	u8 depth;
} looked[LOOKED];

/* They lie in the order in which they were met, those of a piece of code on few
 * pages, each where the low bits of its address tell. */
static struct known {
	u64 pc;
	struct host_insn host;	/* of no bytes: there is none */
} known[KNOWN];

static u16 place[KNOWN];
static u32 next;		/* that is given to another one */
static const char *asked;	/* up to where there are pages */

static struct known *
known_at(u64 pc)
{
	return &known[place[pc & (KNOWN - 1)]];
}

static struct known *
known_new(u64 pc)
{
	u32 at = next++ & (KNOWN - 1);

	ahead_as_written(&asked, &known[at], sizeof known[at]);
	place[pc & (KNOWN - 1)] = (u16)at;
	return &known[at];
}

/* Pages that instructions were read from, each a bit of its region.  What a virtual
 * machine adds to its code must not be taken for what was read elsewhere: all would
 * be made anew. */
#define REGION_PAGES (1u << 15)
#define REGIONS 64u

static struct {
	u32 n;			/* REGIONS: there may be more, of which nothing is
				   known */
	struct region {
		u64 number;
		u64 bits[REGION_PAGES / 64];
	} region[REGIONS];
} read_from;

static struct region *
region_of(u64 page)
{
	u64 number = page / REGION_PAGES;

	for (u32 i = 0; i < read_from.n; i++)
		if (read_from.region[i].number == number)
			return &read_from.region[i];
	return NULL;
}

static void
note_page(u64 page)
{
	struct region *r = region_of(page);

	if (!r) {
		if (read_from.n == REGIONS)
			return;
		r = &read_from.region[read_from.n++];
		r->number = page / REGION_PAGES;
		memset(r->bits, 0, sizeof r->bits);
	}
	r->bits[page % REGION_PAGES / 64] |= 1ull << page % 64;
}

/* The pages up to last that are of the region of the first. */
static bool
has_read_in_region(u64 first, u64 last)
{
	const struct region *r = region_of(first);

	for (u64 page = first; r && page <= last; page++)
		if (r->bits[page % REGION_PAGES / 64] >> page % 64 & 1)
			return true;
	return false;
}

static bool
has_read(u64 page)
{
	return has_read_in_region(page, page);
}

bool
host_has_read(u64 at, u64 bytes)
{
	u64 page = at / HOST_PAGE_BYTES;
	u64 last = (at + bytes - 1) / HOST_PAGE_BYTES;

	if (!bytes)
		return false;
	if (read_from.n == REGIONS)
		return true;
	while (page <= last) {
		u64 end = page | (REGION_PAGES - 1);

		if (has_read_in_region(page, end < last ? end : last))
			return true;
		page = end + 1;
	}
	return false;
}

/* Pages that what has been made depends on: a bit that several may share. */
#define PAGES (1u << 18)

static u64 depends[PAGES / 64];

/* A page's bit.  Programs at low addresses, and what is mapped from NATIVE_FIRST on,
 * are half of all bits apart. */
static u64
bit_of(u64 number)
{
	return (number + number / PAGES * (PAGES / 2 + 512)) % PAGES;
}

static void
set_bit(u64 *bits, u64 number)
{
	u64 bit = bit_of(number);

	bits[bit / 64] |= 1ull << bit % 64;
}

static bool
has_bit(const u64 *bits, u64 number)
{
	u64 bit = bit_of(number);

	return bits[bit / 64] >> bit % 64 & 1;
}

void
host_depend(u64 page)
{
	u64 number = page / HOST_PAGE_BYTES;

	note_page(number);
	set_bit(depends, number);
}

void
host_dependencies(u64 bits[HOST_DEPENDENCIES])
{
	memcpy(bits, depends, sizeof depends);
}

bool
host_has_dependency(const u64 bits[HOST_DEPENDENCIES], u64 page)
{
	return has_bit(bits, page / HOST_PAGE_BYTES);
}

void
host_clear_dependency(u64 bits[HOST_DEPENDENCIES], u64 page)
{
	u64 bit = bit_of(page / HOST_PAGE_BYTES);

	bits[bit / 64] &= ~(1ull << bit % 64);
}

void
host_forget(void)
{
	memset(known, 0, sizeof known);
	memset(looked, 0, sizeof looked);
	read_from.n = 0;
	memset(depends, 0, sizeof depends);
}

void
host_forget_page(u64 gone)
{
	u64 first = gone - HOST_MAX_BYTES + 1, end = gone + HOST_PAGE_BYTES;

	for (u64 pc = first; pc < end; pc++)
		if (known_at(pc)->pc == pc)
			known_at(pc)->host.size = 0;
	for (unsigned i = 0; i < LOOKED; i++)
		if (looked[i].pc >= gone && looked[i].pc < end)
			looked[i].pc = 0;
}

/* Its bytes, as far as there are some. */
static unsigned
read_code(u64 pc, u8 data[HOST_MAX_BYTES])
{
	u64 left = HOST_PAGE_BYTES - (pc & (HOST_PAGE_BYTES - 1));
	u64 first = pc / HOST_PAGE_BYTES;
	u64 last = (pc + HOST_MAX_BYTES - 1) / HOST_PAGE_BYTES;

	if (has_read(first) && has_read(last)) {
		memcpy(data, (const void *)(uintptr_t)pc, HOST_MAX_BYTES);
		return HOST_MAX_BYTES;
	}
	if (!guest_read(data, pc, HOST_MAX_BYTES)) {
		for (u64 n = first; n <= last; n++)
			note_page(n);
		return HOST_MAX_BYTES;
	}
	if (left >= HOST_MAX_BYTES || guest_read(data, pc, left))
		return 0;
	return (unsigned)left;
}

const struct host_insn *
host_at(u64 pc)
{
	struct known *k = known_at(pc);
	u8 data[HOST_MAX_BYTES];
	unsigned bytes;

	if (k->pc == pc && k->host.size)
		return &k->host;
	bytes = read_code(pc, data);
	if (!bytes)
		return NULL;
	k = known_new(pc);
	k->pc = pc;
	if (!host_decode(&k->host, pc, data, bytes))
		return NULL;
	host_depend(pc);
	host_depend(pc + k->host.size - 1u);
	return &k->host;
}

static struct code_live
either(struct code_live a, struct code_live b)
{
	return (struct code_live){a.regs | b.regs, a.flags | b.flags};
}

bool host_tells_faults;

void
host_faults_are_told(void)
{
	host_tells_faults = true;
}

/* What an instruction itself needs. */
static struct code_live
needed(const struct host_insn *h)
{
	if (host_tells_faults && h->may_fault)
		return all;
	return (struct code_live){h->reads, h->flags_read};
}

/* What is needed before an instruction, if that is needed behind it. */
static struct code_live
before(const struct host_insn *h, struct code_live live)
{
	if (h->kind == HOST_ASK || h->kind == HOST_ASK_ENDS ||
	    h->kind == HOST_SYSCALL ||
	    h->kind == HOST_BAD)
		return all;
	live.regs &= (u16)~h->writes;
	live.flags &= (u8)~h->flags_written;
	return either(live, needed(h));
}

static enum host_change
stays(u64 pc)
{
	(void)pc;
	return HOST_STAYS;
}

enum host_change (*host_may_change)(u64 pc) = stays;

static u64 home;		/* where the block is that is being made */

/* Whether code there may be another one while the block stays. */
static bool
is_unsure(u64 pc)
{
	enum host_change change = host_may_change(pc);

	return change == HOST_UNNOTICED ||
	       (change == HOST_NOTICED &&
		pc / HOST_PAGE_BYTES != home / HOST_PAGE_BYTES);
}

static struct code_live at(u64 pc, unsigned depth);

/* What is needed behind an instruction at pc that ends a block. */
static struct code_live
behind(const struct host_insn *h, u64 pc, unsigned depth)
{
	switch (h->kind) {
	case HOST_JUMP:
	case HOST_CALL:
		return at(h->target, depth);
	case HOST_JCC:
	case HOST_JCXZ:
		return either(at(h->target, depth), at(pc + h->size, depth));
	case HOST_COPY:
		return at(pc + h->size, depth);
	default:
		return all;
	}
}

/* What an instruction needs and gives; what it is for at(). */
struct brief {
	struct code_live needed;
	u16 writes;
	u8 flags_written;
};

/* Up to an instruction that ends a block, or as many as are looked at. */
static struct code_live
look(u64 pc, unsigned depth)
{
	struct brief b[AHEAD];
	struct code_live live = all;
	const struct host_insn *h;
	struct host_insn last;
	unsigned n = 0;

	for (; n < AHEAD; pc += h->size, n++) {
		h = n && is_unsure(pc) ? NULL : host_at(pc);
		if (!h)
			break;
		if (h->kind != HOST_COPY) {
			last = *h;
			live = before(&last, behind(&last, pc, depth - 1));
			break;
		}
		b[n] = (struct brief){needed(h), h->writes, h->flags_written};
	}
	while (n-- > 0) {
		live.regs &= (u16)~b[n].writes;
		live.flags &= (u8)~b[n].flags_written;
		live = either(live, b[n].needed);
	}
	return live;
}

static struct code_live
at(u64 pc, unsigned depth)
{
	struct looked *l = &looked[(pc ^ depth << 7) & (LOOKED - 1)];

	if (!depth || is_unsure(pc))
		return all;
	if (l->pc != pc || l->depth != depth) {
		struct code_live live = look(pc, depth);

		*l = (struct looked){pc, live, (u8)depth};
	}
	return l->live;
}

void
live_find(const struct code_source *s)
{
	unsigned last = s->n - 1;
	struct code_live live;

	home = s->pc;
	live = behind(&s->host[last], s->insn[last].pc, DEPTH);

	code_live[s->n] = live;
	for (unsigned i = s->n; i-- > 0;)
		code_live[i] = live = before(&s->host[i], live);
}
