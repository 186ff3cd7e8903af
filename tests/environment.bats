#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --env: which variables a command starts with.

load helper

setup_file() {
	cat >"$BATS_FILE_TMPDIR/sum.c" <<-'END'
		/* Looks at each byte of its environment; prints nothing. */
		int main(int argc, char **argv, char **env)
		{
			int sum = argc;

			(void)argv;
			for (; *env; env++)
				for (char *c = *env; *c; c++)
					sum += *c;
			return sum == 42;
		}
	END
	cc -O1 -static -o "$BATS_FILE_TMPDIR/sum" "$BATS_FILE_TMPDIR/sum.c" ||
		rm -f "$BATS_FILE_TMPDIR/sum"
}

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
	need_engine
	sum=$BATS_FILE_TMPDIR/sum
	[ -x "$sum" ] || skip "no compiler"
}

# The tools that run a command, with dashes before env.
tools=(
	"pc_sweep -ui --output OUT --env"
	"perfex -o OUT --env"
	"pctr -o OUT -s 0 -u c0 --env"
	"pfmon --outfile OUT --env"
	"pmcsim stat -o OUT --env"
	"uprofile -quiet -env"
)

@test "clean: a short path and a language, whatever the caller has" {
	for tool in "${tools[@]}"; do
		read -ra words <<<"${tool//OUT/counts}"
		run -0 --separate-stderr env FAR=1 "${words[@]}" clean env
		[ "$output" = $'PATH=/usr/local/bin:/usr/bin:/bin\nLC_ALL=C.UTF-8' ]
	done
	pmcsim new m
	run -0 env FAR=1 pmcsim run --env clean m env
	[ "$output" = $'PATH=/usr/local/bin:/usr/bin:/bin\nLC_ALL=C.UTF-8' ]
}

@test "more variables: the caller's, or with a value; the last one counts" {
	run -0 env FAR=1 NEAR= pc_sweep -ui --output counts --env NEAR \
		--env A=1 --env clean --env FAR --env A=2=3 --env GONE \
		--env LC_ALL=C env
	[ "$output" = "$(printf '%s\n' PATH=/usr/local/bin:/usr/bin:/bin \
		LC_ALL=C NEAR= A=2=3 FAR=1)" ]
	env -i PATH="$PATH" PMCSIM_EVENTS="$PMCSIM_EVENTS" \
		PMCSIM_PLUGIN="$PMCSIM_PLUGIN" B=1 C=2 \
		pc_sweep -ui --output counts --env B=3 --env D=4 env >out
	diff -u - <(grep '^[BCD]=' out | sort) <<-'END'
	B=3
	C=2
	D=4
	END
}

@test "what is no variable" {
	run -64 --separate-stderr pc_sweep --env =1 -ui true
	[ "$stderr" = 'pc_sweep: --env "=1": neither clean nor NAME[=VALUE]' ]
	run -64 --separate-stderr uprofile -env "" true
	[ "$stderr" = 'uprofile: -env "": neither clean nor NAME[=VALUE]' ]
}

# count ASSIGNMENT...: instructions with that environment of the caller's.
count() {
	env "$@" pc_sweep -u --odds 1 --csv "${clean[@]}" "$sum" |
		awk -F, '$7 == "INSTRUCTIONS" { print $9 }'
}

@test "the environment is part of the count, but for --env clean" {
	clean=()
	short=$(count LONG=1)
	[ "$(count LONG=1234567)" -gt "$short" ]
	clean=(--env clean)
	short=$(count LONG=1)
	[ "$(count LONG=1234567)" = "$short" ]
	need_native
	[ "$(count LONG=1 PMCSIM_ENGINE=native)" = \
	  "$(count LONG=1234567 PMCSIM_ENGINE=native)" ]
}

# hash TOOL WORD...: that of the report in JSON.
hash() {
	env -u _ "$@" 2>&1 | sed -n 's/.*"environment" *: *"\([0-9a-f]*\)".*/\1/p'
}

@test "reports carry a hash of it, the same for all tools" {
	first=$(hash A=1 pc_sweep -ui --json --env clean "$sum")
	[ "$first" = "$(printf 'PATH=/usr/local/bin:/usr/bin:/bin\0LC_ALL=C.UTF-8\0' |
		sha256sum | head -c 16)" ]
	[ "$first" = "$(hash B=2 pfmon --json --env clean "$sum")" ]
	[ "$first" = "$(hash pctr --json --env clean -s 0 -u 79 -- "$sum")" ]
	[ "$first" = "$(hash perfex --json --env clean "$sum")" ]
	[ "$first" = "$(hash pmcsim stat -e cycles -j --env clean "$sum")" ]
	[ "$first" != "$(hash pc_sweep -ui --json --env clean --env A=1 "$sum")" ]
	[ "$(hash A=1 pc_sweep -ui --json "$sum")" != \
	  "$(hash A=2 pc_sweep -ui --json "$sum")" ]
}

@test "compare tells that only the environment differs" {
	A=1 pc_sweep -ui --json --output a.json "$sum"
	A=12345 pc_sweep -ui --json --output b.json "$sum"
	run -0 --separate-stderr pmcsim compare a.json b.json
	[[ $stderr == "pmcsim compare: note: the command is the same, its environment is not"* ]]
	A=1 pc_sweep -ui --json --env clean --output a.json "$sum"
	A=12345 pc_sweep -ui --json --env clean --output b.json "$sum"
	cmp a.json b.json
	run -0 --separate-stderr pmcsim compare --limit 0 a.json b.json
	[ -z "$stderr" ]
}
