#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# prof: listings and exports of programs whose counts are known.

load helper
load profiles

@test "lines and instructions" {
	need loops
	run -5 uprofile --exact retinst "$target"
	prof -heavy | awk '$4 ~ /^[0-9]+$/ { print $2, $4, $5 }' >lines
	same lines <<-'END'
	2000 17 twice
	2000 18 twice
	1000 11 once
	1000 12 once
	1 3 _start
	1 4 _start
	1 5 _start
	1 6 _start
	1 7 _start
	1 10 once
	1 13 once
	1 16 twice
	1 19 twice
	END
	prof -lines -only once | awk '$4 ~ /^[0-9]+$/ { print $2, $4 }' >lines
	same lines <<-'END'
	1 10
	1000 11
	1000 12
	1 13
	END
	prof -asm -only twice |
		awk '$4 == "+5" { head = "0x" $3 }
		     $4 == "+7" { $7 = $7 == head ? "+5" : $7 }
		     $4 ~ /^\+/ { print $2, $4, $5, $6, $7, $8 }' |
		sed 's/ *$//' >instructions
	same instructions <<-'END'
	1 +0 loops.S:16 movl $0x7d0, %ecx
	2000 +5 loops.S:17 decl %ecx
	2000 +7 loops.S:18 jne +5
	1 +9 loops.S:19 retq
	END
}

@test "instructions of i386 programs" {
	need_engine
	command -v i686-linux-gnu-gcc >/dev/null || skip "no compiler"
	cat >turns.S <<-'END'
		.globl _start
	_start:	mov $1000, %ecx
	1:	dec %ecx
		jnz 1b
		mov $1, %eax
		xor %ebx, %ebx
		int $0x80
	END
	i686-linux-gnu-gcc -nostdlib -static -no-pie -o turns turns.S
	run -0 uprofile --cpu p6 -exact INST_RETIRED ./turns
	prof -asm | awk '
		$4 == "+5" { head = "0x" $3 }
		$4 == "+6" { sub(head, "+5", $6) }
		$4 ~ /^\+/ { print $2, $5, $6, $7 }' |
		sed 's/ *$//' >listed
	same listed <<-'END'
	1 movl $0x3e8, %ecx
	1000 decl %ecx
	1000 jne +5
	1 movl $1, %eax
	1 xorl %ebx, %ebx
	1 int $0x80
	END
}

@test "instructions of Alpha programs" {
	need_engine
	command -v alpha-linux-gnu-gcc >/dev/null || skip "no compiler"
	cat >turns.S <<-'END'
		.globl _start
		.ent _start
	_start:	.prologue 0
		lda $1, 1000
	1:	subq $1, 1, $1
		mov $1, $2
		bne $1, 1b
		unop
		lda $0, 1
		clr $16
		call_pal 0x83
		.end _start
	END
	alpha-linux-gnu-gcc -nostdlib -static -o turns turns.S
	run uprofile -exact retinst ./turns
	prof -asm | awk '
		$4 == "+4" { head = "0x" $3 }
		$4 == "+c" { sub(head, "+4", $6) }
		$4 ~ /^\+/ { print $2, $5, $6, $7 }' |
		sed 's/ *$//' >listed
	same listed <<-'END'
	1 lda t0,1000
	1000 subq t0,0x1,t0
	1000 mov t0,t1
	1000 bne t0,+4
	1 unop
	1 lda v0,1
	1 clr a0
	1 callsys
	END
}

# Of a file that has MIPS16e instructions it is not known which they are.
@test "instructions of MIPS programs, of either byte order" {
	need_engine
	cat >turns.S <<-'END'
		.set noreorder
		.globl __start
		.ent __start
	__start: li $8, 1000
	1:	addiu $8, $8, -1
		bnez $8, 1b
		nop
		li $2, 4001
		syscall
		.end __start
	#ifdef MIXED
		.set mips16
		nop
	#endif
	END
	for order in mipsel mips; do
		command -v $order-linux-gnu-gcc >/dev/null || skip "no compiler"
		for mixed in "" -DMIXED; do
			$order-linux-gnu-gcc $mixed -nostdlib -static -o turns \
				turns.S
			run uprofile -exact retinst ./turns
			prof -asm | awk '
				$4 == "+4" { head = "0x" $3 }
				$4 == "+8" { $7 = $7 == head ? "+4" : $7 }
				$4 ~ /^\+/ { print $2, $5, $6, $7, $8 }' |
				sed 's/ *$//' >listed$mixed
		done
		same listed <<-'END'
		1 addiu $t0, $zero, 0x3e8
		1000 addiu $t0, $t0, -1
		1000 bnez $t0, +4
		1000 nop
		1 addiu $v0, $zero, 0xfa1
		1 syscall
		END
		cut -d ' ' -f 1 listed | same listed-DMIXED
	done
}

@test "where a listing ends" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -quit 1 >listing
	[ "$(entries <listing | wc -l)" -eq 1 ]
	grep -qx ' *2007  not listed' listing
	[ "$(prof -quit 33% | entries | wc -l)" -eq 2 ]
	[ "$(prof -quit 33.4% | entries | wc -l)" -eq 1 ]
	[ "$(prof -quit 66cum% | entries | wc -l)" -eq 1 ]
	[ "$(prof -quit 67cum% | entries | wc -l)" -eq 2 ]
	[ "$(prof -q 100cum% | entries | wc -l)" -eq 3 ]
	run -64 prof -quit 101%
	run -64 prof -quit x
	run -64 prof -quit 3cum
	run -64 prof umon.out -quit 1
	[ "$output" = "prof: -quit: options come before files" ]
}

@test "options that are cut short, and that do not go together" {
	need loops
	run -5 uprofile -exact retinst "$target"
	run -0 prof -t
	[ "${lines[-1]}" = "           6009  retinst" ]
	run -0 prof --t
	[ "${lines[-1]}" = "           6009  retinst" ]
	run -0 prof -f=-
	[ "${lines[0]}" = "twice 4002" ]
	run -64 prof -e x
	[ "$output" = \
		"prof: option -e is not known; there are -exclude, -excobj, -event" ]
	run -64 prof -nosuch
	[ "$output" = "prof: there is no option -nosuch; see --help" ]
	for view in heavy lines asm; do
		for option in zero numbers; do
			run -64 prof -$view -$option
		done
	done
	run -0 prof -heavy -invocations -zero -numbers
	while IFS='|' read -r words status sentence; do
		# shellcheck disable=SC2086
		run -"$status" prof $words
		[ "$output" = "prof: $sentence" ] || {
			echo "$words: $output"
			false
		}
	done <<-'END'
	-totals -heavy|64|-totals lists no procedures
	-totals -numbers|64|-totals lists no procedures
	-heavy -zero|64|-zero and -numbers go with -procedures and -invocations
	-only once -exclude twice|64|-only and -exclude exclude each other
	-json - -only once|64|-only, -exclude and -quit are for listings: what is exported is everything
	-json - -folded -|64|-: two exports cannot be one file
	-merge both -callgrind both|64|both: two exports cannot be one file
	-lines -diff a b|64|-diff goes with -heavy, -only, -exclude, -quit, -html, -event and -limit only
	-incobj a -excobj b|64|-incobj and -excobj exclude each other
	-json - -excobj a|64|-incobj and -excobj are for listings: what is exported is everything
	-excobj a -diff a b|64|-diff goes with -heavy, -only, -exclude, -quit, -html, -event and -limit only
	-source a b|64|-source is for -annotate and -html
	-diff -html x -only a a b|64|-only, -exclude and -quit are for listings: what is exported is everything
	-limit 5 a|64|-limit goes with a listing of -diff
	-diff -html x -limit 5 a b|64|-limit goes with a listing of -diff
	-diff -limit once a b|64|-limit once: not [PROC=]PERCENT
	-diff -html x -heavy a b|64|-html of two profiles is of everything
	-threads|64|-threads: a profile is of all threads together
	-truecycles=2|64|-truecycles: cycles are counted as they pass: there is nothing to be estimated
	-event cycles|125|umon.out has no event cycles
	END
	run -0 prof umon.out umon.out
	[ "${lines[2]}" = "   of umon.out + umon.out, on ev67: $target" ]
}

@test "some procedures only" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -only once | entries | grep -qx '33.3 2002 33.3 2002 once .*'
	prof -Only once | entries | grep -qx '100.0 2002 100.0 2002 once .*'
	prof -exclude twice | entries >rows
	same rows <<-'END'
	33.3 2002 33.3 2002 once (loops.S)
	0.1 5 33.4 2007 _start (loops.S)
	END
	prof -Exclude twice | entries >rows
	same rows <<-'END'
	99.8 2002 99.8 2002 once (loops.S)
	0.2 5 100.0 2007 _start (loops.S)
	END
	prof -only once -only _start -numbers | entries >rows
	same rows <<-'END'
	33.3 2002 33.3 2002 once (loops.S:10)
	0.1 5 33.4 2007 _start (loops.S:3)
	END
	run -64 prof -only once -exclude twice
	prof -totals | grep -qx ' *6009  retinst'
}

@test "procedures of some files only" {
	need work
	run -7 uprofile -exact retinst "$target" child
	# Percent, count, procedure, file.
	listed() {
		prof "$@" | entries
	}
	listed >rows
	listed -all | cmp - rows
	program=${target##*/}
	[ "$(listed -excobj "$program" | grep -c ' in_program (')" -eq 0 ]
	[ "$(listed -excobj "$program" | grep -c ' in_library (')" -eq 1 ]
	[ "$(listed -incobj libc.so.6 | grep -c ' in_library (')" -eq 0 ]
	[ "$(listed -incobj libc.so.6 | grep -c ' in_program (')" -eq 1 ]
	run -0 prof -excobj /nowhere/libx.so
	[[ $output == *"prof: note: umon.out has no file /nowhere/libx.so"* ]]
}

@test "calls" {
	need work
	run -7 uprofile -exact retinst "$target" child
	prof -invocations >listing
	calls() {
		awk -v name="$1" '$4 == name { print $2 }' listing
	}
	# The child has its own call besides those of its parent.
	[ "$(calls in_program)" -eq 2 ]
	[ "$(calls in_library)" -eq 1 ]
	[ "$(calls main)" -eq 1 ]
	[ "$(awk '/ at first instructions$/ { print $1 }' listing)" -gt 100 ]
	[ "$(prof -invocations -only main | grep -c ' main (')" -eq 1 ]
}

@test "procedures that were not executed" {
	need work
	run uprofile -exact retinst "$target"
	prof -zero | entries >rows
	grep -qx '0.0 0 100.0 [0-9]* .*' rows
	[ "$(wc -l <rows)" -gt "$(prof | entries | wc -l)" ]
}

@test "a program without symbols" {
	need loops
	strip -o bare "$target"
	run -5 uprofile -exact retinst ./bare
	prof | entries | grep -qx '100.0 6009 100.0 6009 (no symbol) (bare)'
	prof --callgrind cg --folded folded --json json
	[ "$(sum folded)" -eq 6009 ]
	# With the symbols of the program as it was.
	mkdir whole
	cp "$target" whole/bare
	prof whole/bare | entries | grep -qx '66.6 4002 66.6 4002 twice .*'
	run -125 prof whole/other
	cp whole/bare whole/other
	run -125 prof whole/other
	[ "$output" = "prof: umon.out has no profile of whole/other" ]
	# Cut off, or no program at all any more.
	for size in 0 64 700 5000; do
		truncate -s $size bare
		[ "$(prof -procedures -asm | grep -c '6009  total')" -eq 2 ]
	done
}

# A jump for each call, and three instructions more of the first.
@test "calls of other files go through .plt, not _init" {
	echo 'int getppid(void); int main(void) { int i, s = 0;
	for (i = 0; i < 1000; i++) s += getppid(); return s == 1; }' >calls.c
	cc -O1 -fcf-protection=none -Wl,-z,lazy -o calls calls.c ||
		skip "no compiler"
	cp calls stripped
	strip stripped
	for program in calls stripped; do
		uprofile -exact retinst "./$program"
		[ "$(prof | awk '$5 == ".plt" && $6 == "('$program')" {
			print $2 }')" = 1004 ]
	done
}

@test "a program whose symbols are in another file" {
	need loops
	cc -g -nostdlib -static -no-pie -Wl,--build-id=0x0123456789abcdef -o bare \
		"$BATS_FILE_TMPDIR/loops.S"
	objcopy --only-keep-debug bare bare.debug
	cp bare.debug right
	strip --strip-all bare
	objcopy --add-gnu-debuglink=bare.debug bare
	run -5 uprofile -exact retinst ./bare
	prof | entries | grep -qx '66.6 4002 66.6 4002 twice .*'
	prof -lines -only twice | entries | grep -q ' 1[0-9] twice (loops.S)$'
	mkdir .debug
	mv bare.debug .debug
	prof | entries | grep -qx '66.6 4002 66.6 4002 twice .*'
	# Another program's.
	cc -nostdlib -static -no-pie -Wl,--build-id=0xfedcba9876543210 -o other \
		"$BATS_FILE_TMPDIR/loops.S"
	objcopy --only-keep-debug other .debug/bare.debug
	prof | entries | grep -qx '100.0 6009 100.0 6009 (no symbol) (bare)'
	for size in 0 64 700; do
		cp right .debug/bare.debug
		truncate -s $size .debug/bare.debug
		[ "$(prof | grep -c '6009  total')" -eq 1 ]
	done
}

@test "a file that cannot be written whole" {
	need_no_coverage
	need work
	run -7 uprofile -exact retinst "$target"
	echo before >json
	run -125 bash -c "trap '' XFSZ; ulimit -f 4; exec prof --json json"
	[ "$output" = "prof: json: File too large" ]
	[ "$(cat json)" = before ]
}

@test "callgrind's format" {
	need work
	run -7 uprofile -exact retinst cycles0 "$target"
	prof --callgrind cg
	awk '
		NR == 1 && $0 != "# callgrind format" { exit bad = 1 }
		NR == 1 || /^$/ { next }
		/^(version|creator|cmd|part|desc|positions):/ { next }
		/^event: [^ ]+ : / { next }
		/^events: / { n = NF - 1; next }
		/^(summary|totals):/ { if (NF != n + 1) exit bad = 1
			want[$1] = $2 " " $3; next }
		/^(ob|fl|fi|fn|cob|cfi|cfn)=./ { next }
		/^calls=[0-9]+ 0x[0-9a-f]+ [0-9]+$/ { getline; next }
		/^0x[0-9a-f]+ [0-9]+( [0-9]+)+$/ {
			if (NF != n + 2) exit bad = 1
			a += $3; b += $4; next }
		{ print "unknown: " $0; exit bad = 1 }
		END { exit bad || n != 2 ||
			want["summary:"] != a " " b ||
			want["totals:"] != a " " b }' cg
	[ "$(awk '/^totals:/ { print $2 }' cg)" -eq "$(total retinst)" ]
	command -v callgrind_annotate >/dev/null || skip "no valgrind"
	callgrind_annotate --auto=no cg >annotated
	tr -d , <annotated | grep "PROGRAM TOTALS" |
		grep -q "^ *$(total retinst) "
	grep -q ':in_program \[' annotated
}

@test "JSON" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof --json json
	command -v python3 >/dev/null || skip "no python"
	python3 - json <<-'END'
	import json, sys
	p = json.load(open(sys.argv[1]))
	assert p["schema"] == "pmcsim-prof/1" and not p["partial"]
	assert p["events"][0]["total"] == 6009
	f = {f["name"]: f for f in p["functions"]}
	assert f["once"]["counts"] == [2002] and f["once"]["line"] == 10
	END
}

@test "a table of Markdown" {
	need loops
	run -5 uprofile -exact retinst cycles "$target"
	prof -markdown all
	[ "$(sed -n 3p all)" = "| procedure | file | retinst | % | cycles | % |" ]
	grep -qE '^\| twice \| loops\.S \| 4002 \| 66\.6 \| [0-9]+ \| [0-9.]+ \|$' all
	grep -qE '^\| once \| loops\.S \| 2002 \| 33\.3 \|' all
	grep -qE '^\| total \|  \| 6009 \| 100\.0 \| [0-9]+ \| 100\.0 \|$' all
	[ "$(grep -c '^| not' all)" = 0 ]
	for column in 4 6; do
		[ "$(awk -F'|' -v c=$column 'NR > 4 { if ($2 ~ /total/)
			exit !(sum == $c); sum += $c }' all; echo $?)" = 0 ]
	done
	prof -quit 1 -markdown some
	grep -qE '^\| not listed \|  \| 2007 \| 33\.4 \|' some
	[ "$(grep -c loops.S some)" = 1 ]
	run -64 prof -quit 1 -markdown a -json b
	[ "$output" = "prof: -only, -exclude and -quit are for listings: what is exported is everything" ]
}

@test "two profiles" {
	need loops
	run -5 uprofile -exact retinst "$target"
	mv umon.out a
	run -5 uprofile -exact -stride 0 retinst "$target"
	mv umon.out b
	run -5 uprofile -exact retinst "$target"
	mv umon.out c
	prof --diff a c | grep -qx ' *6009 *6009 +0 .* total'
	[ "$(prof --diff a c | grep -c once)" -eq 0 ]
	# All is at the beginning of the file.
	prof --diff a b | grep -q '^ *4002 *0 -4002 *-100.0%  twice (loops)'
	run -64 prof --diff a
	# Programs of two names are one if most procedures are the same ones.
	cp "$target" old
	sed 's/\$1000/$500/' "$BATS_FILE_TMPDIR/loops.S" >new.S
	cc -nostdlib -static -no-pie -o new new.S
	run -5 uprofile -exact retinst ./old
	mv umon.out d
	run -5 uprofile -exact retinst ./new
	prof -diff umon.out d |
		grep -q '^ *1002 *2002 +1000 *+99.8%  once (new, old)$'
	run -0 --separate-stderr prof -diff -limit once=99.9 -limit 99.9% \
		-limit once=-0 umon.out d
	[ -z "$stderr" ]
	run -1 --separate-stderr prof -diff -limit once=99.8 -limit 5 \
		umon.out d
	[ "${stderr_lines[0]}" = "prof: retinst of once, from 1002 to 2002, is beyond the limit once=99.8" ]
	[ "${stderr_lines[1]}" = "prof: retinst of all procedures, from 5009 to 6009, is beyond the limit 5" ]
	run -125 --separate-stderr prof -diff -limit none=1 umon.out d
	[ "$stderr" = "prof: -limit none=1: the profiles have no such procedure" ]
	run -5 uprofile -exact retinst sh -c './old; ./new'
	prof -diff umon.out d | grep -q '^ *4002 *0 .*  twice (new)$'
	# Whatever runs them, and by whatever name.
	ln -s new link
	printf '#!/bin/sh\nexec ./link\n' >script
	chmod +x script
	run -5 uprofile -exact retinst ./script
	prof -diff umon.out d |
		grep -q '^ *1002 *2002 +1000 *+99.8%  once (new, old)$'
	run -5 uprofile -exact retinst env ./link
	prof -diff d umon.out |
		grep -q '^ *2002 *1002 -1000 *-50.0%  once (old, new)$'
	# Addresses say which procedure it is in one build only.
	mkdir before after
	cat >bare.c <<-'END'
	static int __attribute__((noinline)) f(volatile int n)
	{ int s = 0; while (n--) s += n; return s; }
	#ifdef NEW
	static int __attribute__((noinline)) g(volatile int n)
	{ int s = 1; while (n--) s *= n; return s; }
	#endif
	static int __attribute__((noinline)) h(volatile int n)
	{ int s = 1; while (n--) s ^= n; return s; }
	int main(void)
	{
	#ifdef NEW
		g(300);
	#endif
		return (f(1000) + h(500)) * 0;
	}
	END
	cc -s -Wl,--build-id -o before/bare bare.c
	cc -s -Wl,--build-id -DNEW -o after/bare bare.c
	run -0 uprofile -exact retinst before/bare
	mv umon.out e
	run -0 uprofile -exact retinst after/bare
	prof -diff e umon.out | awk '/ 0x.* \(bare\)$/ { n++; both += $1 && $2 }
		END { exit n < 7 || both }'
	mv umon.out e
	ln -s after/bare last
	run -0 uprofile -exact retinst ./last
	[ "$(prof -diff e umon.out | grep -c ' 0x')" -eq 0 ]
	run -0 uprofile -exact retinst true
	run -0 prof -diff -only twice d umon.out
	[ "${lines[0]}" = "prof: note: in d only: old" ]
	[[ ${lines[1]} == "prof: note: in umon.out only: "*true* ]]
	# Added up.
	prof -merge sum a c
	prof -folded - sum | grep -qx 'once 4004'
	prof -folded - a c | grep -qx 'once 4004'
	run -125 prof a b
	[[ "$output" == *"profiles of different strides"* ]]
}

@test "a procedure that there is not, a program that has changed since" {
	need loops
	command -v objcopy >/dev/null || skip "no objcopy"
	objcopy --remove-section .note.gnu.build-id "$target" changes
	run -5 uprofile --exact retinst ./changes
	run -0 prof -only none -only once
	[ "${lines[0]}" = "prof: note: umon.out has no procedure none" ]
	run -0 prof -diff -exclude none umon.out umon.out
	[ "${lines[0]}" = \
		"prof: note: neither umon.out nor umon.out has a procedure none" ]
	run -125 prof -diff -event none umon.out umon.out
	[ "$output" = "prof: the profiles have no event none in common" ]
	# A file without a build id is told by its time.
	touch -d '2000-01-01' umon.out
	run -0 prof -only once
	[[ ${lines[0]} == "prof: note: "*"/changes has changed since umon.out "* ]]
	run -0 --separate-stderr prof -only once ./changes
	[ -z "$stderr" ]
	# Nor is it silently without names.
	mv changes moved
	run -0 prof
	[ "${lines[0]}" = "prof: note: $PWD/changes: No such file or directory:\
 its procedures have no names" ]
	run -0 prof -procedures umon.out
	[[ $output == *"(no symbol)"* ]]
}

# built ID [OPTION...]
built() {
	cc -nostdlib -static -no-pie -Wl,--build-id=0x"$1" "${@:2}" -o made \
		"$BATS_FILE_TMPDIR/loops.S"
}

@test "a program that was built anew, and one that was not" {
	need loops
	built 0011223344556677
	run -5 uprofile --exact retinst ./made
	grep -qx "module $PWD/made 0011223344556677" umon.out
	cp umon.out first
	touch -d '2000-01-01' first
	run -0 --separate-stderr prof first
	[ -z "$stderr" ]
	built 8899aabbccddeeff -g
	run -0 prof first
	[[ ${lines[0]} == "prof: note: "*"/made has changed since first "* ]]
	run -0 prof ./made first
	[ "${lines[0]}" = "prof: note: ./made is another build than the program\
 of first: its procedures may be others" ]
	built 0011223344556677 -s
	run -0 --separate-stderr prof first
	[ -z "$stderr" ]
	built 8899aabbccddeeff
	run -0 --separate-stderr prof first
	[ -n "$stderr" ]
	# Those that differ are not added up.
	run -5 uprofile --exact retinst ./made
	run -0 --separate-stderr prof ./made umon.out first
	[ "$(entries <<<"$output" | grep -c ' twice (made)$')" -eq 2 ]
	[ -z "$stderr" ]
	run -0 --separate-stderr prof -merge sum umon.out first
	[ "$(grep -c ^module sum)" -eq 3 ]
	run -0 --separate-stderr prof -merge sum first first
	[ "$(grep -c ^module sum)" -eq 2 ]
}

@test "a procedure with several names has the best of them" {
	need_engine
	cat >names.S <<-'END'
		.globl _start, aaaa, bbb, _c, dd
		.type _start, @function
	_start:	mov $60, %eax
		xor %edi, %edi
		call bbb
		.size _start, . - _start
		.type aaaa, @function; .type bbb, @function
		.type _c, @function; .type ccc, @function
	aaaa: bbb: _c: ccc: dd: ee:
		syscall
		.size aaaa, 2; .size bbb, 2; .size _c, 2; .size ccc, 2
	END
	cc -nostdlib -static -no-pie -o names names.S || skip "no compiler"
	run uprofile -exact retinst ./names
	prof -folded - | grep -qx 'bbb 1'
}

@test "the date of a listing" {
	need loops
	run -5 uprofile -exact retinst "$target"
	SOURCE_DATE_EPOCH=86400 prof |
		grep -q '^Profile listing generated Fri Jan  2 00:00:00 1970 '
	for epoch in '' -1 1e9 253402300800 99999999999999999999; do
		SOURCE_DATE_EPOCH=$epoch run -125 prof
		[ "$output" = "prof: SOURCE_DATE_EPOCH=$epoch: not seconds \
since 1970, up to 253402300799" ]
	done
}

@test "an empty profile" {
	: >umon.out
	run -125 prof
	[ "$output" = "prof: umon.out: the file is empty" ]
}

@test "names of C++ and Rust" {
	need_engine
	cat >names.S <<-'END'
		.macro function name
		.globl \name
		.type \name, @function
	\name:	ret
		.size \name, . - \name
		.endm
		function _ZNK3geo6Matrix2atEim
		function _RNvNtC3app4math3sum
		function _ZN3app5count17h0123456789abcdefE
		function _Zno_such
		.globl _start
	_start:	call _ZNK3geo6Matrix2atEim
		call _RNvNtC3app4math3sum
		call _ZN3app5count17h0123456789abcdefE
		call _Zno_such
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -no-pie -o names names.S || skip "no compiler"
	run -0 uprofile -exact retinst ./names
	prof -folded - | grep -v _start | sort >rows
	same rows <<-'END'
	_Zno_such 1
	app::count 1
	app::math::sum 1
	geo::Matrix::at(int, unsigned long) const 1
	END
	run -0 prof -only "geo::Matrix::at(int, unsigned long) const"
	[[ $output == *" geo::Matrix::at(int, unsigned long) const (names)"* ]]
}
