/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory: mappings of all kinds, protection, limits, what is told of them. */
#include "sample.h"

#include <setjmp.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/uio.h>

static sigjmp_buf back;

static void
on_fault(int s)
{
	siglongjmp(back, s);
}

/* Whether the byte can be read, and whether it can be written. */
static void
say_access(volatile char *p)
{
	volatile bool reads = false, writes = false;

	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	if (!sigsetjmp(back, 1)) {
		(void)*p;
		reads = true;
		*p = 1;
		writes = true;
	}
	SAY("%s%s\n", reads ? "r" : "-", writes ? "w" : "-");
}

static void
map_and_unmap(void)
{
	char *p = map(4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);

	say_access(p + PAGE);
	DO(munmap(p + PAGE, PAGE));
	say_access(p);
	say_access(p + PAGE);
	say_access(p + 2 * PAGE);
	DO(munmap(p + 1, PAGE));
	DO(munmap(p, 0));
	DO(munmap(p, 4 * PAGE));
	DO(munmap(p, 4 * PAGE));
}

static void
fixed(void)
{
	char *p = map(4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);

	memset(p, 7, 4 * PAGE);
	SAY("%d\n", mmap(p + PAGE, PAGE, PROT_READ, MAP_PRIVATE |
			 MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p + PAGE);
	SAY("%d %d %d\n", p[0], p[PAGE], p[2 * PAGE]);
	say_access(p + PAGE);
	WORKS((long)mmap(p + PAGE, PAGE, PROT_READ, MAP_PRIVATE |
			 MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
	munmap(p + PAGE, PAGE);
	SAY("%d\n", mmap(p + PAGE, PAGE, PROT_READ, MAP_PRIVATE |
			 MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
			p + PAGE);
	WORKS((long)mmap(p + 1, PAGE, PROT_READ, MAP_PRIVATE |
			 MAP_ANONYMOUS | MAP_FIXED, -1, 0));
}

static void
low_addresses(void)
{
	char *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		       MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	SAY("%d\n", p != MAP_FAILED && (uintptr_t)p < 0x80000000);
	say_access(p);
	p = mmap((void *)0x20000000, PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	SAY("%lx\n", (long)p);
	p = mmap((void *)0x1234567000, PAGE, PROT_READ, MAP_PRIVATE |
		 MAP_ANONYMOUS, -1, 0);
	SAY("%lx\n", (long)p);
}

static void
wrong_arguments(void)
{
	DO(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	DO(mmap(NULL, PAGE, PROT_READ, MAP_ANONYMOUS, -1, 0));
	DO(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, -1, 0));
	DO(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, 0, 1));
	DO(mmap(NULL, -1ul << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		0));
	DO(mmap((void *)0x7ffffffff000, 2 * PAGE, PROT_READ, MAP_PRIVATE |
		MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	DO(mprotect((void *)1, PAGE, PROT_READ));
	DO(mprotect((void *)0x10000, PAGE, PROT_READ));
	DO(madvise((void *)1, PAGE, MADV_DONTNEED));
	DO(mremap((void *)0x10000, PAGE, PAGE, 0));
}

static void
protect(void)
{
	char *p = map(3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);

	memset(p, 1, 3 * PAGE);
	DO(mprotect(p + PAGE, PAGE, PROT_READ));
	say_access(p + PAGE);
	DO(mprotect(p + PAGE, PAGE, PROT_NONE));
	say_access(p + PAGE);
	DO(mprotect(p + PAGE, PAGE, PROT_READ | PROT_WRITE));
	say_access(p + PAGE);
}

static void
remap(void)
{
	char *p = map(2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE), *q;

	strcpy(p, "first");
	strcpy(p + PAGE, "second");
	q = mremap(p, 2 * PAGE, 64 * PAGE, MREMAP_MAYMOVE);
	SAY("%s %s %d\n", q, q + PAGE, q[63 * PAGE]);
	q = mremap(q, 64 * PAGE, PAGE, 0);
	SAY("%s\n", q);
	say_access(q + PAGE);
	p = map(4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	q = mremap(q, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, p + PAGE);
	SAY("%d %s\n", q == p + PAGE, q);
	q = mremap(q, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, 0);
	SAY("%s, left: %d\n", q, p[PAGE]);
}

/* As the dynamic linker does for a library that asks for it. */
static void
stack_that_executes(void)
{
	const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
	unsigned char code[] = {0xb8, 7, 0, 0, 0, 0xc3};
	char *at = (char *)((unsigned long)code & ~(PAGE - 1ul));
	char *p = map(PAGE, all, MAP_PRIVATE);

	DO(mprotect(at, PAGE, all | PROT_GROWSDOWN));
	SAY("%d\n", ((int (*)(void))code)());
	SAY("%d\n", ((int (*)(void))memcpy(at - 5 * PAGE, code, 6))());
	DO(mprotect(at + 1, PAGE, all | PROT_GROWSDOWN));
	DO(mprotect(at, PAGE, all | PROT_GROWSUP));
	DO(mprotect(p, PAGE, all | PROT_GROWSDOWN));
}

static void
heap(void)
{
	char *start, *p;

	SAY("heap\n");
	start = sbrk(0);
	SAY("%d\n", sbrk(10 * PAGE) == start);
	p = sbrk(0);
	SAY("%ld\n", (long)(p - start));
	start[0] = 1;
	p[-1] = 2;
	memset(start, 3, 10 * PAGE);
	DO(brk(start + 4 * PAGE));
	SAY("%d\n", sbrk(0) == start + 4 * PAGE);
	say_access(start + 3 * PAGE);
	say_access(start + 4 * PAGE);
	DO(brk(start + 20 * PAGE));
	for (int i = 0; i < 20; i++)
		SAY("%d %d\n", start[i * PAGE], start[i * PAGE + PAGE - 1]);
	DO(brk((void *)-1));
	SAY("%d\n", sbrk(0) == start + 20 * PAGE);
	DO(brk(start));
	SAY("%d\n", sbrk(0) == start);
	say_access(start);
}

static void
shared_with_child(void)
{
	int *p = map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED);
	int *q = map(PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	pid_t pid = fork();

	if (!pid) {
		*p = *q = 5;
		_exit(0);
	}
	say_end(pid);
	SAY("%d %d\n", *p, *q);
}

static void
system_v(void)
{
	int id = shmget(IPC_PRIVATE, PAGE, IPC_CREAT | 0600);
	char *p = shmat(id, NULL, 0), *q = shmat(id, NULL, SHM_RDONLY);
	struct shmid_ds facts;

	strcpy(p, "text");
	SAY("%s\n", q);
	say_access(q);
	DO(shmctl(id, IPC_STAT, &facts));
	SAY("%d\n", (int)facts.shm_nattch);
	DO(shmdt(p));
	DO(shmdt(q));
	DO(shmdt(q));
	DO(shmctl(id, IPC_RMID, NULL));
}

static void
of_a_file(void)
{
	int fd = memfd_create("m", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	char *p, *q;

	DO(ftruncate(fd, 2 * PAGE));
	p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	q = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, PAGE);
	strcpy(p + PAGE, "shared");
	SAY("%s\n", q);
	strcpy(q, "own");
	SAY("%s %s\n", p + PAGE, q);
	DO(pwrite(fd, "file", 5, 0));
	SAY("%s\n", p);
	DO(msync(p, PAGE, MS_SYNC));
	DO(ftruncate(fd, 0));
	say_access(p);
	DO(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
	munmap(p, 2 * PAGE);
	DO(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
	DO(write(fd, "x", 1));
}

static void
advice(void)
{
	char *p = map(2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	unsigned char in[2];

	memset(p, 3, 2 * PAGE);
	DO(madvise(p, PAGE, MADV_DONTNEED));
	SAY("%d %d\n", p[0], p[PAGE]);
	DO(mincore(p, 2 * PAGE, in));
	SAY("%d %d\n", in[0] & 1, in[1] & 1);
	DO(madvise(p, PAGE, MADV_WIPEONFORK));
	DO(madvise(p, PAGE, 12345));
	DO(mlock(p, PAGE));
	DO(munlock(p, PAGE));
}

static void
wiped_in_child(void)
{
	char *p = map(PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	char *q = map(PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	pid_t pid;

	*p = *q = 9;
	madvise(p, PAGE, MADV_WIPEONFORK);
	madvise(q, PAGE, MADV_DONTFORK);
	pid = fork();
	if (!pid) {
		SAY("%d\n", *p);
		say_access(q);
		_exit(0);
	}
	say_end(pid);
	SAY("%d %d\n", *p, *q);
}

static void
address_space_limit(void)
{
	struct rlimit l = {256 << 20, 256 << 20};

	DO(setrlimit(RLIMIT_AS, &l));
	WORKS((long)map(512 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE));
	WORKS((long)map(16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE));
	SAY("%d\n", malloc(512 << 20) == NULL);
	DO(getrlimit(RLIMIT_AS, &l));
	SAY("%ld\n", (long)l.rlim_cur);
}

static void
data_limit(void)
{
	struct rlimit l = {1 << 20, 1 << 20};

	DO(setrlimit(RLIMIT_DATA, &l));
	DO(sbrk(8 << 20));
	WORKS((long)map(8 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE));
	WORKS((long)map(8 << 20, PROT_READ, MAP_PRIVATE));
}

static void
data_room(void)
{
	struct rlimit l = {16 << 20, 16 << 20};
	const int both = PROT_READ | PROT_WRITE;

	DO(setrlimit(RLIMIT_DATA, &l));
	WORKS((long)map(8 << 20, both, MAP_PRIVATE));
	WORKS((long)map(8 << 20, both, MAP_PRIVATE));
	WORKS((long)map(16 << 20, both, MAP_SHARED));
	DO(sbrk(8 << 20));
	WORKS((long)sbrk(1 << 20));
	DO(getrlimit(RLIMIT_DATA, &l));
	SAY("%lu %lu\n", (long)l.rlim_cur, (long)l.rlim_max);
	for (int i = 0; i < 1000; i++)
		if (!malloc(1000))
			SAY("%d\n", i);
	DO(system("ulimit -d; i=0; while [ $i -lt 100 ]; do i=$((i + 1)); done"));
}

static int
depth(volatile char *above, int left)
{
	volatile char here[65536];

	here[0] = *above;
	return left ? depth(here, left - 1) + here[0] : 0;
}

static void
deep(void)
{
	char c = 0;

	SAY("%d\n", depth(&c, 100));
}

static void
stack_limit(void)
{
	struct rlimit l;

	DO(getrlimit(RLIMIT_STACK, &l));
	SAY("%ld\n", (long)l.rlim_cur);
	in_child(deep);
	l.rlim_cur = 1 << 20;
	DO(setrlimit(RLIMIT_STACK, &l));
	in_child(deep);
}

/* Lines of /proc/self/maps about the place, but its addresses. */
static void
say_map(void *at)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[512], rights[8];

	while (fgets(line, sizeof line, f))
		if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3 &&
		    (uintptr_t)at >= from && (uintptr_t)at < to)
			SAY("%s %ld\n", rights, (long)((uintptr_t)at - from));
	fclose(f);
}

static void
maps_tell(void)
{
	char *p = map(8 * PAGE, PROT_READ, MAP_PRIVATE);

	mmap(p + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED |
	     MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	mprotect(p + 4 * PAGE, PAGE, PROT_NONE);
	say_map(p + 2 * PAGE + 5);
	say_map(p + 3 * PAGE + 6);
	say_map(p + 4 * PAGE + 7);
}

static void
maps_name(void)
{
	static const char *const wanted[] = {"[heap]", "[stack]", "libc.so.6"};
	FILE *f = fopen("/proc/self/maps", "r");
	bool seen[3] = {false}, foreign = false;
	char line[512];

	free(malloc(5));
	while (fgets(line, sizeof line, f)) {
		for (int i = 0; i < 3; i++)
			seen[i] |= strstr(line, wanted[i]) != NULL;
		foreign |= strstr(line, "pmcsim") != NULL;
	}
	SAY("%d %d %d, foreign %d\n", seen[0], seen[1], seen[2], foreign);
}

static void
by_way_of_the_kernel(void)
{
	char from[] = "across", to[8] = "";
	struct iovec l = {to, 7}, r = {from, 7};

	DO(process_vm_readv(getpid(), &l, 1, &r, 1, 0));
	SAY("%s\n", to);
	r.iov_base = (void *)8;
	DO(process_vm_readv(getpid(), &l, 1, &r, 1, 0));
	DO(write(1, (void *)8, 4));
}

static void
own_memory_file(void)
{
	int fd = open("/proc/self/mem", O_RDWR);
	static int value = 5;
	int got = 0;

	DO(pread(fd, &got, sizeof got, (off_t)(uintptr_t)&value));
	SAY("%d\n", got);
	got = 6;
	DO(pwrite(fd, &got, sizeof got, (off_t)(uintptr_t)&value));
	SAY("%d\n", *(volatile int *)&value);
}

static void
execution(void)
{
	static const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3};
	char *p = map(PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	int (*f)(void) = (int (*)(void))(uintptr_t)p;

	memcpy(p, code, sizeof code);
	DO(mprotect(p, PAGE, PROT_READ | PROT_EXEC));
	SAY("%d\n", f());
	DO(mprotect(p, PAGE, PROT_READ | PROT_WRITE));
	p[1] = 43;
	DO(mprotect(p, PAGE, PROT_READ | PROT_EXEC));
	SAY("%d\n", f());
	DO(mprotect(p, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC));
	p[1] = 44;
	SAY("%d\n", f());
	for (int i = 0; i < 300; i++) {
		p[1] = (char)i;
		if (f() != (int)(unsigned char)i)
			SAY("wrong at %d\n", i);
	}
	p = mmap(p, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE |
		 MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	memcpy(p, code, sizeof code);
	SAY("%d\n", f());
}

static void
execution_of_two_mappings(void)
{
	static const unsigned char code[] = {0xb8, 1, 0, 0, 0, 0xc3};
	int fd = memfd_create("code", 0);
	char *w, *x;
	int sum = 0;

	ftruncate(fd, PAGE);
	w = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	x = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	memcpy(w, code, sizeof code);
	for (int i = 0; i < 100; i++) {
		w[1] = (char)i;
		sum += ((int (*)(void))(uintptr_t)x)();
	}
	SAY("%d\n", sum);
}

static const struct sample samples[] = {
	SAMPLE(map_and_unmap), SAMPLE(fixed), SAMPLE(low_addresses),
	SAMPLE(wrong_arguments), SAMPLE(protect), SAMPLE(remap), SAMPLE(heap),
	SAMPLE(shared_with_child), SAMPLE(system_v), SAMPLE(of_a_file),
	SAMPLE(advice), SAMPLE(wiped_in_child), SAMPLE(address_space_limit),
	SAMPLE(data_limit), SAMPLE(data_room), SAMPLE(stack_limit), SAMPLE(maps_tell),
	SAMPLE(maps_name), SAMPLE(by_way_of_the_kernel),
	SAMPLE(own_memory_file), SAMPLE(execution),
	SAMPLE(stack_that_executes),
	SAMPLE(execution_of_two_mappings),
};

SAMPLES(samples)
