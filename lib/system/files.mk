# SPDX-License-Identifier: GPL-2.0-or-later
lib_system_sources = \
	lib/system/kernel.c \
	lib/system/kernel.h \
	lib/system/kernel_profile.c \
	lib/system/system.h \
	lib/system/system_board.c \
	lib/system/system_boot.c \
	lib/system/system_command.c \
	lib/system/system_command.h \
	lib/system/system_cpio.c \
	lib/system/system_folder.c \
	lib/system/system_image.c \
	lib/system/system_internal.h \
	lib/system/system_job.c \
	lib/system/system_key.c \
	lib/system/system_libraries.c \
	lib/system/system_measure.h \
	lib/system/system_measure_mips.c \
	lib/system/system_measure_x86.c \
	lib/system/system_place.c \
	lib/system/system_program.c \
	lib/system/system_qmp.c \
	lib/system/system_result.c \
	lib/system/system_setup.c \
	lib/system/system_vectors.c
