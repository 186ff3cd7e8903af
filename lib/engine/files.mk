# SPDX-License-Identifier: GPL-2.0-or-later
lib_engine_sources = \
	lib/engine/clock.c \
	lib/engine/clock.h \
	lib/engine/command.c \
	lib/engine/command.h \
	lib/engine/engine.c \
	lib/engine/engine.h \
	lib/engine/engine_apt.c \
	lib/engine/engine_assemble.c \
	lib/engine/engine_fetch.c \
	lib/engine/engine_fetch.h \
	lib/engine/engine_run.c \
	lib/engine/environment.c \
	lib/engine/environment.h \
	lib/engine/native.c \
	lib/engine/native.h \
	lib/engine/part.c \
	lib/engine/part.h \
	lib/engine/remove_tree.c \
	lib/engine/shown.c \
	lib/engine/shown.h \
	lib/engine/supervise.c \
	lib/engine/supervise.h \
	lib/engine/target.c \
	lib/engine/target.h
