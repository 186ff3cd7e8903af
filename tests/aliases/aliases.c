/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps memory for code in a way that its argument names, puts a function there
 * that returns 1, calls it, and where it can be written still, a function that
 * returns 2.  Prints nothing; fails only where the memory cannot be had.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define SIZE 8192u

#ifdef __mips__
/* jr $ra; li $v0, n */
static const unsigned function[] = {0x03e00008, 0x24020000};
#else
/* mov $n, %eax; ret */
static const unsigned char function[] = {0xb8, 0, 0, 0, 0, 0xc3};
#endif

static void *code, *data;	/* the same memory */

static void
put(int n)
{
	unsigned char text[sizeof function];

	memcpy(text, function, sizeof text);
#ifdef __mips__
	text[4] = (unsigned char)n;
#else
	text[1] = (unsigned char)n;
#endif
	memcpy(data, text, sizeof text);
}

static void
call(void)
{
	int (*f)(void);

	memcpy(&f, &code, sizeof f);
	f();
}

/* ---- Ways ------------------------------------------------------------ */

static void *
map(int fd, int protection, int flags, off_t offset)
{
	return mmap(NULL, SIZE, protection, flags, fd, offset);
}

static int
file(unsigned size)
{
	int fd = memfd_create("code", 0);

	return fd < 0 || ftruncate(fd, size) ? -1 : fd;
}

static void
two(void)
{
	int fd = file(SIZE);

	data = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	code = map(fd, PROT_READ | PROT_EXEC, MAP_SHARED, 0);
}

/* The one that is executed sees the file's changes as well. */
static void
private_code(void)
{
	int fd = file(SIZE);

	code = map(fd, PROT_READ | PROT_EXEC, MAP_PRIVATE, 0);
	data = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
}

static void
later(void)
{
	int fd = file(SIZE);

	code = map(fd, PROT_READ, MAP_SHARED, 0);
	data = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	put(1);
	mprotect(code, SIZE, PROT_READ | PROT_EXEC);
}

/* A segment of System V, attached twice. */
static void
segment(void)
{
	int id = shmget(IPC_PRIVATE, SIZE, 0700 | IPC_CREAT);

	code = shmat(id, NULL, 0);
	data = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	mprotect(code, SIZE, PROT_READ | PROT_EXEC);
}

/* The code is where it was not executable before. */
static void
moved(void)
{
	int fd = file(SIZE);
	void *first = map(fd, PROT_READ | PROT_EXEC, MAP_SHARED, 0);
	void *place = map(-1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, 0);

	code = mremap(first, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	data = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
}

/* ---- Ways that are as they should be ---------------------------------- */

static void
one(void)
{
	code = data = map(file(SIZE), PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_SHARED, 0);
}

static void
flipped(void)
{
	code = data = map(file(SIZE), PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	put(1);
	mprotect(code, SIZE, PROT_READ | PROT_EXEC);
	call();
	mprotect(code, SIZE, PROT_READ | PROT_WRITE);
	put(2);
	mprotect(code, SIZE, PROT_READ | PROT_EXEC);
	call();
	mprotect(code, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC);
}

/* Code and data of one file, side by side. */
static void
beside(void)
{
	int fd = file(2 * SIZE);

	map(fd, PROT_READ | PROT_EXEC, MAP_SHARED, 0);
	map(fd, PROT_READ | PROT_WRITE, MAP_SHARED, SIZE);
	code = data = map(-1, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, 0);
}

/* What was code is not any more when it is mapped for writing. */
static void
gone(void)
{
	int fd = file(SIZE);

	munmap(map(fd, PROT_READ | PROT_EXEC, MAP_SHARED, 0), SIZE);
	map(fd, PROT_READ, MAP_SHARED, 0);
	map(fd, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	code = data = map(-1, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, 0);
}

static const struct {
	const char *name;
	void (*map)(void);
} ways[] = {
	{"two", two}, {"private", private_code}, {"later", later},
	{"segment", segment}, {"moved", moved}, {"one", one},
	{"flipped", flipped}, {"beside", beside}, {"gone", gone},
};

int
main(int argc, char **argv)
{
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc > 1 && !strcmp(argv[1], ways[i].name))
			ways[i].map();
	if (!code || code == MAP_FAILED || !data || data == MAP_FAILED)
		return 1;
	put(1);
	call();
	put(2);
	call();
	return 0;
}
