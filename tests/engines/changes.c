/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is written over while it may be executed: by stores, by read(),
 * and beside data that is stored to. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* mov $n, %eax; ret */
static void
make(unsigned char code[6], unsigned n)
{
	code[0] = 0xb8;
	memcpy(code + 1, &n, 4);
	code[5] = 0xc3;
}

int
main(void)
{
	unsigned char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE |
				   PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
				   0);
	unsigned (*volatile call)(void) = (unsigned (*)(void))page;
	volatile unsigned *data = (volatile unsigned *)(page + 2048);
	unsigned char other[6];
	unsigned sum = 0;
	int pipes[2];

	for (unsigned i = 0; i < 200; i++) {
		make(page, i);
		sum += call();
		sum += call();
		*data += call();
	}
	printf("%u %u\n", sum, *data);
	if (pipe(pipes))
		return 1;
	make(other, 77);
	if (write(pipes[1], other, 6) != 6 || read(pipes[0], page, 6) != 6)
		return 2;
	printf("%u\n", call());
	make(page, 5);
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
		return 3;
	printf("%u\n", call());
	fflush(stdout);
	*page = 0;
	return 4;
}
