# SPDX-License-Identifier: GPL-2.0-or-later
pc_parse_LDADD = libpmcsim.la
pc_parse_SOURCES = \
	$(tool_sources) \
	tools/pc_parse/pc_parse.c
