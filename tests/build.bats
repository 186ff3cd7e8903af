#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What the built library and the plugin may and may not contain.

bats_require_minimum_version 1.5.0

plugin=$PMCSIM_BUILDDIR/.libs/pmcsim-plugin.so
library=$PMCSIM_BUILDDIR/.libs/libpmcsim.so

@test "the plugin needs nothing but QEMU's plugin API and the C library" {
	nm -D --undefined-only "$plugin" >symbols
	grep -q qemu_plugin_insn_data symbols
	run -1 grep -vE ' U (qemu_plugin_[a-z_]+|.*@GLIBC_.*)$| w ' symbols
	[ -z "$output" ]
	run -0 objdump -p "$plugin"
	grep NEEDED <<<"$output" | awk '{ print $2 }' >needed
	run -1 grep -vE '^(libc\.so\.6|ld-linux-x86-64\.so\.2)$' needed
	[ -z "$output" ]
}

@test "the plugin exports what QEMU looks for, and no more" {
	run -0 nm -D --defined-only "$plugin"
	[ "$(awk '{ print $3 }' <<<"$output" | sort | xargs)" = \
		"qemu_plugin_install qemu_plugin_version" ]
}

@test "the plugin uses no vector register" {
	objdump -d --no-show-raw-insn "$plugin" >code
	[ "$(wc -l <code)" -gt 1000 ]
	run -1 grep -m 5 -E '%[xyz]mm[0-9]|%st' code
}

@test "no tool has a name of the library's: both link as an archive, too" {
	nm --defined-only "$PMCSIM_BUILDDIR/.libs/libcore.a" |
		awk '$2 ~ /[BCDRT]/ { print $3 }' | sort -u >library
	nm --defined-only "$PMCSIM_BUILDDIR"/tools/*/*.o |
		awk '$2 ~ /[BCDRT]/ { print $3 }' | sort -u >tools
	grep -qx system_boot library
	grep -qx tool_fail tools
	run comm -12 library tools
	[ -z "$(grep -v '^__gcov_' <<<"$output")" ]
}

@test "the library exports nothing but pmcsim_ functions" {
	[ -e "$library" ] || skip "an archive only"
	nm -D --defined-only "$library" | awk '{ print $3 }' >symbols
	grep -qx pmcsim_version symbols
	! grep -q '^__gcov_' symbols || skip "libgcov has symbols of its own"
	run -1 grep -v '^pmcsim_' symbols
	[ -z "$output" ]
}

@test "each function of the public header is in the library" {
	[ -e "$library" ] || skip "an archive only"
	grep -ho 'pmcsim_[a-z0-9_]*(' "$PMCSIM_SRCDIR"/lib/pmcsim*.h |
		tr -d '(' | sort -u >declared
	nm -D --defined-only "$library" | awk '{ print $3 }' | sort >defined
	[ -s declared ]
	run comm -23 declared defined
	[ -z "$output" ]
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# Makefile.am and the lists that it includes.
lists() {
	echo "$PMCSIM_SRCDIR/Makefile.am"
	sed -n "s,^include ,$PMCSIM_SRCDIR/,p" "$PMCSIM_SRCDIR/Makefile.am"
}

@test "each file of the repository has its line in a list of its folder" {
	command -v git >/dev/null || skip "no git"
	[ -e "$PMCSIM_SRCDIR/.git" ] &&
		git -C "$PMCSIM_SRCDIR" ls-files >files 2>/dev/null ||
		skip "not a git checkout"
	grep -E '^(lib|simulator|tools|events|tests|man|bench|examples|doc)/' \
		files | grep -vE '^tests/unit/test_|/\.gitignore$|/files\.mk$' \
		>sources
	[ -s sources ]
	lists | xargs grep -ohE '[A-Za-z0-9_./+-]+' | sort -u >listed
	sort -u sources >sorted
	run comm -23 sorted listed
	[ -z "$output" ]
	grep -oE '^tests/unit/test_[a-z0-9_]+' files | grep -v test_api |
		sort -u >tests
	run comm -23 tests listed
	[ -z "$output" ]
}

@test "lists of files are sorted" {
	cat >unsorted.awk <<-'EOF'
		/^[A-Za-z_]+ \+?= \\$/ { inside = 1; last = ""; next }
		!/^\t[^ ]+( \\)?$/ { inside = 0 }
		inside && $1 < last { print FNR ": " $1 }
		inside { last = $1; inside = /\\$/ }
	EOF
	for list in $(lists); do
		run -0 env LC_ALL=C awk -f unsorted.awk "$list"
		[ -z "$output" ]
	done
}

@test "a build folder with a blank in its path is refused" {
	mkdir 'a folder'
	cd 'a folder'
	run ! "$PMCSIM_SRCDIR/configure" -q
	[[ $output == *"cannot build in a path with a blank: "*"/a folder" ]]
}

# include COMPILER...: each header for programs alone, as they include it.
include() {
	for folder in . irix openbsd tru64 ia64; do
		for header in $folder/*.h $folder/*/*.h; do
			# The costs are lines of a table.
			case $header in
			*'*'*|./*/*|*/perfex_costs.h) continue ;;
			esac
			echo "#include <${header#"$folder"/}>" |
				"$@" -Wall -Wextra -Werror -I"$folder" \
				-fsyntax-only -
		done
	done
}

# Old programs want old C, and the sources are compiled along with them.
@test "what programs include and compile along is C from gnu89 on, and C++" {
	cd "$PMCSIM_SRCDIR/simulator/guest"
	for std in gnu89 c99 c17; do
		include cc -std=$std -x c
		for compiler in cc mipsel-linux-gnu-gcc alpha-linux-gnu-gcc; do
			command -v $compiler >/dev/null || continue
			$compiler -std=$std -Wall -Wextra -Werror \
				-fsyntax-only ./*.c
		done
	done
	command -v c++ >/dev/null || skip "no C++ compiler"
	include c++ -x c++
}

@test "what \"make install DESTDIR=\" has put somewhere runs there" {
	[[ $PWD != *[[:blank:]]* ]] || skip "make knows no path with a blank"
	make -s -C "$PMCSIM_BUILDDIR" install DESTDIR="$PWD/root" >log 2>&1
	bin=$(dirname "$(find root -name pc_sweep -perm -1)")
	export LD_LIBRARY_PATH=$PWD/$(dirname "$(find root -name libpmcsim.so)")
	unset PMCSIM_EVENTS PMCSIM_PLUGIN
	run -0 "$bin/pmcsim" list
	[[ $output == *mips34k* ]]
	run -0 "$bin/pmcsim" check mips34k
	command -v qemu-x86_64 >/dev/null || skip "no qemu-user"
	run -0 "$bin/pc_sweep" -uip true
	[[ $output == *"all instructions:"* ]]
}

@test "what failed tests have printed is what quickstart shows" {
	cat >test <<-'END'
		echo "1..3"
		echo "ok 1 good"
		echo "not ok 2 bad"
		echo "# why"
		echo "ok 3 better"
		echo "# as it should"
		exit 1
	END
	mkdir build
	AM_TAP_AWK=awk sh "$PMCSIM_SRCDIR/build-aux/tap-driver.sh" \
		--test-name test --log-file build/test-suite.log \
		--trs-file trs -- sh test
	eval "$(sed -n '/^failures()/,/^}/p' "$PMCSIM_SRCDIR/quickstart")"
	run -0 failures
	[ "$output" = $'not ok 2 bad\n# why' ]
}

@test "quickstart says what it does, without doing it" {
	cp "$PMCSIM_SRCDIR/quickstart" .
	run -0 ./quickstart --help
	[ "${lines[0]}" = "From a fresh Debian 12 or 13 to a measured program:" ]
	[ "${lines[-1]}" = "all that is needed is there." ]
	[ "$(ls)" = quickstart ]
}

@test "the same sources make the same tarball" {
	[[ $PWD != *[[:blank:]]* ]] || skip "make knows no path with a blank"
	cd "$BATS_TEST_TMPDIR"
	for i in one two; do
		SOURCE_DATE_EPOCH=86400 make -s -C "$PMCSIM_BUILDDIR" dist >log 2>&1 || {
			cat log
			false
		}
		mv "$PMCSIM_BUILDDIR"/pmcsim-*.tar.xz "$i"
		umask 027
	done
	cmp one two
	[ "$(tar -tvf one --full-time | awk '{ print $4 }' | sort -u)" = 1970-01-02 ]
}
