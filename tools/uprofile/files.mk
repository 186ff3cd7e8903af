# SPDX-License-Identifier: GPL-2.0-or-later
uprofile_LDADD = $(prof_listing_LIBS)
recording = \
	tools/uprofile/record.h \
	tools/uprofile/record_options.c \
	tools/uprofile/record_run.c \
	tools/uprofile/record_words.c
uprofile_SOURCES = \
	$(recording) \
	$(tool_sources) \
	tools/uprofile/uprofile.c
