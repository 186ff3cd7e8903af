# SPDX-License-Identifier: GPL-2.0-or-later
lib_symbols_sources = \
	lib/symbols/history.c \
	lib/symbols/history.h \
	lib/symbols/symbols.c \
	lib/symbols/symbols.h \
	lib/symbols/symbols_debug.c \
	lib/symbols/symbols_dwarf.c \
	lib/symbols/symbols_fetch.c \
	lib/symbols/symbols_inline.c \
	lib/symbols/symbols_line.c \
	lib/symbols/symbols_name.c \
	lib/symbols/symbols_scopes.c \
	lib/symbols/symbols_source.c \
	lib/symbols/symbols_table.c \
	lib/symbols/symbols_unit.c \
	lib/symbols/symbols_unwind.c
