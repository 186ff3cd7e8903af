# SPDX-License-Identifier: GPL-2.0-or-later
code_decode_sources = \
	simulator/code/decode/alpha.c \
	simulator/code/decode/alpha_mips_rows.c \
	simulator/code/decode/alpha_mips_rows.h \
	simulator/code/decode/alpha_operate.c \
	simulator/code/decode/alpha_tables.h \
	simulator/code/decode/decode.h \
	simulator/code/decode/direction.c \
	simulator/code/decode/mark.c \
	simulator/code/decode/mark.h \
	simulator/code/decode/mips.c \
	simulator/code/decode/mips16.c \
	simulator/code/decode/mips_dsp.c \
	simulator/code/decode/mips_fpu.c \
	simulator/code/decode/mips_tables.h \
	simulator/code/decode/x86.c \
	simulator/code/decode/x86_address.c \
	simulator/code/decode/x86_class.c \
	simulator/code/decode/x86_fpu.c \
	simulator/code/decode/x86_fuse.c \
	simulator/code/decode/x86_kind.c \
	simulator/code/decode/x86_one.c \
	simulator/code/decode/x86_operand.c \
	simulator/code/decode/x86_parts.c \
	simulator/code/decode/x86_state.h \
	simulator/code/decode/x86_table.h \
	simulator/code/decode/x86_three.c \
	simulator/code/decode/x86_timing.c \
	simulator/code/decode/x86_timing.h \
	simulator/code/decode/x86_timing_rows.c \
	simulator/code/decode/x86_two.c
