#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What the ledger's costs are based on: system calls by kind.

load helper

# A processor with an event for each kind.
make_table() {
	local n=0 signal

	mkdir events
	cp -r "$PMCSIM_EVENTS/os" events
	{
		sed '/^events:/,$d' "$PMCSIM_EVENTS/mips34k.yaml"
		printf 'events:\n  odd:\n    - {code: 0, name: INSN, label: x, '
		printf 'text: x, scope: T, precision: exact, signals: [insn]}\n'
		echo "  even:"
		for signal in syscall io line path map signal fork exec; do
			printf '    - {code: %d, name: %s, label: %s, text: x, ' \
				$n $signal $signal
			printf 'scope: T, precision: exact, signals: [os.%s]}\n' \
				$signal
			n=$((n + 1))
		done
	} >events/mips34k.yaml
	PMCSIM_EVENTS=$PWD/events
}

# Events of a command, behind options: one a line.
kinds() {
	pc_sweep -u --evens '0 1 2 3 4 5 6 7' --once --csv "$@" |
		awk -F, '$1 == "count" && $5 == "even" { print $7, $9 }'
}

@test "system calls by kind" {
	need_engine
	make_table
	cat >calls.c <<-'END'
	#include <fcntl.h>
	#include <signal.h>
	#include <stdlib.h>
	#include <sys/mman.h>
	#include <sys/syscall.h>
	#include <sys/wait.h>
	#include <unistd.h>

	static void on_signal(int n) { (void)n; }

	int main(int argc, char **argv)
	{
		int zero = open("/dev/zero", O_RDONLY), n = atoi(argv[1]);
		int file = open("file", O_RDWR | O_CREAT, 0600);
		static char text[256];

		signal(SIGUSR1, on_signal);
		while (n--) {
			pid_t pid = getpid();		/* 1 call */
			void *p;

			pwrite(file, text, 65, 0);	/* 1: io, 2 lines */
			pread(file, text, 65, 0);	/* ... */
			pread(file, text, 65, 100);	/* 1: io, nothing */
			read(zero, text, 256);		/* 1: 4 lines */
			close(open("file", O_RDONLY));	/* 2: path */
			access("nowhere", F_OK);	/* 1: path */
			unlink("nowhere");		/* 1: path */
			p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE |
				 MAP_ANONYMOUS, -1, 0);	/* 1: map */
			munmap(p, 4096);		/* 1: map */
			syscall(SYS_kill, pid, SIGUSR1); /* 2: signal */
		}
		for (int i = 0; i < argc - 2; i++) {
			pid_t pid = fork();

			if (!pid && argv[2][0] == 'e')
				execl(argv[0], argv[0], "0", (char *)NULL);
			if (!pid)
				_exit(0);
			waitpid(pid, NULL, 0);
		}
		return 0;
	}
	END
	tried=0
	for prefix in "" mipsel-linux-gnu- mips-linux-gnu- i686-linux-gnu- \
	    alpha-linux-gnu-; do
		flags=-static
		[ "$prefix" != alpha-linux-gnu- ] || flags+=" -Wl,--no-relax"
		"${prefix}gcc" -O1 $flags -o calls calls.c 2>/dev/null ||
			continue
		kinds ./calls 0 >none
		kinds ./calls 10 >ten
		paste -d ' ' none ten | awk '{ print $1, $4 - $2 }' >calls.out
		same calls.out <<-'END'
		syscall 130
		io 30
		line 80
		path 30
		map 20
		signal 10
		fork 0
		exec 0
		END
		[ "$(tail -n 2 none)" = $'fork 0\nexec 1' ]
		[ "$(kinds ./calls 0 f f f | tail -n 2)" = $'fork 3\nexec 1' ]
		[ "$(kinds ./calls 0 e e e | tail -n 2)" = $'fork 3\nexec 4' ]
		tried=$((tried + 1))
	done
	[ "$tried" -gt 0 ] || skip "no compiler"
}

@test "forks are their thread's" {
	need_engine
	make_table
	cat >forks.c <<-'END'
	#include <pthread.h>
	#include <sys/wait.h>
	#include <unistd.h>

	static void *forks(void *arg)
	{
		for (int i = 0; i < 3; i++) {
			pid_t pid = fork();

			if (!pid)
				_exit(0);
			waitpid(pid, NULL, 0);
		}
		return arg;
	}

	int main(void)
	{
		pthread_t thread;

		pthread_create(&thread, NULL, forks, NULL);
		pthread_join(thread, NULL);
	}
	END
	cc -static -pthread -o forks forks.c || skip "no compiler"
	kinds -t 0 ./forks | tail -n 2 >forks.out
	kinds -t 1 ./forks | tail -n 2 >>forks.out
	same forks.out <<-'END'
	fork 0
	exec 1
	fork 3
	exec 0
	END
}
