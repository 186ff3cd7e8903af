/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest_strings.h"

#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
#define USUAL 256u	/* bytes of a string, at most */
#define PAGES 64u	/* that are known */

u64
guest_address(u64 arg)
{
	return guest_word_size() == 4 ? (u32)arg : arg;
}

/* Pages that strings were read from, by the low bits of their numbers: as long as
 * the engine tells what is unmapped, they are read without the kernel. */
static struct {
	bool told;
	u64 page[PAGES];
} known;

void
guest_strings_unmapped(void)
{
	memset(known.page, 0, sizeof known.page);
	known.told = true;
}

/* Up to so many bytes of it, on its first page: how many; 0: bad address. */
static size_t
begin(char text[USUAL], u64 addr)
{
	size_t n = guest_on_page(addr, USUAL);
	u64 at = target.guest_base + addr, *page = &known.page[at / PAGE % PAGES];

	if (known.told && *page == at / PAGE && *page)
		memcpy(text, (const void *)(uintptr_t)at, n);
	else if (guest_read(text, addr, n))
		return 0;
	*page = at / PAGE;
	return n;
}

char *
guest_string(u64 addr)
{
	size_t room = USUAL, n, chunk;
	char *text = malloc(room), *more;

	n = chunk = text ? begin(text, addr) : 0;
	while (chunk && !memchr(text + n - chunk, '\0', chunk)) {
		chunk = guest_on_page(addr + n, PAGE);
		room = n + chunk;
		more = realloc(text, room);
		if (more)
			text = more;
		if (!more || guest_read(text + n, addr + n, chunk))
			chunk = 0;
		n += chunk;
	}
	if (chunk)
		return text;
	free(text);
	return NULL;
}

int
guest_vector(struct strings *list, u64 addr)
{
	unsigned size = guest_word_size();
	u8 word[64 * 8];
	size_t n = 0, i = 0;
	u64 at;

	if (!addr)
		return 0;
	for (;; i += size) {
		if (i == n) {
			addr += n;
			n = guest_on_page(addr, sizeof word) / size * size;
			n = n ? n : size;
			i = 0;
			if (guest_read(word, addr, n))
				return -EFAULT;
		}
		at = guest_word(word + i);
		if (!at)
			return list->failed ? -ENOMEM : 0;
		strings_own(list, guest_string(at));
		if (list->failed)
			return -EFAULT;
	}
}
