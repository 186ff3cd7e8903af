#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Profiles beside callgrind's: the same functions have most instructions, in
# the same order, and the same part of them.

load helper

need_valgrind() {
	need_engine
	command -v valgrind >/dev/null || skip "no valgrind"
	command -v callgrind_annotate >/dev/null || skip "no valgrind"
	seq 1 7 9000 >input
}

# Functions by instructions: number, percent, name.  callgrind writes all
# digits of an address, and tells how deep a function has called itself.
names() {
	sed 's/ 0x0*/ 0x/; s/'"'"'[0-9]*$//' | awk '
		{ n[$2] += $1; all += $1 }
		END { for (f in n)
			printf "%d %.4f %s\n", n[f], 100 * n[f] / all, f }' |
		sort -rn
}

by_callgrind() {
	valgrind --tool=callgrind --callgrind-out-file=cg.out \
		--skip-plt=no "$@" >/dev/null 2>&1
	callgrind_annotate --auto=no --threshold=100 cg.out | tr -d , |
		sed -n 's/^ *\([0-9][0-9]*\) ([ 0-9.]*%) *[^:]*:\([^ ]*\).*/\1 \2/p' |
		names
}

# What compilers have put into a function is its own, as for callgrind.
by_us() {
	uprofile -exact retinst "$@" >/dev/null
	prof --folded - | sed 's/^[^;]*;//; s/;[^ ]* / /' |
		awk '{ print $NF, $1 }' | names
}

# The first five of both files, and whether parts differ by a percent.
compare() {
	[ "$(wc -l <theirs)" -ge 5 ]
	head -n 5 ours | awk '{ print $3 }' >first
	head -n 5 theirs | awk '{ print $3 }' | same first
	paste -d ' ' ours theirs | head -n 5 | awk '
		{ d = $2 - $5; if (d > 1 || d < -1) { print; bad = 1 } }
		END { exit bad }'
}

@test "bzip2, which has been stripped" {
	need_valgrind
	command -v bzip2 >/dev/null || skip "no bzip2"
	by_callgrind bzip2 -kc input >theirs
	by_us bzip2 -kc input >ours
	compare
}

# Of the program and its library, whose names are addresses or not.
@test "procedures with all that they called" {
	need_valgrind
	command -v bzip2 >/dev/null || skip "no bzip2"
	valgrind --tool=callgrind --callgrind-out-file=cg.out bzip2 -kc input \
		>/dev/null 2>&1
	callgrind_annotate --inclusive=yes --threshold=100 cg.out |
		sed -n 's/^ *\([0-9,]*\) (.*%)  [^:]*:\([^ ]*\) .*bz.*/\1 \2/p' |
		sed 's/,//g; s/ 0x0*/ 0x/' >theirs
	uprofile -quiet -calls -period 100 retinst bzip2 -kc input >/dev/null
	prof -inclusive | awk '$NF ~ /bz/ { print $2, $5 }' >ours
	awk 'FNR == NR { by[$2] = $1; next }
		$1 > 50000 { d = $1 - by[$2]; n++ }
		$1 > 50000 && (d > $1 / 100 || d < -$1 / 100) { print; bad = 1 }
		END { exit bad || n < 10 }' theirs ours
}

@test "an interpreter" {
	need_valgrind
	[ -x /usr/bin/python3 ] || skip "no python"
	cat >words.py <<-'END'
	n = {}
	for i in range(3000):
	    n[str(i * 7919 % 1000)] = n.get(str(i), 0) + i
	s = sorted(n.items(), key=lambda x: (x[1], x[0]))
	print(sum(v for k, v in s), len(" ".join(k for k, v in s)))
	END
	export PYTHONHASHSEED=0 # else the hashes are others in each run
	by_callgrind /usr/bin/python3 -S words.py >theirs
	by_us /usr/bin/python3 -S words.py >ours
	compare
}

@test "perl" {
	need_valgrind
	[ -x /usr/bin/perl ] || skip "no perl"
	cat >words.pl <<-'END'
	my %n;
	for my $i (0 .. 3000) {
		my $k = $i * 7919 % 1000;
		$n{"k$k"} += length(sprintf("%d:%s", $i, $k));
	}
	my @s = sort { $n{$a} <=> $n{$b} || $a cmp $b } keys %n;
	my ($t, $c) = (join(" ", @s), 0);
	$c++ while $t =~ /k(\d)\1/g;
	print scalar(@s), " $c\n";
	END
	export PERL_HASH_SEED=0
	by_callgrind /usr/bin/perl words.pl >theirs
	by_us /usr/bin/perl words.pl >ours
	compare
}

@test "xz, whose functions are in a stripped library" {
	need_valgrind
	command -v xz >/dev/null || skip "no xz"
	by_callgrind xz -kc input >theirs
	by_us xz -kc input >ours
	compare
}

# Without --skip-plt=no a call of another file would count for its caller.
@test "sqlite3, whose functions are in a stripped library" {
	need_valgrind
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	cat >words.sql <<-'END'
	create table t(a integer primary key, b text, c integer);
	with recursive n(i) as (select 1 union all
		select i + 1 from n where i < 4000)
		insert into t select i, 'row ' || i, i * 7 % 1000 from n;
	create index x on t(c);
	select count(*), sum(c), max(b) from t where c between 100 and 500;
	select c, count(*) from t group by c order by 2 desc, 1 limit 5;
	END
	by_callgrind sqlite3 :memory: '.read words.sql' >theirs
	by_us sqlite3 :memory: '.read words.sql' >ours
	compare
}

# Loops whose turns take the same on any processor that they are built for,
# which need not be the same on each.
@test "a program built for Alpha beside the same one built here" {
	need_valgrind
	cat >loops.c <<-'END'
	#define LOOP(name) \
		__attribute__((noinline)) static void name(unsigned n) \
		{ while (n--) __asm__ volatile(""); }
	LOOP(one) LOOP(two) LOOP(three) LOOP(four) LOOP(five)
	int main(void)
	{
		one(1000000);
		two(2000000);
		three(3000000);
		four(4000000);
		five(5000000);
		return 0;
	}
	END
	cc -O1 -o here loops.c || skip "no compiler"
	alpha-linux-gnu-gcc -O1 -o there loops.c 2>/dev/null ||
		skip "no Alpha compiler"
	by_callgrind ./here >theirs
	by_us ./there >ours
	compare
}

@test "callgrind_annotate has of our export what prof lists" {
	need_valgrind
	command -v bzip2 >/dev/null || skip "no bzip2"
	uprofile -exact retinst bzip2 -kc input >/dev/null
	prof --folded - | awk '{ n = split($1, f, ";"); print $NF, f[n] }' |
		names >ours
	prof --callgrind cg.out
	callgrind_annotate --auto=no --threshold=100 cg.out | tr -d , |
		sed -n 's/^ *\([0-9][0-9]*\) ([ 0-9.]*%) *[^:]*:\([^ ]*\).*/\1 \2/p' |
		names >theirs
	head -n 20 ours | awk '{ print $1, $3 }' >first
	head -n 20 theirs | awk '{ print $1, $3 }' | same first
}
