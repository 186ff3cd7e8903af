# SPDX-License-Identifier: GPL-2.0-or-later
lib_table_sources = \
	lib/table/host.c \
	lib/table/host.h \
	lib/table/host_ask.c \
	lib/table/lexicon.c \
	lib/table/lexicon.h \
	lib/table/lexicon_event.c \
	lib/table/places.c \
	lib/table/places.h \
	lib/table/table.h \
	lib/table/table_check.c \
	lib/table/table_check.h \
	lib/table/table_check_branch.c \
	lib/table/table_check_caches.c \
	lib/table/table_check_events.c \
	lib/table/table_check_groups.c \
	lib/table/table_check_issue.c \
	lib/table/table_check_limits.c \
	lib/table/table_check_prefetch.c \
	lib/table/table_check_window.c \
	lib/table/table_classes.h \
	lib/table/table_convert.c \
	lib/table/table_cpu.c \
	lib/table/table_find.c \
	lib/table/table_lines.c \
	lib/table/table_lines.h \
	lib/table/table_pipeline.c \
	lib/table/table_read.c \
	lib/table/table_schema.c \
	lib/table/table_schema.h \
	lib/table/table_schema_events.c \
	lib/table/table_schema_internal.h \
	lib/table/table_schema_lexicon.c \
	lib/table/table_schema_os.c \
	lib/table/table_signals.c \
	lib/table/table_yaml.h
