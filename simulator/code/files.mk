# SPDX-License-Identifier: GPL-2.0-or-later
code_sources = \
	simulator/code/block.c \
	simulator/code/block.h \
	simulator/code/block_build.c \
	simulator/code/block_build.h \
	simulator/code/block_count.c \
	simulator/code/block_count.h \
	simulator/code/block_prefix.c \
	simulator/code/block_prefix.h \
	simulator/code/block_scan.c \
	simulator/code/insn.c \
	simulator/code/insn.h
