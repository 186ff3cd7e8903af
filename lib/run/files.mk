# SPDX-License-Identifier: GPL-2.0-or-later
lib_run_sources = \
	lib/run/clock.c \
	lib/run/clock.h \
	lib/run/command.c \
	lib/run/command.h \
	lib/run/history.c \
	lib/run/history.h \
	lib/run/ia64.c \
	lib/run/irix.c \
	lib/run/irix_costs.c \
	lib/run/machine_api.c \
	lib/run/machine_api.h \
	lib/run/machine_slots.c \
	lib/run/pctr.c \
	lib/run/plan.c \
	lib/run/run.c \
	lib/run/supervise.c \
	lib/run/supervise.h \
	lib/run/target.c \
	lib/run/target.h
