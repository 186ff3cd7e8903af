# SPDX-License-Identifier: GPL-2.0-or-later
lib_report_sources = \
	lib/report/dump.c \
	lib/report/dump.h \
	lib/report/dump_read.c \
	lib/report/dump_report.c \
	lib/report/figures.c \
	lib/report/json.c \
	lib/report/json.h \
	lib/report/metrics.c \
	lib/report/narrow.c \
	lib/report/output.c \
	lib/report/report.c \
	lib/report/report.h \
	lib/report/report_csv.c \
	lib/report/report_events.c \
	lib/report/report_json.c \
	lib/report/report_text.c \
	lib/report/stats.c
