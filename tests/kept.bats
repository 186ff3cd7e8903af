#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Code that processes keep for the next one of the same program: everything is
# executed and counted as without.

load helper
load engines

setup_file() {
	compile_program repeat
}

setup() {
	need_program repeat
}

# without CPU COMMAND...: all signals, with nothing kept
without() {
	local cpu=$1

	shift
	PMCSIM_NATIVE_KEEP=0 "$signals" "$cpu" native "$@"
}

# same_kept CPU COMMAND...: the same with and without, of three processes
same_kept() {
	local cpu=$1

	shift
	without "$cpu" ./repeat 3 "$@" >"$HOME/without"
	"$signals" "$cpu" native ./repeat 3 "$@" >"$HOME/with"
	[ "$(wc -l <"$HOME/without")" -gt 100 ]
	diff "$HOME/without" "$HOME/with" || {
		echo "$cpu: $*"
		false
	}
}

# used COMMAND...: prints what the command's process maps of the file
used() {
	pc_sweep -ui --engine native --output /dev/null ./repeat 2 \
		sh -c 'grep -c memfd:pmcsim-code /proc/$$/maps; :'
}

@test "the second process has what the first one has kept" {
	run -0 used
	[ "${lines[0]}" = 0 ]
	[ "${lines[1]}" -gt 1 ]
	PMCSIM_NATIVE_KEEP=0 run -0 used
	[ "${lines[*]}" = "0 0" ]
}

@test "a program that unloads a library has its code kept, too" {
	cat >unloads.c <<-'END'
		#include <dlfcn.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <unistd.h>

		int main(int argc, char *argv[])
		{
			char command[99];
			void *library = dlopen("libm.so.6", RTLD_NOW);
			double (*root)(double);

			*(void **)&root = dlsym(library, "sqrt");
			snprintf(command, sizeof command,
				 "grep -c memfd:pmcsim-code /proc/%d/maps; :",
				 getpid());
			return (argc > 1 && system(command)) || root(9) != 3 ||
			       dlclose(library);
		}
	END
	gcc -O1 -o unloads unloads.c
	run -0 pc_sweep -ui --engine native --output /dev/null ./repeat 2 \
		./unloads says
	[ "${lines[0]}" = 0 ]
	[ "${lines[1]}" -gt 1 ]
	same_kept skylake ./unloads
}

@test "all signals are the same, on machines of each kind" {
	printf '%s\n' {1..300} >numbers
	for cpu in mips34k p5 p6 ev5 ev6 r10000 itanium2 skylake cortex-a53; do
		same_kept $cpu sort -n -o "$HOME/sorted" numbers
	done
}

@test "programs of other environments, and of many processes" {
	printf '%s\n' {1..300} >numbers
	same_kept u74 env -i A=1 ./repeat 2 sort -n -o "$HOME/sorted" numbers
	same_kept mips34k env LONG="$(printf '%2000s' x)" ls .
}

@test "programs that handle faults, and that begin to" {
	gcc -O1 -w -o faults "$PMCSIM_SRCDIR/tests/engines/faults.c"
	same_kept mips34k ./faults
}

@test "code that changes itself" {
	gcc -O1 -w -o changes "$PMCSIM_SRCDIR/tests/engines/changes.c"
	gcc -O1 -w -o twice "$PMCSIM_SRCDIR/tests/engines/changes_twice.c"
	same_kept mips34k ./changes
	same_kept p5 ./changes
	same_kept mips34k ./twice
}

@test "threads" {
	gcc -O1 -w -pthread -static -o turns \
		"$PMCSIM_SRCDIR/tests/engines/threads_turns.c"
	same_kept mips34k ./turns
	same_kept skylake ./turns
}

# Targets that are known from the first process on are of code that does not record.
@test "a library that is mapped while threads take turns" {
	local cpu

	gcc -O1 -shared -fPIC -DLIBRARY -o liblate.so \
		"$PMCSIM_SRCDIR/tests/engines/late.c"
	gcc -O1 -pthread -o late "$PMCSIM_SRCDIR/tests/engines/late.c" -ldl
	for cpu in mips34k skylake; do
		without $cpu sh -c './late; ./late; ./late t' >"$HOME/without"
		"$signals" $cpu native sh -c './late; ./late; ./late t' \
			>"$HOME/with"
		diff "$HOME/without" "$HOME/with"
	done
}

# answer N: a program whose library says N, of the same size and time as others
answer() {
	mkdir -p "lib$1"
	echo "int answer(void) { return $1; }" >answer.c
	gcc -O1 -shared -fPIC -o "lib$1/libanswer.so" answer.c
	touch -d 2020-01-01 "lib$1/libanswer.so"
}

@test "a library that is another one, though all but its bytes are the same" {
	answer 17
	answer 42
	[ "$(stat -c %s lib17/*)" = "$(stat -c %s lib42/*)" ]
	echo 'int answer(void); int main(void) { return answer(); }' >ask.c
	gcc -O1 -o ask ask.c -Llib17 -lanswer
	cat >both.sh <<-'END'
		for lib in 17 17 42 42 17; do
			LD_LIBRARY_PATH=lib$lib ./ask
			echo $?
		done
	END
	run -0 pc_sweep -ui --engine native --output /dev/null sh both.sh
	[ "${lines[*]}" = "17 17 42 42 17" ]
}

@test "a program that is written anew between its executions" {
	for n in 3 5; do
		echo "int main(void) { return $n; }" | gcc -O1 -x c -o "exit$n" -
		touch -d 2020-01-01 "exit$n"
	done
	cat >anew.sh <<-'END'
		for n in 3 3 5 5 3; do
			cat exit$n >program
			chmod +x program
			touch -d 2020-01-01 program
			./program
			echo $?
		done
	END
	run -0 pc_sweep -ui --engine native --output /dev/null sh anew.sh
	[ "${lines[*]}" = "3 3 5 5 3" ]
}

@test "nothing is kept by programs under limits that allow no file, memory or call" {
	cat >limits.sh <<-'END'
		(ulimit -n 4; ./repeat 2 true) 2>/dev/null; echo $?
		(ulimit -f 0; ./repeat 2 true); echo $?
		(cd / && chroot . true 2>/dev/null; true); echo $?
	END
	sh limits.sh >alone
	pc_sweep -ui --engine native --output /dev/null sh limits.sh >under
	diff alone under
}
