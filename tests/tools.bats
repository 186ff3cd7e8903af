#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What the tools that run a command have in common.

load helper

setup_file() {
	build_threads
}

# The tools, with events that there are and files to write to: OUT.
measuring=(
	"pc_sweep -uip --output OUT"
	"pctr -o OUT -s 0 -u c0"
	"perfex -o OUT -e 17"
	"pfmon --outfile OUT -e ia64_inst_retired"
	"pmcsim stat -o OUT -e instructions"
	"uprofile -quiet"
)

# says NOTE COMMAND...: every tool says so of the command, in one line.
says() {
	local note=$1 tool name words

	shift
	for tool in "${measuring[@]}" "pmcsim run m"; do
		read -ra words <<<"${tool//OUT/counts}"
		[[ $tool != uprofile* ]] || words=(uprofile -exact)
		name=${tool%% -*}
		"${words[@]}" -- "$@" >/dev/null 2>errors
		[ "$(grep note: errors)" = "${name% m}: note: $note" ] || {
			echo "${words[*]}"
			cat errors
			return 1
		}
	done
}

# A machine m that counts.
make_machine() {
	pmcsim new m
	pmcsim write m "1 0x28 0"
}

@test "all tools say when threads did not take turns" {
	need_engine
	needs=$BATS_FILE_TMPDIR/needs
	[ -x "$needs" ] || skip "does not build here"
	make_machine
	says "threads did not take turns while the counters counted; they may count differently another time" "$needs"
	run -0 --separate-stderr uprofile -quiet -- "$needs"
	[ -z "$stderr" ]
}

@test "all tools say which programs could not be emulated" {
	need_engine
	make_loop
	printf '.globl _start\n_start: mov $1, %%eax\n\txor %%ebx, %%ebx\n\tint $0x80\n' >other.S
	# Linux executes what says that it is for an i486, not an i386; QEMU
	# has no emulator of that name.
	cc -m32 -nostdlib -static -o other other.S &&
		printf '\006' | dd of=other bs=1 seek=18 conv=notrunc &&
		./other || skip "no programs of 32 bits"
	make_machine
	says "1 program that the command executed could not be emulated and is not counted" \
		sh -c ./other
	says "2 programs that the command executed could not be emulated and are not counted" \
		sh -c './other; ./other; exit 0'
	# A machine that lasts is not told of what it ran before.
	run -0 --separate-stderr pmcsim run m -- ./loop
	[ -z "$stderr" ]
}

@test "a table for programs that is of a part is said to be one" {
	local stop='read -r _ _ _ tool _ </proc/$PPID/stat; kill $tool; sleep 9'

	need_engine
	for tool in "${measuring[@]}"; do
		[[ $tool != uprofile* ]] || continue
		read -ra words <<<"${tool//OUT/counts} --csv"
		[[ $tool != pc_sweep* ]] || words[1]=-ui
		[[ $tool != pmcsim* ]] || words=("${words[@]/--csv/-x,}")
		run -143 "${words[@]}" -- sh -c "$stop"
		[ "${lines[-1]}" = "${tool%% -*}: note: partial: stopped before the end, figures are too low or missing" ]
		run -0 "${words[@]}" -- true
		[ -z "$output" ]
	done
	# Its parent watches it.
	run -143 pfmon --csv --outfile counts -- sh -c 'kill $PPID; sleep 9'
	[ "$output" = "pfmon: note: partial: stopped before the end, figures are too low or missing" ]
}

@test "a file that cannot be written is told before the command runs" {
	for tool in "${measuring[@]}"; do
		[[ $tool != uprofile* ]] || continue
		read -ra words <<<"${tool//OUT/nowhere/counts}"
		run -125 "${words[@]}" -- touch ran
		[ "$output" = "${tool%% -*}: nowhere/counts: No such file or directory" ]
	done
	run -125 uprofile -dirname nowhere -- touch ran
	[ "$output" = "uprofile: nowhere/umon.out: No such file or directory" ]
	run -125 uprofile -dirname "" -- touch ran
	[ "$output" = 'uprofile: "": No such file or directory' ]
	run -125 pctr -o "" -- touch ran
	[ "$output" = 'pctr: "": No such file or directory' ]
	run -125 pctr -o . -- touch ran
	[ "$output" = "pctr: .: Is a directory" ]
	[ ! -e ran ]
}

@test "standard streams that are closed stay so, for the target too" {
	need_engine
	make_loop
	status=0
	pc_sweep -ui ./loop 2>errors >&- || status=$?
	[ "$status" = 125 ]
	[ "$(cat errors)" = "pc_sweep: standard output: Bad file descriptor" ]
	pc_sweep -uip sh -c 'cat; echo $?' >counts 2>errors <&-
	[ "$(cat errors)" = "cat: -: Bad file descriptor" ]
	grep -qx 1 counts
}

@test "a device that is full, and a file that stays as it was" {
	need_no_coverage
	need_engine
	make_loop
	run -125 pc_sweep -u --all --once --json --output /dev/full ./loop
	[ "$output" = "pc_sweep: /dev/full: No space left on device" ]
	for tool in "${measuring[@]}"; do
		[[ $tool != uprofile* ]] || continue
		read -ra words <<<"${tool//OUT//dev/full}"
		run -125 "${words[@]}" -- ./loop
		[ "$output" = "${tool%% -*}: /dev/full: No space left on device" ]
		echo before >kept
		chmod 640 kept
		read -ra words <<<"${tool//OUT/kept}"
		(ulimit -f 0; trap '' XFSZ; ! "${words[@]}" -- ./loop 2>errors)
		[ "$(cat kept)" = before ]
		"${words[@]}" -- ./loop
		[ "$(grep -c before kept)" = 0 ]
		[ "$(stat -c %a kept)" = 640 ]
		[ "$(ls -d kept*)" = kept ]
	done
}

@test "a clock that is the same in every run" {
	need_engine
	for tool in "${measuring[@]}"; do
		read -ra words <<<"${tool//OUT/counts}"
		read -ra name <<<"${tool%% -*}"
		words=("${words[@]:${#name[@]}}") dashes=--
		[ "${name[0]}" != uprofile ] || dashes=-
		run -0 "${name[@]}" ${dashes}clock machine "${words[@]}" \
			date -u +%FT%T
		[ "${lines[0]}" = 2000-01-01T00:00:00 ]
		run -64 --separate-stderr "${name[@]}" ${dashes}clock host \
			"${words[@]}" true
		[ "$stderr" = "${name[*]}: ${dashes}clock host: only \"machine\" is known" ]
	done
	pmcsim new --cpu p6 lasting
	run -64 --separate-stderr pctr --machine lasting --clock machine true
	[ "$stderr" = "pctr: --clock is for a command; a machine that lasts has its own" ]
}

# refuse SENTENCE: all that run a command end with it, status 125, before that.
refuse() {
	local tool words

	for tool in "${measuring[@]}"; do
		read -ra words <<<"${tool//OUT/counts}"
		run -125 --separate-stderr "${before[@]}" "${words[@]}" \
			touch ran
		[ "$stderr" = "${tool%% -*}: $1" ]
		[ -z "$output" ]
		[ ! -e ran ]
	done
}

@test "a limit of file sizes that leaves no room" {
	need_no_coverage
	before=(bash -c 'ulimit -f 1; exec "$@"' bash)
	refuse "the limit of file sizes (ulimit -f) leaves no room for counts"
}

@test "a small stack is enough" {
	need_engine
	make_loop
	small() (
		ulimit -s 80
		"$@"
	)
	for tool in "${measuring[@]}" "pc_sweep -u --all --once --json"; do
		read -ra words <<<"${tool//OUT/counts}"
		small "${words[@]}" -- ./loop >few
		"${words[@]}" -- ./loop >many
		cmp few many
	done
	seq 10000 >numbers
	small pc_sweep -ui --keep-input cat <numbers | head -n 10000 | cmp - numbers
	small pc_sweep -ui --append counts ./loop
	small pmcsim new m
	small pmcsim write m "1 0x28 0"
	small pmcsim run m -- sh -c 'cat /proc/perf; ./loop; cat /proc/perf'
	small pmcsim cat m >few
	[ "$(cat few)" = "$(pmcsim cat m)" ]
}

@test "a /proc of other processes" {
	unshare -rpf true || skip "no namespaces"
	before=(unshare -rpf)
	refuse "/proc does not show the processes of this PID namespace"
}

@test "a folder that is gone" {
	mkdir gone
	cd gone
	rmdir ../gone
	run -125 --separate-stderr uprofile touch "$BATS_TEST_TMPDIR/ran"
	[[ $stderr == *"uprofile: umon.out: No such file or directory" ]]
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "events by the names that are printed, and by those of Linux" {
	need_engine
	make_loop
	pc_sweep -u -e "D-cache writebacks,cycles,INSTRUCTIONS" --json ./loop >names
	pc_sweep -u --evens "0 1" --odds 10 --json ./loop | cmp - names
	pc_sweep -u --evens CYCLES,instructions --odds DCACHE_WRITEBACKS \
		--json ./loop | cmp - names
	perfex -e cycles -e "graduated stores" --json -o names ./loop
	perfex -e 0 -e 19 --json -o numbers ./loop
	cmp names numbers
	pctr --cpu p6 --json -s 0 instructions -s 1 BR_MISS_PRED_RETIRED \
		./loop 2>names
	pctr --cpu p6 --json -s 0 c0 -s 1 c5 ./loop 2>numbers
	cmp names numbers
	pctr --cpu p6 --json -s 0 uops_retired+1 ./loop 2>names
	pctr --cpu p6 --json -s 0 c2+1 ./loop 2>numbers
	cmp names numbers
	pfmon --json -e cycles ./loop >names
	pfmon --json -e cpu_cycles ./loop >numbers
	cmp names numbers
	run -64 perfex -e instructions true
	[ "$output" = 'perfex: -e instructions: no event of that name that a counter of r10000 counts; "pmcsim list r10000" lists them' ]
	run -1 pfmon -e context-switches true
	[ "$output" = "pfmon: event context-switches not found" ]
}
