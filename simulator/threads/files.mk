# SPDX-License-Identifier: GPL-2.0-or-later
threads_sources = \
	simulator/threads/merge.c \
	simulator/threads/merge.h \
	simulator/threads/merge_access.h \
	simulator/threads/merge_cpus.c \
	simulator/threads/merge_cpus.h \
	simulator/threads/merge_fetch.c \
	simulator/threads/merge_internal.h \
	simulator/threads/merge_issue.c \
	simulator/threads/merge_plan.c \
	simulator/threads/merge_prepare.c \
	simulator/threads/merge_queue.c \
	simulator/threads/merge_single.c \
	simulator/threads/merge_threads.c \
	simulator/threads/merge_turns.c \
	simulator/threads/merge_wake.c \
	simulator/threads/written.c \
	simulator/threads/written.h
