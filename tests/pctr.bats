#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pctr(1) and pctr(4).

load helper
load guest
load order

# measure ARGUMENT...: pctr, its standard error in a file
measure() {
	pctr "$@" 2>"$HOME/report"
}

# text_of N: what is between brackets of counter N
text_of() {
	sed -n "s/^ ctr$1 = .*\[\(.*\)\].*/\1/p" "$HOME/report"
}

# value_of N: of counter N
value_of() {
	sed -n "s/^ ctr$1 = *\([0-9]*\) .*/\1/p" "$HOME/report"
}

@test "one program on a Pentium: the layout, to the character" {
	need_program spin1000.x86_64
	[ -z "$(measure --cpu p5 -s 0 -u 16 -s 1 -u 12 -- ./spin1000.x86_64)" ]
	sed '/tsc/s/[0-9]/N/g; /tsc/s/ *N*$/ N/' "$HOME/report" >"$HOME/layout"
	same "$HOME/layout" <<-'END'
	 ctr0 =             2004  [-u- 16 Instructions executed]
	 ctr1 =             1000  [-u- 12 Branches]
	  tsc = N
	  idl =                0
	END
	grep -qE '^  tsc = [ 0-9]{15}[0-9]$' "$HOME/report"
}

@test "flags, thresholds and unit masks of a Pentium Pro as they are shown" {
	local row
	while IFS='|' read -r words text; do
		# shellcheck disable=SC2086
		measure --cpu p6 -s 0 $words -- true
		[ "$(text_of 0)" = "$text" ] || {
			echo "$words: $(text_of 0)"
			false
		}
	done <<-'END'
	-u c0|---u c0        INST_RETIRED
	-k c0|--k- c0        INST_RETIRED
	-ku c0|--ku c0        INST_RETIRED
	c0|--ku c0        INST_RETIRED
	2e|--ku 2e/mesi   L2_RQSTS
	-u 2e/m|---u 2e/m---   L2_RQSTS
	-u 2e/is|---u 2e/--si   L2_RQSTS
	-f 2e -M -I -u|---u 2e/m--i   L2_RQSTS
	-f 2e -m 6 -k|--k- 2e/-es-   L2_RQSTS
	65|--ku 65/-      BUS_TRAN_BRD
	-u c2+2|---u c2+2      UOPS_RETIRED
	-eu 48|-e-u 48        DCU_MISS_OUTSTANDING
	65/a|--ku 65/a      BUS_TRAN_BRD
	-f 65 -A|--ku 65/a      BUS_TRAN_BRD
	00|---- 00        unknown function
	END
}

@test "the Pentium's flags: cycles, and kernel mode from the accounts" {
	need_program spin1000.x86_64
	measure --cpu p5 -s 0 -cu 16 -s 1 -k 16 ./spin1000.x86_64
	[ "$(text_of 0)" = "cu- 16 Instructions executed" ]
	[ "$(text_of 1)" = "--k 16 Instructions executed" ]
	[ "$(value_of 1)" -gt 0 ]
}

@test "kernel mode that nothing is known of" {
	need_program spin1000.x86_64
	unknown="the ledger has nothing of kernel mode; with --system, its code"
	unknown+=" is executed"
	devices="in kernel mode it is not looked at"
	measure --cpu p6 -s 0 -k 2e -s 1 2e -- ./spin1000.x86_64
	grep -qFx " ctr0 =     not modelled  [--k- 2e/mesi   L2_RQSTS]\
 ($unknown)" "$HOME/report"
	[ "$(value_of 1)" -gt 0 ]
	grep -qFx "pctr: note: ctr1 is of user mode only: $unknown" \
		"$HOME/report"
	measure --cpu p6 --json -s 0 -u 2e -s 1 -ku 2e -- ./spin1000.x86_64
	[ "$(grep -o '"kernel":[^,]*' "$HOME/report")" = \
	    $'"kernel":null\n"kernel":"not modelled"' ]
	grep -qE "\"value\":[0-9]+,\"kernel\":\"not modelled\",\
\"precision\":\"structural\",\"reason\":\"$unknown\"" "$HOME/report"
	measure --cpu p6 --json -s 0 -k 2e -s 1 -k 11 -- ./spin1000.x86_64
	grep -qF "\"value\":null,\"kernel\":\"not modelled\",\
\"precision\":\"structural\",\"reason\":\"$unknown\"" "$HOME/report"
	grep -qF '"precision":"not-modelled","reason":"it takes the values' \
		"$HOME/report"
	# Interrupts are on in user mode; the bus has one processor in any.
	measure --cpu p6 -s 0 -k c6 -s 1 -k 61 -- ./spin1000.x86_64
	grep -qFx " ctr0 =     not modelled  [--k- c6        CYCLES_INT_MASKED]\
 ($devices)" "$HOME/report"
	[ "$(value_of 1)" = 0 ]
	measure --cpu p6 -s 0 -u c6 -s 1 c6 -- ./spin1000.x86_64
	[ "$(value_of 0) $(value_of 1)" = "0 0" ]
	grep -qFx "pctr: note: ctr1 is of user mode only: $devices" \
		"$HOME/report"
	# What the accounts have of misses is of loads and stores.
	measure --cpu p5 -s 0 -k 3 -s 1 -k 4 -- ./spin1000.x86_64
	sum=$(($(value_of 0) + $(value_of 1)))
	measure --cpu p5 -s 0 -k 29 -s 1 -k 5 -- ./spin1000.x86_64
	[ "$(value_of 0)" = "$sum" ]
	hits=$(value_of 1)
	measure --cpu p5 -s 0 -k 1 -s 1 -k 4 -- ./spin1000.x86_64
	[ "$(value_of 0)" = "$((hits + $(value_of 1)))" ]
}

@test "a machine that lasts: program, run, read" {
	need_program spin1000.x86_64
	pmcsim new --cpu p5 pctr
	run -0 pctr -s 0 -u 16
	[ -z "$output" ]
	pmcsim run pctr -- ./spin1000.x86_64
	run -0 pctr
	[ "${lines[0]}" = \
	    " ctr0 =             2004  [-u- 16 Instructions executed]" ]
	[ "${lines[1]}" = " ctr1 =                0  [--- 00 Data read]" ]
	pmcsim run pctr -- ./spin3000.x86_64
	run -0 pctr
	[[ ${lines[0]} == " ctr0 =             8008  "* ]]
	# Selecting a function clears the counter, and only that one.
	pctr -s 1 -u 16
	pctr -s 0 -u 16
	pmcsim run pctr -- ./spin1000.x86_64
	run -0 pctr
	[[ ${lines[0]} == " ctr0 =             2004  "* ]]
	[[ ${lines[1]} == " ctr1 =             2004  "* ]]
}

@test "another machine, by option and by environment" {
	pmcsim new --cpu p6 mine
	pctr --machine mine -s 0 -u 43
	PMCSIM_MACHINE= run -64 --separate-stderr pctr
	[ "$stderr" = "pctr: PMCSIM_MACHINE is empty: it names a machine, or is not set" ]
	PMCSIM_MACHINE= run -0 pctr -l --cpu pii
	PMCSIM_MACHINE= run -0 pctr -l 5
	PMCSIM_MACHINE=mine run -0 pctr
	[[ ${lines[0]} == *"[---u 43        DATA_MEM_REFS]" ]]
	run -125 pctr
	advice="pmcsim new --cpu p6 pctr"
	[ "$output" = \
	    "pctr: there is no machine pctr; \"$advice\" makes it" ]
	$advice
	pctr -s 0 -u 43
	pmcsim new wrong
	run -64 pctr --machine wrong
	[ "$output" = \
	    "pctr: mips34k is not a CPU with the counters of pctr(4)" ]
}

@test "the lists of functions" {
	run -0 pctr -l 5
	[ "${lines[0]}" = "Hardware counter functions for the Pentium:" ]
	[ "${lines[1]}" = "00  Data read" ]
	[ "${lines[38]}" = "29  Data read miss or data write miss" ]
	[ "${#lines[@]}" -eq 39 ]
	run -0 pctr -l
	[ "${lines[0]}" = "Hardware counter functions for the Pentium Pro:" ]
	[ "$(grep -c '^[0-9a-f][0-9a-f]  ' <<<"$output")" -eq 68 ]
	grep -qx '10  FP_COMP_OPS_EXE  (ctr0 only)' <<<"$output"
	grep -qx '11  FP_ASSIST  (ctr1 only)' <<<"$output"
	grep -qx '2e  L2_RQSTS/mesi' <<<"$output"
	grep -qx '70  BUS_TRAN_ANY/a' <<<"$output"
	[ "$(awk 'length > 72' <<<"$output" | wc -l)" -eq 0 ]
	run -0 pctr -l --cpu p55c
	[ "${#lines[@]}" -eq 74 ]
	grep -qx '2d  EMMS instructions executed  (ctr0 only)' <<<"$output"
	grep -qx '37  Predicted returns  (ctr1 only)' <<<"$output"
	run -0 pctr -l --cpu pii
	[ "$(grep -c '^[0-9a-f][0-9a-f]  ' <<<"$output")" -eq 78 ]
	run -1 pctr -l 7
	[ "$output" = "pctr: Unknown CPU family 7" ]
	# Of the machine that there is.
	pmcsim new --cpu p5 pctr
	pmcsim new --cpu pii other
	[ "$(pctr -l)" = "$(pctr -l 5)" ]
	[ "$(pctr -l --machine other)" = "$(pctr -l --cpu pii)" ]
	[ "$(PMCSIM_MACHINE=other pctr -l)" = "$(pctr -l --cpu pii)" ]
	run -64 pctr -l 5 --machine other
	[ "$output" = "pctr: -l 5: that is of a family, not of other" ]
}

@test "the other counter's functions, masks and flags that are not there" {
	local row
	while IFS='|' read -r words sentence; do
		# shellcheck disable=SC2086
		run -64 pctr $words -- true
		[ "$output" = "pctr: $sentence" ] || {
			echo "$words: $output"
			false
		}
	done <<-'END'
	--cpu p6 -s 1 10|FP_COMP_OPS_EXE can be counted on counter 0 only
	--cpu p6 -s 0 11|FP_ASSIST can be counted on counter 1 only
	--cpu p55c -s 1 39|RETURNS can be counted on counter 0 only
	--cpu pii -s 0 b0/m|b0/m: MMX_INSTR_EXEC takes no unit mask
	--cpu pii -s 0 b3/40|b3/40: MMX_INSTR_TYPE_EXEC takes the bits 3f of a unit mask
	--cpu pii -s 0 cc/2|cc/2: FP_MMX_TRANS takes a unit mask of 0 to 1
	--cpu pii -s 0 cc/m|m: not a unit mask, which is hexadecimal, 0 to ff
	--cpu p6 -s 0 c0/m|c0/m: INST_RETIRED takes no unit mask
	--cpu p6 -s 0 2e/a|2e/a: L2_RQSTS takes only /mesi of a unit mask
	--cpu p6 -s 0 65/m|65/m: BUS_TRAN_BRD takes only /a of a unit mask
	--cpu p6 -s 0 2e/x|2e/x: a unit mask has the letters m, e, s, i, or a
	--cpu p6 -s 0 2e/|2e/: a unit mask has the letters m, e, s, i, or a
	--cpu p6 -s 0 c2+|c2+: a counter mask is 0 to 255
	--cpu p6 -s 0 100|100: not a function, which is hexadecimal, 0 to ff
	--cpu p5 -s 0 40|40: not a function, which is hexadecimal, 0 to 3f
	--cpu p5 -s 0 zz|-s 0 zz: no event of that name that this counter of p5 counts; "pmcsim list p5" lists them
	--cpu p6 -s 0 c0+300|300: a counter mask is 0 to 255
	--cpu p6 -s 0 -c c0|-c: the counters of family 6 have no such flag
	--cpu p5 -s 0 -e 16|-e: the counters of family 5 have no such flag
	--cpu p6 -s 0 -e c0|0x4700c0 is not a function, or asks for what the model cannot tell
	--cpu p6 -s 0 43+2|0x2430043 is not a function, or asks for what the model cannot tell
	--cpu p6 --pipeline interval -s 0 c0+2|0x24300c0: how many instructions retire in a cycle is known to a pipeline of kind window only
	--cpu p6 --pipeline interval -s 0 43+2|0x2430043 is not a function, or asks for what the model cannot tell
	--cpu p6 -s 2 c0|-s 2: the counters are 0 and 1
	--cpu p6 -s 0 c0 -s 0 c0|-s 0 is given twice
	--cpu p6 -f c0|which counter is meant? -s 0 or -s 1
	--cpu mips34k|mips34k is not a CPU with the counters of pctr(4)
	--cpu p5 -s 0 16 -m m|-m: the counters of family 5 have none
	--cpu p5 -s 0 16 -t 1|-t: the counters of family 5 have none
	--cpu p6 -s 0 c2 -t 256|256: a counter mask is 0 to 255
	--cpu p6 --machine m|--cpu: the machine m has its CPU already
	--json --csv|--json, --csv and --markdown exclude each other
	-l|-l programs no counter and runs no command
	END
	run -64 pctr --cpu p6 -s 0
	[ "$output" = "pctr: -s 0: no function for it; see --help" ]
	run -64 pctr -s "" c0
	[ "$output" = 'pctr: -s "": the counters are 0 and 1' ]
	# Where one is wrong, neither is programmed.
	pmcsim new --cpu p6 both
	pctr --machine both -s 0 -u c0 -s 1 -u 79
	before=$(pctr --machine both --json)
	for row in zz 79+1 10; do
		run -64 pctr --machine both -s 0 -u c4 -s 1 $row
		[ "$(pctr --machine both --json)" = "$before" ]
	done
	for option in --json --output=f; do
		run -64 pctr -l $option
		[ "$output" = 'pctr: -l writes text to standard output; "pmcsim list --json CPU" writes JSON' ]
	done
	for option in json csv output=f; do
		run -64 pctr -s 0 c0 --$option
		[ "$output" = "pctr: -s without a command writes nothing; pctr --${option%=*}, without -s, does" ]
	done
	run -64 pctr --cpu p6
	[ "$output" = \
	    "pctr: --cpu is for a command; a machine that lasts has its CPU" ]
}

@test "exit status, streams and signals are the command's" {
	run -3 --separate-stderr pctr --cpu p5 sh -c 'echo out; echo in <&0
		exit 3'
	[ "$output" = $'out\nin' ]
	run -127 --separate-stderr pctr --cpu p5 no-such-command
	run -0 --separate-stderr pctr --cpu p5 -o "$HOME/report" -- true
	[ -z "$stderr" ]
	[ "$(wc -l <"$HOME/report")" -eq 4 ]
}

@test "JSON and CSV" {
	command -v python3 >/dev/null || skip "no python3"
	need_program spin1000.x86_64
	run -0 --separate-stderr pctr --cpu p5 --json -s 0 -u 16 -- \
		./spin1000.x86_64
	python3 - "$stderr" <<-'END'
	import json, sys
	r = json.loads(sys.argv[1])
	assert r["schema"] == "pmcsim-pctr/1" and r["cpu"] == "p5"
	c = r["counters"][0]
	assert c["value"] == 2004 and c["precision"] == "exact"
	assert c["function"] == 0x96 and r["command"] == ["./spin1000.x86_64"]
	END
	run -0 --separate-stderr pctr --cpu p5 --csv -s 0 -u 16 -- \
		./spin1000.x86_64
	[ "${stderr_lines[0]}" = $'counter,function,name,value,precision,reason,command,cpu,engine,run\r' ]
	[ "${stderr_lines[1]}" = \
	    $'ctr0,150,INSTRUCTIONS_EXECUTED,2004,exact,,./spin1000.x86_64,p5,'"$engine_name"$',1\r' ]
	# What the operating system is accounted for is never exact.
	run -0 --separate-stderr pctr --cpu p5 --csv -s 0 -ku 16 -- \
		./spin1000.x86_64
	[[ ${stderr_lines[1]} == ctr0,214,INSTRUCTIONS_EXECUTED,*,ledger,,./spin1000.x86_64,p5,$engine_name,1$'\r' ]]
	# Why there is no count is told.
	run -0 --separate-stderr pctr --cpu p6 --csv -s 1 -u 4 -- \
		./spin1000.x86_64
	[[ ${stderr_lines[2]} == ctr1,*,SB_DRAINS,,not-modelled,\"*\",./spin1000.x86_64,p6,$engine_name,1$'\r' ]]
}

@test "programs of the device, of each instruction set, on both machines" {
	local program engine cpu
	for program in pctr.*; do
		engine=${program#pctr.} engine=${engine%.static}
		command -v "qemu-$engine" >/dev/null || continue
		for cpu in p5 p6 p55c pii piii; do
			run -0 --separate-stderr pctr --cpu $cpu "./$program"
			[ "$output" = done ] || {
				echo "$program on $cpu: $output"
				false
			}
		done
	done
	need_program pctr.x86_64
	run -0 ./pctr.x86_64 outside
	[ "$output" = done ]
}

@test "an emulated user that is not root may read only" {
	need_program pctr.x86_64
	pmcsim new --cpu p6 --uid 1000 pctr
	run -1 pmcsim run pctr -- ./pctr.x86_64
	[[ $output == *"fd >= 0"* ]]
	run -0 pmcsim run pctr -- test -r /dev/pctr
	run -1 pmcsim run pctr -- test -w /dev/pctr
}

@test "the same command gives the same bytes" {
	measure --cpu p6 -s 0 -u 43 -s 1 -u 79 -- ls /
	mv "$HOME/report" "$HOME/first"
	measure --cpu p6 -s 0 -u 43 -s 1 -u 79 -- ls /
	cmp "$HOME/report" "$HOME/first"
}

# What a program of two accesses counts.
blocked() {
	build_order "$1" "$2"
	pctr --cpu p6 -s 0 -u 3 -- ./order 2>&1 |
		awk '$1 == "ctr0" { print $3 }'
}

@test "loads behind stores of unknown address, or with a part of them" {
	need_engine
	# The page comes in the first turn.
	[ "$(blocked 'mov %ecx, (%rsi,%rdx)' 'mov 32(%rsi), %edi')" -eq 999 ]
	[ "$(blocked 'mov %ecx, (%rsi)' 'mov 32(%rsi), %edi')" -eq 0 ]
	[ "$(blocked 'mov %ecx, (%rsi)' 'mov (%rsi), %edi')" -eq 0 ]
	[ "$(blocked 'mov (%rsi,%rdx), %edi' 'mov (%rsi), %edi')" -eq 0 ]
	[ "$(blocked 'mov %cl, (%rsi)' 'mov (%rsi), %edi')" -eq 1000 ]
	# On a machine that lasts, too.
	pmcsim new --cpu p6 m
	PMCSIM_MACHINE=m pctr -s 0 -u 3
	pmcsim run m -- ./order
	PMCSIM_MACHINE=m pctr | grep -q '^ ctr0 = *1000 '
}

# In the C and with the format of the time, and the manual's example as it is.
# 1000 rounds of a jump, a call, an indirect jump, each to the next instruction,
# jne to there with ecx not zero, je, and jnz back: 6 branches, of which the
# first three and 999 of the last are known to be taken.  That jne was, too,
# is not seen.  A Pentium's buffer knows the last jnz.
@test "branches to the next instruction" {
	cat >"$HOME/next.S" <<-'END'
		.globl _start
	_start:	mov $1000, %ecx
	1:	jmp 2f
	2:	call 3f
	3:	pop %rax
		lea 4f(%rip), %rax
		jmp *%rax
	4:	test %ecx, %ecx
		jne 5f
	5:	cmp $0, %ecx
		je 6f
	6:	dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o "$HOME/next" "$HOME/next.S" ||
		skip "no compiler"
	measure --cpu p6 -s 0 -u c4 -s 1 -u c9 -- "$HOME/next"
	[ "$(value_of 0) $(value_of 1)" = "6000 3999" ]
	measure --cpu p5 -s 0 -u 12 -s 1 -u 14 -- "$HOME/next"
	[ "$(value_of 0) $(value_of 1)" = "6000 4000" ]
}

@test "counter 1 of a Pentium Pro without counter 0, which enables both" {
	local note="pctr: note: ctr1 counts nothing: counter 0 enables both, and has no function; -s 0 gives it one"
	need_engine
	make_loop
	pctr --cpu p6 -s 1 -u c0 -- ./loop 2>report
	grep -qFx "$note" report
	grep -q '^ ctr1 = *0 ' report
	pctr --cpu p6 -s 0 -u 79 -s 1 -u c0 -- ./loop 2>report
	! grep -qF "ctr1 counts nothing" report
	grep -q '^ ctr1 = *2004 ' report
	pctr --cpu p5 -s 1 -u 16 -- ./loop 2>report
	! grep -qF "ctr1 counts nothing" report
	pmcsim new --cpu p6 both
	pctr --machine both -s 1 -u c0
	run -0 --separate-stderr pctr --machine both
	[ "$stderr" = "$note" ]
}

# The difference of 30 and 20 in a loop of 1000, by 10000; lines of code that
# are read first are less than that.
@test "divides and roots of x87 in the precision that is the default" {
	local n op
	for n in 20 30; do
		for op in fdiv fsqrt; do
			cat >"$HOME/x87.S" <<-END
				.globl _start
			_start:	mov \$1000, %ecx
				fld1
				fld1
			1:	.rept $n
				$op
				.endr
				dec %ecx
				jnz 1b
				mov \$60, %eax
				xor %edi, %edi
				syscall
			END
			sed -i 's/fdiv$/fdiv %st(1), %st/' "$HOME/x87.S"
			cc -nostdlib -static -o "$HOME/$op$n" "$HOME/x87.S" ||
				skip "no compiler"
		done
	done
	cycles() {
		pctr --cpu "$1" --json -o "$HOME/report" -- "$HOME/$2"
		grep -o '"tsc":[0-9]*' "$HOME/report" | tr -dc 0-9
	}
	while read -r cpu op clocks; do
		measured=$(($(cycles "$cpu" "${op}30") - \
			$(cycles "$cpu" "${op}20")))
		echo "$cpu $op $measured"
		[ "$((measured / 10000))" -eq "$clocks" ]
	done <<-'END'
	p5 fdiv 39
	p55c fdiv 39
	p6 fdiv 38
	pii fdiv 38
	pii fsqrt 69
	piii fdiv 38
	piii fsqrt 69
	END
}

@test "a program of 1996, and the manual's example" {
	cat >old.c <<-'END'
	#include <stdio.h>
	#include <fcntl.h>
	#include <sys/types.h>
	#include <sys/ioctl.h>
	#include <machine/cpu.h>
	#include <machine/pctr.h>

	functionx()
	{
		register i;
		static volatile int a[1000];

		for (i = 0; i < 1000; i++)
			a[i]++;
	}

	void
	time_functionx(void)
	{
		pctrval tsc;

		tsc = rdtsc();
		functionx();
		tsc = rdtsc() - tsc;
		printf ("Functionx took %qd cycles.\n", tsc);
	}

	main(argc, argv)
		int argc;
		char **argv;
	{
		struct pctrst before, after;
		u_int fn = __hasp6ctr(__cpuid()) ? P6CTR_EN | P6CTR_U | 0x43
						 : P5CTR_U | 0x28;
		int fd = open(_PATH_PCTR, O_RDWR);

		if (fd < 0 || ioctl(fd, PCIOCS0, &fn) < 0) {
			perror(_PATH_PCTR);
			return 1;
		}
		functionx();
		ioctl(fd, PCIOCRD, &before);
		functionx();
		functionx();
		ioctl(fd, PCIOCRD, &after);
		printf("%qd\n", after.pctr_hwc[0] - before.pctr_hwc[0]);
		time_functionx();
		return 0;
	}
	END
	guest=$BATS_TEST_DIRNAME/../simulator/guest
	tried=0
	for flags in "" -static; do
		for prefix in "" i686-linux-gnu-; do
			[ "$prefix$flags" != i686-linux-gnu- ] ||
				[ -e /lib/ld-linux.so.2 ] || continue
			"${prefix}gcc" -std=gnu89 -Werror=format -O1 $flags \
				-I"$guest" -I"$guest/openbsd" -o old old.c \
				"$guest"/client*.c "$guest/pmcsim_guest.c" ||
				continue
			tried=$((tried + 1))
			for cpu in p5 p6; do
				run -0 --separate-stderr pctr --cpu $cpu ./old
				# 4000 accesses, and those of the calls.
				[ "${lines[0]}" -ge 4000 ]
				[ "${lines[0]}" -lt 4500 ]
				[[ ${lines[1]} =~ \
				    ^Functionx\ took\ ([0-9]+)\ cycles\.$ ]]
				[ "${BASH_REMATCH[1]}" -ge 1000 ]
				[ "${BASH_REMATCH[1]}" -lt 20000 ]
			done
		done
	done
	[ "$tried" -gt 0 ] || skip "no compiler"
}

@test "a program written against the header of August 1996" {
	need_engine
	cat >old.c <<-'END'
	#include <sys/types.h>
	#include <machine/cpu.h>
	#include <machine/pctr.h>
	#include <fcntl.h>
	#include <stdio.h>
	struct { u_short fn, behind; } set = {PCTR_U | 0x28, 0xffff};
	static volatile int word;
	main()
	{
		struct pctrst before, after;
		int fd = open(_PATH_PCTR, O_RDWR), i;
		if (ioctl(fd, PCIOCS1, &set.fn) || ioctl(fd, PCIOCRD, &before))
			return 1;
		for (i = 0; i < 1000; i++)
			word++;
		ioctl(fd, PCIOCRD, &after);
		printf("%x %d %d\n", after.pctr_fn[1],
		       (int)(after.pctr_hwc[1] - before.pctr_hwc[1]) / 100,
		       after.pctr_tsc > before.pctr_tsc);
		return 0;
	}
	END
	guest=$BATS_TEST_DIRNAME/../simulator/guest
	tried=0
	for prefix in "" i686-linux-gnu-; do
		"${prefix}gcc" -std=gnu89 -w -O1 -static -DPMCSIM_PCTR_1996 \
			-I"$guest" -I"$guest/openbsd" -o old old.c \
			"$guest"/client*.c "$guest/pmcsim_guest.c" || continue
		tried=$((tried + 1))
		run -0 --separate-stderr pctr --cpu p5 ./old
		# 2000 accesses, and those of the calls.
		[[ $output =~ ^"a8 2"[0-9]" 1"$ ]]
	done
	[ "$tried" -gt 0 ] || skip "no compiler"
}

# As the driver has it: what there is can be read, and nothing selected.
@test "a processor without counters: ENODEV" {
	need_engine
	sed '/^events:/,$d; s/^  number: 2 .*/  number: 0/; s/^name: p5/name: none/' \
		"$PMCSIM_EVENTS/p5.yaml" >none.yaml
	cat >select.c <<-'END'
	#include <errno.h>
	#include <fcntl.h>
	#include <stdio.h>
	#include <sys/ioctl.h>
	#include <machine/cpu.h>
	#include <machine/pctr.h>
	static int set(int fd, unsigned long request)
	{
		unsigned function = P5CTR_U | 0x16;
		return ioctl(fd, request, &function) ? errno : 0;
	}
	int main(void)
	{
		int fd = open(_PATH_PCTR, O_RDWR);
		int reader = open(_PATH_PCTR, O_RDONLY);
		struct pctrst state;
		printf("%d %d %d ", set(fd, PCIOCS0) == ENODEV,
		       set(fd, PCIOCS1) == ENODEV,
		       set(reader, PCIOCS0) == EPERM);
		if (ioctl(fd, PCIOCRD, &state))
			return 1;
		printf("%d %d %d %d\n", state.pctr_fn[0] | state.pctr_fn[1],
		       (int)(state.pctr_hwc[0] | state.pctr_hwc[1]),
		       state.pctr_tsc > 1000, __hasp5ctr(__cpuid()));
		return 0;
	}
	END
	guest=$BATS_TEST_DIRNAME/../simulator/guest
	cc -O1 -I"$guest" -I"$guest/openbsd" -o select select.c \
		"$guest"/client*.c "$guest/pmcsim_guest.c" ||
		skip "no compiler"
	pmcsim new --cpu none.yaml without
	run -0 --separate-stderr pmcsim run without -- ./select
	[ "$output" = "1 1 1 0 0 1 0" ]
	run -64 pctr --cpu none.yaml true
	[ "$output" = "pctr: none is not a CPU with the counters of pctr(4)" ]
	run -64 uprofile -cpu none.yaml true
	[ "$output" = "uprofile: none has no counters" ]
	run -64 pc_sweep --cpu none.yaml -u --evens 1 true
	[ "$output" = "pc_sweep: none has no even and odd lists of events" ]
}

# A division of 1000 rounds, whose 5 instructions retire in two cycles, three in
# the one and two in the other; and a string instruction that repeats itself,
# which retires once.
@test "cycles in which instructions retire, and in which none does" {
	cat >div.S <<-'END'
		.globl _start
	_start:	movl $1, %ebx
		movl $1000, %ecx
	1:	xorl %edx, %edx
		movl $7, %eax
		divl %ebx
		decl %ecx
		jnz 1b
		movl $100, %ecx
		leaq -256(%rsp), %rsi
		leaq -128(%rsp), %rdi
		rep movsb
		movl $60, %eax
		xorl %edi, %edi
		syscall
	END
	cc -nostdlib -static -o div div.S
	of() {
		pctr -s 0 "$@" -- ./div 2>&1 | sed -n 's/ ctr0 = *\([0-9]*\) .*/\1/p'
	}
	all=$(of -u c0) cycles=$(of -u 79)
	one=$(of -u c0+1) two=$(of -u c0+2) three=$(of -u c0+3)
	[ "$all" = 5009 ]
	[ $((one + two + three)) = "$all" ]
	[ $((one / 10)) = 200 ]
	[ $((three / 10)) = 100 ]
	[ "$(of -iu c0+1)" = $((cycles - one)) ]
	[ "$(of -iu c0+3)" = $((cycles - three)) ]
	[ "$(of -iu c2+1)" -lt "$(of -iu c0+1)" ]
}

@test "a program that selects such an event while it runs" {
	need_engine
	cat >select.c <<-'END'
	#include <fcntl.h>
	#include <stdio.h>
	#include <sys/ioctl.h>
	#include <machine/cpu.h>
	#include <machine/pctr.h>
	static volatile union {
		unsigned char first;
		unsigned all;
	} word;
	int main(void)
	{
		unsigned function = P6CTR_EN | P6CTR_U | 3, sum = 0;
		int fd = open("/dev/pctr", O_RDWR);
		struct pctrst state;
		if (ioctl(fd, PCIOCS0, &function))
			return 1;
		for (int i = 0; i < 1000; i++) {
			word.first = (unsigned char)i;
			sum += word.all;
		}
		ioctl(fd, PCIOCRD, &state);
		return printf("%d\n", (int)state.pctr_hwc[0]) < 0 || sum == 1;
	}
	END
	guest=$BATS_TEST_DIRNAME/../simulator/guest
	cc -O1 -I"$guest" -I"$guest/openbsd" -o select select.c \
		"$guest"/client*.c "$guest/pmcsim_guest.c" ||
		skip "no compiler"
	pmcsim new --cpu p6 m
	run -0 pmcsim run m -- ./select
	[ "$output" -ge 1000 ] && [ "$output" -lt 1050 ]
}
