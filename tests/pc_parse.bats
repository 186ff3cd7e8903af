#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pc_parse: dumps of /proc/perf become tables.

load helper

# MD00548, Figure 3.
figure3() {
	cat <<-'END'
	PerfCnt[0].Ctl : 0x80000528
	PerfCnt[0].Cnt : 108399
	PerfCnt[1].Ctl : 0x800005a8
	PerfCnt[1].Cnt : 1171512
	PerfCnt[2].Ctl : 0x800005a8
	PerfCnt[2].Cnt : 285070
	PerfCnt[3].Ctl : 0x00005c8
	PerfCnt[3].Cnt : 779389
	END
}

# The counts of Figure 5 as three runs dump them.
figure5() {
	cat <<-'END'
	# pc_sweep 1
	# CPU: "mips34k"
	# Command: "grep" "root" "/etc/passwd"
	# Even-counter events: 0 9 10 37 39
	# Odd-counter events: 1 9 10 11 37
	# Run 1 of 3
	PerfCnt[0].Ctl : 0x80000008
	PerfCnt[0].Cnt : 1235557
	PerfCnt[1].Ctl : 0x80000028
	PerfCnt[1].Cnt : 699255
	PerfCnt[2].Ctl : 0x80000128
	PerfCnt[2].Cnt : 497656
	PerfCnt[3].Ctl : 0x00000128
	PerfCnt[3].Cnt : 8460
	# Run 2 of 3
	PerfCnt[0].Ctl : 0x80000148
	PerfCnt[0].Cnt : 243055
	PerfCnt[1].Ctl : 0x80000148
	PerfCnt[1].Cnt : 3501
	PerfCnt[2].Ctl : 0x800004a8
	PerfCnt[2].Cnt : 87527
	PerfCnt[3].Ctl : 0x00000168
	PerfCnt[3].Cnt : 18236
	# Run 3 of 3
	PerfCnt[0].Ctl : 0x800004e8
	PerfCnt[0].Cnt : 140076
	PerfCnt[1].Ctl : 0x800004a8
	PerfCnt[1].Cnt : 108114
	PerfCnt[2].Ctl : 0x80000000
	PerfCnt[2].Cnt : 0
	PerfCnt[3].Ctl : 0x00000000
	PerfCnt[3].Cnt : 0
	END
}

@test "a plain dump, as the manual prints it" {
	figure3 >dump
	pc_parse dump >out
	same out <<'END'
[mode] [VPE TC] (event)          event description:         value
[U]    [      ] (0 / 41)                MDU stalls:        108399
[U]    [      ] (0 / 45)           load-use stalls:        285070
[U]    [      ] (1 / 45)        ALU to AGEN stalls:       1171512
[U]    [      ] (1 / 46)         mispredict stalls:        779389

mips34k model: 4 timing
END
}

@test "the dumps of a sweep become the table of Figure 5" {
	figure5 | pc_parse >out
	same out <<'END'
Even-counter events: 0 9 10 37 39
Odd-counter events: 1 9 10 11 37
[mode] [VPE TC] (event)          event description:         value
[U]    [      ] (0 / 0)                     cycles:       1235557
[U]    [      ] (1 / 1)           all instructions:        699255  100.0%
[U]    [      ] (0 / 9)           I-cache accesses:        497656
[U]    [      ] (1 / 9)             I-cache misses:          8460
[U]    [      ] (0 / 10)          D-cache accesses:        243055
[U]    [      ] (1 / 10)        D-cache writebacks:          3501
[U]    [      ] (1 / 11)            D-cache misses:         18236
[U]    [      ] (0 / 37)        L1 I-$ miss stalls:         87527
[U]    [      ] (1 / 37)        L1 D-$ miss stalls:        108114
[U]    [      ] (0 / 39)          D-$ miss pending:        140076
[U]    [      ]                                IPC:         0.566
[U]    [      ]                      I-$ miss rate:          1.7%
[U]    [      ]                      D-$ miss rate:          7.5%

mips34k model: 2 exact, 4 structural, 4 timing
END
}

@test "JSON has the same numbers, null and the reason where there is none" {
	figure5 | sed 's/events: 1 9/events: 1 9/; s/10 11 37$/10 11 26 37/' \
		>dump
	pc_parse --json dump >out
	same out <<'END'
{"schema":"pmcsim-sweep/1","cpu":"mips34k","command":["grep","root","/etc/passwd"],"partial":false,"doubts":[],"runs":3,
 "counts":[
  {"mode":"U","vpe":null,"tc":null,"list":"even","event":0,"name":"CYCLES","label":"cycles","value":1235557,"precision":"timing","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"odd","event":1,"name":"INSTRUCTIONS","label":"all instructions","value":699255,"precision":"exact","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"even","event":9,"name":"ICACHE_ACCESSES","label":"I-cache accesses","value":497656,"precision":"structural","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"odd","event":9,"name":"ICACHE_MISSES","label":"I-cache misses","value":8460,"precision":"structural","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"even","event":10,"name":"DCACHE_ACCESSES","label":"D-cache accesses","value":243055,"precision":"exact","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"odd","event":10,"name":"DCACHE_WRITEBACKS","label":"D-cache writebacks","value":3501,"precision":"structural","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"odd","event":11,"name":"DCACHE_MISSES","label":"D-cache misses","value":18236,"precision":"structural","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"odd","event":26,"name":"ALU_DSP_SATURATIONS","label":"ALU saturations","value":null,"precision":"not-modelled","reason":"results are not seen by the model, so it cannot tell whether one saturated","ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"even","event":37,"name":"ICACHE_MISS_STALLS","label":"L1 I-$ miss stalls","value":87527,"precision":"timing","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"odd","event":37,"name":"DCACHE_MISS_STALLS","label":"L1 D-$ miss stalls","value":108114,"precision":"timing","reason":null,"ledger":false,"wrapped":false},
  {"mode":"U","vpe":null,"tc":null,"list":"even","event":39,"name":"DCACHE_MISS_CYCLES","label":"D-$ miss pending","value":140076,"precision":"timing","reason":null,"ledger":false,"wrapped":false}],
 "metrics":[
  {"name":"ipc","label":"IPC","mode":"U","vpe":null,"tc":null,"value":0.5659431333398621,"unit":"ratio"},
  {"name":"icache_miss_rate","label":"I-$ miss rate","mode":"U","vpe":null,"tc":null,"value":1.699969456813542,"unit":"percent"},
  {"name":"dcache_miss_rate","label":"D-$ miss rate","mode":"U","vpe":null,"tc":null,"value":7.502828577893892,"unit":"percent"}]}
END
}

@test "CSV quotes what needs it, in lines that end in CR LF" {
	figure3 | sed 's/0x80000528/0x80200528/' | pc_parse --csv >out
	sed -i 's/\r$/<CR>/' out
	same out <<'END'
kind,mode,vpe,tc,list,event,name,label,value,unit,precision,reason,ledger,wrapped,mean,deviation,outliers,region,command,cpu,engine,run<CR>
count,U,,0,even,41,MDU_STALLS,MDU stalls,108399,events,timing,,0,0,,,,,,mips34k,,1<CR>
count,U,,,even,45,LOAD_USE_STALLS,load-use stalls,285070,events,timing,,0,0,,,,,,mips34k,,1<CR>
count,U,,,odd,45,ALU_TO_AGEN_STALLS,ALU to AGEN stalls,1171512,events,timing,,0,0,,,,,,mips34k,,1<CR>
count,U,,,odd,46,MISPREDICTION_STALLS,mispredict stalls,779389,events,timing,,0,0,,,,,,mips34k,,1<CR>
END
}

@test "contexts, modes, stall shares and a wrapped counter" {
	cat >dump <<-'END'
	PerfCnt[0].Ctl : 0x80e00008
	PerfCnt[0].Cnt : 1000
	PerfCnt[1].Ctl : 0x80e00328
	PerfCnt[1].Cnt : 250
	# Wrapped: 1
	PerfCnt[2].Ctl : 0x80110023
	PerfCnt[2].Cnt : 7
	PerfCnt[3].Ctl : 0x00000000
	PerfCnt[3].Cnt : 5
	END
	pc_parse --precision dump >out
	same out <<'END'
[mode] [VPE TC] (event)          event description:         value
[U]    [   TC3] (0 / 0)                     cycles:          1000  timing
[U]    [   TC3] (1 / 25)                ALU stalls:           250   25.0%  wrapped  timing
[KE]   [  VPE1] (0 / 1)           all instructions:             7  100.0%  ledger

mips34k model: 2 timing, 1 ledger (accounted, not executed); 1 wrapped around
END
}

@test "repeats: mean, deviation, outliers set aside" {
	for n in 100 104 96 100 5000; do
		echo "# Run 1 of 1"
		echo "PerfCnt[1].Ctl : 0x80000028"
		echo "PerfCnt[1].Cnt : $n"
	done >dump
	pc_parse dump >out
	same out <<'END'
[mode] [VPE TC] (event)          event description:         value
[U]    [      ] (1 / 1)           all instructions:           100  100.0%  +- 3.3 (4 of 5 kept)

mips34k model: 1 exact
END
	run -0 --separate-stderr pc_parse --json dump
	[[ $output == *'"value":100,'* ]]
	[[ $output == *'"repeat":{"values":[100,104,96,100,5000],"mean":100,"deviation":3.265986323710904,"min":96,"max":104,"kept":4,"outliers":1}'* ]]
}

@test "what the target printed before goes through; two sweeps, two tables" {
	{ echo "one line"; figure5; echo "another"; figure5; } >dump
	pc_parse dump >out
	[ "$(sed -n 1p out)" = "one line" ]
	[ "$(grep -c '^Even-counter events: 0 9 10 37 39$' out)" -eq 2 ]
	[ "$(grep -c '^another$' out)" -eq 1 ]
}

@test "a partial sweep is said to be one" {
	{ figure5 | head -14; echo "# Partial"; } >dump
	pc_parse dump >out
	grep -qF '(1 / 11)            D-cache misses: not measured: its run was not reached' out
	[ "$(tail -n 1 out)" = \
		"partial: stopped before the end, figures are too low or missing" ]
	pc_parse --json dump | grep -qF '"partial":true'
	pc_parse --csv dump 2>errors
	[ "$(cat errors)" = "pc_parse: note: partial: stopped before the end, figures are too low or missing" ]
}

@test "a reason to doubt the counts is said, and in JSON" {
	figure5 | sed '2i# Doubt: code_twice' >dump
	pc_parse dump >out 2>errors
	[ "$(wc -l <errors)" -eq 1 ]
	grep -q '^pc_parse: note: the command has memory mapped twice, ' errors
	pc_parse --json dump 2>errors >out
	grep -q '^pc_parse: note: the command has memory mapped twice, ' errors
	python3 - <<-'EOF'
	import json
	[doubt] = json.load(open("out"))["doubts"]
	assert doubt["name"] == "code_twice"
	assert open("errors").read() == "pc_parse: note: " + doubt["text"] + "\n"
	EOF
	figure5 | sed '2i# Doubt: code_thrice' >dump
	run -125 --separate-stderr pc_parse dump
	[ "$stderr" = "pc_parse: dump: line 2: not the name of a doubt: code_thrice" ]
}

# A dump whose line $1 is $2; the sentence is $3.
refused() {
	figure3 | sed "$1c\\$2" >dump
	run -125 --separate-stderr pc_parse dump
	[ "$stderr" = "pc_parse: dump: $3" ]
}

@test "bad dumps: a sentence with the line, exit status 125" {
	refused 2 "PerfCnt[1].Cnt : 108399" \
		"line 2: count without its control: 1].Cnt : 108399"
	refused 2 "PerfCnt[0].Cnt : 12x" "line 2: not a number: 12x"
	refused 2 $'PerfCnt[0].Cnt : 1\e[31m' "line 2: not a number: 1?[31m"
	refused 2 "nonsense" \
		"line 2: not the count of the control before: nonsense"
	refused 3 "PerfCnt[1].Ctl : 0x180000528" \
		"line 3: not a control word of 32 bits: 1].Ctl : 0x180000528"
	refused 2 "PerfCnt[1].Ctl : 0x80000528" \
		"line 2: control without a count before: 1].Ctl : 0x80000528"
	refused 3 "PerfCnt[1].Ctl : 0x803005a8" \
		"line 3: MT_EN of 3 is reserved: 1].Ctl : 0x803005a8"
	refused 4 "PerfCnt[1].Cnt : 99999999999999999999" \
		"line 4: not a number: 99999999999999999999"
	refused 1 "PerfCnt[0].Ctl : 0x80000788" \
		"event 60 of the even counters is reserved on mips34k"
	refused 1 "# pc_sweep 2" "line 1: dumps of another version: 2"
	refused 8 "" "line 7: control without a count at the end"
	refused 3 "PerfCnt[1].Ctl : x" \
		"line 3: not a line of a /proc/perf dump: 1].Ctl : x"
	refused 3 "# Wrapped: 1" "line 3: not the counter just read: 1"
	refused 1 "# CPU: mips34k" "line 1: not a quoted name: mips34k"
	refused 1 '# Command: "ls" l' \
		'line 1: not a list of quoted words: "ls" l'
	refused 1 '# Command: "\\u00g0"' \
		'line 1: not a list of quoted words: "\u00g0"'
	refused 1 "# Odd-counter events: 1 9 9" \
		"line 1: not a list of events: 1 9 9"
	refused 1 "# Even-counter events: 0 128" \
		"line 1: not a list of events: 0 128"
	refused 1 "# Run 2 of 1" "line 1: not a run's number: 2 of 1"
	refused 1 "# Run 1 of 1, repeat 1" \
		"line 1: not a run's number: 1 of 1, repeat 1"
}

@test "words as any JSON writes them, and a system" {
	figure3 | sed '1i# Command: "a\\tb" "\\u00e9\\u20ac\\/" "\\u007f"' |
		sed '1a# System: "malta"' >dump
	pc_parse --json dump >out
	grep -qF '"command":["a\u0009b","é€/","\u007f"],' out
	grep -qF ',"system":"malta",' out
}

@test "no dump, no file, no such CPU" {
	run -125 --separate-stderr pc_parse /dev/null
	none="there is no dump of /proc/perf in it that counts anything"
	[ "$stderr" = "pc_parse: /dev/null: $none" ]
	pmcsim new m
	pmcsim cat m >idle
	run -125 --separate-stderr pc_parse idle
	[ "$stderr" = "pc_parse: idle: $none" ]
	run -125 --separate-stderr pc_parse nothing
	[ "$stderr" = "pc_parse: nothing: No such file or directory" ]
	figure3 >dump
	run -125 --separate-stderr pc_parse --cpu vax dump
	[[ $stderr == *vax* ]]
	run -64 --separate-stderr pc_parse --json --csv dump
	[ "$stderr" = "pc_parse: --json, --csv and --markdown exclude each other" ]
}

@test "a full disk is noticed" {
	figure3 >dump
	run -125 bash -c 'pc_parse dump >/dev/full'
}

@test "contexts that the CPU has not are named" {
	figure3 | sed 's/0x80000528/0x82600528/' >dump
	run -125 --separate-stderr pc_parse dump
	[ "$stderr" = "pc_parse: dump: TC 9 is unknown to mips34k, which has 5 of them" ]
	figure3 | sed 's/0x80000528/0x80120528/' >dump
	run -125 --separate-stderr pc_parse dump
	[ "$stderr" = "pc_parse: dump: VPE 2 is unknown to mips34k, which has 2 of them" ]
	figure3 | sed 's/0x80000528/0x81200528/' | pc_parse >out
	grep -q "TC4.*MDU stalls" out
}
