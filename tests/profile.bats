#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Counts per instruction and samples, of programs whose counts are known.

load helper

setup_file() {
	cat >"$BATS_FILE_TMPDIR/loop.S" <<-'END'
		.globl _start, inner
		.type _start, @function
	_start:	mov $1000, %ecx
		mov $buffer, %esi
		jmp inner
		.size _start, . - _start
		.type inner, @function
	inner:	mov (%rsi), %eax
		mov 4(%rsi), %edx
		mov %eax, 8(%rsi)
		add $1, %eax
		dec %ecx
		jnz inner
		mov $60, %eax
		xor %edi, %edi
		syscall
		.size inner, . - inner
		.bss
	buffer:	.skip 64
	END
	cc -g -nostdlib -static -no-pie -o "$BATS_FILE_TMPDIR/loop" \
		"$BATS_FILE_TMPDIR/loop.S" || rm -f "$BATS_FILE_TMPDIR/loop"
	cat >"$BATS_FILE_TMPDIR/work.c" <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile unsigned sink;
	__attribute__((noinline)) void light(unsigned n)
	{
		while (n--)
			sink += n;
	}
	__attribute__((noinline)) void heavy(unsigned n)
	{
		while (n--)
			sink ^= n;
	}
	int main(int argc, char **argv)
	{
		light(10000);
		heavy(90000);
		if (argc > 1 && fork() == 0) {
			heavy(50000);
			execl(argv[0], argv[0], NULL);
			_exit(1);
		}
		wait(NULL);
		return 0;
	}
	END
	cc -g -O1 -o "$BATS_FILE_TMPDIR/work" "$BATS_FILE_TMPDIR/work.c" ||
		rm -f "$BATS_FILE_TMPDIR/work"
}

need() {
	need_engine
	[ -x "$build/tests/profile/show" ] || skip "not built"
	[ -e "$BATS_FILE_TMPDIR/$1" ] || skip "no compiler"
	target=$BATS_FILE_TMPDIR/$1
}

# Events of the 34K, on even counters (0, 2, 4) and odd ones: 0:1 instructions, 0:15 loads, 1:15 stores, 0:0 cycles.
@test "every instruction has its count" {
	need loop
	show mips34k places 0:1,2:15,1:15 0 "$target" >places
	same places <<-'END'
	total 6006,2000,1000
	rest 0,0,0
	images 1
	1,0,0 loop _start+0 1
	1,0,0 loop _start+5 1
	1,0,0 loop _start+10 1
	1000,1000,0 loop inner+0 1
	1000,1000,0 loop inner+2 1
	1000,0,1000 loop inner+5 1
	1000,0,0 loop inner+8 1
	1000,0,0 loop inner+11 1
	1000,0,0 loop inner+13 1
	1,0,0 loop inner+15 1
	1,0,0 loop inner+20 1
	1,0,0 loop inner+22 1
	END
	show mips34k functions 0:1,2:15,1:15 0 "$target" >functions
	same functions <<-'END'
	total 6006,2000,1000
	rest 0,0,0
	images 1
	6003,2000,1000 loop inner
	3,0,0 loop _start
	END
}

# Blocks of one such instruction and one that it is not.
@test "accesses whose number is not known before are their instruction's" {
	need_engine
	cat >loose.S <<-'END'
		.globl _start
		.type _start, @function
	_start:	mov $words, %esi
		mov $100, %ecx
	1:	add $1, %eax
		xchg %eax, (%rsi)
		dec %ecx
		jnz 1b
		mov $100, %ecx
	2:	add $1, %eax
		lock incl 4(%rsi)
		dec %ecx
		jnz 2b
		vpxor %ymm3, %ymm3, %ymm3
		mov $100, %ecx
	3:	vpcmpeqd %ymm5, %ymm5, %ymm5
		vpgatherdd %ymm5, (%rsi,%ymm3,4), %ymm1
		dec %ecx
		jnz 3b
		mov $60, %eax
		xor %edi, %edi
		syscall
		.size _start, . - _start
		.bss
		.balign 32
	words:	.skip 32
	END
	cc -nostdlib -static -no-pie -o loose loose.S || skip "no compiler"
	for cpu in "mips34k 0:10" "p6 0:67"; do
		# shellcheck disable=SC2086 # two words
		set -- $cpu
		show "$1" places "$2" 0 ./loose | sed 1,3d >places
		same places <<-'END'
		200 loose _start+13 1
		200 loose _start+27 1
		800 loose _start+48 1
		END
		# One in eight.
		show "$1" places "$2" 8 ./loose | sed 1,3d >places
		same places <<-'END'
		25 loose _start+13 1
		25 loose _start+27 1
		100 loose _start+48 1
		END
	done
}

# Each of two threads does it a thousand times, one of them in turns.
@test "such accesses of threads, in order and in a window" {
	need_engine
	cat >add.S <<-'END'
		.globl add
		.type add, @function
	add:	mov $1000, %ecx
	1:	add $1, %eax
		lock incl (%rdi)
		dec %ecx
		jnz 1b
		xor %eax, %eax
		ret
		.size add, . - add
		.section .note.GNU-stack, "", @progbits
	END
	cat >two.c <<-'END'
	#include <pthread.h>
	static int number[2];
	void *add(void *number);
	int main(void)
	{
		pthread_t t;
		pthread_create(&t, 0, add, &number[0]);
		add(&number[1]);
		return pthread_join(t, 0);
	}
	END
	cc -O1 -static -pthread -o two two.c add.S || skip "no compiler"
	# Loads, stores, and on a Pentium Pro both.
	for cpu in "p5 0:0 1000" "p5 0:1 1000" "p6 0:67 2000"; do
		# shellcheck disable=SC2086 # three words
		set -- $cpu
		show "$1" places "$2" 0 ./two | grep ' two add+[58] ' >places
		[ "$(cat places)" = "$((2 * $3)) two add+8 1" ]
		show "$1" places "$2" 2 ./two | grep ' two add+[58] ' >places
		[ "$(cat places)" = "$3 two add+8 1" ]
	done
}

@test "lines of source" {
	need loop
	show mips34k lines 0:1 0 "$target" >lines
	grep -qx '1000 loop inner loop.S:8' lines
	grep -qx '1000 loop inner loop.S:13' lines
	[ "$(wc -l <lines)" -eq 15 ]
}

@test "one in so many, each where it is due" {
	need loop
	# Overflow k is instruction 100 * k; three come before the loop, whose
	# six begin with number 4.
	show mips34k places 0:1 100 "$target" >places
	for k in $(seq 60); do
		set -- 0 2 5 8 11 13
		n=$(((100 * k - 4) % 6 + 1))
		echo "inner+${!n}"
	done | sort | uniq -c | awk '{ print $1, "loop", $2, 1 }' |
		sort -k3.7n >expected
	sed 1,3d places | sort -k3.7n >samples
	same samples <expected
	# 2000 loads.
	show mips34k places 0:15 7 "$target" | sed 1,3d >places
	[ "$(awk '{ n += $1 } END { print n }' places)" -eq 285 ]
	[ "$(grep -c 'inner+[02] ' places)" -eq 2 ]
	[ "$(wc -l <places)" -eq 2 ]
}

# Instructions 6004 to 6006 are the last block's.
@test "a sample that is due in the last block" {
	need loop
	for cpu in "mips34k 0:1" "p6 0:192"; do
		for due in "6003 13" "6004 15" "6005 20" "6006 22"; do
			# shellcheck disable=SC2086 # two words each
			set -- $cpu $due
			show "$1" places "$2" "$3" "$target" >places
			same places <<-END
			total 6006
			rest $((6006 - $3))
			images 1
			1 loop inner+$4 1
			END
		done
	done
	# The eighth executes another program.
	cat >again.S <<-'END'
		.globl _start
	_start:	mov $59, %eax
		mov (%rsp), %rdi
		dec %edi
		jz 1f
		mov 16(%rsp), %rdi
		lea 16(%rsp), %rsi
		mov $0, %edx
		syscall
	1:	mov $60, %eax
		syscall
	END
	cc -nostdlib -static -o again again.S || skip "no compiler"
	show mips34k places 0:1 8 ./again ./again | sed 1,3d >places
	same places <<-'END'
	1 again _start+28 1
	END
}

@test "what is counted is attributed, to the last cycle" {
	need work
	show mips34k functions 0:0,2:1,1:11,4:2 0 "$target" child >functions
	total=$(sed -n 's/^total //p' functions)
	sed -n 's/^rest //p' functions | grep -qx '0,0,0,0'
	sed 1,3d functions | awk -F '[, ]' '{ c += $1; i += $2; m += $3;
		b += $4 } END { print c "," i "," m "," b }' >sum
	[ "$(cat sum)" = "$total" ]
}

@test "children, and what they execute" {
	need work
	show mips34k functions 0:1 0 "$target" >alone
	show mips34k functions 0:1 0 "$target" child >family
	grep -qx 'images 1' alone
	grep -qx 'images 3' family
	# heavy: four instructions for each turn, three for each call.
	one=$(sed -n 's/ work heavy$//p' alone)
	all=$(sed -n 's/ work heavy$//p' family)
	each=$((one / 90000))
	[ "$all" -eq $((2 * one + 50000 * each + one - 90000 * each)) ]
	[ "$(sed -n 's/ work light$//p' family)" -eq \
		$((2 * $(sed -n 's/ work light$//p' alone))) ]
	# Position-independent code and shared libraries have names.
	grep -q ' libc.*so.* ' alone
	grep -q ' ld-linux.* ' alone
	! grep -q '^[0-9]*000[0-9]* *?' alone
}

# Nothing of what its parent has under way is a child's, too; in a window the
# last block retires as others do.
@test "children, and the last blocks, in a window" {
	local n

	need work
	for cpu in p6:0:121,1:194 ev67:0:0,1:256; do
		show "${cpu%%:*}" functions "${cpu#*:}" 0 "$target" child \
			>functions
		sed -n 's/^rest //p' functions | grep -qx '0,0'
	done
	# Micro-ops; cycles with one or more of them, two or more, three.
	for n in '' +1 +2 +3; do
		pctr --cpu p6 -s 0 -u c2$n -- "$target" child 2>report
		sed -n 's/^ ctr0 = *\([0-9]*\) .*/\1/p' report
	done >uops
	[ "$(wc -l <uops)" -eq 4 ]
	[ "$(awk 'NR > 1 { n += $1 } END { print n }' uops)" = \
		"$(head -n 1 uops)" ]
}

# Lines are asked for before software has refilled the TLB, which is not the
# program's time, watched or not.
@test "fill buffers are busy as long as they are counted" {
	local count

	need work
	count=$(pc_sweep -u --odds 48 --csv -- "$target" child |
		awk -F, '$5 == "odd" { print $9 }')
	[ "$count" -gt 0 ]
	show mips34k functions 1:48 0 "$target" child >functions
	grep -qx "total $count" functions
	grep -qx 'rest 0' functions
}

@test "samples agree with counts" {
	need work
	show mips34k functions 0:1 0 "$target" >exact
	JITTER=16 show mips34k functions 0:1 97 "$target" >sampled
	one=$(sed -n 's/ work heavy$//p' exact)
	some=$(sed -n 's/ work heavy$//p' sampled)
	# The mean distance is 97 + 7.5.
	awk -v one="$one" -v some="$some" 'BEGIN {
		off = some * 104.5 / one - 1
		exit off < -0.03 || off > 0.03 }'
	JITTER=16 show mips34k functions 0:1 97 "$target" >again
	cmp sampled again
	show mips34k functions 0:1 0 "$target" >again
	cmp exact again
}

# A multiplication takes seven cycles and waits for the one before; all else is
# done by then.
@test "in a window, cycles are of the instruction that is waited for" {
	need_engine
	cat >chain.S <<-'END'
		.globl _start
	_start:	mov $1000, %ecx
		mov $3, %eax
	1:	add $1, %edx
		imul %eax, %eax
		imul %eax, %eax
		add $2, %edx
		dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o chain chain.S || skip "no compiler"
	show ev67 places 0:0,1:256 0 ./chain >places
	sed -n 's/^rest //p' places | grep -qx '0,0'
	sed -n 's/^1000,\([0-9]*\) chain _start+\([0-9]*\) .*/\2 \1/p' places \
		>cycles
	same cycles <<-'END'
	10 0
	13 7000
	16 7000
	19 0
	22 0
	24 0
	END
}

@test "threads are attributed as well" {
	need_engine
	cat >threads.c <<-'END'
	#include <pthread.h>
	static volatile unsigned sink;
	static void *spin(void *arg)
	{
		for (unsigned i = 0; i < 20000; i++)
			sink += i;
		return arg;
	}
	int main(void)
	{
		pthread_t thread[3];
		for (int i = 0; i < 3; i++)
			pthread_create(&thread[i], 0, spin, 0);
		for (int i = 0; i < 3; i++)
			pthread_join(thread[i], 0);
	}
	END
	cc -O1 -pthread -o threads threads.c || skip "no compiler"
	# Several contexts that take turns, and one that has them all.
	for cpu in mips34k:0:1,2:0 ev67:0:0,1:256; do
		show "${cpu%%:*}" functions "${cpu#*:}" 0 ./threads >functions
		sed -n 's/^rest //p' functions | grep -qx '0,0'
		sed 4q functions | grep -q ' threads spin$'
		n=$(sed -n 's/,.* threads spin$//p' functions)
		[ $((n / 3 / 20000)) -ge 4 ]
	done
	# Groups of instructions thrown away come in tenths, on any context.
	show mips34k functions 0:9 0 ./threads >groups
	[ "$(sed 1,3d groups | awk '{ n += $1 } END { print n }')" -eq \
		"$(sed -n 's/^total //p' groups)" ]
	show ev67 functions 0:0,1:256 100 ./threads >functions
	sampled=$(sed -n 's/,.* threads spin$//p' functions)
	off=$((100 * sampled - n))
	[ "${off#-}" -le 300 ]
}

# A program with a thread that calls that function, and one that waits for it:
# they take turns first, then the former goes on alone.
thread_of() {
	cat <<-END
	#include <pthread.h>
	void *$1(void *arg);
	int main(void)
	{
		pthread_t t;
		pthread_create(&t, 0, $1, 0);
		return pthread_join(t, 0);
	}
	END
}

@test "branches of a thread, in turns and alone" {
	need_engine
	cat >down.S <<-'END'
		.globl down
		.type down, @function
	down:	mov $20000, %ecx
	1:	dec %ecx
		jnz 1b
		xor %eax, %eax
		ret
		.size down, . - down
		.section .note.GNU-stack, "", @progbits
	END
	cat >down.mipsel.S <<-'END'
		.globl down
		.type down, @function
		.set noreorder
	down:	li $8, 20000
	1:	addiu $8, $8, -1
		BRANCH $8, 1b
		 nop
		jr $31
		 move $2, $0
		.size down, . - down
		.section .note.GNU-stack, "", @progbits
	END
	thread_of down >one.c
	cc -O1 -static -pthread -o one one.c down.S || skip "no compiler"
	for branch in bnez bnezl; do
		mipsel-linux-gnu-gcc -O1 -static -pthread -DBRANCH=$branch \
			-o one.$branch one.c down.mipsel.S || rm -f one.$branch
	done
	for branch in "one down+7" "one.bnez down+8" "one.bnezl down+8"; do
		[ -e "./${branch% *}" ] || continue
		show mips34k places 0:2 0 "./${branch% *}" >places
		grep -qx 'rest 0' places
		[ "$(grep ' down+' places)" = "20000 $branch 1" ]
	done
	show mips34k places 0:2 1 ./one >places
	[ "$(grep ' down+' places)" = "20000 one down+7 1" ]
}

# A product is ready after five cycles.
@test "stalls of a thread, in turns and alone" {
	need_engine
	cat >square.S <<-'END'
		.globl square
		.type square, @function
	square:	mov $20000, %ecx
	1:	imul %eax, %eax
		imul %eax, %eax
		dec %ecx
		jnz 1b
		xor %eax, %eax
		ret
		.size square, . - square
		.section .note.GNU-stack, "", @progbits
	END
	thread_of square >squares.c
	cc -O1 -static -pthread -o squares squares.c square.S ||
		skip "no compiler"
	show mips34k places 0:41 0 ./squares | grep ' square+' >exact
	[ "$(wc -l <exact)" -eq 2 ]
	# But for some that wait for lines instead.
	awk '$1 > 80000 || $1 < 79900 { next } { n++ }
		END { exit n != 1 }' exact
	show mips34k places 0:41 1 ./squares >places
	grep -qx 'rest 0' places
	grep ' square+' places | same exact
}

@test "branches that only the decoder knew are put down where they are" {
	need_engine
	# Branches, and those taken.
	show p6 functions 0:196,1:201 0 true >functions
	sed -n 's/^rest //p' functions | grep -qx '0,0'
}

@test "programs of other instruction sets" {
	need_engine
	for isa in mipsel mips alpha; do
		command -v "$isa-linux-gnu-gcc" >/dev/null || continue
		"$isa-linux-gnu-gcc" -g -O1 -o "work.$isa" \
			"$BATS_FILE_TMPDIR/work.c"
		show mips34k functions 0:1,2:0 0 "./work.$isa" >functions
		sed -n 's/^rest //p' functions | grep -qx '0,0'
		sed 4q functions | grep -q " work.$isa heavy$"
		show mips34k lines 0:1 0 "./work.$isa" >lines
		grep -q " work.$isa heavy work.c:1[4-7]$" lines
	done
}

@test "what cannot be profiled is refused" {
	need loop
	run -125 show mips34k places 0:1,0:2 0 "$target"
	[[ "$output" == *"counter 0 twice"* ]]
	run -125 show mips34k places 0:1000 0 "$target"
	[[ "$output" == *"event 1000 is not counted by counter 0"* ]]
}

@test "files that are stripped, cut off or made up" {
	need work
	cp "$target" ./sound
	[ "$(show symbols ./sound)" = "names lines" ]
	strip -o ./stripped ./sound
	show symbols ./stripped >/dev/null
	show symbols ./missing
	show symbols /dev/zero
	mkfifo fifo
	show symbols ./fifo
	size=$(stat -c %s ./sound)
	for part in $(seq 40); do
		head -c $((size * part / 41)) ./sound >cut
		show symbols ./cut >/dev/null
	done
	# Bytes changed in many places, always the same ones.
	for seed in $(seq 40); do
		awk -v seed="$seed" -v size="$size" 'BEGIN { srand(seed)
			for (i = 0; i < 60; i++)
				print int(rand() * size), int(rand() * 256) }' |
			while read -r at byte; do
				printf '%b' "\\x$(printf %x "$byte")" |
					dd of=bad bs=1 seek="$at" conv=notrunc \
						status=none
			done 3<<<"$(cp ./sound bad)"
		show symbols ./bad >/dev/null
	done
}

# Where a field of a section's header is, by name of the section.
field() {
	local number

	number=$(LC_ALL=C readelf -SW "$1" | sed 's/\[ */[/' |
		awk -v name="$2" '$2 == name { gsub(/[][]/, "", $1); print $1 }')
	echo $(($(od -An -td8 -j40 -N8 "$1") + 64 * number + $3))
}

# Copies the sound file and writes bytes, given in hexadecimal, there.
poke() {
	cp ./sound bad
	printf '%b' "$(printf %s "$2" | sed 's/../\\x&/g')" |
		dd of=bad bs=1 seek="$1" conv=notrunc status=none
}

@test "sections that lie" {
	need work
	command -v readelf >/dev/null || skip "no readelf"
	cp "$target" ./sound
	for section in .symtab .strtab .debug_line .debug_info .debug_abbrev \
		.eh_frame_hdr .shstrtab; do
		type=$(field sound $section 4) offset=$(field sound $section 24)
		size=$(field sound $section 32) link=$(field sound $section 40)
		each=$(field sound $section 56)
		for change in \
			"$size 0000000000000000" "$size ffffffffffffffff" \
			"$size ffffffffffffff7f" "$size 0100000000000000" \
			"$offset ffffffffffffffff" "$offset 0000000000000000" \
			"$link ffffffff" "$link 00000000" "$each 00" "$each 01" \
			"$each ffffffffffffffff" "$type 02000000" \
			"$type 08000000"; do
			poke $change
			show symbols ./bad >/dev/null
		done
	done
	# A table whose names are in itself, or in one that refers back.
	symtab=$(LC_ALL=C readelf -SW sound | sed 's/\[ */[/' |
		awk '$2 == ".symtab" { gsub(/[][]/, "", $1)
			printf "%02x000000", $1 }')
	poke "$(field sound .symtab 40)" "$symtab"
	show symbols ./bad >/dev/null
	poke "$(field sound .strtab 40)" "$symtab"
	show symbols ./bad >/dev/null
	# Another class, another byte order, another number of headers.
	for change in "4 01" "4 00" "5 02" "5 00" "56 ffff" "60 ffff" \
		"62 ffff" "40 ffffffffffffffff" "32 ffffffffffffffff"; do
		poke $change
		show symbols ./bad >/dev/null
	done
}

@test "DWARF that is not all there" {
	need work
	command -v readelf >/dev/null || skip "no readelf"
	command -v objcopy >/dev/null || skip "no objcopy"
	cp "$target" ./sound
	# Strings without an end: libdw does not look for it.
	for section in .debug_str .debug_line_str; do
		LC_ALL=C readelf -SW sound | grep -q " $section " || continue
		at=$(($(od -An -td8 -j"$(field sound $section 24)" -N8 sound) +
			$(od -An -td8 -j"$(field sound $section 32)" -N8 sound)))
		poke $((at - 1)) 41
		[ "$(show symbols ./bad)" = "names none" ]
	done
	# The rest of it is in a file that never has an end.
	mkfifo endless
	printf '%s\0%s' "$PWD/endless" 01234567890123456789 >link
	for section in .gnu_debugaltlink .debug_sup; do
		objcopy --add-section $section=link sound bad
		[ "$(show symbols ./bad)" = "names none" ]
	done
	objcopy --compress-debug-sections=zlib sound bad
	[ "$(show symbols ./bad)" = "names lines" ]
}
