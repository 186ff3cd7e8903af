# SPDX-License-Identifier: GPL-2.0-or-later
native_sources = \
	simulator/native/answers.c \
	simulator/native/bare.c \
	simulator/native/blocks.c \
	simulator/native/calls.c \
	simulator/native/clocks.c \
	simulator/native/clocks.h \
	simulator/native/count.c \
	simulator/native/follow.c \
	simulator/native/follow.h \
	simulator/native/guard.c \
	simulator/native/guard.h \
	simulator/native/keep.c \
	simulator/native/keep.h \
	simulator/native/keep_file.c \
	simulator/native/keep_internal.h \
	simulator/native/keep_take.c \
	simulator/native/limits.c \
	simulator/native/limits.h \
	simulator/native/loader.c \
	simulator/native/main.c \
	simulator/native/native.h \
	simulator/native/proc.c \
	simulator/native/proc.h \
	simulator/native/proc_self.c \
	simulator/native/signals.c \
	simulator/native/signals.h \
	simulator/native/signals_frame.c \
	simulator/native/signals_internal.h \
	simulator/native/space.c \
	simulator/native/stack.c \
	simulator/native/threads.c \
	simulator/native/threads.h \
	simulator/native/vfork.c \
	simulator/native/vfork.h
