# SPDX-License-Identifier: GPL-2.0-or-later
program_sources = \
	simulator/program/elf_file.c \
	simulator/program/elf_file.h \
	simulator/program/engine_args.c \
	simulator/program/engine_args.h \
	simulator/program/isa.c \
	simulator/program/isa.h \
	simulator/program/level.c \
	simulator/program/level.h \
	simulator/program/look.c \
	simulator/program/procedure.c \
	simulator/program/procedure.h \
	simulator/program/program.c \
	simulator/program/program.h \
	simulator/program/segment.c \
	simulator/program/segment.h \
	simulator/program/strings.c \
	simulator/program/strings.h \
	simulator/program/system_marks.h
