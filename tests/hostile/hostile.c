/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target that looks for the machine which counts it, among the descriptors
 * that it has, and damages it as its argument says.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_AT 16		/* of the machine's words */
#define PAGE 4096u

static int
find_machine(void)
{
	char path[64], name[256];

	for (int fd = 3; fd < 1024; fd++) {
		ssize_t n;

		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		n = readlink(path, name, sizeof name - 1);
		name[n > 0 ? n : 0] = '\0';
		if (strstr(name, "pmcsim-machine"))
			return fd;
	}
	fputs("no machine\n", stderr);
	exit(99);
}

static unsigned char *
map(int fd, size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(99);
	}
	return p;
}

/* Ends without a word to the engine. */
static void
end(void)
{
	kill(getpid(), SIGKILL);
}

static void
cut(int fd)
{
	if (ftruncate(fd, PAGE) == 0) {
		puts("cut");
		end();
	}
	puts(strerror(errno));
}

/* The last segment is there in part. */
static void
extend(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || ftruncate(fd, st.st_size + PAGE) != 0)
		puts(strerror(errno));
}

/* A process that lives, and has nothing to do with it, has the lock. */
static void
hold(int fd)
{
	uint32_t thread = 1;

	memcpy(map(fd, PAGE) + LOCK_AT, &thread, sizeof thread);
	end();
}

static void
clear(int fd)
{
	fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		  64 * PAGE);
	end();
}

/* Words at random in the first bytes of the machine. */
static void
scribble(int fd, size_t bytes, uint64_t seed, unsigned n)
{
	unsigned char *machine = map(fd, bytes);

	while (n--) {
		uint64_t word;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		word = seed >> 32;
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		memcpy(machine + (seed >> 33) % (bytes / 8) * 8, &word,
		       sizeof word);
	}
	end();
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	int fd = find_machine();

	if (!strcmp(what, "cut"))
		cut(fd);
	else if (!strcmp(what, "extend"))
		extend(fd);
	else if (!strcmp(what, "hold"))
		hold(fd);
	else if (!strcmp(what, "clear"))
		clear(fd);
	else if (!strcmp(what, "page"))
		scribble(fd, PAGE, seed, 64);
	else if (!strcmp(what, "head"))
		scribble(fd, 2000 * PAGE, seed, 4096);
	else
		return 98;
	return 0;
}
