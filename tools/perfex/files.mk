# SPDX-License-Identifier: GPL-2.0-or-later
perfex_LDADD = libpmcsim.la
perfex_SOURCES = \
	$(tool_sources) \
	tools/perfex/perfex.c \
	tools/perfex/perfex.h \
	tools/perfex/perfex_data.c \
	tools/perfex/perfex_options.c \
	tools/perfex/perfex_regions.c \
	tools/perfex/perfex_report.c
