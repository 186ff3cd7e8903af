#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's packages, of what "make install" puts in place: built by debhelper
# as "dpkg-buildpackage" would, without compiling again.

load helper

setup() {
	export HOME=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR"
	[[ $PWD != *[[:blank:]]* ]] || skip "make knows no path with a blank"
	command -v dh_builddeb >/dev/null || skip "no debhelper"
	[ -e "$build/.libs/libpmcsim.so" ] || skip "an archive only"
	command -v dpkg-architecture >/dev/null || skip "no dpkg-dev"
	mkdir source
	cp -R "$PMCSIM_SRCDIR/debian" source
	cd source
	lib=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
	install_as_debian
}

# libtool installs where it was configured for: from there to Debian's places.
install_as_debian() {
	local from to=$PWD/debian/tmp/usr

	make -s -C "$build" install DESTDIR="$PWD/stage" >log 2>&1
	from=$(dirname "$(dirname "$(find stage -name pc_sweep -perm -1)")")
	mkdir -p "$to" "debian/tmp$lib"
	mv "$from"/{bin,share,include,libexec} "$to"
	[ ! -e "$from/man" ] || mv "$from/man" "$to/share"
	mv "$from"/lib/python3 "$to/lib"
	mv "$from"/lib/* "debian/tmp$lib"
	[ -z "$(find stage -type f)" ]
}

@test "each installed file is in a package, and lintian finds nothing" {
	dh_install
	dh_missing --fail-missing
	dh_installdocs
	dh_installchangelogs
	dh_compress
	dh_fixperms
	dh_strip --no-automatic-dbgsym
	level=$(sed -n 's/^export \(DPKG_GENSYMBOLS_CHECK_LEVEL\) = /\1=/p' debian/rules)
	env "$level" dh_makeshlibs -Xpmcsim-plugin.so
	dh_installdeb
	dh_shlibdeps
	dh_gencontrol
	dh_md5sums
	dh_builddeb
	cd ..
	[ "$(ls *.deb | cut -d_ -f1 | xargs)" = \
		"libpmcsim-dev libpmcsim0 pmcsim-doc pmcsim" ]
	dpkg-deb -c pmcsim_*.deb >list
	for file in usr/bin/pmcsim usr/share/man/man1/pmcsim-study.1.gz \
		usr/lib/python3/dist-packages/pmcsim.py \
		usr/share/bash-completion/completions/pc_sweep; do
		grep -q " ./$file$" list
	done
	dpkg-deb -c libpmcsim0_*.deb | grep -q schema/pmcsim-sweep.v1.json
	dpkg-deb -c pmcsim-doc_*.deb | grep -q examples/mergesort.yaml
	dpkg-deb -I pmcsim_*.deb | grep -q 'Depends: .*libsqlite3-0'
	# What is installed runs from there.
	mkdir root
	for deb in pmcsim_*.deb libpmcsim0_*.deb; do
		dpkg-deb -x "$deb" root
	done
	export PMCSIM_EVENTS=$PWD/root/usr/share/pmcsim/events
	export LD_LIBRARY_PATH=$PWD/root$lib
	run -0 root/usr/bin/pmcsim list
	[[ $output == *mips34k* ]]
	if command -v qemu-x86_64 >/dev/null; then
		run -0 env AUTOPKGTEST_TMP="$PWD" PATH="$PWD/root/usr/bin:$PATH" \
			PMCSIM_PLUGIN="$PWD/root$lib/pmcsim/pmcsim-plugin.so" \
			sh source/debian/tests/main
		grep -q cycles counts
	fi
	unset LD_LIBRARY_PATH
	command -v lintian >/dev/null || skip "no lintian"
	# There is no mail host of the project; "tage" is a predictor; the build
	# that is packed here need not have the flags of debian/rules.
	tags=bogus-mail-host,bogus-mail-host-in-debian-changelog
	tags+=,spelling-error-in-binary,typo-in-manual-page
	tags+=,hardening-no-bindnow,hardening-no-fortify-functions
	run -0 lintian --allow-root -I --fail-on error,warning,info \
		--suppress-tags $tags *.deb
}

@test "the packages need what configure and quickstart need" {
	sed -n '/^Build-Depends/,/^Standards/p' debian/control |
		grep -o '[a-z0-9-]*-dev\>' | sort >control
	eval "$(sed -n '/^build_packages=/,/"$/p' "$PMCSIM_SRCDIR/quickstart")"
	tr ' \t' '\n\n' <<<"$build_packages" | grep -- '-dev$' |
		grep -v libc6 | sort >quickstart
	diff -u quickstart control
	for package in $build_packages; do
		[ "$package" = debian-archive-keyring ] ||
			grep -qw -- "$package" "$PMCSIM_SRCDIR/examples/Containerfile"
	done
}
