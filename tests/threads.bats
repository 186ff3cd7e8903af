#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs with threads: they end, and do what they do without us.

load helper

setup_file() {
	build_threads
}

# Runs a program under all options in $options; it ends by itself, with the
# status and the output that it has without us.
works() {
	local program=$BATS_FILE_TMPDIR/$1 status=0

	need_engine
	[ -x "$program" ] || skip "$1 does not build here"
	shift
	timeout -s KILL 60 pc_sweep -u --evens "0 1" --odds "2 11 25" --json \
		--output counts "${options[@]}" -- "$program" "$@" >output ||
		status=$?
	[ "$status" -eq "${expected:-0}" ]
	[ -z "${shown:=}" ] || [ "$(sort -u output)" = "$shown" ]
}

# What the host's own program prints.
shows() {
	"$BATS_FILE_TMPDIR/$1" "${@:2}"
}

options=()

@test "a thousand threads, one after the other" {
	shown=$(shows spawn 1000) works spawn 1000
	shown=$(shows spawn 1000) works spawn.mipsel 1000
}

@test "threads wait for each other in every way" {
	shown=$(shows together 4)
	works together 4
	works together.mipsel 4
}

@test "several threads want QEMU to stop all others at once" {
	shown=$(shows atomics 200)
	for n in 1 2 3; do
		works atomics 200
	done
	works atomics.mipsel 200
}

@test "a thread waits in a loop for one that sleeps" {
	shown=done works spins
	shown=done works spins.mipsel
}

@test "a thread that yields lets the other one go on at once" {
	local program=$BATS_FILE_TMPDIR/yields engine cpu

	need_engine
	[ -x "$program" ] || skip "no compiler for threads"
	for engine in $(engines); do
		for cpu in p5 ev6 cortex-a53 skylake; do
			run -0 pmcsim stat --engine "$engine" --cpu "$cpu" \
				-o counts "$program"
			[ "$output" = 1998 ]
		done
		# Where both have a context: a few more, no turn is waited for.
		run -0 pmcsim stat --engine "$engine" --cpu mips34k -o counts \
			"$program"
		[ "$output" -lt 4000 ]
	done
}

# A processor of 4 GHz computes for 12 ms, one of 100 MHz for half a second.
@test "a thread that has slept goes on at once" {
	local program=$BATS_FILE_TMPDIR/preempts engine cpu

	need_engine
	[ -x "$program" ] || skip "no compiler for threads"
	for engine in $(engines); do
		for cpu in skylake cortex-a53 p5 ev6; do
			run -0 pmcsim stat --engine "$engine" --cpu "$cpu" \
				--clock machine -o counts "$program"
			echo "$cpu $output"
		done >"$engine"
		same "$engine" <<-'END'
		skylake 7
		cortex-a53 88
		p5 519
		ev6 98
		END
	done
}

# A thread that is preempted goes on, but not for ever.
@test "one that sleeps again and again keeps no thread from its turn" {
	local program=$BATS_FILE_TMPDIR/starves engine cpu ns

	need_engine
	[ -x "$program" ] || skip "no compiler for threads"
	for engine in $(engines); do
		for cpu in p5 ev4 cortex-a53; do
			for ns in 0 1 100000 1000000; do
				pmcsim stat --engine "$engine" --cpu "$cpu" \
					--no-time -o counts "$program" $ns
			done
		done
		pmcsim stat --engine "$engine" --cpu p5 -o counts "$program" 100000
		pmcsim stat --engine "$engine" --cpu mips34k --no-time -o counts \
			"$program" 100000
	done
}

@test "a thread waits in a loop for one that a signal calls" {
	shown=called works called
	shown=called works called.mipsel
}

@test "a process starts a thread while a child works" {
	shown=beside works beside
}

# Under the native engine threads always take turns.
@test "threads in parallel, as asked for" {
	export PMCSIM_ENGINE=qemu
	options=(--threads parallel)
	shown=$(shows together 4) works together 4
	shown=$(shows spawn 100) works spawn 100
	shown=$(shows forks 5) works forks 5
}

# What the program has seen is what is counted.
@test "store-conditionals that fail" {
	local program=$BATS_FILE_TMPDIR/linked.mipsel

	need_engine
	[ -x "$program" ] || skip "linked does not build here"
	timeout -s KILL 60 pc_sweep -u --odds 19 --csv --output counts \
		-- "$program" 4 200 >output
	[ "$(cat output)" -gt 50 ]
	grep -q "SC_INSNS_FAILED,.*,$(cat output)," counts
}

@test "fork while threads work" {
	shown=$(shows forks 5) works forks 5
}

@test "a process waits for a child that waits for a thread" {
	shown=x works needs
}

@test "however the process ends while threads work" {
	expected=7 works ends 0
	works ends 1
	expected=5 works ends 3
	works ends 4
}

@test "a thread chooses its context, and those it starts inherit it" {
	need_engine
	program=$BATS_FILE_TMPDIR/places
	[ -x "$program" ] || skip "does not build here"
	pmcsim new m
	# Instructions of contexts 0 to 3, in user mode.
	for tc in 0 1 2 3; do
		printf '%d 0x%08x 0\n' "$tc" \
			$((tc << 22 | 2 << 20 | 1 << 5 | 8))
	done | pmcsim write m
	timeout -s KILL 20 pmcsim run m -- "$program" 3
	mapfile -t count < <(pmcsim cat m | awk '/\.Cnt/ { print $NF }')
	[ "${count[1]}" -eq 0 ]
	[ "${count[2]}" -eq 0 ]
	# 150000 turns of a loop on context 3, 50000 on context 0.
	[ "${count[3]}" -gt 500000 ]
	[ "${count[0]}" -gt 150000 ]
}

# Two threads that each execute 8006 instructions, after 4 of one of them:
# 2000 locked additions, in the midst of a block and at its beginning, to a
# word at that offset from a line.
make_split() {
	cat >split.S <<-END
		.globl _start
	_start:	mov \$56, %eax
		mov \$0x50f00, %edi
		lea stack+4096(%rip), %rsi
		syscall
		lea words+$1(%rip), %rbx
		mov \$1000, %ecx
	1:	add %ecx, %edx
		lock addl %ecx, (%rbx)
		add (%rbx), %edx
		dec %ecx
		jnz 1b
		mov \$1000, %ecx
	2:	lock addl %ecx, (%rbx)
		dec %ecx
		jnz 2b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 64
	words:	.skip 128
	stack:	.skip 4096
	END
	cc -nostdlib -static -o "split$1" split.S || skip "no compiler"
}

@test "atomic accesses that are not aligned count once" {
	need_engine
	make_split 60
	make_split 62
	for program in split60 split62 "--threads parallel split62"; do
		read -ra words <<<"${program/split/./split}"
		# Under the native engine threads always take turns.
		[[ $program != *parallel* ]] || local PMCSIM_ENGINE=qemu
		# Branches, instructions, loads, stores.
		timeout -s KILL 60 pc_sweep -u --once --evens "2 15" \
			--odds "1 15" "${words[@]}" >counts
		[ "$(awk '/\.Cnt/ { print $NF }' counts | xargs)" = \
			"4000 16016 6000 4000" ]
		# Instructions with caches and cycles, and without.
		for odds in 1 "1 11"; do
			timeout -s KILL 60 pc_sweep -u --once --evens "2" \
				--odds "$odds" "${words[@]}" >counts
			grep -q ' 16016$' counts
		done
	done
	# Both threads on one context: the records of neither are lost.
	for selection in "--cpu p5 -s 0 -u 16" "--cpu p6 -s 0 -u c0"; do
		read -ra words <<<"$selection"
		timeout -s KILL 60 pctr "${words[@]}" -- ./split62 2>counts
		grep -q '^ ctr0 = *16016 ' counts
	done
}

# Two threads hand a word to and fro, 20 times each, and work for a loop of that
# many turns when they have it; the first one, or the second if that is 1,
# begins.
make_hand() {
	cat >hand.S <<-END
		.globl _start
	_start:	mov \$56, %eax
		mov \$0x50f00, %edi
		lea stack+4096(%rip), %rsi
		syscall
		xor %ebx, %ebx
		test %eax, %eax
		setz %bl
		mov \$20, %ebp
	1:	mov word(%rip), %edx
		cmp %ebx, %edx
		je 2f
		mov \$202, %eax
		lea word(%rip), %rdi
		xor %esi, %esi
		xor %r10d, %r10d
		syscall
		jmp 1b
	2:	mov \$$1, %ecx
	3:	dec %ecx
		jnz 3b
		xorl \$1, word(%rip)
		mov \$202, %eax
		lea word(%rip), %rdi
		mov \$1, %esi
		mov \$1, %edx
		syscall
		dec %ebp
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.data
	word:	.long $2
		.bss
	stack:	.skip 4096
	END
	cc -nostdlib -static -o hand hand.S || skip "no compiler"
}

# with_quantum CPU N: that CPU, whose turns are so long, as cpu.yaml
with_quantum() {
	sed "s/^\( *quantum:\) *[0-9]*/\1 $2/" "$PMCSIM_EVENTS/$1.yaml" >cpu.yaml
	grep -q "quantum: $2\>" cpu.yaml
}

# What a thread has done before it wakes another one is behind both, whether it
# was alone meanwhile or has recorded that: how long turns are does not matter.
@test "threads wake when others wake them, however long turns are" {
	need_engine
	for hand in "7001 0 560929" "1401 1 112929" "350 1 28849"; do
		make_hand $hand
		for quantum in 200 1000 2000 8000; do
			with_quantum mips34k $quantum
			pc_sweep --cpu ./cpu.yaml -u --all --once --json \
				--output "$quantum.json" -- ./hand
			"$BATS_TEST_DIRNAME/conservation/check" \
				"$quantum.json" exact
			cmp 200.json "$quantum.json"
		done
		grep -q "\"event\":1,.*\"value\":${hand##* }," 200.json
	done
}

@test "threads on CPUs of their own wake when others wake them" {
	need_engine
	make_hand 350 1
	for quantum in 200 1000 2000 8000; do
		with_quantum r10000 $quantum
		perfex --cpu ./cpu.yaml --cpus 2 -e 0 -e 17 -o "$quantum" ./hand
		cmp 200 "$quantum"
	done
	grep -q '^17 .* 28849$' 200
}

# Programs of tests/known that begin, if they have an argument, with a thread
# which tells that it is there, and waits for the end: 36 instructions of both,
# 4 of them branches, which are predicted as those of the beginning without a
# thread or not at all; 2 loads, 1 store.
make_waits() {
	cat >waits.S <<-'END'
		.section .text.waits, "ax"
		.balign 4096
		.globl start
	start:	cmpl $1, (%rsp)
		je 2f
		mov $218, %eax
		lea end(%rip), %rdi
		syscall
		mov $56, %eax
		mov $0x50f00, %edi
		lea stack+4096(%rip), %rsi
		syscall
		test %eax, %eax
		jz second
	1:	mov $202, %eax
		lea word(%rip), %rdi
		xor %esi, %esi
		xor %edx, %edx
		xor %r10d, %r10d
		syscall
		cmpl $0, word(%rip)
		je 1b
	2:	jmp _start
	second:	movl $1, word(%rip)
		mov $202, %eax
		lea word(%rip), %rdi
		mov $1, %esi
		mov $1, %edx
		syscall
	1:	mov $202, %eax
		lea end(%rip), %rdi
		xor %esi, %esi
		mov $1, %edx
		xor %r10d, %r10d
		syscall
		cmpl $0, end(%rip)
		jne 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
		.section .data.waits, "aw"
		.balign 64
	word:	.long 0
	end:	.long 1
		.section .bss.waits, "aw", @nobits
		.balign 4096
	stack:	.skip 4096
	END
	for program; do
		cc -nostdlib -static -no-pie -Wl,-e,start,--build-id=none \
			-I"$BATS_TEST_DIRNAME/known" -o "$program" waits.S \
			"$BATS_TEST_DIRNAME/known/$program.x86_64.S" ||
			skip "no compiler"
	done
}

# Instructions, branches, found, flushes; misses of code, misses of data, data
# that is waited for, code that is.
p5_counts() {
	for functions in "16 12" "13 15" "e 29" "1a c"; do
		pctr --cpu p5 -s 0 -u "${functions% *}" \
			-s 1 -u "${functions#* }" -- "$@" 2>report
		sed -n 's/^ ctr. = *\([0-9]*\) .*/\1/p' report
	done
}

ev5_counts() {
	uprofile --quiet --cpu ev5 --exact cycles0 issues branchmispredicts \
		icachemisses dcacheldmisses dtbmisses -- "$@" 2>/dev/null
	prof --totals | awk '$1 ~ /^[0-9]+$/ { print $1 }'
}

itanium2_counts() {
	pfmon --cpu itanium2 --outfile report \
		-e CPU_CYCLES,IA64_INST_RETIRED,L1D_READ_MISSES_ALL -- "$@"
	awk '{ print $1 }' report
}

# adds CPU NUMBER...: what the thread adds to each count, with any program
adds() {
	local cpu=$1 alone both

	shift
	for program in loop branch indirect muldiv; do
		mapfile -t alone < <("${cpu}_counts" "./$program")
		mapfile -t both < <("${cpu}_counts" "./$program" x)
		[ "${#both[@]}" -eq $# ]
		for i in "${!both[@]}"; do
			both[i]=$((both[i] - alone[i]))
		done
		echo "$cpu, $program: ${both[*]}"
		[ "${both[*]}" = "$*" ]
	done
}

@test "a thread that waits leaves alone what another one counts" {
	need_engine
	make_waits loop branch indirect muldiv
	adds p5 36 4 0 0 3 2 27 9
	adds ev5 179 36 2 3 1 1
	adds itanium2 198 42 1
}

@test "a string instruction whose thread loses its turn counts once" {
	cat >strings.c <<-'END'
	#include <pthread.h>
	static char area[2][3000000];
	static void *fill(void *p)
	{
		/* The other one is waited for. */
		for (int i = p != area[0]; i < 2; i++) {
			void *at = p;
			long n = sizeof area[0];

			__asm__ volatile("rep stosb" : "+D"(at), "+c"(n)
					 : "a"(1) : "memory");
		}
		return 0;
	}
	int main(void)
	{
		pthread_t t;

		pthread_create(&t, 0, fill, area[0]);
		fill(area[1]);
		pthread_join(t, 0);
		return 0;
	}
	END
	cc -O1 -pthread -static -o strings strings.c || skip "no compiler"
	need_engine
	# Turns of two million instructions, and CPUs of their own.
	stat_counts --cpu r10000 -e instructions --no-time ./strings >alone
	for of in p5 r10000 ev6 "r10000 --cpus 2"; do
		stat_counts --cpu $of -e instructions ./strings >modelled
		diff alone modelled
	done
}
