/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files, pipes, sockets, and calls that wait for several of them. */
#include "sample.h"

#include <dirent.h>
#include <linux/io_uring.h>
#include <linux/userfaultfd.h>
#include <mqueue.h>
#include <poll.h>
#include <pty.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <termios.h>

static int
file_of(const char *text)
{
	int fd = open(".", O_TMPFILE | O_RDWR, 0600);

	if (fd < 0)
		fd = memfd_create("text", 0);
	write(fd, text, strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void
reads_and_writes(void)
{
	char a[4] = "", b[8] = "";
	struct iovec v[2] = {{a, 3}, {b, 7}};
	int fd = file_of("0123456789");

	DO(readv(fd, v, 2));
	SAY("%s %s\n", a, b);
	DO(pread(fd, a, 3, 5));
	SAY("%s\n", a);
	DO(pwritev(fd, v, 2, 20));
	DO(lseek(fd, 0, SEEK_END));
	DO(lseek(fd, -100, SEEK_CUR));
	DO(lseek(fd, 12, SEEK_DATA) >= 12);
	DO(ftruncate(fd, 4));
	DO(lseek(fd, 0, SEEK_END));
	DO(preadv2(fd, v, 2, 0, 0));
	DO(read(99, a, 1));
	DO(write(fd, NULL, 3));
	DO(fallocate(fd, 0, 0, 100));
}

static void
facts_of_files(void)
{
	struct statx x;
	struct stat s;
	int fd = file_of("text");

	DO(fstat(fd, &s));
	SAY("%ld %o %d\n", (long)s.st_size, s.st_mode & 0777,
	    S_ISREG(s.st_mode));
	DO(statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &x));
	SAY("%d\n", (int)x.stx_size);
	DO(stat("/no/file", &s));
	DO(access("/etc/passwd", R_OK));
	DO(access("/no/file", F_OK));
	DO(faccessat(AT_FDCWD, "/bin/sh", X_OK, AT_EACCESS));
	DO(fchmod(fd, 0640));
	DO(fstat(fd, &s));
	SAY("%o\n", s.st_mode & 0777);
	SAY("%o\n", umask(027));
	SAY("%o\n", umask(022));
}

static void
folders(void)
{
	char here[4096], back[4096];
	struct dirent *d;
	int n = 0;
	DIR *dir;

	getcwd(here, sizeof here);
	DO(mkdir("folder", 0700));
	DO(mkdir("folder", 0700));
	DO(chdir("folder"));
	DO(symlink("target", "link"));
	DO(readlink("link", back, sizeof back));
	DO(rename("link", "other"));
	close(open("file", O_CREAT | O_EXCL, 0600));
	DO(open("file", O_CREAT | O_EXCL, 0600));
	DO(link("file", "second"));
	dir = opendir(".");
	while ((d = readdir(dir)))
		n += d->d_name[0] != '.';
	closedir(dir);
	SAY("%d\n", n);
	DO(unlink("second"));
	DO(unlink("file"));
	DO(unlink("other"));
	DO(chdir(here));
	DO(rmdir("folder"));
	DO(rmdir("folder"));
	getcwd(back, sizeof back);
	SAY("%d\n", strcmp(here, back));
}

static void
descriptors(void)
{
	int fd = open("/dev/null", O_RDWR), copy = DO(dup(fd));

	DO(dup2(fd, 20));
	DO(dup3(fd, 21, O_CLOEXEC));
	DO(dup3(fd, fd, 0));
	DO(fcntl(21, F_GETFD));
	DO(fcntl(20, F_GETFD));
	DO(fcntl(fd, F_DUPFD, 30));
	DO(fcntl(copy, F_GETFL) & O_ACCMODE);
	DO(fcntl(copy, F_SETFL, O_NONBLOCK));
	DO(syscall(SYS_close_range, 20, 40, 0));
	DO(fcntl(20, F_GETFD));
	DO(close(fd));
	DO(close(fd));
	for (int i = 3; i < 1024; i++)
		close(i);
	DO(open("/dev/null", O_RDWR));
	DO(syscall(SYS_close_range, 3, ~0u, 0));
	DO(open("/dev/null", O_RDWR));
}

static void
pipes(void)
{
	int fd[2], n = 0;
	char c;

	DO(pipe2(fd, O_NONBLOCK));
	DO(read(fd[0], &c, 1));
	while (write(fd[1], "x", 1) == 1)
		n++;
	SAY("%d\n", n);
	DO(ioctl(fd[0], FIONREAD, &n));
	SAY("%d\n", n);
	DO(fcntl(fd[0], F_GETPIPE_SZ));
	close(fd[1]);
	while (read(fd[0], &c, 1) == 1)
		;
	DO(read(fd[0], &c, 1));
}

static void
moved_in_the_kernel(void)
{
	int in = file_of("some text that is moved"), out = file_of(""), fd[2];
	char text[64] = "";

	pipe(fd);
	DO(sendfile(out, in, NULL, 10));
	DO(splice(in, NULL, fd[1], NULL, 5, 0));
	DO(splice(fd[0], NULL, out, NULL, 5, 0));
	DO(vmsplice(fd[1], &(struct iovec){"abc", 3}, 1, 0));
	DO(copy_file_range(in, &(loff_t){0}, out, NULL, 4, 0));
	DO(pread(out, text, sizeof text, 0));
	SAY("%s\n", text);
}

static void
locks(void)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 5};
	int fd = file_of("0123456789");
	pid_t pid;

	DO(fcntl(fd, F_SETLK, &l));
	pid = fork();
	if (!pid) {
		DO(fcntl(fd, F_GETLK, &l));
		SAY("%d %d\n", l.l_type == F_WRLCK, l.l_pid == getppid());
		DO(fcntl(fd, F_SETLK, &l) ? 0 : 1);
		_exit(0);
	}
	say_end(pid);
	DO(flock(fd, LOCK_EX));
	DO(flock(fd, LOCK_UN));
}

static void
polls(void)
{
	struct pollfd p[2] = {{.events = POLLIN}, {.events = POLLOUT}};
	struct timespec t = {0, 1000000};
	int fd[2];

	pipe(fd);
	p[0].fd = fd[0];
	p[1].fd = fd[1];
	DO(poll(p, 2, 0));
	SAY("%x %x\n", p[0].revents, p[1].revents);
	DO(poll(p, 1, 2));
	DO(ppoll(p, 1, &t, NULL));
	write(fd[1], "x", 1);
	DO(poll(p, 2, -1));
	SAY("%x %x\n", p[0].revents, p[1].revents);
	close(fd[1]);
	p[1].fd = -1;
	DO(poll(p, 2, -1));
	SAY("%x\n", p[0].revents);
	p[0].fd = 77;
	DO(poll(p, 1, -1));
	SAY("%x\n", p[0].revents);
}

static void
selects(void)
{
	struct timeval t = {0, 2000};
	fd_set r, w;
	int fd[2];

	pipe(fd);
	FD_ZERO(&r);
	FD_ZERO(&w);
	FD_SET(fd[0], &r);
	DO(select(fd[1] + 1, &r, NULL, NULL, &t));
	SAY("%ld %d\n", (long)t.tv_usec, FD_ISSET(fd[0], &r));
	FD_SET(fd[0], &r);
	FD_SET(fd[1], &w);
	DO(select(fd[1] + 1, &r, &w, NULL, NULL));
	SAY("%d %d\n", FD_ISSET(fd[0], &r), FD_ISSET(fd[1], &w));
	/* One that is closed: Linux looks at none behind the end of the process's table. */
	close(fd[0]);
	FD_SET(fd[0], &r);
	DO(select(fd[1] + 1, &r, NULL, NULL, NULL));
}

static void
epolls(void)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.u32 = 7};
	int ep = epoll_create1(EPOLL_CLOEXEC), fd = eventfd(0, EFD_NONBLOCK);
	uint64_t n = 3;

	DO(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e));
	DO(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e));
	DO(epoll_wait(ep, &e, 1, 1));
	DO(write(fd, &n, sizeof n));
	DO(epoll_wait(ep, &e, 1, -1));
	SAY("%x %u\n", e.events, e.data.u32);
	DO(epoll_pwait(ep, &e, 1, 0, NULL));
	DO(read(fd, &n, sizeof n));
	SAY("%d\n", (int)n);
	DO(read(fd, &n, sizeof n));
	DO(epoll_ctl(ep, EPOLL_CTL_DEL, fd, NULL));
	DO(epoll_wait(ep, &e, 0, 0));
}

static void
watches(void)
{
	char buffer[512];
	struct inotify_event *e = (struct inotify_event *)buffer;
	int fd = inotify_init1(IN_NONBLOCK);

	mkdir("watched", 0700);
	DO(inotify_add_watch(fd, "watched", IN_CREATE));
	DO(read(fd, buffer, sizeof buffer));
	close(open("watched/new", O_CREAT, 0600));
	DO(read(fd, buffer, sizeof buffer) > 0);
	SAY("%s %x\n", e->name, e->mask);
	unlink("watched/new");
	rmdir("watched");
}

static void
sockets(void)
{
	char control[CMSG_SPACE(sizeof(int))] = "", text[8] = "";
	struct iovec v = {"fd", 3};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof control};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	int pair[2], fd = file_of("passed"), got;
	socklen_t size = sizeof got;

	DO(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	DO(sendmsg(pair[0], &m, 0));
	v.iov_base = text;
	DO(recvmsg(pair[1], &m, 0));
	memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof got);
	SAY("%s %d\n", text, got != fd);
	DO(pread(got, text, 6, 0));
	SAY("%s\n", text);
	DO(getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &got, &size));
	SAY("%d\n", got);
	DO(shutdown(pair[0], SHUT_WR));
	DO(recv(pair[1], text, 1, 0));
	DO(send(pair[0], "x", 1, MSG_NOSIGNAL));
}

static void
servers(void)
{
	struct sockaddr_un a = {AF_UNIX, "socket"};
	int s = socket(AF_UNIX, SOCK_STREAM, 0), c;
	char text[8] = "";
	pid_t pid;

	DO(bind(s, (struct sockaddr *)&a, sizeof a));
	DO(listen(s, 1));
	pid = fork();
	if (!pid) {
		c = socket(AF_UNIX, SOCK_STREAM, 0);
		connect(c, (struct sockaddr *)&a, sizeof a);
		write(c, "hello", 6);
		_exit(0);
	}
	c = accept4(s, NULL, NULL, SOCK_CLOEXEC);
	DO(read(c, text, sizeof text));
	SAY("%s\n", text);
	say_end(pid);
	unlink("socket");
}

static void
queues(void)
{
	struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 16};
	char name[32], text[16];
	unsigned priority;
	mqd_t q;

	snprintf(name, sizeof name, "/sample-%d", getpid());
	q = mq_open(name, O_CREAT | O_RDWR, 0600, &a);
	mq_unlink(name);
	DO(mq_send(q, "low", 4, 1));
	DO(mq_send(q, "high", 5, 9));
	DO(mq_receive(q, text, sizeof text, &priority));
	SAY("%s %u\n", text, priority);
}

static void
messages(void)
{
	struct {
		long type;
		char text[8];
	} m = {3, "text"};
	int id = msgget(IPC_PRIVATE, 0600);

	DO(msgsnd(id, &m, sizeof m.text, 0));
	DO(msgrcv(id, &m, sizeof m.text, 4, IPC_NOWAIT));
	m.type = 0;
	DO(msgrcv(id, &m, sizeof m.text, 3, 0));
	SAY("%ld %s\n", m.type, m.text);
	DO(msgctl(id, IPC_RMID, NULL));
}

static void
semaphores(void)
{
	int id = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf up = {0, 2, SEM_UNDO}, down = {0, -1, IPC_NOWAIT};
	struct timespec t = {0, 1000000};

	DO(semop(id, &down, 1));
	DO(semop(id, &up, 1));
	DO(semop(id, &down, 1));
	DO(semctl(id, 0, GETVAL));
	down.sem_op = -5;
	down.sem_flg = 0;
	DO(semtimedop(id, &down, 1, &t));
	DO(semctl(id, 0, IPC_RMID));
}

static void
terminals(void)
{
	struct winsize w = {24, 80, 0, 0}, got;
	struct termios t;
	int master, slave;
	char text[16] = "";

	DO(openpty(&master, &slave, NULL, NULL, &w) < 0);
	DO(isatty(slave));
	DO(isatty(open("/dev/null", O_RDONLY)));
	DO(ioctl(slave, TIOCGWINSZ, &got));
	SAY("%d %d\n", got.ws_row, got.ws_col);
	DO(tcgetattr(slave, &t));
	cfmakeraw(&t);
	DO(tcsetattr(slave, TCSANOW, &t));
	write(master, "raw", 3);
	DO(read(slave, text, sizeof text));
	SAY("%s\n", text);
}

static void
fault_descriptor(void)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	struct uffdio_api api = {.api = UFFD_API};

	if (fd < 0)
		SAY("%s\n", strerrorname_np(errno));
	else
		DO(ioctl(fd, UFFDIO_API, &api));
}

static void
ring(void)
{
	struct io_uring_params p = {0};
	int fd = (int)syscall(SYS_io_uring_setup, 4, &p);

	SAY("%s\n", fd >= 0 ? "works" : strerrorname_np(errno));
}

static void
of_the_system(void)
{
	struct utsname u;
	char text[64];
	unsigned cpu, node;

	DO(uname(&u));
	SAY("%s %s\n", u.sysname, u.machine);
	DO(gethostname(text, sizeof text));
	DO(sysconf(_SC_PAGESIZE));
	DO(sysconf(_SC_CLK_TCK));
	DO(sysconf(_SC_NPROCESSORS_ONLN) > 0);
	DO(getcpu(&cpu, &node));
	DO(getrandom(text, 16, 0));
	DO(getrandom(text, 16, 0xff));
	DO(syscall(SYS_membarrier, 0, 0, 0) > 0);
	DO(syscall(9999));
	DO(syscall(-1));
	DO(getuid() == geteuid());
	DO(getgroups(0, NULL) >= 0);
}

static void
standard_streams(void)
{
	char text[32] = "";

	setvbuf(stdout, NULL, _IONBF, 0);
	fputs("to stderr\n", stderr);
	printf("%d\n", scanf("%31s", text));
	printf("%s %d\n", text, feof(stdin) != 0);
}

static const struct sample samples[] = {
	SAMPLE(reads_and_writes), SAMPLE(facts_of_files), SAMPLE(folders),
	SAMPLE(descriptors), SAMPLE(pipes), SAMPLE(moved_in_the_kernel),
	SAMPLE(locks), SAMPLE(polls), SAMPLE(selects), SAMPLE(epolls),
	SAMPLE(watches), SAMPLE(sockets), SAMPLE(servers), SAMPLE(queues),
	SAMPLE(messages), SAMPLE(semaphores), SAMPLE(terminals),
	SAMPLE(fault_descriptor), SAMPLE(ring), SAMPLE(of_the_system),
	SAMPLE(standard_streams),
};

SAMPLES(samples)
