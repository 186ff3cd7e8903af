# SPDX-License-Identifier: GPL-2.0-or-later
lib_counters_sources = \
	lib/counters/doubts.c \
	lib/counters/ia64.c \
	lib/counters/irix.c \
	lib/counters/irix_costs.c \
	lib/counters/lexicon_count.h \
	lib/counters/lexicon_notes.c \
	lib/counters/lexicon_read.c \
	lib/counters/machine_api.c \
	lib/counters/machine_api.h \
	lib/counters/machine_slots.c \
	lib/counters/pctr.c \
	lib/counters/periods.c \
	lib/counters/regions.c
