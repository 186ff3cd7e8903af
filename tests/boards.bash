# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that test runs with a kernel, on the board that $board names.

# Expects the statuses of run in the list expect.
measure() {
	run "${expect[@]}" --separate-stderr pc_sweep --system "$board" \
		--modes --odds 1 --once -p -- "$@"
}

# The count of the mode in the table that measure has printed: U, K, E.
count() {
	awk -v mode="[$1]" '$1 == mode && /instructions/ {
		sub(/.*instructions: */, ""); print $1 }' <<<"$output"
}

# Whether $1 is within $3 thousandths of $2.
near() {
	local difference=$(($1 - $2))

	echo "$1 and $2" >&2
	[ $((${difference#-} * 1000)) -le $(($2 * $3)) ]
}
