/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks whose code changes: they are not found any more, and no exit leads to
 * them.  Their code stays until all is forgotten. */
#include "code.h"
#include "targets.h"

#define PAGE_LISTS 4096u

static struct code_block *of_page[PAGE_LISTS];

static struct code_block **
page_list(u64 page)
{
	return &of_page[page / HOST_PAGE_BYTES % PAGE_LISTS];
}

static bool dropped;

bool
code_has_dropped(void)
{
	return dropped;
}

void
drop_begin(void)
{
	memset(of_page, 0, sizeof of_page);
}

void
drop_note(struct code_block *b)
{
	struct code_block **list = page_list(b->pc);

	b->page_next = *list;
	*list = b;
}

/* Takes the exit out of the list of the block that it leads to. */
static void
unlist(u64 number)
{
	struct code_exit *x = code_exit_of(number);
	u32 *at = &x->to->exits;

	while (*at && *at != number + 1)
		at = &code_exit_of(*at - 1)->next;
	if (*at)
		*at = x->next;
}

void
drop_link(u64 number, struct code_block *t)
{
	struct code_exit *x = code_exit_of(number);

	if (x->to)
		unlist(number);
	x->to = t;
	x->next = t->exits;
	t->exits = (u32)number + 1;
}

static void
unlink_exits(struct code_block *b)
{
	for (u32 i = b->exits; i;) {
		struct code_exit *x = code_exit_of(i - 1);

		code_unlink_exit(x);
		x->edge = NULL;
		x->to = NULL;
		i = x->next;
	}
	b->exits = 0;
}

/* ... but for the lists of pages. */
static void
forget(struct code_block *b)
{
	dropped = true;
	code_hide(b);
	targets_drop(b->pc);
	unlink_exits(b);
	if (b->tail)
		unlink_exits(b->tail);
}

void
code_drop(struct code_block *b)
{
	struct code_block **at = page_list(b->pc);

	while (*at && *at != b)
		at = &(*at)->page_next;
	if (*at)
		*at = b->page_next;
	forget(b);
}

static u64
end_of(const struct code_block *b)
{
	return b->tail ? b->tail->pc + b->tail->bytes : b->pc + b->bytes;
}

static void
drop_in(struct code_block **at, u64 page)
{
	while (*at) {
		struct code_block *b = *at;

		if (code_touches(b->pc, end_of(b), page)) {
			*at = b->page_next;
			forget(b);
		} else {
			at = &b->page_next;
		}
	}
}

void
code_drop_page(u64 page)
{
	drop_in(page_list(page), page);
	drop_in(page_list(page - HOST_PAGE_BYTES), page);
	host_forget_page(page);
}

static u64
sum_of(const struct code_block *b)
{
	const u8 *code = (const u8 *)(uintptr_t)b->pc;
	u64 sum = 0xcbf29ce484222325, n = end_of(b) - b->pc;

	for (u64 i = 0; i < n; i++)
		sum = (sum ^ code[i]) * 0x100000001b3;
	return sum;
}

void
code_check(struct code_block *b)
{
	b->checked = true;
	b->sum = sum_of(b);
}

bool
code_is_same(const struct code_block *b)
{
	return !b->checked || b->sum == sum_of(b);
}
