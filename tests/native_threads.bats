#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Threads under the native engine: they do what they do without it, count what
# they count under QEMU, and the same in each run.

load helper
load engines

setup_file() {
	for name in threads_turns threads_alone signals_threads; do
		cc -O1 -pthread -static -o "$BATS_FILE_TMPDIR/$name" \
			"$BATS_TEST_DIRNAME/engines/$name.c" || return 0
		cc -O1 -pthread -o "$BATS_FILE_TMPDIR/$name.dynamic" \
			"$BATS_TEST_DIRNAME/engines/$name.c" || return 0
	done
	for name in spawn together timed polls forks ends; do
		cc -O1 -pthread -static -o "$BATS_FILE_TMPDIR/$name" \
			"$BATS_TEST_DIRNAME/threads/$name.c" || return 0
	done
}

setup() {
	set_up_engines
	need_native
	[ -x ends ] || skip "no compiler for x86-64"
}

# natively OPTION...: pc_sweep under that engine; no hanging program hangs it
natively() {
	timeout -s KILL 120 pc_sweep -u --engine native "$@"
}

# as_without STATUS PROGRAM...: the same output and status
as_without() {
	local status=$1

	shift
	run "-$status" timeout -s KILL 60 "$@"
	expected=$output
	run "-$status" natively -i --output "$HOME/counts" "$@"
	[ "$output" = "$expected" ]
}

@test "threads that hand a turn round: all signals, as under QEMU" {
	need_engine
	[ -x "$signals" ] || skip "not built"
	for cpu in mips34k p5 ev5 ev6 p6 r10000 itanium2; do
		same "$cpu" ./threads_turns 2 30
		same "$cpu" ./threads_turns 4 30
	done
}

@test "300 threads, created and joined: all signals, as under QEMU" {
	need_engine
	[ -x "$signals" ] || skip "not built"
	same mips34k ./spawn 300
	same p5 ./spawn 300
	as_without 0 ./spawn 300
}

# The environment is as long both times.
@test "what code of threads writes down: as where C is told of each" {
	for cpu in skylake cortex-a53 mips34k p6 r10000; do
		for calls in 0 1; do
			PMCSIM_NATIVE_CALLS=$calls timeout -s KILL 120 \
				pmcsim stat --cpu "$cpu" \
				--engine native --clock machine -d -d -x, \
				-o "$HOME/$calls" ./threads_turns 3 300 \
				>"$HOME/out$calls"
		done
		[ "$(grep -c , "$HOME/1")" -gt 10 ]
		diff "$HOME/1" "$HOME/0"
		diff "$HOME/out1" "$HOME/out0"
	done
}

# The environment is fixed, so that stacks are the same in each place.  Frames of
# handlers are not: which lines they take is no matter of the engines'.
@test "waits for some time, by the machine's clock: as under QEMU" {
	need_engine
	for program in "timed 10" polls "together 2"; do
		events=(--evens "0 1" --odds "2 11 25")
		[ "$program" != polls ] || events=(--evens 1 --odds 2)
		for engine in qemu native; do
			# shellcheck disable=SC2086
			timeout -s KILL 120 pc_sweep -u --once \
				--env clean --clock machine "${events[@]}" \
				--json --engine "$engine" \
				--output "$HOME/$engine" ./$program \
				>"$HOME/$engine.out"
			sed -i -E 's/"engine":"(qemu|native)",//' "$HOME/$engine"
		done
		diff "$HOME/qemu.out" "$HOME/native.out"
		diff "$HOME/qemu" "$HOME/native"
	done
}

@test "data of threads, mutexes, conditions: as without an engine" {
	as_without 0 ./threads_turns 4 200
	as_without 0 ./threads_turns.dynamic 3 200
}

@test "signals of threads: as without an engine" {
	as_without 143 ./signals_threads
	[[ $output = *"faults: 50 50 50"* ]]
	as_without 143 ./signals_threads.dynamic
}

@test "a child that sleeps is ended while a thread waits for it" {
	need_engine
	cc -O1 -pthread -static -o dozes "$BATS_TEST_DIRNAME/threads/dozes.c" ||
		skip "no compiler"
	for engine in $(engines); do
		run -0 timeout 60 pmcsim stat --engine "$engine" -e instructions \
			-o counts ./dozes
		[ "${lines[0]}" = "signal 15" ]
	done
}

@test "a thread ends the process, forks, executes, writes code, outlives the first one" {
	for program in ./threads_alone ./threads_alone.dynamic; do
		as_without 7 "$program" e
		as_without 3 "$program" f
		[ "$output" = "child: 9" ]
		as_without 0 "$program" x
		as_without 3 "$program" c
		[ "$output" = "code: 190" ]
		as_without 0 "$program" l
	done
	as_without 5 ./ends 3
	as_without 0 ./ends 1
	as_without 0 ./ends 4
	as_without 0 ./forks 5
}

# As under QEMU.
@test "what shares memory and is no thread is refused" {
	run -3 natively -i --output /dev/null ./threads_alone q
	[ "$output" = "clone: -1" ]
}

# A flag that is left out would be a process that is not what was asked for.
@test "processes that the C library cannot fork are refused beside threads" {
	cat >flags.c <<-'END'
		#define _GNU_SOURCE
		#include <errno.h>
		#include <pthread.h>
		#include <sched.h>
		#include <signal.h>
		#include <stdio.h>
		#include <sys/syscall.h>
		#include <sys/wait.h>
		#include <unistd.h>

		static void *
		sleeps(void *unused)
		{
			pause();
			return unused;
		}

		int
		main(void)
		{
			static const unsigned long flags[] = {
				SIGCHLD, 0, SIGUSR1, SIGCHLD | CLONE_PARENT,
				SIGCHLD | CLONE_FILES, SIGCHLD | CLONE_FS,
				SIGCHLD | CLONE_NEWUSER, SIGCHLD | CLONE_NEWPID,
				SIGCHLD | CLONE_PIDFD | CLONE_PARENT_SETTID,
				SIGCHLD | CLONE_IO | CLONE_SYSVSEM};
			pthread_t thread;
			int word;

			pthread_create(&thread, NULL, sleeps, NULL);
			for (unsigned i = 0; i < sizeof flags / 8; i++) {
				long pid = syscall(SYS_clone, flags[i], 0, &word,
						   0, 0);

				if (!pid)
					_exit(0);
				printf("%d\n", pid < 0 ? errno : 0);
				wait(NULL);
			}
			return 0;
		}
	END
	cc -pthread -o flags flags.c
	run -0 natively -i --output /dev/null ./flags
	[ "${output//$'\n'/ }" = "0 22 22 22 22 22 22 22 22 0" ]
}

@test "threads that do not take turns are refused" {
	run -125 natively -i --threads parallel ./threads_turns
	[[ $output = *"under the native engine threads take turns"* ]]
}

@test "threads count the same in twenty runs" {
	for ((i = 0; i < 20; i++)); do
		natively --once --clock machine --evens "0 1" \
			--odds "2 11 25" --json --output "$HOME/counts$i" \
			./threads_turns 4 20 >"$HOME/out$i"
		natively --once --clock machine --evens "0 1" \
			--odds "2 11 25" --json --output "$HOME/signals$i" \
			./together 1 >>"$HOME/out$i"
		cmp "$HOME/counts0" "$HOME/counts$i"
		cmp "$HOME/signals0" "$HOME/signals$i"
		cmp "$HOME/out0" "$HOME/out$i"
	done
}

@test "xz, sort and python3 with threads: as without an engine" {
	for command in xz sort python3; do
		command -v "$command" >/dev/null || skip "no $command"
	done
	seq 1 20000 >"$HOME/numbers"
	seq 1 7 20000 | sort -r >"$HOME/others"
	cat "$HOME/others" "$HOME/numbers" >"$HOME/all"
	as_without 0 sort -n --parallel=4 -S 1M "$HOME/all"
	as_without 0 sh -c 'xz -0 -T2 --block-size=60000 -c "$0" | cksum' \
		"$HOME/numbers"
	cat >"$HOME/threads.py" <<'PYTHON'
import queue, threading
jobs, sums = queue.Queue(), []
def work():
    while (job := jobs.get()) is not None:
        sums.append(sum(range(job)))
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for job in [*range(100), None, None, None]:
    jobs.put(job)
for thread in threads:
    thread.join()
over = threading.Event()
threading.Timer(0.01, over.set).start()
print(sum(sums), over.wait(10))
PYTHON
	as_without 0 python3 -S "$HOME/threads.py"
	[ "$output" = "161700 True" ]
}
