# SPDX-License-Identifier: GPL-2.0-or-later
uprofile_CPPFLAGS = $(AM_CPPFLAGS) $(CAPSTONE_CFLAGS)
uprofile_LDADD = libdecode.la libpmcsim.la $(CAPSTONE_LIBS)
recording = \
	tools/uprofile/record.h \
	tools/uprofile/record_options.c \
	tools/uprofile/record_run.c \
	tools/uprofile/record_words.c
uprofile_SOURCES = \
	$(prof_listing) \
	$(recording) \
	$(tool_sources) \
	tools/uprofile/uprofile.c
