# SPDX-License-Identifier: GPL-2.0-or-later
man_pages = \
	man/itanium_pmu.4 \
	man/kprofile.1 \
	man/libperfex.3 \
	man/pc_parse.1 \
	man/pc_sweep.1 \
	man/pctr.1 \
	man/pctr.4 \
	man/perfex.1 \
	man/pfm.7 \
	man/pfmon.1 \
	man/pmcsim-34k.4 \
	man/pmcsim-region.3 \
	man/pmcsim-stat.1 \
	man/pmcsim-study.1 \
	man/pmcsim-system.1 \
	man/pmcsim-table.5 \
	man/pmcsim.1 \
	man/prof.1 \
	man/r10k_evcntrs.5 \
	man/umon.out.5 \
	man/uprofile.1
