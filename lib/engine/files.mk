# SPDX-License-Identifier: GPL-2.0-or-later
lib_engine_sources = \
	lib/engine/engine.c \
	lib/engine/engine.h \
	lib/engine/engine_apt.c \
	lib/engine/engine_assemble.c \
	lib/engine/engine_fetch.c \
	lib/engine/engine_fetch.h
