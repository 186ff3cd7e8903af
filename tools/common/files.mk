# SPDX-License-Identifier: GPL-2.0-or-later
tool_sources = \
	tools/common/completion.c \
	tools/common/completion.h \
	tools/common/completion_shells.c \
	tools/common/counters.c \
	tools/common/counters.h \
	tools/common/csv_table.c \
	tools/common/csv_table.h \
	tools/common/event_name.c \
	tools/common/event_name.h \
	tools/common/limit.c \
	tools/common/limit.h \
	tools/common/machine_name.c \
	tools/common/machine_name.h \
	tools/common/outside.c \
	tools/common/outside.h \
	tools/common/progress.c \
	tools/common/progress.h \
	tools/common/regions.c \
	tools/common/regions.h \
	tools/common/reruns.c \
	tools/common/reruns.h \
	tools/common/single_dash.c \
	tools/common/streams.c \
	tools/common/streams.h \
	tools/common/system_option.c \
	tools/common/system_option.h \
	tools/common/terminal.c \
	tools/common/terminal.h \
	tools/common/tidy.c \
	tools/common/tidy.h \
	tools/common/tool.c \
	tools/common/tool.h \
	tools/common/tool_output.c
