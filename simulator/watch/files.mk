# SPDX-License-Identifier: GPL-2.0-or-later
watch_sources = \
	simulator/watch/calls.c \
	simulator/watch/calls.h \
	simulator/watch/calls_seen.c \
	simulator/watch/calls_seen.h \
	simulator/watch/profile.c \
	simulator/watch/profile.h \
	simulator/watch/profile_internal.h \
	simulator/watch/profile_put.c \
	simulator/watch/profile_record.c \
	simulator/watch/regions.c \
	simulator/watch/regions.h \
	simulator/watch/sample.c \
	simulator/watch/sample.h \
	simulator/watch/sample_coast.c \
	simulator/watch/sample_internal.h \
	simulator/watch/sample_walk.c \
	simulator/watch/sample_watch.c \
	simulator/watch/sample_weight.c
