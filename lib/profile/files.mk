# SPDX-License-Identifier: GPL-2.0-or-later
lib_profile_sources = \
	lib/profile/profile.c \
	lib/profile/profile_ask.c \
	lib/profile/profile_calls.c \
	lib/profile/profile_calls.h \
	lib/profile/profile_places.c \
	lib/profile/profile_places.h \
	lib/profile/profile_rows.c \
	lib/profile/umon.c \
	lib/profile/umon.h \
	lib/profile/umon_lines.c \
	lib/profile/umon_read.c \
	lib/profile/umon_read_internal.h \
	lib/profile/umon_regions.c \
	lib/profile/umon_word.c \
	lib/profile/umon_write.c
