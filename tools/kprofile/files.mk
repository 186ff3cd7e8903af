# SPDX-License-Identifier: GPL-2.0-or-later
kprofile_CPPFLAGS = $(AM_CPPFLAGS) $(CAPSTONE_CFLAGS)
kprofile_LDADD = libdecode.la libpmcsim.la $(CAPSTONE_LIBS)
kprofile_SOURCES = \
	$(prof_listing) \
	$(recording) \
	$(tool_sources) \
	tools/kprofile/kprofile.c
