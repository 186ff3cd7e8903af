/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refuse NUMBER... -- COMMAND...: runs the command where these system calls
 * of the host fail with EPERM, as they may in a container.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int
refuse(unsigned number)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int
main(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--"); i++)
		if (refuse((unsigned)atoi(argv[i]))) {
			perror("seccomp");
			return 64;
		}
	execvp(argv[i + 1], argv + i + 1);
	return 127;
}
