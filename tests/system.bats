#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Commands on a board with a kernel.  Nothing is fetched here: these tests
# need a system that "pmcsim system setup" has put into the user's cache.

load helper
load boards

board=malta

make_program() {
	mipsel-linux-gnu-gcc -O1 -static -o "$1" -x c - 2>/dev/null ||
		skip "no compiler for MIPS"
}

# Each tool says $1, and leaves nothing.
all_say() {
	pmcsim new m
	for tool in "pc_sweep -u -i" "perfex -e 15" "pctr -s 0 c0" pfmon \
	    uprofile kprofile "pmcsim run"; do
		machine=
		[ "$tool" != "pmcsim run" ] || machine=m
		run -125 $tool --system malta $machine true
		[ "$output" = "${tool%% -*}: $1" ]
		[ ! -e umon.out ]
		[ ! -e kmon.out ]
	done
	pmcsim rm m
}

@test "what is not set up is told in a sentence" {
	export XDG_CACHE_HOME=$HOME/.cache
	command -v qemu-system-mipsel >/dev/null || skip "no QEMU for MIPS"
	all_say 'the system malta is not set up: run "pmcsim system setup malta"'
}

@test "so is a QEMU that is not there" {
	mkdir bin
	ln -s /usr/bin/* bin
	rm -f bin/qemu-system-*
	PATH=$build:$PWD/bin
	all_say "there is no qemu-system-mipsel that takes plugins: install Debian's package qemu-system-mips, or name its folder with PMCSIM_QEMU_SYSTEM"
	run -0 pmcsim system list
	[[ $output == *"malta "*"there is no qemu-system-mipsel that takes plugins: "* ]]
}

@test "wrong usage" {
	run -64 pmcsim system setup vax
	[ "$output" = 'pmcsim system: there is no board vax; see "pmcsim system list"' ]
	run -64 pmcsim system start
	[ "$output" = "pmcsim system: start: only list, setup and remove are known" ]
	run -64 pmcsim system list malta more
	[ "$output" = "pmcsim system: more: one board is enough" ]
	run -64 pmcsim system list --force
	[ "$output" = "pmcsim system: --force goes with setup" ]
	run -64 pmcsim system list --offline .
	[ "$output" = "pmcsim system: --offline goes with setup" ]
	run -64 pc_sweep --system malta --threads parallel -u -i true
}

@test "setup without packages leaves nothing" {
	export XDG_CACHE_HOME=$HOME/.cache
	command -v qemu-system-mipsel >/dev/null || skip "no QEMU for MIPS"
	mkdir debs
	run -125 pmcsim system setup --offline debs
	[ "$output" = "pmcsim system: there is no linux-image-*-4kc-malta_*_mipsel.deb in debs: put Debian 12's package there" ]
	[ "$(ls "$HOME/.cache/pmcsim/system")" = lock ]
}

@test "setup where no folder can be made says so" {
	command -v qemu-system-mipsel >/dev/null || skip "no QEMU for MIPS"
	: >file
	XDG_CACHE_HOME=$PWD/file run -125 pmcsim system setup
	[ "$output" = "pmcsim system: cannot make the folder $PWD/file/pmcsim/system: Not a directory" ]
}

@test "remove: a board's folders, and no other's" {
	export XDG_CACHE_HOME=$HOME/.cache
	mkdir -p .cache/pmcsim/system/malta-0123 .cache/pmcsim/system/pc-4567
	run -0 pmcsim system remove malta
	[ -z "$output" ]
	[ "$(ls .cache/pmcsim/system)" = pc-4567 ]
	run -0 pmcsim system remove malta
	[ "$output" = "pmcsim system: malta was not set up" ]
}

@test "what is ready stays, what is damaged does not" {
	need_board malta
	run -0 pmcsim system setup
	[[ $output == "pmcsim system: malta is ready: "*/malta-* ]]
	place=${output#*: *: }
	mkdir -p cache/pmcsim/system
	cp -rs "$place" cache/pmcsim/system
	export XDG_CACHE_HOME=$PWD/cache
	rm cache/pmcsim/system/malta-*/initrd
	echo damaged >"$(echo cache/pmcsim/system/malta-*)/initrd"
	# An apt-get that fetches nothing.
	mkdir bin
	printf '#!/bin/sh\nexit 1\n' >bin/apt-get
	chmod +x bin/apt-get
	for option in "" --force; do
		PATH=$PWD/bin:$PATH run -125 pmcsim system setup $option
		[[ $output == *"package lists cannot be read"* ]]
		cp --remove-destination "$place/initrd" \
			cache/pmcsim/system/malta-*/
	done
}

@test "stdin, stdout, stderr and status pass" {
	need_board malta
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir tmp work
	cd work
	echo one >input
	run --separate-stderr pc_sweep --system malta --modes --odds 1 --once \
		--output counts -- sh -c 'cat; cat "$1" >&2; exit 7' sh input \
		<input
	[ "$status" -eq 7 ]
	[ "$output" = one ]
	[[ $stderr == "one"* ]]
	run pc_parse counts
	[[ $output == *"; kernel code executed on malta"* ]]
	[[ $output != *ledger* ]]
	[ -z "$(ls "$TMPDIR")" ]
	TMPDIR=$TMPDIR/nowhere run -125 pc_sweep --system malta -u --odds 1 true
	[ "${lines[-1]}" = "pc_sweep: cannot make a folder in $TMPDIR/nowhere: No such file or directory" ]
}

@test "a pipe is read on a board if it is kept" {
	need_board malta
	run -0 --separate-stderr pc_sweep --system malta -u --odds 1 \
		--keep-input --output counts cat < <(echo one)
	[ "$output" = one ]
	run -0 --separate-stderr pc_sweep --system malta -u --odds 1 \
		--output counts cat < <(echo one)
	[ -z "$output" ]
	[[ $stderr == *"pc_sweep: note: standard input is no file: runs on a board do not read it; --keep-input lets each read all of it"* ]]
}

@test "the folder that a command starts in is there, if it is small" {
	need_board malta
	mkdir -p work/below
	cd work
	echo one >file
	echo two >below/other
	ln -s below/other link
	mkdir below/empty
	touch kmon.out umon.out.1 below/umon.out
	run -0 --separate-stderr pmcsim_at_work
	[ "$output" = $'one\ntwo\ntwo\nbelow\nfile\nlink\nbelow/empty\nbelow/other\nbelow/umon.out' ]
	head -c 8388608 /dev/zero >large
	run -1 --separate-stderr pmcsim_at_work
	[ -z "$output" ]
	[[ $stderr == "pctr: note: the folder that the command starts in is not on the board: it is too large, or TMPDIR is in it"$'\n'"cat: can't open 'file': No such file or directory"* ]]
	# What is named is there all the same.
	run -0 --separate-stderr pctr --system malta -- cat file
	[ "$output" = one ]
	# It is told once, however often the command runs.
	run -0 --separate-stderr pc_sweep -uic --system malta true
	[ "$(grep -c "not on the board" <<<"$stderr")" -eq 1 ]
	rm large
	run -0 --separate-stderr pctr --system malta true
	[[ $stderr != *note* ]]
}

pmcsim_at_work() {
	pctr --system malta -- sh -c 'cat file below/other link && echo * below/*' |
		tr ' ' '\n'
	return "${PIPESTATUS[0]}"
}

@test "what a board that is not set up leaves out" {
	need_engine
	export XDG_CACHE_HOME=$HOME/.cache
	command -v qemu-system-mipsel >/dev/null || skip "no QEMU for MIPS"
	make_program nothing <<<'int main(void) { return 0; }'
	said='the system malta is not set up: run "pmcsim system setup malta"; the command runs in user mode, and kernel code is not measured'
	run -125 --separate-stderr pc_sweep --system malta --modes -i -p \
		./nothing
	[ "$stderr" = "pc_sweep: $said" ]
	[ "$(count U)" -gt 1000 ]
	[ "$(grep -c '^.[SKE].*not measured: the board is not set up$' \
		<<<"$output")" -eq 6 ]
	[[ $output != *ledger* ]]
	run -125 --separate-stderr pc_sweep --system malta --modes --once -i \
		./nothing
	run pc_parse - <<<"$output"
	[[ $output != *"[K]"* && $output == *"[U]"* ]]
	run -125 --separate-stderr perfex --system malta -k -e 15 ./nothing
	[[ $stderr == "perfex: $said"*"instructions."*" not measured" ]]
	run -125 --separate-stderr pctr --system malta --csv -s 0 -u c0 \
		-s 1 -k c0 ./nothing
	[[ $stderr == "pctr: $said"*ctr0*RETIRED,[1-9]*ctr1*RETIRED,,exact*tsc,,,,timing* ]]
	run -125 --separate-stderr pfmon --system malta --show-time \
		-e CPU_CYCLES,IA64_INST_RETIRED --priv-levels k,u ./nothing
	[ "$stderr" = "pfmon: $said" ]
	[[ $output == user*" sys not measured"*"not measured CPU_CYCLES"*[1-9]*" IA64_INST_RETIRED" ]]
	run -125 --separate-stderr uprofile --system malta -exact -quiet \
		./nothing
	[ "$stderr" = "uprofile: $said" ]
}

@test "options that mean nothing on a board" {
	for wrong in "perfex -mp" "perfex -s" "perfex -p 5" "perfex --cpus 2" \
	    "perfex --uid 3" "perfex -a --exact" "pc_sweep --uid 3 -u -i"; do
		run -64 $wrong --system malta true
		[[ $output == *" has no meaning with --system" ]]
	done
	run -64 pctr --system malta
	[ "$output" = "pctr: --system is for a command" ]
	run -64 perfex -t --system malta
	[ "$output" = "perfex: --system is for a command" ]
	run -64 pc_sweep --system vax -u -i true
	[ "$output" = 'pc_sweep: there is no board vax; see "pmcsim system list"' ]
	pmcsim new m
	run -64 pmcsim run --system vax m true
	[ "$output" = 'pmcsim run: there is no board vax; see "pmcsim system list"' ]
}

@test "all tools count the same code" {
	need_board malta
	make_program both <<-'END'
	#include <unistd.h>
	int main(void)
	{
		volatile unsigned s = 0;
		for (unsigned i = 0; i < 300000; i++)
			s += i;
		for (unsigned i = 0; i < 3000; i++)
			getppid();
		return 0;
	}
	END
	run -0 --separate-stderr pctr --system malta -s 0 -u c0 -s 1 -k c0 \
		./both
	[[ $stderr == "pctr: malta: system calls 30"??", "*"on the model of p6"* ]]
	user=$(awk '$1 == "ctr0" { print $3 }' <<<"$stderr")
	kernel=$(awk '$1 == "ctr1" { print $3 }' <<<"$stderr")
	[ "$user" -gt 1200000 ]
	[ "$kernel" -gt 600000 ]
	run -0 --separate-stderr pfmon --system malta --priv-levels u,k \
		-e NOPS_RETIRED,CPU_CYCLES ./both
	[[ $stderr == *"on the model of itanium2"* ]]
	run -0 --separate-stderr perfex --system malta -a -k -x ./both
	[[ $stderr == *"on the model of r10000"* ]]
	near "$(awk '$1 == 15 { print $NF }' <<<"$stderr")" \
		$((user + kernel)) 5
	run -0 --separate-stderr uprofile --system malta -cpu mips34k \
		-exact instructions ./both
	[[ $stderr == *"on the model of mips34k"* ]]
	# Its functions have their names.
	[ "$(prof --folded - umon.out | awk '$1 == "main" { print $2 }')" \
		-gt 1200000 ]
	near "$(awk '$1 == "event" { print $5 }' umon.out)" "$user" 5
}

@test "a command that does not end, and one that takes all memory" {
	need_board malta
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir tmp work
	cd work
	# What it did until then is a partial report.
	export PMCSIM_SYSTEM_SECONDS=10
	run -125 --separate-stderr pc_sweep --system malta -u --odds 1 -p \
		sh -c 'while :; do :; done'
	[[ $stderr == "pmcsim: malta: the command has not ended in 10 seconds, as many as \$PMCSIM_SYSTEM_SECONDS allows"$'\n'* ]]
	[[ $output == *"partial: stopped before the end, figures are too low"* ]]
	[ "$(count U)" -gt 0 ]
	unset PMCSIM_SYSTEM_SECONDS
	make_program eat <<-'END'
	#include <stdlib.h>
	#include <string.h>
	int main(void)
	{
		for (char *p; (p = malloc(1 << 20)); )
			memset(p, 1, 1 << 20);
		return 0;
	}
	END
	run -137 --separate-stderr pc_sweep --system malta -u --odds 1 -p ./eat
	[[ $output != *partial* ]]
	[ "$(count U)" -gt 1000000 ]
	[ -z "$(ls "$TMPDIR")" ]
}

branches() {
	awk '$1 == "[U]" && / branches:/ { sub(/.*branches: */, ""); print $1 }' \
		<<<"$output"
}

@test "blocks that page faults interrupt count once" {
	need_board malta
	make_program touch <<-'END'
	#include <sys/mman.h>
	int main(void)
	{
		volatile char *p = mmap(0, 4096 * 3000, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (int i = 0; i < 3000; i++)
			p[i * 4096] = 1;
		return 0;
	}
	END
	run -0 --separate-stderr pc_sweep --system malta -u --evens 2 \
		--odds 1 -p -- ./touch
	user=$(count U) branches=$(branches)
	run -0 --separate-stderr pc_sweep -u --evens 2 --odds 1 -p -- ./touch
	alone=$(count U)
	# The board's C library takes a longer way at the start: its kernel has
	# procedures to be found, which read clocks.
	[ "$user" -ge "$alone" ]
	[ "$user" -lt $((alone + 6000)) ]
	[ "$branches" -ge "$(branches)" ]
	[ "$branches" -lt $(($(branches) + 1000)) ]
	# A profile has the same, all of it at some place.
	run -0 --separate-stderr uprofile --system malta -cpu mips34k \
		-exact instructions ./touch
	near "$(awk '$1 == "event" { print $5 }' umon.out)" "$user" 1
	[ "$(prof --folded - umon.out | awk '{ n += $NF } END { print n }')" \
		-eq "$(awk '$1 == "event" { print $5 }' umon.out)" ]
}

# Expects $1 instructions in user mode of a program that does $2, one of them,
# and whose branch is at offset $3 of pages that the kernel maps together.
part_counts() {
	mipsel-linux-gnu-gcc -nostdlib -static -mno-abicalls -fno-pic -o part \
		-x assembler-with-cpp - <<-END 2>/dev/null || skip "no compiler"
	.set noreorder
	.text
	.globl __start
	__start:
	lui \$8, %hi(2f)
	addiu \$8, \$8, %lo(2f)
	$2
	jr \$8
	nop
	.balign 65536
	.space $3
	2: bne \$8, \$0, 3f
	nop
	.balign 4096
	3: li \$2, 4001
	li \$4, 0
	syscall
	END
	run -0 --separate-stderr pc_sweep --system malta -u --odds 1 -p ./part
	[ "$(count U)" -eq "$1" ]
}

@test "what is done again once its page or the FPU is there counts once" {
	need_board malta
	# It has 10; 5 come before it is executed.
	part_counts 15 nop 64
	part_counts 15 'mtc1 $4, $f0' 64
	# Its delay slot is in a page that is not mapped yet.
	part_counts 15 nop 65532
}

@test "a page fault just before a system call is none" {
	need_board malta
	make_program both <<-'END'
	#include <sys/mman.h>
	int main(int argc, char **argv)
	{
		volatile char *p = mmap(0, 4096 * 100, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (int i = 0; i < 100 && argv[1][0] == 't'; i++)
			p[i * 4096] = 1;
		for (int i = 0; i < 100; i++)	/* getppid() */
			asm volatile("lw $4, (%0); li $2, 4064; syscall"
				     :: "r"(p + i * 4096)
				     : "$2", "$3", "$4", "$7", "$8", "$9",
				       "$10", "$11", "$12", "$13", "$14",
				       "$15", "$24", "$25", "hi", "lo",
				       "memory");
		return 0;
	}
	END
	for how in touched not_yet; do
		measure ./both $how
		[[ $stderr =~ "malta: system calls "([0-9]+)", " ]]
		calls="$calls ${BASH_REMATCH[1]}"
	done
	echo "$calls" >&2
	[ "${calls% *}" = " ${calls##* }" ]
}

@test "a machine that lasts goes on counting" {
	need_board malta
	pmcsim new m
	pmcsim write m "1 0x2f 0"
	pmcsim run --system malta m true
	one=$(pmcsim cat m | sed -n 's/^PerfCnt\[1\].Cnt : //p')
	pmcsim run --system malta m true
	two=$(pmcsim cat m | sed -n 's/^PerfCnt\[1\].Cnt : //p')
	[ "$one" -gt 500000 ]
	[ "$two" -gt $((one + 500000)) ]
	pmcsim new used
	make_loop
	pmcsim run used ./loop
	run -125 pmcsim run --system malta used true
	[ "${lines[-1]}" = "pmcsim run: programs have run on this machine without a kernel: make a new one for a system" ]
}

@test "a command that is not there" {
	need_board malta
	for tool in "pc_sweep -u -i" "perfex -e 15" "pctr -s 0 c0" pfmon \
	    kprofile; do
		run -127 $tool --system malta no-such-program
		[ "$output" = "${tool%% *}: no-such-program: there is no such program in the system" ]
		run -127 $tool --system malta ""
		[ "$output" = "${tool%% *}: \"\": no such program" ]
	done
	[ ! -e kmon.out ]
	run -126 pc_sweep --system malta -u -i /bin/ls
	[[ $output == "pc_sweep: /bin/ls is a program for "*", and malta runs those for mipsel" ]]
}

@test "kernel code is counted where it is executed, and repeats" {
	need_board malta
	make_program compute <<-'END'
	int main(void)
	{
		volatile unsigned s = 0;
		for (unsigned i = 0; i < 1000000; i++)
			s += i;
		return 0;
	}
	END
	make_program call <<-'END'
	#include <unistd.h>
	int main(void)
	{
		for (unsigned i = 0; i < 60000; i++)
			getppid();
		return 0;
	}
	END
	measure ./compute
	[ "$status" -eq 0 ]
	user=$(count U) kernel=$(count K)
	[ "$user" -gt 4000000 ]
	[ $((kernel * 2)) -lt "$user" ]
	measure ./call
	[ "$status" -eq 0 ]
	[[ $stderr == *"malta: system calls 600"??", "* ]]
	user=$(count U) kernel=$(count K) exl=$(count E)
	[ "$kernel" -gt "$((user * 4))" ]
	# Entry and exit of each call are at exception level.
	[ "$exl" -gt 600000 ]
	measure ./call
	for pair in "$user $(count U)" "$kernel $(count K)"; do
		set -- $pair
		difference=$(($1 - $2))
		echo "$1 and $2" >&2
		[ $((${difference#-} * 200)) -le "$1" ]
	done
	# The same program counts the same in user mode alone.
	run --separate-stderr pc_sweep -u --odds 1 -p -- ./call
	alone=$(count U)
	difference=$((user - alone))
	[ $((${difference#-} * 100)) -le "$alone" ]
}
