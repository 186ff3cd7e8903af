# SPDX-License-Identifier: GPL-2.0-or-later
pc_sweep_LDADD = libpmcsim.la
pc_sweep_SOURCES = \
	$(tool_sources) \
	tools/pc_sweep/pc_sweep.c \
	tools/pc_sweep/pc_sweep.h \
	tools/pc_sweep/pc_sweep_cpus.c \
	tools/pc_sweep/pc_sweep_cpus.h \
	tools/pc_sweep/pc_sweep_options.c \
	tools/pc_sweep/pc_sweep_plan.c \
	tools/pc_sweep/pc_sweep_regions.c \
	tools/pc_sweep/pc_sweep_report.c \
	tools/pc_sweep/pc_sweep_run.c \
	tools/pc_sweep/pc_sweep_sides.c
