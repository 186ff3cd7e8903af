# SPDX-License-Identifier: GPL-2.0-or-later
# Every number of a machine at its ends: what a table may say, works.

load helper

table=$BATS_TEST_DIRNAME/data/tables/small.yaml

# The places of the machine's numbers in the table: line, column, length.
numbers() {
	awk '/^[a-z]/ { machine = $1 == "machine:" }
	machine { rest = $0; column = 1
		while (match(rest, /: *(0x)?[0-9a-f]*[0-9]/)) {
			field = substr(rest, RSTART, RLENGTH)
			sub(/^: */, "", field)
			print NR, column + RSTART + RLENGTH - 1 - \
				length(field), length(field)
			column += RSTART + RLENGTH - 1
			rest = substr(rest, RSTART + RLENGTH)
		} }' "$table"
}

# The table with a number for the one at that place, in edited.yaml.
edit() {
	awk -v line="$1" -v column="$2" -v long="$3" -v x="$4" \
		'NR == line { $0 = substr($0, 1, column - 1) x \
			substr($0, column + long) } 1' "$table" >edited.yaml
}

# A machine with the number at that place runs the loop, or is refused with
# the line, or the one of another number that it does not go with.
works() {
	edit "$@"
	if ! pmcsim check edited.yaml >/dev/null 2>message; then
		grep -Eq '^pmcsim check: edited\.yaml:[0-9]+: .' message
		return
	fi
	pc_sweep -u --cpu edited.yaml --odds 1 ./loop >counts 2>&1 &&
		grep -q 'Cnt : 2004$' counts
}

@test "the least and the most of every number" {
	need_engine
	make_loop
	works 1 1 0 ""
	[ -s counts ]
	tried=0
	while read -r line column long; do
		edit "$line" "$column" "$long" 99999999999999
		run ! pmcsim check edited.yaml
		[[ $output =~ edited\.yaml:$line:\ .* ]]
		least=0 most=65535
		if [[ $output =~ can\ be\ ([0-9]+)\ to\ ([0-9]+) ]]; then
			least=${BASH_REMATCH[1]} most=${BASH_REMATCH[2]}
		fi
		for x in $least $most; do
			works "$line" "$column" "$long" "$x" || {
				sed -n "${line}p" edited.yaml
				cat message counts
				return 1
			}
			tried=$((tried + 1))
		done
	done < <(numbers)
	[ "$tried" -gt 200 ]
}
