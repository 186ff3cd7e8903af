# SPDX-License-Identifier: GPL-2.0-or-later
kprofile_LDADD = $(prof_listing_LIBS)
kprofile_SOURCES = \
	$(recording) \
	$(tool_sources) \
	tools/kprofile/kprofile.c
