# SPDX-License-Identifier: GPL-2.0-or-later
# Listings and exports, for all tools that show profiles.
noinst_LIBRARIES = libprof.a
libprof_a_CPPFLAGS = $(AM_CPPFLAGS) $(CAPSTONE_CFLAGS) $(PROTOBUF_C_CFLAGS) \
	$(ZLIB_CFLAGS)
libprof_a_SOURCES = \
	tools/prof/prof.h \
	tools/prof/prof_annotate.c \
	tools/prof/prof_arcs.c \
	tools/prof/prof_arcs.h \
	tools/prof/prof_asm.c \
	tools/prof/prof_callgrind.c \
	tools/prof/prof_calls.c \
	tools/prof/prof_diff.c \
	tools/prof/prof_disassemble.c \
	tools/prof/prof_disassemble.h \
	tools/prof/prof_export.c \
	tools/prof/prof_folded.c \
	tools/prof/prof_functions.c \
	tools/prof/prof_functions.h \
	tools/prof/prof_html.c \
	tools/prof/prof_inclusive.c \
	tools/prof/prof_instructions.c \
	tools/prof/prof_instructions.h \
	tools/prof/prof_json.c \
	tools/prof/prof_list.c \
	tools/prof/prof_markdown.c \
	tools/prof/prof_match.c \
	tools/prof/prof_options.c \
	tools/prof/prof_pprof.c \
	tools/prof/prof_ratio.c \
	tools/prof/prof_regions.c \
	tools/prof/prof_rows.c \
	tools/prof/prof_show.c \
	tools/prof/prof_speedscope.c \
	tools/prof/prof_text.c \
	tools/prof/prof_text.h \
	tools/prof/prof_tree.c \
	tools/prof/prof_tree.h
prof_listing_LIBS = libprof.a libdecode.la libpmcsim.la $(CAPSTONE_LIBS) \
	$(PROTOBUF_C_LIBS) $(ZLIB_LIBS)

# The parts of a page become texts.
page_parts = \
	tools/prof/page.css \
	tools/prof/page.html \
	tools/prof/page.js \
	tools/prof/page_graph.js \
	tools/prof/page_model.js \
	tools/prof/page_tables.js
page_scripts = page_model.js page_graph.js page_tables.js page.js
EXTRA_DIST += $(page_parts)
BUILT_SOURCES += tools/prof/page.inc
CLEANFILES += tools/prof/page.inc
tools/prof/page.inc: $(page_parts)
	$(AM_V_GEN)$(MKDIR_P) tools/prof && for part in \
		css=page.css html=page.html "js=$(page_scripts)"; do \
		echo "static const char page_$${part%%=*}[] =" && \
		(cd $(srcdir)/tools/prof && cat $${part#*=}) | \
			$(SED) 's/["\\]/\\&/g; s/.*/"&\\n"/' && \
		echo ';' || exit; \
	done >$@.tmp && mv $@.tmp $@
tools/prof/libprof_a-prof_html.$(OBJEXT): tools/prof/page.inc

# What the format's description says becomes functions that write it.
EXTRA_DIST += tools/prof/pprof.proto
nodist_libprof_a_SOURCES = tools/prof/pprof.pb-c.c
BUILT_SOURCES += tools/prof/pprof.pb-c.c
CLEANFILES += tools/prof/pprof.pb-c.c tools/prof/pprof.pb-c.h
tools/prof/pprof.pb-c.c: tools/prof/pprof.proto
	$(AM_V_GEN)$(MKDIR_P) tools/prof && $(PROTOC_C) \
		--proto_path=$(srcdir)/tools/prof --c_out=tools/prof \
		$(srcdir)/tools/prof/pprof.proto
tools/prof/libprof_a-prof_pprof.$(OBJEXT): tools/prof/pprof.pb-c.c

prof_LDADD = $(prof_listing_LIBS)
prof_SOURCES = $(tool_sources) tools/prof/prof.c
