/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is written at another address, and code that writes over itself. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define BYTES 8192
#define TIMES 300

typedef unsigned function(unsigned char value, unsigned char *at);

/* mov $n, %eax; ret */
static void
make(unsigned char *code, unsigned n)
{
	code[0] = 0xb8;
	memcpy(code + 1, &n, 4);
	code[5] = 0xc3;
}

/* mov %dil, 1(%rip); mov $0, %eax; ret: what is stored is of the next one. */
static const unsigned char own[] = {
	0x40, 0x88, 0x3d, 1, 0, 0, 0, 0xb8, 0, 0, 0, 0, 0xc3};

/* mov %dil, (%rsi); nop; mov $0, %eax; ret */
static const unsigned char other[] = {
	0x40, 0x88, 0x3e, 0x90, 0xb8, 0, 0, 0, 0, 0xc3};

static void
try(const char *name, unsigned char *write, unsigned char *execute)
{
	function *volatile call = (function *)(void *)execute;
	unsigned sum = 0, within = 0;

	for (unsigned i = 0; i < TIMES; i++) {
		make(write, i);
		sum += call(0, NULL) + call(0, NULL);
	}
	for (unsigned i = 0; i < TIMES; i++) {
		memcpy(write, other, sizeof other);
		within += call((unsigned char)i, write + 5);
		within += call((unsigned char)(i + 1), write + 5);
	}
	printf("%s %u %u\n", name, sum, within);
}

int
main(void)
{
	int all = PROT_READ | PROT_WRITE | PROT_EXEC;
	int fd = memfd_create("code", 0), id;
	unsigned char *page, *twin;
	function *volatile call;
	unsigned sum = 0;

	if (fd < 0 || ftruncate(fd, BYTES))
		return 1;
	page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	twin = mmap(NULL, BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	try("memfd", page, twin);
	page = mmap(NULL, BYTES, all, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	twin = mremap(page, 0, BYTES, MREMAP_MAYMOVE);
	try("mremap", page, twin);
	id = shmget(IPC_PRIVATE, BYTES, 0700);
	page = shmat(id, NULL, 0);
	twin = shmat(id, NULL, SHM_EXEC | SHM_RDONLY);
	shmctl(id, IPC_RMID, NULL);
	try("shm", page, twin);
	page = mmap(NULL, BYTES, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	try("one", page, page);
	memcpy(page + 4096, own, sizeof own);
	call = (function *)(void *)(page + 4096);
	for (unsigned i = 0; i < TIMES; i++)
		sum += call((unsigned char)i, NULL);
	printf("own %u\n", sum);
	return 0;
}
