/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program finds on its stack: as QEMU 7.2 puts it there. */
#include "native.h"

#include "machine/mix.h"
#include "x86_64/cpu.h"

#include <unistd.h>

#define PLATFORM "x86_64"
#define RANDOM_BYTES 16

struct stack {
	u64 pointer;
	u64 path, random, platform;
};

static void
put(u64 at, const void *data, size_t bytes)
{
	memcpy((void *)(uintptr_t)at, data, bytes);
}

static u64
push_text(struct stack *s, const char *text)
{
	size_t bytes = strlen(text) + 1;

	s->pointer -= bytes;
	put(s->pointer, text, bytes);
	return s->pointer;
}

/* The last one first, so that they stand in their order; where the first is. */
static void
push_texts(struct stack *s, const struct strings *list)
{
	for (size_t i = list->n; i-- > 0;)
		push_text(s, list->s[i]);
}

static void
push_random(struct stack *s)
{
	u64 seed = target.map.m->seeded ? target.map.m->seed : 0, word;

	s->pointer = (s->pointer & ~15ull) - RANDOM_BYTES;
	s->random = s->pointer;
	for (unsigned i = 0; i < RANDOM_BYTES; i += sizeof word) {
		word = mix64(seed + i + 1);
		put(s->random + i, &word, sizeof word);
	}
}

/* A vector of pointers to texts that stand one behind the other. */
static u64
put_pointers(u64 at, u64 text, const struct strings *list)
{
	u64 none = 0;

	for (size_t i = 0; i < list->n; i++, at += sizeof text) {
		put(at, &text, sizeof text);
		text += strlen(list->s[i]) + 1;
	}
	put(at, &none, sizeof none);
	return at + sizeof none;
}

static u64
secure(void)
{
	return getuid() != geteuid() || getgid() != getegid();
}

static unsigned
list_auxiliary(Elf64_auxv_t *v, const struct stack *s,
	       const struct image *program, u64 interpreter)
{
	const struct {
		u64 type, value;
	} list[] = {
		{AT_PHDR, program->header},
		{AT_PHENT, sizeof(Elf64_Phdr)},
		{AT_PHNUM, program->headers},
		{AT_PAGESZ, NATIVE_PAGE},
		{AT_BASE, interpreter},
		{AT_FLAGS, 0},
		{AT_ENTRY, program->entry},
		{AT_UID, getuid()},
		{AT_EUID, geteuid()},
		{AT_GID, getgid()},
		{AT_EGID, getegid()},
		{AT_HWCAP, cpu_features()},
		{AT_CLKTCK, (u64)sysconf(_SC_CLK_TCK)},
		{AT_RANDOM, s->random},
		{AT_SECURE, secure()},
		{AT_EXECFN, s->path},
		{AT_PLATFORM, s->platform},
		{AT_NULL, 0},
	};

	for (unsigned i = 0; i < SIM_COUNT(list); i++) {
		v[i].a_type = list[i].type;
		v[i].a_un.a_val = list[i].value;
	}
	return SIM_COUNT(list);
}

u64
stack_fill(u64 end, const struct image *program, u64 interpreter)
{
	struct stack s = {.pointer = end - sizeof(u64)};
	u64 env, argv, at, n = native.argv.n;
	size_t words;

	s.path = push_text(&s, native.path);
	push_texts(&s, &native.env);
	env = s.pointer;
	push_texts(&s, &native.argv);
	argv = s.pointer;
	s.pointer -= (strlen(PLATFORM) + 8) & ~7ull;
	s.platform = s.pointer;
	put(s.platform, PLATFORM, sizeof PLATFORM);
	push_random(&s);
	native.n_auxiliary = list_auxiliary(native.auxiliary, &s, program,
					    interpreter);
	words = 2 * native.n_auxiliary + native.argv.n + native.env.n + 3;
	s.pointer = (s.pointer - words * sizeof(u64)) & ~15ull;
	put(s.pointer, &n, sizeof n);
	at = put_pointers(s.pointer + sizeof n, argv, &native.argv);
	at = put_pointers(at, env, &native.env);
	put(at, native.auxiliary,
	    native.n_auxiliary * sizeof native.auxiliary[0]);
	return s.pointer;
}
