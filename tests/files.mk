# SPDX-License-Identifier: GPL-2.0-or-later
bats_scripts = \
	tests/alpha.bats \
	tests/build.bats \
	tests/cachegrind.bats \
	tests/callgrind.bats \
	tests/calls.bats \
	tests/compare.bats \
	tests/conservation.bats \
	tests/cpus.bats \
	tests/engine.bats \
	tests/extremes.bats \
	tests/faults.bats \
	tests/follow.bats \
	tests/fuzz.bats \
	tests/guest.bats \
	tests/hwperf.bats \
	tests/known.bats \
	tests/kprofile.bats \
	tests/ledger.bats \
	tests/machines.bats \
	tests/outside.bats \
	tests/pc_parse.bats \
	tests/pc_sweep.bats \
	tests/pctr.bats \
	tests/perfex.bats \
	tests/pfm.bats \
	tests/pfmon.bats \
	tests/pmcsim.bats \
	tests/prof.bats \
	tests/profile.bats \
	tests/profileme.bats \
	tests/system.bats \
	tests/system_pc.bats \
	tests/threads.bats \
	tests/threads_repeat.bats \
	tests/tools.bats \
	tests/uprofile.bats
