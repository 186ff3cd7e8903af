/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code on the stack: compilers put some there to call functions within functions,
 * and ask for a stack that is executed. */
#include "sample.h"

static int __attribute__((noinline))
apply(int (*f)(int), int x)
{
	return f(x);
}

/* Each time the code is at the same place, and has to do with another frame. */
static int __attribute__((noinline))
add(int n, int depth)
{
	int more(int x)
	{
		return x + n;
	}

	if (depth)
		return add(n + 1, depth - 1) + apply(more, 1);
	return apply(more, 0);
}

static void
functions_within(void)
{
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += add(i, i % 7);
	SAY("%ld\n", sum);
}

static int __attribute__((noinline))
constant(int k)
{
	unsigned char code[16] = {0xb8, (unsigned char)k, 0, 0, 0, 0xc3};
	int (*f)(void) = (int (*)(void))code;

	__asm__ volatile("" : : "r"(code) : "memory");
	return f();
}

static void
code_on_the_stack(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += constant(i);
	SAY("%d\n", sum);
}

static const struct sample samples[] = {
	SAMPLE(functions_within), SAMPLE(code_on_the_stack),
};

SAMPLES(samples)
