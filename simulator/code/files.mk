# SPDX-License-Identifier: GPL-2.0-or-later
code_sources = \
	simulator/code/block.c \
	simulator/code/block.h \
	simulator/code/insn.c \
	simulator/code/insn.h
