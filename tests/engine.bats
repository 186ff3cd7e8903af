#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Finding and fetching QEMU, with make-believe QEMUs and packages.

bats_require_minimum_version 1.5.0

setup() {
	fake=$PMCSIM_BUILDDIR/tests/fake
	export HOME=$BATS_TEST_TMPDIR/home
	unset XDG_CACHE_HOME PMCSIM_QEMU
	cache=$HOME/.cache/pmcsim/engine
	mkdir "$HOME" "$BATS_TEST_TMPDIR/bin"
	cd "$BATS_TEST_TMPDIR"
}

engine() {
	"$PMCSIM_BUILDDIR/pmcsim" engine "$@"
}

# A QEMU for another instruction set or of another version: mips 7.2.5
# becomes $2, which must be as long.
make_qemu() {
	LC_ALL=C sed "s/qemu-mips version 7.2.5/$2/" "$fake/qemu" >"$1"
	chmod +x "$1"
}

# Packages as --offline takes them; without the one named.
make_packages() {
	mkdir debs
	for name in qemu-user patchelf libcapstone4 libffi8 libglib2.0-0 \
	    libgmp10 libgnutls30 libhogweed6 libidn2-0 libnettle8 libnuma1 \
	    libp11-kit0 libpcre2-8-0 libtasn1-6 libunistring2 liburing2; do
		[ "$name" != "${1:-}" ] || continue
		rm -rf root
		mkdir -p root/DEBIAN root/usr/bin root/usr/lib/x86_64-linux-gnu
		printf '%s\n' "Package: $name" "Version: 1-1" \
			"Architecture: amd64" "Maintainer: nobody" \
			"Description: none" >root/DEBIAN/control
		case $name in
		qemu-user)
			cp "$fake/qemu" root/usr/bin/qemu-mips
			# The others do not say what they are for.
			for isa in x86_64 i386 mipsel alpha; do
				make_qemu root/usr/bin/qemu-$isa \
					"qemu-@@@@ version 7.2.5"
			done ;;
		patchelf)
			printf '#!/bin/sh\necho "$@" >>"%s"\n' \
				"$PWD/patched" >root/usr/bin/patchelf
			chmod +x root/usr/bin/patchelf ;;
		*)
			: >root/usr/lib/x86_64-linux-gnu/$name.so.1 ;;
		esac
		dpkg-deb -Znone -b root "debs/${name}_1-1_amd64.deb" \
			>/dev/null
	done
}

# apt with the packages of make_packages, each of 1 MB; it does not download
# while there is a file broken.
make_apt() {
	[ -r /usr/share/keyrings/debian-archive-keyring.gpg ] ||
		skip "no debian-archive-keyring"
	cat >bin/apt-get <<-END
		#!/bin/sh
		echo "\$*" >>"$PWD/asked"
		case "\$*" in
		indextargets*)
			echo "http://mirror.example/debian/ "
			echo "http://mirror.example/debian-security " ;;
		"-q download --print-uris "*)
			shift 3
			for name; do
				echo "'http://x' \${name}_1-1_amd64.deb 1000000 x"
			done ;;
		"-q download "*)
			[ ! -e "$PWD/broken" ] || {
				echo "E: 404 Not Found" >&2
				exit 100
			}
			cp "$PWD"/debs/*.deb . ;;
		"-q update")
			cp "\$APT_CONFIG" "\${APT_CONFIG%/*}/sources.list" "$PWD" ;;
		esac
	END
	printf '#!/bin/sh\necho "Acquire::http::Proxy \\"p\\";"\n' >bin/apt-config
	chmod +x bin/apt-*
}

@test "a QEMU that takes plugins is found in PATH" {
	make_qemu bin/qemu-mips "qemu-mips version 7.2.5"
	PATH=$PWD/bin:$PATH run -0 engine --isa mips
	[ "$output" = "mips     $PWD/bin/qemu-mips (7.2.5)" ]
}

@test "PMCSIM_QEMU names a program" {
	make_qemu mine "qemu-mips version 8.1.0"
	PMCSIM_QEMU=$PWD/mine run -0 engine --isa mips
	[ "$output" = "mips     $PWD/mine (8.1.0)" ]
}

@test "PMCSIM_QEMU names a folder" {
	make_qemu bin/qemu-mips "qemu-mips version 9.0.0"
	PMCSIM_QEMU=$PWD/bin run -0 engine --isa mips
	[ "$output" = "mips     $PWD/bin/qemu-mips (9.0.0)" ]
	PMCSIM_QEMU=$PWD/bin run -125 engine --isa alpha
	[ "$output" = "alpha    none: PMCSIM_QEMU names $PWD/bin, where there is no qemu-alpha" ]
}

@test "PMCSIM_QEMU names a program with the wanted one beside it" {
	make_qemu bin/qemu-mips "qemu-mips version 7.2.5"
	make_qemu bin/qemu-i386 "qemu-i386 version 7.2.5"
	PMCSIM_QEMU=$PWD/bin/qemu-mips run -0 engine --isa i386
	[ "$output" = "i386     $PWD/bin/qemu-i386 (7.2.5)" ]
}

@test "PMCSIM_QEMU that is not there" {
	PMCSIM_QEMU=/nowhere/qemu run -125 engine --isa mips
	[ "$output" = "mips     none: PMCSIM_QEMU names /nowhere/qemu: No such file or directory" ]
}

@test "a static QEMU is refused with what to do" {
	PMCSIM_QEMU=$fake/qemu-static run -125 engine --isa mips
	[ "$output" = "mips     none: $fake/qemu-static (7.2.5) is statically linked and takes no plugins: run \"pmcsim engine\" to fetch one that does, or name one with PMCSIM_QEMU" ]
}

@test "a QEMU without plugins is refused" {
	PMCSIM_QEMU=$fake/qemu-plain run -125 engine --isa mips
	[[ $output == "mips     none: $fake/qemu-plain (7.2.5) was built without plugins: run "* ]]
}

@test "a QEMU that is too old is refused" {
	make_qemu old "qemu-mips version 7.1.9"
	PMCSIM_QEMU=$PWD/old run -125 engine --isa mips
	[[ $output == "mips     none: $PWD/old is version 7.1.9, and 7.2 or later is needed: run "* ]]
}

@test "what is no QEMU is refused" {
	PMCSIM_QEMU=/bin/cat run -125 engine --isa mips
	[ "$output" = "mips     none: /bin/cat is not a QEMU user emulator" ]
	echo text >text
	PMCSIM_QEMU=$PWD/text run -125 engine --isa mips
	[ "$output" = "mips     none: $PWD/text is not a QEMU user emulator" ]
}

@test "packages of a folder become the private engine" {
	make_packages
	PATH=/usr/bin:/bin run -0 engine --offline debs
	[ "${lines[0]}" = "x86_64   $cache/7.2/bin/qemu-x86_64 (7.2.5)" ]
	[ "${lines[4]}" = "alpha    $cache/7.2/bin/qemu-alpha (7.2.5)" ]
	[[ ${lines[5]} = "native   $(realpath "$PMCSIM_BUILDDIR/pmcsim-native") (x86_64, "*"--engine "*")" ]]
	[ "${lines[6]}" = "rdtsc    put in by the engine where it is to read the machine's cycles" ]
	[ "${#lines[@]}" = 7 ]
	[ "$(ls "$cache")" = "7.2
lock" ]
	[ "$(ls "$cache/7.2/lib" | wc -l)" = 14 ]
	[ "$(wc -l <patched)" = 5 ]
	[ "$(head -n 1 patched)" = "--force-rpath --set-rpath \$ORIGIN/../lib $cache/7.2.partial/new/bin/qemu-x86_64" ]
}

@test "a private engine comes before the system's, the user's own first" {
	make_packages
	engine --offline debs
	make_qemu bin/qemu-mips "qemu-mips version 8.2.2"
	PATH=$PWD/bin:$PATH run -0 engine --isa mips
	[ "$output" = "mips     $cache/7.2/bin/qemu-mips (7.2.5)" ]
	run -0 engine --qemu bin --isa mips
	[ "$output" = "mips     $cache/own/qemu-mips (8.2.2)" ]
}

@test "a missing package leaves what was there" {
	make_packages
	engine --offline debs
	echo kept >"$cache/7.2/kept"
	rm debs/libnuma1_*
	run -125 engine --offline debs
	[ "$output" = "pmcsim engine: there is no libnuma1_*_amd64.deb in debs: put Debian 12's package there" ]
	[ "$(cat "$cache/7.2/kept")" = kept ]
	[ "$(ls "$cache")" = "7.2
lock" ]
}

@test "a package that is cut off leaves nothing" {
	make_packages
	truncate -s 200 debs/qemu-user_1-1_amd64.deb
	run -125 engine --offline debs
	[[ $output == "pmcsim engine: dpkg-deb cannot unpack debs/qemu-user_1-1_amd64.deb: "* ]]
	[ "$(ls "$cache")" = lock ]
}

@test "--qemu refuses what is no engine" {
	run -125 engine --qemu /bin/cat
	[ "$output" = "pmcsim engine: $(realpath /bin/cat) is not a QEMU user emulator" ]
	run -125 engine --qemu bin
	[ "$output" = "pmcsim engine: bin holds no qemu-x86_64, nor one for another instruction set" ]
	[ ! -e "$cache/own" ]
}

@test "packages that apt fetches, with the mirror and proxy of the host" {
	make_packages
	make_apt
	PATH=$PWD/bin:/usr/bin:/bin run -0 engine --force
	[ "${lines[0]}" = "pmcsim engine: reading the package lists of Debian 12 from http://mirror.example/debian" ]
	[ "${lines[1]}" = "pmcsim engine: fetching qemu-user 1-1 and 15 packages that it needs, 16.0 MB" ]
	[ "${lines[6]}" = "alpha    $cache/7.2/bin/qemu-alpha (7.2.5)" ]
	[ "$(ls "$cache")" = $'7.2\nlock' ]
	grep -qx 'Acquire::http::Proxy "p";' apt.conf
	grep -q ' http://mirror.example/debian bookworm main$' sources.list
	grep -q ' http://mirror.example/debian-security bookworm-security main$' sources.list
}

@test "packages that cannot be fetched, and no apt, leave nothing" {
	make_packages
	make_apt
	: >broken
	PATH=$PWD/bin:/usr/bin:/bin run -125 engine --force
	[ "${lines[-1]}" = 'pmcsim engine: the packages cannot be fetched (404 Not Found): check the network, or bring the packages and use "pmcsim engine --offline DIR"' ]
	[ "$(ls "$cache")" = lock ]
	mkdir none
	ln -s /usr/bin/[!a]* none
	PATH=$PWD/none run -125 engine --force
	[ "$output" = "pmcsim engine: apt-get cannot be run (No such file or directory): it is needed to fetch Debian's packages, or bring the packages and use \"pmcsim engine --offline DIR\"" ]
	[ "$(ls "$cache")" = lock ]
}

@test "a fetch that is stopped ends apt and leaves nothing" {
	local signal number child

	make_packages
	make_apt
	# It stops its parent, and waits for ever, with a child.
	cat >bin/apt-get <<-END
		#!/bin/sh
		[ "\$2" = update ] || exit 0
		trap "" TERM INT HUP
		sleep 1000 &
		echo \$\$ \$! >"$PWD/pids"
		kill -\$SIGNAL \$PPID
		wait
		sleep 1000
	END
	for signal in TERM:143 INT:130 HUP:129; do
		number=${signal#*:}
		SIGNAL=${signal%:*} PATH=$PWD/bin:/usr/bin:/bin \
			run -"$number" --separate-stderr engine --force
		[ "${stderr_lines[-1]}" = "pmcsim engine: stopped; what has been fetched is removed" ]
		[ "$(ls "$cache")" = lock ]
		for child in $(cat pids); do
			# One that has ended may not have been waited for.
			[[ $(ps -o stat= "$child" || true) != [^Z]* ]]
		done
	done
}

@test "two fetches do not mix" {
	make_packages
	mkdir -p "$cache"
	run -125 flock "$cache/lock" "$PMCSIM_BUILDDIR/pmcsim" engine \
		--offline debs
	[ "$output" = "pmcsim engine: another \"pmcsim engine\" is at work in $cache: wait until it has finished" ]
}

@test "without a home there is no place" {
	HOME= run -125 engine --offline debs
	[ "$output" = "pmcsim engine: there is no folder to put an engine into: set HOME or XDG_CACHE_HOME" ]
}

@test "wrong usage" {
	run -64 engine --isa vax
	[ "$output" = "pmcsim engine: \"vax\" is no instruction set that can be executed: x86_64, i386, mipsel, mips, alpha" ]
	run -64 engine now
	[ "$output" = "pmcsim engine: it takes no argument, such as \"now\"" ]
	run -64 engine --qemu /usr/bin --force
	[ "$output" = "pmcsim engine: --qemu goes with --isa only" ]
	run -64 engine --frobnicate
}
