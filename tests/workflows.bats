#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The workflow files of examples/ci: their steps, as the services would run them,
# in a repository whose program executes more on a branch.

load helper

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
	need_engine
	command -v git >/dev/null || skip "no git"
	python3 -c 'import yaml' 2>/dev/null || skip "no python3-yaml"
	make_repository
	# What installs, and what sends counts away, is not tried.
	mkdir bin
	printf '#!/bin/sh\n' | tee bin/apt-get >bin/curl
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" >bencher.said\n' >bin/bencher
	chmod +x bin/*
	export PATH=$PWD/bin:$PATH
}

# commit WORDS: of the clone's whole state.
commit() {
	git add -A
	git -c user.name=a -c user.email=a@localhost commit -qm "$1"
}

# Branches main, less and more: a loop of 1000, with 2 and 200 instructions more.
make_repository() {
	git init -q --bare -b main origin
	git clone -q origin clone 2>/dev/null
	cd clone
	git checkout -q -b main
	make_loop || skip "no compiler"
	rm -f loop
	printf 'loop: loop.S\n\tcc -nostdlib -static -o $@ $<\n' >Makefile
	cat >bench.yaml <<-'END'
	command: [./loop]
	cpus: [p6, mips34k]
	events: [instructions, branches]
	END
	commit main
	git push -q origin main
	for branch in less more; do
		git checkout -q -b $branch main
		[ $branch = less ] && n=2 || n=200
		sed -i "s/mov \$60/.rept $n; nop; .endr; mov \$60/" loop.S
		commit $branch
	done
	git fetch -q
	cd ..
}

# steps FILE JOB EVENT: the commands of a job, of GitHub's steps those for that
# event.
steps() {
	python3 - "$PMCSIM_SRCDIR/examples/ci/$1.yaml" "$2" "${3-}" <<-'END'
	import sys, yaml
	file, job, event = sys.argv[1:]
	w = yaml.safe_load(open(file))
	if "jobs" in w:
	    for step in w["jobs"][job]["steps"]:
	        if "run" in step and f"'{event}'" in step.get("if", f"'{event}'"):
	            print(step["run"])
	else:
	    print("\n".join(w[job]["script"]))
	END
}

@test "GitHub: a pull request passes within the limit, fails beyond it" {
	steps github counts pull_request >steps
	grep -q 'study compare' steps
	run -1 grep -q 'study export' steps
	export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$PWD/summary
	cd clone
	for branch in less more; do
		git checkout -q $branch
		rm -rf counts "$GITHUB_STEP_SUMMARY"
		GITHUB_SHA=$(git rev-parse HEAD) bash -e ../steps >../$branch 2>&1 &&
			status=0 || status=$?
		[ "$branch $status" = "less 0" ] || [ "$branch $status" = "more 1" ]
	done
	grep -q 'instructions (cpu p6), from 2004 to 2204, is beyond the limit' ../more
	grep -q '| 2,*004 | 2,*204 |' "$GITHUB_STEP_SUMMARY"
}

@test "GitHub: a push leaves what github-action-benchmark reads" {
	steps github counts push >steps
	cd clone
	git checkout -q main
	bash -e ../steps
	# What the action is told is what the file is for.
	python3 - "$PMCSIM_SRCDIR/examples/ci/github.yaml" <<-'END'
	import json, sys, yaml
	counts = {c["name"]: c["value"] for c in json.load(open("counts.json"))}
	assert counts["cpu p6: instructions"] == 2004
	steps = yaml.safe_load(open(sys.argv[1]))["jobs"]["counts"]["steps"]
	[step] = [s for s in steps if "github-action-benchmark" in s.get("uses", "")]
	assert step["with"]["output-file-path"] == "counts.json"
	assert step["with"]["tool"] == "customSmallerIsBetter"
	END
}

@test "GitLab: a merge request passes within the limit, fails beyond it" {
	steps gitlab counts >steps
	export CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
	cd clone
	for branch in less more; do
		git checkout -q $branch
		rm -rf ./*.counts
		CI_COMMIT_SHA=$(git rev-parse HEAD) bash -eo pipefail ../steps \
			>../$branch 2>&1 && status=0 || status=$?
		[ "$branch $status" = "less 0" ] || [ "$branch $status" = "more 1" ]
		[ "$(grep -c instructions counts.md)" = 2 ]
	done
}

@test "GitLab: the default branch leaves exports, and a history of commits" {
	command -v gnuplot >/dev/null || skip "no gnuplot"
	steps gitlab history >steps
	export CI_COMMIT_BRANCH=main BENCHER_PROJECT=loop BENCHER_API_TOKEN=token
	cd clone
	for branch in main more; do
		git checkout -q $branch
		CI_COMMIT_SHA=$(git rev-parse HEAD) bash -eo pipefail ../steps
	done
	python3 - <<-'END'
	import json
	bencher = json.load(open("bencher.json"))
	assert bencher["cpu p6"] == {"instructions": {"value": 2204}}
	[p6] = [r for r in json.load(open("hyperfine.json"))["results"]
	        if r["parameters"]["cpu"] == "p6"]
	assert p6["mean"] == 2204
	END
	# Both commits, the older one first.
	[ "$(grep -oE '[0-9a-f]{40}' history.svg | xargs)" = \
		"$(git log --reverse --format=%H | xargs)" ]
	grep -qx bencher.json bencher.said
}
