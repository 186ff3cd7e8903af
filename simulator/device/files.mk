# SPDX-License-Identifier: GPL-2.0-or-later
device_sources = \
	simulator/device/hwperf.c \
	simulator/device/hwperf.h \
	simulator/device/hwperf_calls.c \
	simulator/device/hwperf_control.c \
	simulator/device/hwperf_internal.h \
	simulator/device/hwperf_process.c \
	simulator/device/hwperf_system.c \
	simulator/device/hwperf_threads.c \
	simulator/device/ia64.c \
	simulator/device/ia64.h \
	simulator/device/pctr.c \
	simulator/device/pctr.h \
	simulator/device/pfm.c \
	simulator/device/pfm.h \
	simulator/device/pfm_internal.h \
	simulator/device/pfm_kernel.c \
	simulator/device/pfm_mux.c \
	simulator/device/pfm_profile.c \
	simulator/device/procperf.c \
	simulator/device/procperf.h
