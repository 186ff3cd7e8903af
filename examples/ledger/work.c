/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work for a kernel, one kind at a time and as often as is said:
 * work KIND N.  Run twice with different N, what differs is N's.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul

static volatile unsigned sink;

/* The shortest call there is. */
static void
null(unsigned long n)
{
	while (n--)
		syscall(SYS_getppid);
}

/* Calls with a body: half of them read and half write 64 bytes. */
static void
calls(unsigned long n)
{
	int in = open("/dev/zero", O_RDONLY), out = open("/dev/null",
							 O_WRONLY);
	char text[64];

	for (; n >= 2; n -= 2)
		if (read(in, text, sizeof text) < 0 ||
		    write(out, text, sizeof text) < 0)
			exit(1);
}

/* First touches of pages. */
static void
pages(unsigned long n)
{
	char *p = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	for (unsigned long i = 0; i < n; i++)
		p[i * PAGE] = 1;
}

static void
on_signal(int number)
{
	sink += (unsigned)number;
}

static void
signals(unsigned long n)
{
	signal(SIGUSR1, on_signal);
	while (n--)
		kill(getpid(), SIGUSR1);
}

/* Pages that are there, more than a TLB maps. */
static void
refills(unsigned long n)
{
	enum { PAGES = 1024 };
	static volatile char area[PAGES * PAGE];

	for (unsigned long i = 0; i < PAGES; i++)
		area[i * PAGE] = 1;
	for (unsigned long i = 0; i < n; i++)
		sink += (unsigned)area[i * 2 % PAGES * PAGE];
}

static void
forks(unsigned long n)
{
	while (n--) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

/* Thousands of turns without any work for the kernel but its clock. */
static void
computing(unsigned long n)
{
	for (unsigned long i = 0; i < n * 1000; i++)
		sink += (unsigned)i * 3;
}

static const struct {
	const char *name;
	void (*work)(unsigned long n);
} kinds[] = {
	{"null", null}, {"calls", calls}, {"pages", pages},
	{"signals", signals}, {"refills", refills}, {"forks", forks},
	{"computing", computing},
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(argv[1], kinds[i].name)) {
			kinds[i].work(strtoul(argv[2], NULL, 10));
			return 0;
		}
	return 64;
}
