# SPDX-License-Identifier: GPL-2.0-or-later
pfmon_LDADD = libpmcsim.la
pfmon_SOURCES = \
	$(tool_sources) \
	tools/pfmon/pfmon.c \
	tools/pfmon/pfmon.h \
	tools/pfmon/pfmon_events.c \
	tools/pfmon/pfmon_options.c \
	tools/pfmon/pfmon_report.c
