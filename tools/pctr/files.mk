# SPDX-License-Identifier: GPL-2.0-or-later
pctr_LDADD = libpmcsim.la
pctr_SOURCES = \
	$(tool_sources) \
	tools/pctr/pctr.c \
	tools/pctr/pctr.h \
	tools/pctr/pctr_function.c \
	tools/pctr/pctr_options.c \
	tools/pctr/pctr_report.c
