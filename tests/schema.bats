#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What tools write as JSON is what the schemas that are installed describe.

load helper

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
	python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null ||
		skip "no python3-jsonschema"
	cat >validate.py <<-'END'
		"""validate.py SCHEMA FILE...: with each field described."""
		import json, sys
		from jsonschema import Draft202012Validator

		def close(s):
		    if isinstance(s, list):
		        for each in s:
		            close(each)
		    elif isinstance(s, dict):
		        if s.get("type") == "object" and "properties" in s:
		            s["additionalProperties"] = False
		        for each in s.values():
		            close(each)

		schema = json.load(open(sys.argv[1]))
		Draft202012Validator.check_schema(schema)
		close(schema)
		validator = Draft202012Validator(schema)
		for path in sys.argv[2:]:
		    text = open(path).read()
		    lines = text.splitlines() if "stat" in path else [text]
		    assert lines, path
		    for line in lines:
		        for error in validator.iter_errors(json.loads(line)):
		            sys.exit(f"{path}: {error.json_path}: {error.message}")
	END
}

# valid NAME FILE...
valid() {
	python3 validate.py "$PMCSIM_SRCDIR/schema/pmcsim-$1.v1.json" "${@:2}"
}

@test "lists: CPUs, events of each of them" {
	pmcsim list --json >list
	valid list list
	for cpu in $(pmcsim list --names); do
		pmcsim list --json "$cpu" >"list.$cpu"
	done
	valid list list.*
}

@test "counts of each tool, with what options add" {
	need_engine
	make_loop
	pc_sweep -u --all --modes --once --json --output all ./loop
	pc_sweep -ui --repeat 3 --json --output repeat ./loop
	pc_sweep -ui --balance --json --output balance ./loop
	pc_sweep -uic ./loop | pc_parse --json >parsed
	valid sweep all repeat balance parsed
	for cpu in p5 p6; do
		pctr --cpu $cpu --json -s 0 -ku 0 -o pctr.$cpu -- ./loop
	done
	pctr --cpu p6 --json -o pctr.last -s 0 -u 79 -- ./loop
	valid pctr pctr.*
	perfex -a --exact -y --json -o perfex.all ./loop
	perfex -mp -k -e 0 -e 31 --json -o perfex.mp sh -c './loop; ./loop'
	perfex -p 1 -x -e 9 --json -o perfex.period ./loop
	valid perfex perfex.*
	pfmon -ku --json -e CPU_CYCLES,IA64_INST_RETIRED -e L2_MISSES \
		--outfile pfmon ./loop
	valid pfmon pfmon
	pmcsim stat -d -d -j -o stat.d ./loop
	pmcsim stat -r 3 --cpu skylake,p6 -j -o stat.r ./loop
	pmcsim stat -I 1 -j -o stat.i ./loop
	pmcsim stat --topdown -j -o stat.topdown ./loop
	pmcsim stat -I 1 --summary -j -o stat.summary ./loop
	pmcsim stat --per-thread -j -o stat.threads ./loop
	pmcsim stat -D 5 -j -o stat.none ./loop
	pmcsim stat --no-time -j -o stat.untimed ./loop
	pmcsim stat --multiplex --cpu p6 -j -o stat.turns \
		-e '{cycles,branches},instructions:D,cpu/event=0xc0,name=n/' ./loop
	! (need_native) >/dev/null ||
		pmcsim stat --engine native --sampled 2,1000,1000 -j -o stat.sampled ./loop
	valid stat stat.*
	pc_sweep -a --cpus p5,ev6,mips34k --json --output sides ./loop
	grep -q null sides
	valid sides sides
}

@test "a study's table, and its history" {
	need_engine
	make_loop
	printf '%s\n' 'command: [./loop, "{x}"]' 'parameters:' '  - name: x' \
		'    values: [a, "é\""]' 'cpus: [p6]' 'events: [cycles, major-faults]' >s.yaml
	pmcsim study run s.yaml
	pmcsim study table --json -o table s.yaml
	pmcsim study history --json --value cycles -o history s.results
	valid study table history
}

@test "with the native engine, and a run that was stopped" {
	need_native
	make_loop
	pc_sweep -ui --engine native --json --output native ./loop
	grep -q '"engine":"native"' native
	run -143 pc_sweep -ui --engine native --json --output partial \
		sh -c 'read -r _ _ _ tool _ </proc/$PPID/stat; kill $tool; sleep 9'
	grep -q '"partial":true' partial
	valid sweep native partial
}

@test "profiles" {
	need_engine
	make_loop
	uprofile -quiet retinst ./loop
	prof -json prof.json
	valid prof prof.json
	cat >regions.c <<-'END'
		#include <pmcsim/region.h>
		int main(void)
		{
			for (int i = 0; i < 3; i++) {
				PMCSIM_REGION_BEGIN("one");
				PMCSIM_REGION_BEGIN("two");
				PMCSIM_REGION_END("two");
				PMCSIM_REGION_END("one");
			}
		}
	END
	cc -I"$PMCSIM_SRCDIR/simulator/guest" -o regions regions.c
	uprofile -quiet -cpu ev67 cycles retinst delay -- ./regions
	prof -json all.json
	uprofile -quiet -exact -region two -- ./regions
	prof -json one.json
	valid prof all.json one.json
	grep -q '"regions": \[' all.json
	grep -q '"value": null, "precision": null, "reason": "of sampled instructions"' all.json
	grep -q '"region": {"name": "two", "entries": 3, ' one.json
}

@test "what is not as described is told" {
	printf '{"schema":"pmcsim-list/1","cpus":["p6",7]}' >seven
	run -1 valid list seven
	[[ $output == seven:* ]]
	printf '{"schema":"pmcsim-list/2","cpus":["p6"]}' >two
	run -1 valid list two
	printf '{"schema":"pmcsim-list/1","cpus":["p6"],"more":1}' >more
	run -1 valid list more
}

@test "all of them are installed" {
	grep -o 'schema/pmcsim-[a-z]*.v1.json' "$PMCSIM_SRCDIR/schema/files.mk" |
		sort >listed
	(cd "$PMCSIM_SRCDIR" && ls schema/*.json) | diff - listed
	[ "$(wc -l <listed)" = 10 ]
}

@test "counts have the same fields in the reports of all tools" {
	need_engine
	make_loop
	pc_sweep -ui --json ./loop >pc_sweep
	perfex -a --json ./loop 2>perfex
	pctr --json -s 0 c0 ./loop 2>pctr
	pfmon --json ./loop >pfmon
	uprofile -quiet -exact ./loop
	prof -json prof
	pmcsim stat -j -o stat -e instructions,bus-cycles ./loop
	python3 - "$PMCSIM_SRCDIR/schema/pmcsim-counts.v1.json" <<-'END'
		import json, os, sys
		from jsonschema import Draft202012Validator

		schema = json.load(open(sys.argv[1]))
		Draft202012Validator.check_schema(schema)
		for tool in "pc_sweep", "perfex", "pctr", "pfmon", "prof":
		    report = json.load(open(tool))
		    Draft202012Validator(schema).validate(report)
		    if tool != "prof":  # which need not be where it was recorded
		        assert report["engine"] == os.environ["engine_name"], tool
		    assert report["counts"], tool
		count = Draft202012Validator(schema["$defs"]["count"])
		lines = [json.loads(line) for line in open("stat")]
		for line in lines:
		    count.validate(line)
		assert [line["value"] for line in lines] == [2004, None]
	END
}
