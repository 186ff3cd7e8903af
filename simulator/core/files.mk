# SPDX-License-Identifier: GPL-2.0-or-later
core_sources = \
	simulator/core/access.c \
	simulator/core/align.c \
	simulator/core/barrier.c \
	simulator/core/branch.c \
	simulator/core/branch.h \
	simulator/core/coherence.c \
	simulator/core/coherence.h \
	simulator/core/core.c \
	simulator/core/core.h \
	simulator/core/dcache.c \
	simulator/core/dcache.h \
	simulator/core/enter.c \
	simulator/core/fast.h \
	simulator/core/icache.c \
	simulator/core/memory.c \
	simulator/core/memory.h \
	simulator/core/mmx.h \
	simulator/core/near.c \
	simulator/core/near.h \
	simulator/core/oldest.h \
	simulator/core/outer.c \
	simulator/core/outer.h \
	simulator/core/pages.c \
	simulator/core/pages.h \
	simulator/core/pending.c \
	simulator/core/predict.c \
	simulator/core/predict.h \
	simulator/core/replace.c \
	simulator/core/replace.h \
	simulator/core/tlb.c \
	simulator/core/tlb.h \
	simulator/core/writebuf.c \
	simulator/core/writebuf.h \
	simulator/core/writebuf_fast.h
