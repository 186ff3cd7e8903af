# SPDX-License-Identifier: GPL-2.0-or-later
pipeline_sources = \
	simulator/pipeline/block_build.c \
	simulator/pipeline/block_build.h \
	simulator/pipeline/block_count.c \
	simulator/pipeline/block_count.h \
	simulator/pipeline/block_prefix.c \
	simulator/pipeline/block_prefix.h \
	simulator/pipeline/block_scan.c \
	simulator/pipeline/build_internal.h \
	simulator/pipeline/inorder.c \
	simulator/pipeline/inorder.h \
	simulator/pipeline/issue.c \
	simulator/pipeline/issue.h \
	simulator/pipeline/issue_bundles.c \
	simulator/pipeline/issue_pairs.c \
	simulator/pipeline/issue_slots.c \
	simulator/pipeline/window.c \
	simulator/pipeline/window.h \
	simulator/pipeline/window_build.c \
	simulator/pipeline/window_enter.c \
	simulator/pipeline/window_forward.c \
	simulator/pipeline/window_forward.h \
	simulator/pipeline/window_held.c \
	simulator/pipeline/window_index.c \
	simulator/pipeline/window_insns.c \
	simulator/pipeline/window_internal.h \
	simulator/pipeline/window_look.c \
	simulator/pipeline/window_move.c \
	simulator/pipeline/window_new.c \
	simulator/pipeline/window_order.c \
	simulator/pipeline/window_parts.c \
	simulator/pipeline/window_program.c \
	simulator/pipeline/window_shares.c \
	simulator/pipeline/window_state.c \
	simulator/pipeline/window_table.c
