/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses /proc/perf in every way that a program may, and says what is not as
 * it should be.  With an argument: as a user that may not write; with two, how
 * many rounds of a loop it shows the cycles of.
 */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST "PerfCnt[0].Ctl : 0x80000028\nPerfCnt[0].Cnt : "

static const char constant[] = "/proc/perf"; /* on a read-only page */
static const char *const nowhere = (const char *)16;

/* Counter 0 of a dump, -1 if it is not counting instructions. */
static long long
counter(const char *text)
{
	long long value;

	return sscanf(text, FIRST "%lld", &value) == 1 ? value : -1;
}

static long long
read_counter(int fd)
{
	char text[600] = "";
	ssize_t n = read(fd, text, sizeof text - 1);

	return n > 0 ? counter(text) : -1;
}

/* The number that the next descriptor is to get. */
static int
next_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static int
write_text(int fd, const char *text)
{
	return write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static void
check_reading(void)
{
	char path[32] = "/proc/perf", text[600] = "", rest[600];
	int next = next_descriptor();
	int fd = open(constant, O_RDONLY), other = open(path, O_RDONLY);
	long long first, second;

	CHECK(!strcmp(constant, "/proc/perf") && !strcmp(path, "/proc/perf"));
	CHECK(fd == next && other > fd);
	first = read_counter(fd);
	CHECK(first >= 0 && read(fd, rest, sizeof rest) == 0);
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	second = read_counter(fd);
	CHECK(second > first);
	CHECK(pread(other, text, 500, 0) > 100 && counter(text) > second);
	CHECK(lseek(other, 0, SEEK_CUR) == 0 && read_counter(other) > second);
	CHECK(write(fd, "0 0x28 0", 8) < 0 && errno == EBADF);
	CHECK(close(fd) == 0 && close(other) == 0 && close(fd) < 0);
}

/* Text that is not there, which the device must not get either. */
static void
check_addresses(int fd)
{
	struct iovec bad[] = {{NOWHERE, 5}, {(void *)"9\n", 2}};
	struct iovec half[] = {{(void *)"1 0x28 77\n", 10}, {NOWHERE, 5}};
	int in = open(constant, O_RDONLY);

	CHECK(write(fd, NOWHERE, 8) < 0 && errno == EFAULT);
	CHECK(pwrite(fd, NOWHERE, 8, 0) < 0 && errno == EFAULT);
	CHECK(writev(fd, bad, 2) < 0 && errno == EFAULT);
	CHECK(writev(fd, NOWHERE, 2) < 0 && errno == EFAULT);
	CHECK(writev(fd, half, 2) == 10);
	CHECK(read(in, NOWHERE, 8) < 0 && errno == EFAULT);
	CHECK(pread(in, NOWHERE, 8, 0) < 0 && errno == EFAULT);
	CHECK(readv(in, bad, 2) < 0 && errno == EFAULT);
	CHECK(close(in) == 0);
}

static void
check_writing(void)
{
	int fd = open(constant, O_WRONLY | O_CREAT | O_TRUNC, 0666), kept;
	struct iovec vector[] = {{(void *)"1 0x2", 5}, {(void *)"8 77\n", 5}};
	char text[600] = "";

	CHECK(fd >= 0 && write_text(fd, "0 0x28 5\nsuspend\n"));
	kept = dup(fd);
	CHECK(write(kept, "0 0x28 6 x\n", 11) < 0 && errno == EINVAL);
	CHECK(write(kept, "9 0x28 6\n", 9) < 0 && errno == EINVAL);
	CHECK(writev(kept, vector, 2) == 10);
	check_addresses(kept);
	CHECK(fcntl(kept, F_GETFD) == 0 && close(fd) == 0);
	fd = open("/proc/perf", O_RDWR);
	CHECK(read(fd, text, sizeof text - 1) > 0 && counter(text) == 5);
	CHECK(strstr(text, "PerfCnt[1].Cnt : 77\n"));
	CHECK(write_text(fd, "0 28 7") && lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read_counter(fd) == 7);
	CHECK(pwrite(fd, "0 28 8", 6, 0) == 6 && lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read_counter(fd) == 8 && close(fd) == 0 && close(kept) == 0);
	CHECK(open(constant, O_WRONLY | O_CREAT | O_EXCL, 0666) < 0 &&
	      errno == EEXIST);
}

/* A file that is copied by the kernel must not get past the device. */
static void
check_sendfile(void)
{
	int pipe_fd[2], in = open("/proc/self/exe", O_RDONLY), out;

	out = open(constant, O_WRONLY);
	CHECK(sendfile(out, in, NULL, 10) < 0 && errno == EINVAL);
	close(in);
	in = open(constant, O_RDONLY);
	CHECK(pipe(pipe_fd) == 0 && sendfile(pipe_fd[1], in, NULL, 600) > 100);
	CHECK(read_counter(pipe_fd[0]) >= 0);
	close(in);
	close(out);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
}

/* lstat() of 32-bit inodes, by word: the mode is in the low half of this. */
#if defined __mips__
#define OLD_MODE 5
#elif defined __i386__ || defined __alpha__
#define OLD_MODE 2
#endif

static void
check_old_mode(mode_t writers)
{
#ifdef OLD_MODE
	unsigned old[64];

	CHECK(syscall(SYS_lstat, constant, old) == 0);
	CHECK(S_ISREG(old[OLD_MODE] & 0xffff));
	CHECK((old[OLD_MODE] & 0222) == writers);
#else
	(void)writers;
#endif
}

/* Its mode tells which users may write. */
static void
check_modes(mode_t writers)
{
	int fd = open(constant, O_RDONLY);
	struct statx x;
	struct stat st;

	CHECK(stat(constant, &st) == 0 && (st.st_mode & 0222) == writers);
	CHECK(lstat(constant, &st) == 0 && (st.st_mode & 0222) == writers);
	CHECK(fstat(fd, &st) == 0 && (st.st_mode & 0222) == writers);
	CHECK(fstatat(fd, "", &st, AT_EMPTY_PATH) == 0 &&
	      (st.st_mode & 0222) == writers);
	CHECK(statx(AT_FDCWD, constant, AT_SYMLINK_NOFOLLOW, STATX_MODE,
		    &x) == 0 &&
	      S_ISREG(x.stx_mode) && (x.stx_mode & 0222) == writers);
	/* Others are as they are. */
	CHECK(fstatat(fd, "/proc/stat", &st, AT_EMPTY_PATH) == 0 &&
	      (st.st_mode & 0222) == 0);
	CHECK(lstat("/dev/null", &st) == 0 && (st.st_mode & 0222) == 0222);
	check_old_mode(writers);
	close(fd);
}

static void
check_looking(void)
{
	struct stat by_path, by_fd, link;
	int fd;

	CHECK(stat(constant, &by_path) == 0 && S_ISREG(by_path.st_mode));
	fd = open(constant, O_RDONLY);
	CHECK(fstat(fd, &by_fd) == 0 && by_fd.st_ino == by_path.st_ino);
	CHECK(lstat(constant, &link) == 0 && S_ISREG(link.st_mode));
	CHECK(access(constant, R_OK | W_OK) == 0);
	CHECK(open("/proc/perfect", O_RDONLY) < 0 && errno == ENOENT);
	CHECK(open("/proc/per", O_RDONLY) < 0 && errno == ENOENT);
	CHECK(open(nowhere, O_RDONLY) < 0 && errno == EFAULT);
	close(fd);
	check_modes(S_IWUSR);
}

static void
check_child(void)
{
	int fd = open(constant, O_WRONLY), status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		dup2(fd, 1);
		execl("/bin/echo", "echo", "1 0x28 1000000000", NULL);
		_exit(127);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	close(fd);
}

static void
check_refused(void)
{
	int fd = open(constant, O_RDONLY);

	CHECK(fd >= 0 && read_counter(fd) == -1 && close(fd) == 0);
	CHECK(open(constant, O_WRONLY) < 0 && errno == EACCES);
	CHECK(open(constant, O_RDWR | O_CREAT, 0666) < 0 && errno == EACCES);
	CHECK(access(constant, R_OK) == 0);
	CHECK(access(constant, W_OK) < 0 && errno == EACCES);
	check_modes(0);
}

/* A round has two instructions. */
static void
show_cycles(unsigned long rounds)
{
	char text[600] = "";
	int fd = open(constant, O_RDWR);

	CHECK(write_text(fd, "0 0x8 0"));
#ifdef __x86_64__
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(rounds) : : "cc");
#endif
	CHECK(pread(fd, text, sizeof text - 1, 0) > 100);
	fputs(text, stdout);
}

int
main(int argc, char **argv)
{
	if (argc > 2) {
		show_cycles(strtoul(argv[2], NULL, 10));
	} else if (argc > 1) {
		check_refused();
	} else {
		check_reading();
		check_writing();
		check_sendfile();
		check_looking();
		check_child();
	}
	puts("done");
	return check_failures != 0;
}
