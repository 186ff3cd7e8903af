#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# prof's exports for other viewers, as readers that are not ours have them.

load helper
load profiles

need_python() {
	command -v python3 >/dev/null || skip "no python"
}

decode() {
	python3 "$BATS_TEST_DIRNAME/profile/pprof.py" "$1"
}

# Values of all samples of a decoded profile, by type.
sums() {
	awk '$1 == "stack" { for (i = 0; i < n; i++) sum[i] += $(NF - n + 1 + i) }
		$1 == "type" { name[n++] = $2 }
		END { for (i = 0; i < n; i++) print name[i], sum[i] }'
}

# Functions of one name in several files are added up.
by_name() {
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		END { for (s in sum) print s, sum[s] }' | LC_ALL=C sort
}

totals() {
	awk '$1 == "event" { print $2, $5 }' umon.out
}

@test "pprof: all events, builds, and what prof lists" {
	need_python
	need work
	run -7 uprofile -quiet -period 10 retinst cycles0 "$target"
	prof -pprof pb
	decode pb >decoded
	grep -qx "type retinst count" decoded
	grep -qx "period retinst 10" decoded
	sums <decoded >sum
	totals | same sum
	build=$(readelf -n "$target" | sed -n 's/.*Build ID: //p')
	[ -n "$build" ]
	grep -qx "build .*/work $build" decoded
	prof -event cycles0 -folded - | by_name >folded
	awk '$1 == "stack" && $NF { sub(/^stack /, ""); n = $NF
		sub(/ [0-9]+ [0-9]+$/, ""); print $0, n }' decoded | by_name |
		same folded
	# The same bytes each time.
	prof -pprof - | cmp - pb
}

@test "pprof: lines of source" {
	need_python
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -pprof - >pb
	decode pb | sed -n 's/^line //p' | grep '^twice' >lines
	same lines <<-'END'
	twice:16 1
	twice:17 2000
	twice:18 2000
	twice:19 1
	END
	run -1 grep '^period' <(decode pb)
}

@test "pprof: real stacks, as its own reader has them" {
	need_python
	need_engine
	cat >down.c <<-'END'
	static volatile int sink;
	__attribute__((noinline)) void leaf(int n) { while (n--) sink += n; }
	__attribute__((noinline)) void left(void) { leaf(100); sink++; }
	__attribute__((noinline)) void right(void) { leaf(300); sink++; }
	int main(void) { left(); right(); return 0; }
	END
	cc -g -O1 -static -o down down.c || skip "no compiler"
	uprofile -quiet -calls -period 1 retinst ./down
	prof -pprof pb
	decode pb >decoded
	sums <decoded >sum
	totals | same sum
	prof -folded - | by_name >folded
	sed -n 's/^stack //p' decoded | by_name | same folded
	grep -q ';main;left;leaf ' decoded
	command -v go >/dev/null && go tool pprof -h 2>&1 | grep -q -- -raw ||
		skip "no pprof"
	go tool pprof -top -cum pb 2>/dev/null | tee top | grep -q "^Type: retinst"
	grep -q " of $(total retinst) total" top
	prof -inclusive | awk '$NF == "(down.c)" { print $2, $4, $5 }' >ours
	awk '$NF ~ /^(leaf|left|right|main)$/ { print $4, $1, $NF }' top |
		same ours
}

@test "speedscope: its schema, and all events" {
	need_python
	python3 -c 'import jsonschema' 2>/dev/null || skip "no jsonschema"
	need work
	run -7 uprofile -quiet -calls -period 10 retinst cycles0 "$target"
	prof -speedscope s.json -event cycles0
	python3 - s.json "$BATS_TEST_DIRNAME/data/speedscope.json" >sum <<-'END'
	import json, jsonschema, sys
	p, schema = (json.load(open(name)) for name in sys.argv[1:])
	jsonschema.validate(p, schema)
	assert p["profiles"][p["activeProfileIndex"]]["name"] == "cycles0"
	frames = [f["name"] for f in p["shared"]["frames"]]
	for x in p["profiles"]:
	    assert len(x["samples"]) == len(x["weights"])
	    assert sum(x["weights"]) == x["endValue"]
	    print(x["name"], sum(x["weights"]))
	    with open(x["name"], "w") as out:
	        for s, n in zip(x["samples"], x["weights"]):
	            print(";".join(frames[i] for i in s), n, file=out)
	END
	totals | same sum
	for event in retinst cycles0; do
		prof -event $event -folded - | LC_ALL=C sort >folded
		LC_ALL=C sort $event | same folded
	done
}

@test "two exports in one run, and none in one file" {
	need_python
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -pprof pb -speedscope s.json >listing
	[ ! -s listing ]
	decode pb | sums | grep -qx "retinst 6009"
	run -64 prof -pprof x -speedscope x
	[ "$output" = "prof: x: two exports cannot be one file" ]
	run -64 prof -pprof x -only once
	[ ! -e x ]
	run -125 prof -pprof missing/x
	[[ $output == "prof: missing/x: "* ]]
}

@test "all exports have the same totals" {
	need_python
	need work
	run -7 uprofile -quiet -calls -period 7 retinst cycles0 "$target"
	prof -callgrind cg -folded folded -json json -pprof pb \
		-speedscope scope -html page 2>/dev/null
	decode pb | sums >sum
	totals | same sum
	[ "$(sum folded)" -eq "$(total retinst)" ]
	[ "$(awk '/^totals:/ { print $2, $3 }' cg)" = \
		"$(total retinst) $(total cycles0)" ]
	python3 - <<-'END' >sum
	import json, re
	events = ["retinst", "cycles0"]
	p = json.load(open("json"))
	s = json.load(open("scope"))
	html = open("page").read()
	d = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', html,
				 re.S).group(1))["sides"][0]
	for e, name in enumerate(events):
	    rest = p["events"][e]["not_attributed"]
	    assert d["rest"][e] == rest
	    in_json = sum(f["counts"][e] for f in p["functions"]) + rest
	    assert in_json == p["events"][e]["total"] == d["totals"][e]
	    assert sum(d["self"][e]) + rest == in_json
	    assert sum(s["profiles"][e]["weights"]) == in_json
	    # Places without a line are in no source.
	    assert sum(line[3 + e] for line in d["lines"]) <= in_json
	    print(name, in_json)
	END
	totals | same sum
}
