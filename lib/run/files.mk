# SPDX-License-Identifier: GPL-2.0-or-later
lib_run_sources = \
	lib/run/identity.c \
	lib/run/plan.c \
	lib/run/run.c
