#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim stat --multiplex: events, and groups of them, take turns.

load helper

refused() {
	refuses "pmcsim stat" "$@"
}

# by_hand GROUPS FIT: what events count in turns, worked out in another way, from
# what -I prints, in "intervals":
# GROUPS has the number of each one's group, and FIT how many count at once in a
# turn that begins with the first, with the second...
by_hand() {
	awk -F, -v groups="$1" -v fit="$2" '
		BEGIN { events = split(groups, group, " ")
			n = split(fit, fits, " ") }
		{ turn = int((NR - 1) / events); e = (NR - 1) % events
		name[e] = $4
		if ((group[e + 1] - turn % n + n) % n < fits[turn % n + 1]) {
			count[e] += $2; time[e] += $1 - at }
		if (e == events - 1) at = $1 }
		END { for (e = 0; e < events; e++) printf "%s %.0f %.2f\n",
			name[e], count[e] * at / time[e], 100 * time[e] / at }' \
		intervals
}

# same_turns: "turns" has what stands in "naive"; the ends of intervals are
# printed to the nanosecond.
same_turns() {
	awk -F, '{ printf "%s %.0f %.2f\n", $3, $1, $5 }' turns >ours
	[ "$(wc -l <naive)" -ge 3 ]
	paste -d ' ' naive ours | awk '{ if ($1 != $4 || $2 > $5 * 1.00001 ||
		$5 > $2 * 1.00001 || $3 - $6 > .01 || $6 - $3 > .01) print }' >bad
	same bad </dev/null
}

@test "events in turns: what the counters would say, and by how much it is wrong" {
	need_engine
	make_phases 300
	events=instructions,branches,L1-dcache-stores,cycles
	pmcsim stat --cpu p6 -I 1 -x, -o intervals -e $events ./phases
	pmcsim stat --cpu p6 -x, -o exact -e $events ./phases
	pmcsim stat --cpu p6 --mux-interval 1 -x, -o turns -e $events ./phases
	[ "$(wc -l <intervals)" -ge 60 ]
	by_hand "0 1 2 3" "2 2 2 2" >naive
	same_turns
	# Stores are in a phase of their own.
	pmcsim stat --cpu p6 --mux-interval 1 -j -o turns -e $events ./phases
	for event in instructions L1-dcache-stores; do
		n=$(awk -F, -v e=$event '$3 == e { print $1 }' exact)
		grep "\"event\" : \"$event\"" turns | grep -q "\"exact\" : $n, "
	done
}

@test "groups in turns: all of their events or none, beside fixed counters" {
	need_engine
	make_phases 6000
	# Two, two and one of four counters, as cycles and instructions have
	# their own: two groups at once.  With no fixed ones it would be one.
	flat=cycles,branches,L1-dcache-stores,instructions,L1-dcache-loads,L1-icache-loads,branch-misses
	groups={cycles,branches,L1-dcache-stores},{instructions,L1-dcache-loads,L1-icache-loads},branch-misses
	run_with="--cpu skylake -x,"
	pmcsim stat $run_with -I 1 -o intervals -e $flat ./phases
	pmcsim stat $run_with --mux-interval 1 -o turns -e "$groups" ./phases
	[ "$(wc -l <intervals)" -ge 60 ]
	by_hand "0 0 0 1 1 1 2" "2 2 2" >naive
	same_turns
	# Each for itself: those that need the four, up to the fifth of these.
	pmcsim stat $run_with --mux-interval 1 -o turns -e $flat ./phases
	by_hand "0 1 2 3 4 5 6" "6 5 6 6 5 6 6" >naive
	same_turns
}

@test "groups in turns: too large ones never count, and what the system counts needs none" {
	need_engine
	make_loop
	parts() {
		pmcsim stat --multiplex --cpu "$1" -x, -o turns -e "$2" ./loop
		cut -d, -f3,5 turns
	}
	# One turn is all that there is time for.
	parts skylake '{branches,branch-misses,L1-dcache-loads,LLC-loads,L1-icache-loads},cycles' >out
	same out <<-'END'
	branches,0.00
	branch-misses,0.00
	L1-dcache-loads,0.00
	LLC-loads,0.00
	L1-icache-loads,0.00
	cycles,100.00
	END
	run --separate-stderr -0 pmcsim stat --multiplex --cpu skylake -o turns \
		-e '{branches,branch-misses,L1-dcache-loads,LLC-loads,L1-icache-loads},cycles' ./loop
	[ "$stderr" = "pmcsim stat: note: {branches,branch-misses,L1-dcache-loads,LLC-loads,L1-icache-loads} never counts: skylake has not the counters for all of it at once" ]
	# The operating system's have turns with their group.
	parts u74 '{branches,branch-misses},{L1-dcache-loads,page-faults},page-faults,{page-faults,syscalls}' >out
	same out <<-'END'
	branches,100.00
	branch-misses,100.00
	L1-dcache-loads,0.00
	page-faults,0.00
	page-faults,100.00
	page-faults,100.00
	syscalls,100.00
	END
	# Fixed counters are one of a kind: where only they count it, one at a time.
	parts u74 '{cycles,instructions,branches,branch-misses},cycles' >out
	same out <<-'END'
	cycles,100.00
	instructions,100.00
	branches,100.00
	branch-misses,100.00
	cycles,0.00
	END
	parts skylake '{ref-cycles,ref-cycles},{cycles,cycles,cycles,cycles,cycles}' >out
	same out <<-'END'
	ref-cycles,0.00
	ref-cycles,0.00
	cycles,100.00
	cycles,100.00
	cycles,100.00
	cycles,100.00
	cycles,100.00
	END
	parts zen3 '{cycles,instructions,branches,branch-misses,L1-dcache-loads,L1-icache-loads},ref-cycles' >out
	[ "$(grep -c ',100.00$' out)" -eq 6 ]
	parts cortex-a53 '{cycles,instructions,branches,branch-misses,L1-dcache-loads,L1-icache-loads,LLC-loads},cycles' >out
	[ "$(grep -c ',100.00$' out)" -eq 7 ]
}

@test "events in turns: there are counters enough, or not the time" {
	need_engine
	make_loop
	pmcsim stat --multiplex -x, -o turns -e cycles,instructions,page-faults ./loop
	pmcsim stat -x, -o exact -e cycles,instructions,page-faults ./loop
	same turns <exact
	pmcsim stat --multiplex --cpu p6 -x, -o turns \
		-e cycles,instructions,branches,page-faults ./loop
	same <(cut -d, -f1,3-5 turns) <<-END
	$(pmcsim stat --cpu p6 -x, -e cycles:u ./loop 2>&1 | cut -d, -f1),cycles,$(cut -d, -f4 turns | head -n 1),100.00
	2004,instructions,$(cut -d, -f4 turns | head -n 1),100.00
	<not counted>,branches,0,0.00
	1,page-faults,$(cut -d, -f4 turns | head -n 1),100.00
	END
	pmcsim stat --multiplex --cpu p6 -o turns -e cycles,instructions,branches ./loop
	grep -q '<not counted>      branches$' turns
	refused 64 "--multiplex is for one run on one processor, all of it, and events" --multiplex -r 2 true
	refused 64 "-e branches:k: --multiplex counts user mode only" --multiplex -e branches:k true
	refused 64 "--multiplex: --csv and --markdown have no place for errors" --multiplex --csv true
}

@test "what is pinned takes no turns" {
	need_engine
	make_phases 300
	# One of two counters is left for the others.
	flat=instructions,branches,L1-dcache-stores,cycles
	pmcsim stat --cpu p6 -I 1 -x, -o intervals -e $flat ./phases
	pmcsim stat --cpu p6 --mux-interval 1 -x, -o turns \
		-e instructions,branches,L1-dcache-stores,cycles:D ./phases
	[ "$(awk -F, '$3 == "cycles:D" { print $5 }' turns)" = 100.00 ]
	sed -i '/,cycles,/d' intervals
	sed -i '/,cycles:D,/d' turns
	by_hand "0 1 2" "1 1 1" >naive
	same_turns
	# A pinned group that has no room never counts; the others do without it.
	pmcsim stat --cpu p6 --multiplex -x, -o turns \
		-e 'branches:D,{cycles,instructions}:uD,L1-dcache-stores' ./phases
	same <(cut -d, -f3,5 turns) <<-'END'
	branches:D,100.00
	cycles:uD,0.00
	instructions:uD,0.00
	L1-dcache-stores,100.00
	END
	run --separate-stderr -0 pmcsim stat --cpu p6 --multiplex -o turns \
		-e 'branches:D,{cycles,instructions}:uD,L1-dcache-stores' ./phases
	[ "$stderr" = "pmcsim stat: note: {cycles:uD,instructions:uD} never counts: p6 has not the counters for all of it at once, beside what is pinned before it" ]
	refused 64 "-e cycles:: nothing behind the colon" -e cycles: ./phases
}
