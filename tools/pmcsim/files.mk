# SPDX-License-Identifier: GPL-2.0-or-later
pmcsim_LDADD = libpmcsim.la
pmcsim_SOURCES = \
	$(tool_sources) \
	tools/pmcsim/cmd_check.c \
	tools/pmcsim/cmd_compare.c \
	tools/pmcsim/cmd_engine.c \
	tools/pmcsim/cmd_engine.h \
	tools/pmcsim/cmd_list.c \
	tools/pmcsim/cmd_new.c \
	tools/pmcsim/cmd_run.c \
	tools/pmcsim/cmd_stat.c \
	tools/pmcsim/cmd_system.c \
	tools/pmcsim/cmd_write.c \
	tools/pmcsim/commands.h \
	tools/pmcsim/compare.h \
	tools/pmcsim/compare_table.c \
	tools/pmcsim/pmcsim.c \
	tools/pmcsim/stat.h \
	tools/pmcsim/stat_data.c \
	tools/pmcsim/stat_events.c \
	tools/pmcsim/stat_figures.c \
	tools/pmcsim/stat_intervals.c \
	tools/pmcsim/stat_options.c \
	tools/pmcsim/stat_regions.c \
	tools/pmcsim/stat_text.c \
	tools/pmcsim/stat_tidy.c
