/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page faults of one kind: paging KIND FILE, without a C library, so that nothing else
 * is touched but a page of code and one of the stack.  FILE has PAGES pages at least.
 * Ends with 1 if a call fails.  With -DTOLD it says, by its status, how many faults the
 * kernel has counted meanwhile.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define PAGE 4096ul
#define PAGES 64ul
#define BYTES (PAGES * PAGE)
#define AREA 0x10000000ul	/* 64 KB from all that is elsewhere */
#define OTHER 0x20000000ul
#define PRIVATE (MAP_PRIVATE | MAP_FIXED)

static inline long
call(long n, unsigned long a, unsigned long b, unsigned long c,
     unsigned long d, unsigned long e, unsigned long f)
{
	register unsigned long r10 __asm__("r10") = d;
	register unsigned long r8 __asm__("r8") = e;
	register unsigned long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
			   "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline void
leave(int status)
{
	call(SYS_exit_group, (unsigned long)status, 0, 0, 0, 0, 0);
}

/* What fails ends the program. */
static inline unsigned long
must(long result)
{
	if (result < 0 && result > -4096)
		leave(1);
	return (unsigned long)result;
}

static inline void
map(int prot, int flags, int fd)
{
	must(call(SYS_mmap, AREA, BYTES, (unsigned long)prot,
		  (unsigned long)flags, (unsigned long)fd, 0));
}

static inline void
read_all(unsigned long at, unsigned long pages)
{
	for (unsigned long i = 0; i < pages; i++)
		(void)((volatile char *)at)[i * PAGE];
}

static inline void
write_all(unsigned long at, unsigned long pages)
{
	for (unsigned long i = 0; i < pages; i++)
		((volatile char *)at)[i * PAGE] = 1;
}

/* A child that shares nothing, or everything, writes so many pages; then the parent
 * does. */
static inline void
fork_and_write(unsigned long flags, unsigned long pages)
{
	long pid = (long)must(call(SYS_clone, flags | 17, 0, 0, 0, 0, 0));

	if (!pid) {
		write_all(AREA, pages);
		leave(0);
	}
	must(call(SYS_wait4, (unsigned long)pid, 0, 0, 0, 0, 0));
	write_all(AREA, pages);
}

static inline void
work(char kind, int fd)
{
	unsigned long at;

	switch (kind) {
	case 'n':		/* nothing */
		break;
	case 'm':		/* memory */
		map(PROT_READ | PROT_WRITE, PRIVATE | MAP_ANONYMOUS, -1);
		write_all(AREA, PAGES);
		break;
	case 'r':		/* a file that is read */
		map(PROT_READ, PRIVATE, fd);
		read_all(AREA, PAGES);
		break;
	case 'w':		/* copies of its pages are written */
		map(PROT_READ | PROT_WRITE, PRIVATE, fd);
		write_all(AREA, PAGES);
		break;
	case 'p':		/* some of them, and others around are read */
		map(PROT_READ, PRIVATE, fd);
		must(call(SYS_mprotect, AREA + 20 * PAGE, 8 * PAGE,
			  PROT_READ | PROT_WRITE, 0, 0, 0));
		write_all(AREA + 20 * PAGE, 8);
		read_all(AREA, PAGES);
		break;
	case 'a':		/* again, after it was mapped no more */
		map(PROT_READ | PROT_WRITE, PRIVATE | MAP_ANONYMOUS, -1);
		write_all(AREA, PAGES);
		must(call(SYS_munmap, AREA, BYTES, 0, 0, 0, 0));
		map(PROT_READ | PROT_WRITE, PRIVATE | MAP_ANONYMOUS, -1);
		write_all(AREA, PAGES);
		break;
	case 'd':		/* again, after it was given back */
		map(PROT_READ | PROT_WRITE, PRIVATE | MAP_ANONYMOUS, -1);
		write_all(AREA, PAGES);
		must(call(SYS_madvise, AREA, BYTES / 2, MADV_DONTNEED, 0, 0,
			  0));
		write_all(AREA, PAGES);
		break;
	case 'v':		/* moved, and larger */
		map(PROT_READ | PROT_WRITE, PRIVATE | MAP_ANONYMOUS, -1);
		write_all(AREA, PAGES / 2);
		must(call(SYS_mremap, AREA, BYTES, 2 * BYTES,
			  MREMAP_MAYMOVE | MREMAP_FIXED, OTHER, 0));
		write_all(OTHER, 2 * PAGES);
		break;
	case 'b':		/* the break, again after it was lower */
		at = must(call(SYS_brk, 0, 0, 0, 0, 0, 0)) + PAGE;
		at &= ~(PAGE - 1);
		must(call(SYS_brk, at + BYTES, 0, 0, 0, 0, 0));
		write_all(at, PAGES);
		must(call(SYS_brk, at, 0, 0, 0, 0, 0));
		must(call(SYS_brk, at + BYTES, 0, 0, 0, 0, 0));
		write_all(at, PAGES);
		break;
	case 'f':		/* a fork, of a process that has them */
	case 'F':		/* and nothing of them is written */
	case 'V':		/* the same, but the child shares all */
		map(PROT_READ | PROT_WRITE, PRIVATE | MAP_ANONYMOUS, -1);
		write_all(AREA, PAGES);
		fork_and_write(kind == 'V' ? CLONE_VM | CLONE_VFORK : 0,
			       kind == 'F' ? 0 : PAGES);
		break;
	}
}

static inline long
faults(void)
{
	struct rusage u;

	call(SYS_getrusage, RUSAGE_SELF, (unsigned long)&u, 0, 0, 0, 0);
	return u.ru_minflt;
}

__attribute__((used)) static void
begin(long *stack)
{
	char **argv = (char **)(stack + 1);
	int fd = (int)must(call(SYS_open, (unsigned long)argv[2], O_RDONLY, 0,
				0, 0, 0));
#ifdef TOLD
	long before = faults();
#endif

	work(*argv[1], fd);
#ifdef TOLD
	leave((int)(faults() - before));
#endif
	leave(0);
}

__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tcall begin\n");
