# SPDX-License-Identifier: GPL-2.0-or-later
pmcsim_LDADD = libpmcsim.la $(CYAML_LIBS) $(SQLITE_LIBS) $(MD_LIBS)
pmcsim_CPPFLAGS = $(AM_CPPFLAGS) $(CYAML_CFLAGS) $(SQLITE_CFLAGS) $(MD_CFLAGS)
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
	tools/pmcsim/cmd_study.c \
	tools/pmcsim/cmd_system.c \
	tools/pmcsim/cmd_write.c \
	tools/pmcsim/commands.h \
	tools/pmcsim/compare.h \
	tools/pmcsim/compare_limit.c \
	tools/pmcsim/compare_table.c \
	tools/pmcsim/engine_explain.c \
	tools/pmcsim/engine_explain.h \
	tools/pmcsim/pmcsim.c \
	tools/pmcsim/stat.h \
	tools/pmcsim/stat_check.c \
	tools/pmcsim/stat_data.c \
	tools/pmcsim/stat_events.c \
	tools/pmcsim/stat_figures.c \
	tools/pmcsim/stat_intervals.c \
	tools/pmcsim/stat_multiplex.c \
	tools/pmcsim/stat_options.c \
	tools/pmcsim/stat_pmu.c \
	tools/pmcsim/stat_regions.c \
	tools/pmcsim/stat_sampled.c \
	tools/pmcsim/stat_text.c \
	tools/pmcsim/stat_threads.c \
	tools/pmcsim/stat_tidy.c \
	tools/pmcsim/study.h \
	tools/pmcsim/study_export.c \
	tools/pmcsim/study_file.c \
	tools/pmcsim/study_plan.c \
	tools/pmcsim/study_plot.c \
	tools/pmcsim/study_run.c \
	tools/pmcsim/study_store.c \
	tools/pmcsim/study_table.c
