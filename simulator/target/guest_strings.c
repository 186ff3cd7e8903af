/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest_strings.h"

#include "target.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE 4096u
#define USUAL 256u	/* bytes of a string, at most */

u64
guest_address(u64 arg)
{
	return guest_word_size() == 4 ? (u32)arg : arg;
}

char *
guest_string(u64 addr)
{
	size_t n = 0, room = 0;
	char *text = NULL, *more;

	for (;;) {
		size_t chunk = guest_on_page(addr, n ? PAGE : USUAL);

		if (n + chunk > room) {
			room = n + chunk;
			more = realloc(text, room);
			if (!more)
				break;
			text = more;
		}
		if (guest_read(text + n, addr, chunk))
			break;
		if (memchr(text + n, '\0', chunk))
			return text;
		n += chunk;
		addr += chunk;
	}
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
