/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 512 functions of some 200 bytes, called in an order without a pattern:
 * more code than the first level holds. */
#include <stdio.h>

#define STEP(n) x = (x << 5) ^ (x >> 3) ^ (unsigned)(n) * 2654435761u;
#define FUNCTION(n)                                                         \
	static __attribute__((noinline)) unsigned f##n(unsigned x)          \
	{                                                                   \
		STEP(0x##n + 1) STEP(0x##n + 2) STEP(0x##n + 3)             \
		STEP(0x##n + 4) STEP(0x##n + 5) STEP(0x##n + 6)             \
		if (x & 64)                                                 \
			return x;                                           \
		STEP(0x##n + 7) STEP(0x##n + 8) STEP(0x##n + 9)             \
		return x;                                                   \
	}
#define NAME(n) f##n,

#define EIGHT(M, n)                                                         \
	M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7)
#define SIXTY_FOUR(M, n)                                                    \
	EIGHT(M, n##0) EIGHT(M, n##1) EIGHT(M, n##2) EIGHT(M, n##3)         \
	EIGHT(M, n##4) EIGHT(M, n##5) EIGHT(M, n##6) EIGHT(M, n##7)
#define ALL(M)                                                              \
	SIXTY_FOUR(M, 0) SIXTY_FOUR(M, 1) SIXTY_FOUR(M, 2)                  \
	SIXTY_FOUR(M, 3) SIXTY_FOUR(M, 4) SIXTY_FOUR(M, 5)                  \
	SIXTY_FOUR(M, 6) SIXTY_FOUR(M, 7)

ALL(FUNCTION)

static unsigned (*const functions[])(unsigned) = {ALL(NAME)};

int
main(void)
{
	unsigned state = 1, x = 1;

	for (int i = 0; i < 200000; i++) {
		state = state * 1103515245 + 12345;
		x += functions[state >> 23](state);
	}
	printf("%u\n", x);
	return 0;
}
