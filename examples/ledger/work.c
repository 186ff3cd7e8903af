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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul
#define FILE_NAME "/tmp/pmcsim-work.tmp"

static volatile unsigned sink;

/* The shortest call there is. */
static void
null(unsigned long n)
{
	while (n--)
		syscall(SYS_getppid);
}

/* Reads and writes, one after the other, at the beginning of two files. */
static void
move(const char *from, const char *to, unsigned long n, size_t bytes)
{
	int in = open(from, O_RDWR | O_CREAT, 0600);
	int out = open(to, O_RDWR | O_CREAT, 0600);
	static char text[PAGE];

	if (write(in, text, sizeof text) < 0)
		exit(1);
	for (; n >= 2; n -= 2)
		if (pread(in, text, bytes, 0) < 0 ||
		    pwrite(out, text, bytes, 0) < 0)
			exit(1);
}

static void
io(unsigned long n)
{
	move(FILE_NAME, FILE_NAME, n, 64);
	unlink(FILE_NAME);
}

static void
lines(unsigned long n)
{
	move(FILE_NAME, FILE_NAME, n, PAGE);
	unlink(FILE_NAME);
}

static void
devices(unsigned long n)
{
	move("/dev/zero", "/dev/null", n, 512);
}

/* Half of them with a close() behind. */
static void
paths(unsigned long n)
{
	struct stat st;

	close(open(FILE_NAME, O_RDWR | O_CREAT, 0600));
	for (; n >= 2; n -= 2)
		if (stat(FILE_NAME, &st) ||
		    close(open(FILE_NAME, O_RDONLY)))
			exit(1);
	unlink(FILE_NAME);
}

static void
maps(unsigned long n)
{
	for (; n >= 2; n -= 2) {
		void *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED || munmap(p, 16 * PAGE))
			exit(1);
	}
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

/* Programs that do nothing. */
static void
execs(unsigned long n)
{
	while (n--) {
		pid_t pid = fork();

		if (!pid)
			execl("/proc/self/exe", "work", "null", "0",
			      (char *)NULL);
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

/* Through all lines of caches of 32 KB, so that the clock's work finds none of its
 * own any more: what that misses then is all that it touches. */
static void
sweeping(unsigned long n)
{
	static volatile char data[32 * PAGE];

	while (n--) {
		/* 8192 instructions of four bytes. */
		__asm__ volatile(".rept 8192\n\tnop\n\t.endr");
		for (size_t i = 0; i < sizeof data; i += 32)
			sink += (unsigned)data[i];
	}
}

static const struct {
	const char *name;
	void (*work)(unsigned long n);
} kinds[] = {
	{"null", null}, {"io", io}, {"lines", lines}, {"devices", devices},
	{"paths", paths}, {"maps", maps}, {"pages", pages},
	{"signals", signals}, {"refills", refills}, {"forks", forks},
	{"execs", execs}, {"computing", computing},
	{"sweeping", sweeping},
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
