# SPDX-License-Identifier: GPL-2.0-or-later
machine_sources = \
	simulator/machine/ahead.h \
	simulator/machine/block_shared.h \
	simulator/machine/config.h \
	simulator/machine/config_window.h \
	simulator/machine/distance.h \
	simulator/machine/hwperf_state.h \
	simulator/machine/ia64_state.h \
	simulator/machine/insn_class.h \
	simulator/machine/machine.h \
	simulator/machine/machine_check.c \
	simulator/machine/machine_freeze.c \
	simulator/machine/machine_internal.h \
	simulator/machine/machine_ledger.c \
	simulator/machine/machine_lock.c \
	simulator/machine/machine_log.c \
	simulator/machine/machine_log.h \
	simulator/machine/machine_map.c \
	simulator/machine/machine_profile.c \
	simulator/machine/machine_profile.h \
	simulator/machine/machine_region.c \
	simulator/machine/machine_region.h \
	simulator/machine/machine_segment.c \
	simulator/machine/machine_slot.c \
	simulator/machine/machine_sum.c \
	simulator/machine/mix.h \
	simulator/machine/pfm_state.h \
	simulator/machine/pmu.c \
	simulator/machine/pmu.h \
	simulator/machine/profile_block.h \
	simulator/machine/signals.c \
	simulator/machine/signals.def \
	simulator/machine/signals.h \
	simulator/machine/system_state.h \
	simulator/machine/types.h \
	simulator/machine/wrong_path.c \
	simulator/machine/wrong_path.h
