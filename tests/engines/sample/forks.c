/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that go one way after the other, by code that their parent does not
 * execute, or has another of at its place. */
#include "sample.h"

#define PLACE ((uint8_t *)0x500000000)

/* mov eax, value; ret, at that place, with so many no-ops in front. */
static void
put_constant(uint8_t *at, int value, unsigned nops)
{
	memset(at, 0x90, nops);
	at[nops] = 0xb8;
	memcpy(at + nops + 1, &value, sizeof value);
	at[nops + 5] = 0xc3;
}

static void
map_constant(int value, unsigned nops)
{
	void *p = mmap(PLACE, PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (p != PLACE)
		abort();
	put_constant(PLACE, value, nops);
	mprotect(PLACE, PAGE, PROT_READ | PROT_EXEC);
}

static int
call(unsigned offset)
{
	int (*f)(void) = (int (*)(void))(PLACE + offset);

	return f();
}

__attribute__((noinline)) static unsigned
way(unsigned n, unsigned x)
{
	for (unsigned i = 0; i < 50; i++)
		switch ((x + i) % 7) {
		case 0: x = x * 5 + n; break;
		case 1: x ^= x >> 3; break;
		case 2: x += i; break;
		case 3: x = x << 1 | x >> 31; break;
		case 4: x -= n; break;
		case 5: x = ~x; break;
		default: x *= 3;
		}
	return x;
}

static void
one_way(void)
{
	for (unsigned i = 0; i < 6; i++) {
		pid_t pid = fork();

		if (!pid) {
			SAY("%u\n", way(i, i * 77));
			_exit((int)i);
		}
		say_end(pid);
	}
	SAY("%u\n", way(9, 9));
}

/* What the child has there is not what its parent has, or there is nothing. */
static void
other_code(void)
{
	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();

		if (!pid) {
			map_constant(i, 0);
			_exit(call(0));
		}
		say_end(pid);
		if (i % 2) {
			map_constant(100 + i, 0);
			SAY("%d\n", call(0));
		} else {
			munmap(PLACE, PAGE);
		}
	}
}

/* The child's begins in the midst of its parent's, and the other way round. */
static void
code_in_the_midst(void)
{
	for (int i = 0; i < 8; i++) {
		unsigned at = i % 4;
		pid_t pid = fork();

		if (!pid) {
			map_constant(i, at);
			_exit(call(at) + call(at / 2));
		}
		say_end(pid);
		map_constant(100 + i, 3 - at);
		SAY("%d %d\n", call(0), call(3 - at));
	}
}

static int
descend(unsigned depth)
{
	int status = 0;

	for (unsigned i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(depth ? descend(depth - 1)
				    : (int)(way(depth, i) & 31));
		waitpid(pid, &status, 0);
	}
	return WEXITSTATUS(status) + 1;
}

static void
grandchildren(void)
{
	SAY("%d\n", descend(3));
	SAY("%d\n", descend(1));
}

static void *
thread_of_child(void *word)
{
	return (void *)(uintptr_t)way(3, (unsigned)(uintptr_t)word);
}

static void
children_with_threads(void)
{
	for (unsigned i = 0; i < 5; i++) {
		pid_t pid = fork();
		pthread_t thread;
		void *got;

		if (!pid) {
			pthread_create(&thread, NULL, thread_of_child,
				       (void *)(uintptr_t)i);
			pthread_join(thread, &got);
			SAY("%u\n", (unsigned)(uintptr_t)got);
			_exit(way(i, 4) & 127);
		}
		say_end(pid);
	}
}

static volatile int signals_seen;

static void
count_signal(int number)
{
	(void)number;
	signals_seen++;
}

static void
handlers_of_children(void)
{
	signal(SIGUSR1, count_signal);
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (!pid) {
			for (int k = 0; k < i; k++)
				raise(SIGUSR1);
			_exit(signals_seen);
		}
		say_end(pid);
	}
	SAY("%d\n", signals_seen);
}

static const struct sample samples[] = {
	SAMPLE(one_way), SAMPLE(other_code), SAMPLE(code_in_the_midst),
	SAMPLE(grandchildren), SAMPLE(children_with_threads),
	SAMPLE(handlers_of_children),
};

SAMPLES(samples)
