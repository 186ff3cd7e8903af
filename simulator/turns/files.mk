# SPDX-License-Identifier: GPL-2.0-or-later
turns_sources = \
	simulator/turns/turns.c \
	simulator/turns/turns.h \
	simulator/turns/turns_alarm.c \
	simulator/turns/turns_calls.c \
	simulator/turns/turns_clock.c \
	simulator/turns/turns_counts.c \
	simulator/turns/turns_free.c \
	simulator/turns/turns_idle.c \
	simulator/turns/turns_internal.h \
	simulator/turns/turns_process.c \
	simulator/turns/turns_record.c \
	simulator/turns/turns_rows.c \
	simulator/turns/turns_rows.h \
	simulator/turns/turns_step.c \
	simulator/turns/turns_stretch.c \
	simulator/turns/turns_syscall.c \
	simulator/turns/turns_token.c \
	simulator/turns/turns_wait.c \
	simulator/turns/turns_watch.c
