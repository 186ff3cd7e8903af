#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# prof -annotate: source text with what happened at each line, and profiles
# compared by line.

load helper
load profiles

# What the listing has from the first file on.
body() {
	sed -n '/ source$/,/not listed\|  total/p' | sed '1,2d;/^$/d;$d'
}

@test "text and counts of lines" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -annotate | body | sed "s,$BATS_FILE_TMPDIR/,," >lines
	same lines <<-'END'
	 100.0            6009  loops.S:
	                     .       1  .globl _start, once, twice
	                     .       2  .type _start, @function
	   0.0               1       3  _start:	call once
	   0.0               1       4  call twice
	   0.0               1       5  mov $60, %eax
	   0.0               1       6  mov $5, %edi
	   0.0               1       7  syscall
	                     .       8  .size _start, . - _start
	                     .       9  .type once, @function
	   0.0               1      10  once:	mov $1000, %ecx
	  16.6            1000      11  1:	dec %ecx
	  16.6            1000      12  jnz 1b
	   0.0               1      13  ret
	                     .      14  .size once, . - once
	                     .      15  .type twice, @function
	   0.0               1      16  twice:	mov $2000, %ecx
	  33.3            2000      17  1:	dec %ecx
	  33.3            2000      18  jnz 1b
	   0.0               1      19  ret
	                     .      20  .size twice, . - twice
	END
	prof -annotate -Only twice | body | sed 1d >lines
	same lines <<-'END'
	                           ...
	                     .      12  jnz 1b
	                     .      13  ret
	                     .      14  .size once, . - once
	                     .      15  .type twice, @function
	   0.0               1      16  twice:	mov $2000, %ecx
	  50.0            2000      17  1:	dec %ecx
	  50.0            2000      18  jnz 1b
	   0.0               1      19  ret
	                     .      20  .size twice, . - twice
	END
}

@test "instructions of lines" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -annotate -asm -only once | body |
		grep -v '^ *\.' | sed 1d | sed 's/0x[0-9a-f]*$/ADDRESS/' >lines
	same lines <<-'END'
	   0.0               1      10  once:	mov $1000, %ecx
	   0.0               1            once+0  movl $0x3e8, %ecx
	  16.6            1000      11  1:	dec %ecx
	  16.6            1000            once+5  decl %ecx
	  16.6            1000      12  jnz 1b
	  16.6            1000            once+7  jne ADDRESS
	   0.0               1      13  ret
	   0.0               1            once+9  retq
	END
}

@test "sources that are not there, or elsewhere, or newer" {
	need loops
	mkdir -p build/part else/part
	sed 's/1000/700/' "$BATS_FILE_TMPDIR/loops.S" >build/part/loops.S
	cc -g -nostdlib -static -no-pie -o moved "$PWD/build/part/loops.S"
	mv build/part/loops.S else/part
	run -5 uprofile -quiet -exact retinst cycles0 ./moved
	prof -annotate >listing 2>said
	# Once, though there are two events.
	[ "$(cat said)" = \
		"prof: note: sources not found, see -source: $PWD/build/part/loops.S" ]
	[ "$(grep -c ', whose text is not there:$' listing)" -eq 2 ]
	grep -q ' 700      11$' listing
	prof -annotate -source "$PWD/else" >listing 2>said
	[ ! -s said ]
	grep -q ' 700      11  1:	dec %ecx$' listing
	prof -annotate -source "$PWD/else/part" 2>&1 |
		grep -q ' 700      11  1:	dec %ecx$'
	# Nothing but a regular file is read.
	mkfifo build/part/loops.S
	timeout 20 prof -annotate 2>&1 | grep -q 'sources not found'
	rm build/part/loops.S
	cp else/part/loops.S build/part
	touch -d '+1 hour' build/part/loops.S
	prof -annotate 2>&1 >listing |
		grep -q "^prof: note: sources that have changed since the"
	run -64 prof -source else
}

@test "bytes of a source that are no text stay out of the terminal" {
	need_engine
	printf '\t.globl _start\n_start:\tmov $60, %%eax # \033[31m \302\265\n\tsyscall' >odd.S
	cc -g -nostdlib -static -no-pie -o odd "$PWD/odd.S" || skip "no compiler"
	run uprofile -exact retinst ./odd
	prof -annotate >listing
	grep -q 'mov \$60, %eax # ?\[31m µ$' listing
	grep -q ' 1       3  .syscall$' listing
}

# build FOLDER, of work.S there.
build() {
	cc -g -nostdlib -static -no-pie -o "$1/prog" "$PWD/$1/work.S"
	run -5 uprofile -exact -dirname "$1" retinst "$1/prog"
}

@test "profiles by line, of sources that have moved" {
	need loops
	mkdir old new
	cp "$BATS_FILE_TMPDIR/loops.S" old/work.S
	# Two lines more in front, and a longer loop.
	{
		echo '/* More'
		echo '   lines. */'
		sed 's/\$2000/$2500/' old/work.S
	} >new/work.S
	build old
	build new
	prof -diff -heavy old/umon.out new/umon.out | sed 's/^ *//; s/  */ /g' >lines
	same lines <<-'END'
	retinst: Retired instructions
	A B B - A change procedure (object) line

	2000 2500 +500 +25.0% twice (prog) work.S:17, now :19
	2000 2500 +500 +25.0% twice (prog) work.S:18, now :20
	2009 2009 +0 +0.0% not listed, or no difference
	6009 7009 +1000 +16.6% total

	END
	prof -diff -heavy -quit 1 new/umon.out old/umon.out >lines
	grep -q ' work.S:19, now :17$' lines
	[ "$(grep -c 'work.S' lines)" -eq 1 ]
	# Of procedures as before.
	prof -diff old/umon.out new/umon.out | grep -q ' +1000 .* twice (prog)$'
}
