# SPDX-License-Identifier: GPL-2.0-or-later
prof_listing = \
	tools/prof/prof.h \
	tools/prof/prof_arcs.c \
	tools/prof/prof_arcs.h \
	tools/prof/prof_asm.c \
	tools/prof/prof_calls.c \
	tools/prof/prof_diff.c \
	tools/prof/prof_disassemble.c \
	tools/prof/prof_disassemble.h \
	tools/prof/prof_export.c \
	tools/prof/prof_inclusive.c \
	tools/prof/prof_list.c \
	tools/prof/prof_match.c \
	tools/prof/prof_options.c \
	tools/prof/prof_ratio.c \
	tools/prof/prof_rows.c \
	tools/prof/prof_show.c \
	tools/prof/prof_tree.c \
	tools/prof/prof_tree.h
prof_CPPFLAGS = $(AM_CPPFLAGS) $(CAPSTONE_CFLAGS)
prof_LDADD = libdecode.la libpmcsim.la $(CAPSTONE_LIBS)
prof_SOURCES = $(tool_sources) $(prof_listing) tools/prof/prof.c
