#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# perfex and libperfex.

load helper

table=${PMCSIM_SRCDIR:-$BATS_TEST_DIRNAME/..}/tests/data/tables/irix.yaml
guest=${PMCSIM_SRCDIR:-$BATS_TEST_DIRNAME/..}/simulator/guest

perfex_test() {
	perfex --cpu "$table" "$@"
}

# count N: the count of event N in the output
count() {
	awk -v n="$1" '$1 == n { print $NF }' <<<"$stderr"
}

@test "options that make no sense: one sentence, status 64" {
	while IFS='|' read -r options sentence; do
		run -64 --separate-stderr perfex $options true
		[ "$stderr" = "perfex: $sentence" ]
		[ -z "$output" ]
	done <<-'END'
	-e 32|-e 32: not a number from 0 to 31
	-e x|-e x: no event of that name that a counter of r10000 counts; "pmcsim list r10000" lists them
	-e 3x|-e 3x: not a number from 0 to 31
	-e 3 -e 5|conflicting counters: events 3 and 5 are both counted by counter 0
	-e 17 -e 17|conflicting counters: events 17 and 17 are both counted by counter 1
	-e 0 -e 16 -e 17|-e 17: there are two counters, for two events
	-mp -s|-mp, -s and -p exclude each other
	-p 5 -mp|-mp, -s and -p exclude each other
	-p 0|-p 0: not a number from 1 to 1000000000
	-a -p 5|-p samples two events, not those of -a
	--exact|--exact is for -a: two events do not take turns
	-a --exact -s|--exact counts from beginning to end, not with -s
	--csv --json|--json, --csv and --markdown exclude each other
	-k --uid 5|-k is for the superuser only, not for user 5
	END
	run -64 --separate-stderr perfex
	[ "$stderr" = "perfex: no command to be measured" ]
	run -127 perfex /nowhere/nothing
}

@test "another system's CPU has no event counters" {
	run -125 --separate-stderr perfex --cpu mips34k true
	[ "$stderr" = "perfex: mips34k has no event counters of IRIX" ]
}

@test "costs: printed, read back, and what is wrong with them" {
	run -0 --separate-stderr perfex -t -o costs
	run -0 --separate-stderr perfex -t -c costs
	same costs <<<"$stderr"
	[ "$(grep -c '^[ 123]' costs)" -eq 32 ]
	for line in "1 2 3" "32 1 1 1" "1.5 1 1 1" "x 1 1 1" "1 1 2 1" \
	    "1 1 1 1 1" "1 -1 1 1" "1 1e999 1 1"; do
		printf '# none\n\n%s\n' "$line" >bad
		run -125 --separate-stderr perfex -t -c bad
		[ "$stderr" = "perfex: bad:3: not \"event typical least most\", an event from 0 to 31 and clocks" ]
	done
	run -125 --separate-stderr perfex -t -c nowhere
	[ "$stderr" = "perfex: nowhere: No such file or directory" ]
}

@test "two events of a program whose counts are known" {
	need_engine
	make_loop
	run -0 --separate-stderr perfex_test -e 15 -e 24 ./loop
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "Summary for execution of ./loop" ]
	[ "${stderr_lines[1]}" = \
		"15 Graduated instructions............................................            2004" ]
	[ "$(count 24)" -eq 999 ]
	[ "${#stderr_lines[@]}" -eq 3 ]
	run -0 --separate-stderr perfex_test -e 15 ./loop $'a\nb'
	[ "${stderr_lines[0]}" = "Summary for execution of ./loop a?b" ]
	run -0 --separate-stderr perfex_test -e 6 ./loop
	[ "$(count 6)" -eq 1000 ]
	run -0 --separate-stderr perfex_test ./loop
	[ "$(count 0)" -ge 2004 ]
}

@test "-T: names that both processors have" {
	need_engine
	make_loop
	run -0 --separate-stderr perfex_test -T -e 15 -e 17 ./loop
	[ "${stderr_lines[1]}" = \
		"15 Graduated instructions............................................            2004" ]
	[ "${stderr_lines[2]}" = \
		"17 (not the same on R10000 and R12000)...............................            2004" ]
}

@test "events of the environment, which -e overrides" {
	need_engine
	make_loop
	export T5_EVENT0=15 T5_EVENT1=18
	run -0 --separate-stderr perfex_test ./loop
	[ "$(count 15)" -eq 2004 ]
	[ "$(count 18)" -eq 0 ]
	run -0 --separate-stderr perfex_test -e 6 ./loop
	[ "$(count 6)" -eq 1000 ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	export T5_EVENT1=1
	run -64 --separate-stderr perfex_test ./loop
	[[ $stderr == "perfex: conflicting counters"* ]]
}

# A shell's count, and with it those of two more programs: their sum, and each.
family() {
	run -0 --separate-stderr perfex_test -e 15 sh -c true
	alone=$(count 15)
	run -0 --separate-stderr perfex_test -e 15 sh -c './loop; ./loop; true'
	both=$(count 15)
	run -0 --separate-stderr perfex_test -mp -e 15 \
		sh -c './loop; ./loop; true'
}

@test "children that are waited for are counted, others are not" {
	need_engine
	make_loop
	steadily family
	[ "$both" -gt $((alone + 4008)) ]
	[ "$(grep -c '^Process' <<<"$stderr")" -eq 3 ]
	sum=0
	for n in $(grep '^15' <<<"$stderr" | head -n 3 | awk '{ print $NF }'); do
		sum=$((sum + n))
	done
	[ "$sum" -eq "$(count 15 | tail -n 1)" ]
	[ "$sum" -eq "$both" ]
}

@test "-a counts all events, whatever -e asks for" {
	need_engine
	make_loop
	perfex_test -a -o all ./loop
	for events in "-e 3" "-e 3 -e 5" "-e 3 -e 5 -e 7 -e 9"; do
		# shellcheck disable=SC2086
		perfex_test $events -a -o out ./loop
		same all <out
	done
	run -64 --separate-stderr perfex_test -a -e 32 ./loop
	[ "$stderr" = "perfex: -e 32: not a number from 0 to 31" ]
}

@test "-mp -a: an event without a turn was not counted" {
	need_engine
	make_loop
	run -0 --separate-stderr perfex --cpu r10000 -a -mp ./loop
	# Only those of the first turn, in the process as in the summary.
	[[ $stderr == "Process "* ]]
	[ "$(grep -c ' not counted' <<<"$stderr")" -eq 60 ]
	run -0 --separate-stderr perfex --cpu r12000 -a -mp ./loop
	[ "$(grep -c ' not counted' <<<"$stderr")" -eq 58 ]
	[ "$(grep -c ' not modelled' <<<"$stderr")" -eq 2 ]
	run -0 --separate-stderr perfex --cpu r10000 -a -mp --json ./loop
	[[ $stderr =~ \{"\"pid\": "[0-9]+", \"0\": "[0-9]+", \"16\": "[0-9]+\} ]]
	run -0 --separate-stderr perfex --cpu r10000 -a -mp --csv ./loop
	[ "$(grep -c '^15,process [0-9]*,,,,,,,,,,' <<<"$stderr")" -eq 1 ]
	[ "$(grep -c '^0,process [0-9]*,,[0-9]*,,,,,,,,' <<<"$stderr")" -eq 1 ]
}

# Three threads that store 100000, 200000 and 300000 times; the first thread
# starts them and waits.
@test "-mp: each thread has what it has counted" {
	command -v python3 >/dev/null || skip "no python3"
	need_engine
	cat >threads.c <<-'END'
		#include <pthread.h>
		static void *work(void *arg)
		{
			static volatile long cell[64];
			long n = (long)arg;
			for (long i = 0; i < n; i++)
				cell[n / 100000 * 16] = i;
			return arg;
		}
		int main(void)
		{
			pthread_t th[3];
			for (long i = 0; i < 3; i++)
				pthread_create(&th[i], 0, work,
				    (void *)((i + 1) * 100000));
			for (int i = 0; i < 3; i++)
				pthread_join(th[i], 0);
			return 0;
		}
	END
	cc -O1 -pthread -static -o threads threads.c || skip "no compiler"
	for machine in "$table" "r10000" "r10000 --cpus 2" "r10000 -a" \
		"r10000 --threads parallel" "r12000 --cpus 2 --threads parallel"; do
		# Under the native engine threads always take turns.
		[[ $machine != *parallel* ]] || local PMCSIM_ENGINE=qemu
		# shellcheck disable=SC2086
		perfex --cpu $machine -mp -e 0 -e 19 --json -o report ./threads
		python3 - "$machine" <<-'END'
		import json, sys
		report = json.load(open("report"))
		process, threads = report["processes"], report["threads"]
		assert len(process) == 1 and len(threads) == 4, threads
		assert threads[0]["tid"] == process[0]["pid"]
		assert len(set(t["tid"] for t in threads)) == 4
		for event in process[0]:
		    if event != "pid":
		        assert sum(t[event] for t in threads) == \
		            process[0][event], event
		if "-a" not in sys.argv[1]:
		    stores = [t["19"] for t in threads]
		    assert stores[0] < 30000, stores
		    for i, n in enumerate(sorted(stores[1:])):
		        assert 0 <= n - 100000 * (i + 1) < 6000, stores
		END
	done
	# Stores alone take no time; threads are counted all the same.
	perfex --cpu r10000 -mp -e 19 -o out ./threads
	[ "$(grep -c '^Thread' out.*)" -eq 4 ]
	run ! grep '^Thread' out
}

# What is on wrong paths is estimated, by what has completed in the same time:
# first stores behind branches that cannot be predicted, in a thread, then other
# instructions, in which few of either are.
@test "instructions of wrong paths are of the time and threads that count" {
	command -v python3 >/dev/null || skip "no python3"
	need_engine
	cat >wrong.c <<-'END'
		#include <perfex.h>
		#include <pthread.h>
		#include <stdio.h>
		#include <string.h>
		static volatile unsigned cell;
		static void *stores(void *arg)
		{
			unsigned r = 1;
			for (int i = 0; i < 100000; i++) {
				r = r * 1103515245 + 12345;
				if (r >> 31)
					cell = i;
			}
			return arg;
		}
		static void *others(void *arg)
		{
			unsigned r = 1;
			for (int i = 0; i < 1000000; i++)
				__asm__ volatile("" : "+r"(r));
			return arg;
		}
		int main(int argc, char **argv)
		{
			long long issued, graduated;
			pthread_t th;
			pthread_create(&th, 0, stores, 0);
			pthread_join(th, 0);
			if (argc > 1)
				start_counters(3, 19);
			pthread_create(&th, 0, others, 0);
			pthread_join(th, 0);
			if (argc > 1) {
				read_counters(3, &issued, 19, &graduated);
				printf("%lld %lld\n", issued, graduated);
			}
			return 0;
		}
	END
	cc -O1 -pthread -static -I"$guest/irix" -o wrong wrong.c "$guest"/*.c ||
		skip "no compiler"
	for machine in "r10000" "r10000 --cpus 2" "r12000 --cpus 2"; do
		# shellcheck disable=SC2086
		pmcsim new --cpu $machine ./M
		run -0 pmcsim run ./M -- ./wrong counting
		[ "${output% *}" -ge "${output#* }" ]
		rm M
		# shellcheck disable=SC2086
		perfex --cpu $machine -mp -e 3 --json -o report ./wrong
		python3 - <<-'END'
		import json
		report = json.load(open("report"))
		all = report["processes"][0]["3"]
		threads = [t["3"] for t in report["threads"]]
		assert len(threads) == 3 and sum(threads) == all, threads
		# A C library starts with some thousands, the last thread has none.
		assert threads[1] > 50000 > 3 * threads[0], threads
		assert threads[2] < 1000, threads
		END
	done
}

@test "-o: a file, and one for each process; a full disk" {
	need_engine
	make_loop
	run -0 perfex_test -mp -e 15 -o out sh -c './loop; exit 0'
	[ -z "$output" ]
	head -n 1 out | grep -q '^Summary for execution of sh'
	files=(out.*)
	[ "${#files[@]}" -eq 2 ]
	cat out.* | grep -q '^15 Graduated.* 2[0-9][0-9][0-9]$\|^15.*[0-9]$'
	if [ -w /dev/full ]; then
		run -125 --separate-stderr perfex_test -o /dev/full ./loop
		[[ $stderr == "perfex: /dev/full: "* ]]
	fi
	run -125 --separate-stderr perfex_test -o /nowhere/out ./loop
	[ "$stderr" = "perfex: /nowhere/out: No such file or directory" ]
}

@test "the status is the command's" {
	need_engine
	run -7 perfex_test sh -c 'exit 7'
	run -137 perfex_test sh -c 'kill -9 $$'
	[[ $output == *"Summary for execution"* ]]
}

@test "kernel and exception level come from the ledger" {
	need_engine
	make_loop
	run -0 --separate-stderr perfex_test -e 15 ./loop
	user=$(count 15)
	run -0 --separate-stderr perfex_test -k -e 15 ./loop
	[ "$(count 15)" -gt "$user" ]
	# One CPU is asked for nothing in any mode, of several that is not known.
	run -0 --separate-stderr perfex --cpu r10000 -k -e 13 -e 29 ./loop
	[[ $stderr != *"of user mode only"* ]]
	run -0 --separate-stderr perfex --cpu r10000 --cpus 2 -k -e 13 -e 29 \
		./loop
	[[ $stderr == *"perfex: note: of user mode only: 13, 29; the ledger has nothing of kernel mode; with --system, its code is executed"* ]]
	run -0 --separate-stderr perfex --cpu r10000 --cpus 2 -k -e 13 -e 17 \
		--json ./loop
	[ "$(grep -c '"kernel": "not modelled",' <<<"$stderr")" = 1 ]
}

@test "-a: all events in turns, within their bounds of the exact ones" {
	need_engine
	command -v python3 >/dev/null || skip "no python3"
	# Not a script that looks for the interpreter, nor its first run.
	python=$(python3 -c 'import sys; print(sys.executable)')
	export PYTHONHASHSEED=0
	perfex_test -a -x -y --exact --json -o report "$python" -S \
		-c 'print(sum(len(str(i)) for i in range(60000)))' >sum
	[ "$(<sum)" = 288890 ]
	python3 - <<-'END'
	import json
	report = json.load(open("report"))
	counts = {c["event"]: c for c in report["counts"]}
	assert report["schema"] == "pmcsim-perfex/1" and len(counts) == 32
	for c in counts.values():
	    # Rare ones come in bursts, for which bounds do not hold.
	    if c.get("bound") is not None and c["exact"] > 1000000:
	        assert abs(c["count"] - c["exact"]) <= c["bound"], c
	for event in 0, 2, 3, 6, 15, 18, 19:
	    assert counts[event]["bound"] < counts[event]["exact"], event
	assert counts[15]["exact"] == counts[17]["exact"] > 10000000
	value = {s["label"]: s["value"] for s in report["statistics"]}
	loads = counts[18]["count"] + counts[19]["count"]
	reuse = (loads - counts[25]["count"]) / counts[25]["count"]
	assert abs(value["L1 Cache Line Reuse"] - reuse) < 1e-3 * reuse
	END
}

# Times are counts times costs, statistics are what the manual page says, and
# what has not been counted is not taken for nothing.
@test "-a -x -y on gzip: figures that add up" {
	need_engine
	command -v python3 >/dev/null || skip "no python3"
	seq 40000 >numbers
	perfex -t -o costs
	for size in 100 40000; do
		head -n $size numbers >input
		perfex -a -x -y --exact --json -o report gzip -c input >out.gz
		gzip -dc out.gz | cmp - input
		python3 - $size <<-'END'
		import json, math, sys
		report = json.load(open("report"))
		clock = report["clock_hz"]
		cost = {int(w[0]): [float(x) for x in w[1:4]]
		        for w in map(str.split, open("costs"))
		        if w and w[0].isdigit()}
		n, all = {}, {c["event"]: c for c in report["counts"]}
		for e, c in all.items():
		    if "missing" in c:
		        assert c["count"] is None and "seconds" not in c, c
		        continue
		    n[e] = c["count"]
		    for k, what in enumerate(("typical", "least", "most")):
		        seconds = c["count"] * cost[e][k] / clock
		        # The count is a whole number, the time is not of one.
		        assert abs(c["seconds"][what] - seconds) < 2e-9 + \
		            cost[e][k] / clock, c
		    if c.get("bound") is not None:
		        assert abs(n[e] - c["exact"]) <= c["bound"], c
		s = {x["label"]: x["value"] for x in report["statistics"]}
		def same(label, value):
		    assert math.isclose(s[label], value, rel_tol=1e-2), label
		if sys.argv[1] == "100":
		    # A tick has not come yet: two events were counted.
		    assert set(n) == {0, 16}, n
		    assert s["Graduated instructions/cycle"] is None
		else:
		    assert set(n) == set(range(32))
		    same("Graduated instructions/cycle", n[15] / n[0])
		    same("L1 Cache Line Reuse",
		         (n[18] + n[19] - n[25]) / n[25])
		    same("L1 Data Cache Hit Rate",
		         1 - n[25] / (n[18] + n[19]))
		    same("L2 Data Cache Hit Rate", 1 - n[26] / n[25])
		    same("Time accessing memory/Total time",
		         sum(n[e] * cost[e][0] for e in (18, 19, 25, 26, 23)) /
		         n[0])
		    same("Memory bandwidth used (MB/s, average per process)",
		         (n[26] * 128 + n[7] * 16) / (n[0] / clock) / 1e6)
		END
	done
}

# 2004 instructions at two clocks each, at the least one and at the most four;
# two mispredictions at 9000 come first, and their share of branches is told.
@test "-y: times of chosen events, the most costly first" {
	need_engine
	make_loop
	printf '15 2 1 4\n' >costs
	perfex --cpu r10000 -y -c costs -e 15 -o out ./loop
	same out <<-'END'
	Summary for execution of ./loop
	                       Based on 195 MHz r10000
	                                                                                             Typical      Minimum      Maximum
	   Event Counter Name                                                     Counter Value   Time (sec)   Time (sec)   Time (sec)
	==============================================================================================================================
	15 Graduated instructions............................................              2004     0.000021     0.000010     0.000041
	END
	printf '24 9000 1 9000\n' >>costs
	perfex --cpu r10000 -y -c costs -e 6 -e 24 -o out ./loop
	[ "$(sed -n '6,7s/ [A-Z].*//p' out)" = $'24\n 6' ]
	[ "$(sed -n 9p out)" = Statistics ]
	[ "$(sed -n '11s/[. ][. ]*/ /gp' out)" = "$(awk '
		/^ 6/ { all = $(NF - 3) }
		/^24/ { wrong = $(NF - 3) }
		END { printf "Mispredicted branches/Decoded branches "
		      share = sprintf("%.6f", wrong / all)
		      sub(/\./, " ", share)
		      print share }' out)" ]
}

@test "-p and -mp as text and CSV" {
	need_engine
	make_loop
	perfex_test -p 1000 -e 15 -o out \
		sh -c 'while [ "$((n += 1))" -lt 20000 ]; do :; done'
	[ "$(head -n 1 out)" = \
		"   process        time (ms)   counted so far" ]
	awk '/^Summary/ { exit lines < 3 }
		NR > 1 { lines++
			 if (NF != 3 || $2 <= time || $3 <= n) exit 1
			 time = $2; n = $3 }' out
	perfex --cpu r10000 -mp --csv -e 15 -o out sh -c './loop; ./loop'
	awk -F, 'NF != 16 { exit 1 }
		NR == 2 { all = $3 }
		NR > 2 && $2 ~ /^process [0-9]+$/ { n++; sum += $3 }
		END { exit n != 3 || sum != all }' out
}

@test "revisions of the R10000 differ in two events" {
	need_engine
	make_loop
	run -0 --separate-stderr perfex --cpu r10000v2 -e 6 ./loop
	[[ ${stderr_lines[1]} == " 6 Decoded branches..."* ]]
	[ "$(count 6)" -ge 1000 ]
	run -0 --separate-stderr perfex --cpu r10000v2 -e 14 ./loop
	[[ ${stderr_lines[1]} == "14 Virtual coherency conditions..."*" 0" ]]
	run -0 --separate-stderr perfex --cpu r10000 -e 14 ./loop
	[ "$(count 14)" -gt 500 ]
}

@test "-p: samples of emulated time" {
	need_engine
	command -v python3 >/dev/null || skip "no python3"
	run -0 --separate-stderr perfex_test -p 1000 -e 15 -e 18 --json \
		sh -c 'while [ "$((n += 1))" -lt 20000 ]; do :; done'
	echo "$stderr" >report
	python3 - <<-'END'
	import json
	report = json.load(open("report"))
	samples = report["samples"]
	assert len(samples) > 5
	last, number = {}, {}
	for s in samples:
	    pid = s["pid"]
	    assert last.get(pid, 0) < s["15"] <= report["counts"][0]["count"]
	    assert s["18"] < s["15"]
	    last[pid] = s["15"]
	    # A tick is seen with the block that it falls into.
	    number[pid] = number.get(pid, 0) + 1
	    assert 0 <= s["cycles"] - 1000000 * number[pid] < 5000, s
	END
}

# Ten million instructions, a cycle each, and a sample each thousand.
@test "-p: how many samples there were beyond those that there is room for" {
	need_engine
	make_loop
	sed 's/1000/5000000/' loop.S >long.S
	cc -nostdlib -static -o long long.S
	run -0 --separate-stderr perfex_test -p 1 -o out ./long
	[ "$stderr" = "perfex: note: -p: 1808 more samples are not shown" ]
	[ "$(grep -c '\.000 ' out)" -eq 8192 ]
}

@test "SIGTERM: what has been counted, marked as partial" {
	need_engine
	cat >stop.sh <<-'END'
	# Its parent is perfex's watcher, whose parent is perfex.
	kill -TERM "$(cut -d ' ' -f 4 "/proc/$PPID/stat")"
	while :; do :; done
	END
	run -143 --separate-stderr perfex_test -e 17 sh stop.sh
	[ "$(count 17)" -gt 10000 ]
	[ "${stderr_lines[-1]}" = "partial: the command was stopped" ]
	run -143 --separate-stderr perfex_test -e 17 --json sh stop.sh
	[[ $stderr == *'"status": 143,'*'"partial": true,'* ]]
	run -0 --separate-stderr perfex_test -e 17 --json true
	[[ $stderr == *'"status": 0,'*'"partial": false,'* ]]
}

@test "-s: counts from one signal to another" {
	need_engine
	cat >wait.sh <<-'END'
	# Its parent is perfex's watcher, whose parent is perfex.
	perfex=$(cut -d ' ' -f 4 "/proc/$PPID/stat")
	./loop
	kill -USR1 "$perfex"
	while [ ! -e started ]; do
		./loop
		[ "$((n += 1))" -lt 40 ] || break
	done
	END
	make_loop
	run -0 --separate-stderr perfex_test -s -e 15 ./loop
	[ "$(count 15)" -eq 0 ]
	run -0 --separate-stderr perfex_test -s -e 15 sh wait.sh
	[ "$(count 15)" -gt 2004 ]
}

@test "CSV has a line for each event" {
	need_engine
	make_loop
	run -0 --separate-stderr perfex_test --csv -y -e 15 -e 24 ./loop
	[ "${stderr_lines[0]}" = $'event,label,count,counted,bound,exact,typical_seconds,least_seconds,most_seconds,precision,reason,region,command,cpu,engine,run\r' ]
	[ "${stderr_lines[1]}" = $'15,Graduated instructions,2004,2004,,,0.000000000,0.000000000,0.002004000,exact,,,./loop,irix,'"$engine_name"$',1\r' ]
	[ "${stderr_lines[2]}" = $'24,Mispredicted branches,999,999,,,0.004995000,0.001998000,0.007992000,structural,,,./loop,irix,'"$engine_name"$',1\r' ]
}

@test "libperfex counts between two points of a program" {
	need_engine
	for isa in x86_64 mipsel; do
		cc=cc
		[ $isa = x86_64 ] || cc=$isa-linux-gnu-gcc
		command -v "$cc" "qemu-$isa" >/dev/null || continue
		"$cc" -O1 -static -I"$guest/irix" -o "perfex.$isa" \
			"$PMCSIM_SRCDIR/tests/guest/perfex.c" "$guest"/*.c
		rm -f M
		pmcsim new --cpu "$table" ./M
		# perfex's counters wait for a signal, its own do not.
		run -0 --separate-stderr perfex_test -s "./perfex.$isa"
		[ "$output" = done ]
		run -0 --separate-stderr pmcsim run ./M -- "./perfex.$isa"
		[ "$output" = done ]
		[ "${stderr_lines[3]}" = \
			" 0 Cycles............................................................   1234567890123" ]
		[ "${stderr_lines[5]}" = \
			"26 Secondary data cache misses.......................................         195000000 14430.000000  9360.000000 15990.000000" ]
		export T5_EVENT0=2
		run -1 pmcsim run ./M -- "./perfex.$isa"
		unset T5_EVENT0
		for value in 32 -1 2x " 2" '""'; do
			export T5_EVENT1=${value#'""'}
			run -1 --separate-stderr pmcsim run ./M -- \
				"./perfex.$isa"
			[ "${stderr_lines[0]}" = "libperfex: T5_EVENT1 $value: not a number from 0 to 31" ]
			unset T5_EVENT1
		done
	done
}

@test "libperfex names events as perfex does, and reads the same costs" {
	need_engine
	make_loop
	cat >names.c <<-'END'
		#include <errno.h>
		#include <perfex.h>
		int main(int argc, char **argv)
		{
			if (argc > 1) {
				int result = load_costs(argv[1]);
				if (print_costs(0, 195000000, 16, 0))
					return -errno;
				return -result;
			}
			for (int i = 0; i < 16; i++)
				print_counters(i, 0, i + 16, 0);
			return 0;
		}
	END
	cc -static -I"$guest/irix" -o names names.c "$guest"/*.c
	for cpu in r10000 r10000v2 r12000; do
		rm -f M
		pmcsim new --cpu $cpu ./M
		pmcsim run ./M -- ./names 2>&1 | sed 's/\.\.\..*//' | sort -n >ours
		[ "$(wc -l <ours)" -eq 32 ]
		perfex --cpu $cpu -a ./loop 2>&1 |
			sed -n 's/^\([ 123][0-9] .*\)\.\.\..*/\1/p' |
			sed 's/\.\.*$//' | sort -n >theirs
		same ours <theirs
	done
	# Without such a machine there is no clock.
	printf '0 1 1 1\n' >good
	run -254 --separate-stderr ./names good
	[ -z "$stderr" ]
	rm M
	pmcsim new --cpu r10000 ./M
	# What is wrong with a line is wrong with all of the file.
	for line in "1 2 3" "1.5 1 1 1" "1 1 2 1" "1 -1 1 1" "32 1 1 1"; do
		printf '0 7 7 7\n%s\n' "$line" >bad
		run -1 --separate-stderr pmcsim run ./M -- ./names bad
		[[ ${stderr_lines[0]} == *"0 Cycles"*" 1.000000     1.000000     1.000000" ]]
	done
	printf '0 2.5 2 3 # three\n\n' >good
	run -0 --separate-stderr pmcsim run ./M -- ./names good
	[[ ${stderr_lines[0]} == *"0 Cycles"*" 2.500000     2.000000     3.000000" ]]
}

@test "libperfex is callable from Fortran" {
	need_engine
	command -v gfortran >/dev/null || skip "no gfortran"
	for p in "$build/libpmcsim-client.a" "$build/libperfex.a"; do
		[ -e "$p" ] || skip "not a build folder"
	done
	gfortran -O1 -o count "$PMCSIM_SRCDIR/tests/guest/perfex.f90" \
		"$build/libperfex.a" "$build/libpmcsim-client.a"
	echo "26 1 1 1" >costs.txt
	pmcsim new --cpu "$table" ./M
	run -0 --separate-stderr pmcsim run ./M -- ./count
	[ "${#stderr_lines[@]}" -eq 2 ]
}

@test "processes side by side are projected alike in each run" {
	need_engine
	cat >side.c <<-'END'
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile unsigned sink;
	static void work(unsigned n)
	{
		for (unsigned i = 0; i < n * 1000; i++)
			sink += i % n;
	}
	int main(void)
	{
		pid_t pid[4];

		for (unsigned i = 0; i < 4; i++)
			if (!(pid[i] = fork())) {
				work(1003 - i);
				_exit(0);
			}
		for (unsigned i = 0; i < 4; i++)
			waitpid(pid[i], NULL, 0);
		work(3000);
		if (!fork()) {
			work(1000);
			_exit(0);
		}
		wait(NULL);
		return 0;
	}
	END
	cc -O1 -static -o side side.c || skip "no compiler"
	perfex -a --cpu r10000 -o first ./side
	for i in 1 2 3; do
		perfex -a --cpu r10000 -o again ./side
		cmp first again
	done
}
