# SPDX-License-Identifier: GPL-2.0-or-later
native_x86_64_sources = \
	simulator/native/x86_64/area.c \
	simulator/native/x86_64/area.h \
	simulator/native/x86_64/arrive.c \
	simulator/native/x86_64/ask.c \
	simulator/native/x86_64/charge.c \
	simulator/native/x86_64/check.c \
	simulator/native/x86_64/check_internal.h \
	simulator/native/x86_64/check_plan.c \
	simulator/native/x86_64/code.c \
	simulator/native/x86_64/code.h \
	simulator/native/x86_64/code_drop.c \
	simulator/native/x86_64/copy.c \
	simulator/native/x86_64/cpu.c \
	simulator/native/x86_64/cpu.h \
	simulator/native/x86_64/cpu_describe.c \
	simulator/native/x86_64/edge.c \
	simulator/native/x86_64/edge_internal.h \
	simulator/native/x86_64/emit.c \
	simulator/native/x86_64/emit.h \
	simulator/native/x86_64/explain.c \
	simulator/native/x86_64/explain.h \
	simulator/native/x86_64/gather.c \
	simulator/native/x86_64/gather.h \
	simulator/native/x86_64/glue.c \
	simulator/native/x86_64/host.c \
	simulator/native/x86_64/host.h \
	simulator/native/x86_64/host_internal.h \
	simulator/native/x86_64/host_kind.c \
	simulator/native/x86_64/live.c \
	simulator/native/x86_64/predict.c \
	simulator/native/x86_64/record.c \
	simulator/native/x86_64/scratch.c \
	simulator/native/x86_64/state.c \
	simulator/native/x86_64/state.h \
	simulator/native/x86_64/targets.c \
	simulator/native/x86_64/targets.h
