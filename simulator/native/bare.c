/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the C library that the compiler and the models call, without
 * vector registers: those are the target's while its code calls C, and so is
 * FS.  The linker puts them in place of the library's (-Wl,--wrap).
 */
#include "x86_64/state.h"

void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);
void *__wrap_memset(void *to, int byte, size_t n);
int __wrap_memcmp(const void *a, const void *b, size_t n);
void *__wrap_memchr(const void *s, int byte, size_t n);

void *
__wrap_memcpy(void *to, const void *from, size_t n)
{
	void *at = to;

	__asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n)
			 : : "memory");
	return to;
}

void *
__wrap_memmove(void *to, const void *from, size_t n)
{
	const char *f = from;
	char *t = to;

	if (t <= f || t >= f + n)
		return __wrap_memcpy(to, from, n);
	while (n--) {
		t[n] = f[n];
		__asm__ volatile("" : : : "memory");
	}
	return to;
}

void *
__wrap_memset(void *to, int byte, size_t n)
{
	void *at = to;

	__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(byte)
			 : "memory");
	return to;
}

int
__wrap_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

void *
__wrap_memchr(const void *s, int byte, size_t n)
{
	const unsigned char *at = s;

	for (; n; n--, at++)
		if (*at == (unsigned char)byte)
			return (void *)(uintptr_t)at;
	return NULL;
}

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void __real_free(void *p);
void __wrap_free(void *p);

void *
__wrap_malloc(size_t bytes)
{
	bool begun = host_library_begin();
	void *p = __real_malloc(bytes);

	if (begun)
		host_library_end();
	return p;
}

void *
__wrap_calloc(size_t n, size_t bytes)
{
	bool begun = host_library_begin();
	void *p = __real_calloc(n, bytes);

	if (begun)
		host_library_end();
	return p;
}

void *
__wrap_realloc(void *p, size_t bytes)
{
	bool begun = host_library_begin();

	p = __real_realloc(p, bytes);
	if (begun)
		host_library_end();
	return p;
}

void
__wrap_free(void *p)
{
	bool begun = host_library_begin();

	__real_free(p);
	if (begun)
		host_library_end();
}
