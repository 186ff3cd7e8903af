/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of pprof: a compressed message, which is written in pieces, so
 * that it is never in memory as a whole.  An address is an offset in its file,
 * all of which is one mapping from 0 on.
 */
#include "prof_functions.h"

#include <stdlib.h>
#include <string.h>
#include <tools/prof/pprof.pb-c.h>
#include <zlib.h>

#define GZIP 16			/* added to the window, the format's header */
#define PIECE 32768		/* bytes */
#define PAGE 4096

struct writer {
	ProtobufCBuffer base;
	const struct prof *p;
	FILE *out;
	z_stream z;
	uint8_t waiting[PIECE];	/* to be compressed: messages are short */
	size_t n_waiting;
	struct prof_functions functions;
	size_t n_described;	/* functions that have been written */
	int64_t n_texts;
	uint64_t *location;	/* of each place and call */
	uint64_t n_locations;
};

/* ---- Compression ----------------------------------------------------- */

static void
squeeze(struct writer *w, size_t n, const uint8_t *data, int flush)
{
	unsigned char piece[PIECE];

	w->z.next_in = (unsigned char *)(uintptr_t)data;
	w->z.avail_in = (unsigned)n;
	do {
		w->z.next_out = piece;
		w->z.avail_out = PIECE;
		deflate(&w->z, flush);
		fwrite(piece, 1, PIECE - w->z.avail_out, w->out);
	} while (!w->z.avail_out);
}

static void
append(ProtobufCBuffer *base, size_t n, const uint8_t *data)
{
	struct writer *w = (struct writer *)base;

	while (n) {
		size_t part = PIECE - w->n_waiting < n ? PIECE - w->n_waiting
						       : n;

		memcpy(w->waiting + w->n_waiting, data, part);
		w->n_waiting += part;
		data += part;
		n -= part;
		if (w->n_waiting < PIECE)
			return;
		squeeze(w, PIECE, w->waiting, Z_NO_FLUSH);
		w->n_waiting = 0;
	}
}

static void
put(struct writer *w, const Pprof__Profile *piece)
{
	protobuf_c_message_pack_to_buffer(&piece->base, &w->base);
}

/* ---- Pieces ---------------------------------------------------------- */

/* The number of a text, which is written. */
static int64_t
put_text(struct writer *w, const char *text)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	char *list[] = {(char *)(uintptr_t)(text ? text : "")};

	piece.n_string_table = 1;
	piece.string_table = list;
	put(w, &piece);
	return w->n_texts++;
}

static Pprof__ValueType
event_type(struct writer *w, unsigned event)
{
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;

	type.type = put_text(w, w->p->u->event[event]);
	type.unit = put_text(w, "count");
	return type;
}

static void
put_head(struct writer *w)
{
	const struct pmcsim_umon *u = w->p->u;
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType type[PMCSIM_PROFILE_EVENTS];
	Pprof__ValueType *list[PMCSIM_PROFILE_EVENTS];
	int64_t comment[2];

	put_text(w, "");
	for (unsigned e = 0; e < u->profile->n_events; e++) {
		type[e] = event_type(w, e);
		list[e] = &type[e];
	}
	piece.n_sample_type = u->profile->n_events;
	piece.sample_type = list;
	piece.default_sample_type = type[prof_chosen(w->p)].type;
	if (u->profile->period) {
		piece.period_type = &type[0];
		piece.period = (int64_t)u->profile->each[0];
	}
	comment[0] = put_text(w, u->cpu);
	comment[1] = put_text(w, w->p->data);
	piece.n_comment = 2;
	piece.comment = comment;
	put(w, &piece);
}

/* So many bytes of each file as something happened in. */
static uint64_t *
find_ends(const struct prof *p)
{
	const struct pmcsim_profile *f = p->u->profile;
	uint64_t *end = tool_alloc(p->tool, f->n_modules, sizeof *end);

	for (size_t i = 0; i < f->n_places; i++)
		if (f->place[i].offset >= end[f->place[i].module])
			end[f->place[i].module] = f->place[i].offset + 1;
	for (size_t i = 0; i < f->n_calls; i++)
		if (f->call[i].offset >= end[f->call[i].module])
			end[f->call[i].module] = f->call[i].offset + 1;
	return end;
}

/* Numbers of mappings are those of modules, and 1. */
static void
put_mappings(struct writer *w)
{
	const struct pmcsim_profile *f = w->p->u->profile;
	uint64_t *end = find_ends(w->p);

	for (size_t i = 0; i < f->n_modules; i++) {
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		Pprof__Mapping mapping = PPROF__MAPPING__INIT, *list = &mapping;

		mapping.id = i + 1;
		mapping.memory_limit = end[i] + PAGE - 1 - (end[i] + PAGE - 1) %
								   PAGE;
		mapping.filename = put_text(w, f->module[i]);
		if (f->build && f->build[i])
			mapping.build_id = put_text(w, f->build[i]);
		mapping.has_functions = mapping.has_filenames = true;
		mapping.has_line_numbers = mapping.has_inline_frames = true;
		piece.n_mapping = 1;
		piece.mapping = &list;
		put(w, &piece);
	}
	free(end);
}

/* Writes the functions that have got numbers since the last time. */
static void
put_functions(struct writer *w)
{
	for (; w->n_described < w->functions.n; w->n_described++) {
		const struct pmcsim_profile_row *row =
			&w->functions.row[w->n_described];
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		Pprof__Function function = PPROF__FUNCTION__INIT;
		Pprof__Function *list = &function;
		struct pmcsim_symbol begin;

		prof_source(w->p, row, &begin);
		function.id = w->n_described + 1;
		function.name = put_text(w, prof_export_name(w->p, row));
		function.system_name = function.name;
		function.filename = put_text(w, begin.file);
		function.start_line = begin.line;
		piece.n_function = 1;
		piece.function = &list;
		put(w, &piece);
	}
}

static void
put_location(struct writer *w, unsigned module, uint64_t offset)
{
	struct pmcsim_symbol frame[PMCSIM_FRAMES];
	size_t n = prof_frames(w->p, module, offset, frame);
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Location location = PPROF__LOCATION__INIT, *list = &location;
	Pprof__Line line[PMCSIM_FRAMES], *lines[PMCSIM_FRAMES];

	for (size_t i = 0; i < n; i++) {
		line[i] = (Pprof__Line)PPROF__LINE__INIT;
		line[i].function_id =
			prof_function(&w->functions, module, &frame[i]) + 1;
		line[i].line = frame[i].line;
		lines[i] = &line[i];
	}
	put_functions(w);
	location.id = ++w->n_locations;
	location.mapping_id = module + 1;
	location.address = offset;
	location.n_line = n;
	location.line = lines;
	piece.n_location = 1;
	piece.location = &list;
	put(w, &piece);
}

/* ---- Locations ------------------------------------------------------- */

/* An instruction of something, by number. */
struct spot {
	unsigned module;
	uint64_t offset;
	size_t of;
};

static int
by_spot(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

/* One for each instruction; places have the first numbers, then calls. */
static void
put_locations(struct writer *w)
{
	const struct pmcsim_profile *f = w->p->u->profile;
	size_t n = f->n_places + f->n_calls;
	struct spot *spot = tool_alloc(w->p->tool, n + 1, sizeof *spot);

	w->location = tool_alloc(w->p->tool, n + 1, sizeof *w->location);
	for (size_t i = 0; i < f->n_places; i++)
		spot[i] = (struct spot){f->place[i].module,
					f->place[i].offset, i};
	for (size_t i = 0; i < f->n_calls; i++)
		spot[f->n_places + i] = (struct spot){
			f->call[i].module, f->call[i].offset, f->n_places + i};
	qsort(spot, n, sizeof *spot, by_spot);
	for (size_t i = 0; i < n; i++) {
		if (!i || spot[i].module != spot[i - 1].module ||
		    spot[i].offset != spot[i - 1].offset)
			put_location(w, spot[i].module, spot[i].offset);
		w->location[spot[i].of] = w->n_locations;
	}
	free(spot);
}

/* ---- Samples --------------------------------------------------------- */

static void
put_sample(struct writer *w, uint64_t *stack, size_t depth, int64_t *value)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *list = &sample;

	sample.n_location_id = depth;
	sample.location_id = stack;
	sample.n_value = w->p->u->profile->n_events;
	sample.value = value;
	piece.n_sample = 1;
	piece.sample = &list;
	put(w, &piece);
}

/* What leads to a place, the innermost first. */
static void
put_samples(struct writer *w)
{
	const struct pmcsim_profile *f = w->p->u->profile;
	uint64_t *stack = tool_alloc(w->p->tool, f->n_calls + 1,
				     sizeof *stack);

	for (size_t i = 0; i < f->n_places; i++) {
		int64_t value[PMCSIM_PROFILE_EVENTS];
		size_t depth = 0;

		stack[depth++] = w->location[i];
		for (uint64_t path = f->place[i].path; path;
		     path = f->call[path - 1].parent)
			stack[depth++] = w->location[f->n_places + path - 1];
		for (unsigned e = 0; e < f->n_events; e++)
			value[e] = (int64_t)prof_cost(w->p, e,
						      f->place[i].count[e]);
		put_sample(w, stack, depth, value);
	}
	free(stack);
}

/* All samples together are the total. */
static void
put_rest(struct writer *w)
{
	const struct pmcsim_profile *f = w->p->u->profile;
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT;
	Pprof__Function *functions = &function;
	Pprof__Location location = PPROF__LOCATION__INIT;
	Pprof__Location *locations = &location;
	Pprof__Line line = PPROF__LINE__INIT, *lines = &line;
	int64_t value[PMCSIM_PROFILE_EVENTS];
	bool any = false;

	for (unsigned e = 0; e < f->n_events; e++) {
		value[e] = (int64_t)f->rest[e];
		any |= f->rest[e] > 0;
	}
	if (!any)
		return;
	function.id = line.function_id = w->functions.n + 1;
	function.name = function.system_name = put_text(w, PROF_NOWHERE);
	location.id = ++w->n_locations;
	location.n_line = 1;
	location.line = &lines;
	piece.n_function = piece.n_location = 1;
	piece.function = &functions;
	piece.location = &locations;
	put(w, &piece);
	put_sample(w, &w->n_locations, 1, value);
}

void
prof_pprof(const struct prof *p, FILE *out)
{
	struct writer w = {.base = {append}, .p = p, .out = out};

	if (deflateInit2(&w.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
			 MAX_WBITS + GZIP, MAX_MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		tool_fail(p->tool, TOOL_FAILED, "out of memory");
	prof_functions_init(&w.functions, p->tool);
	put_head(&w);
	put_mappings(&w);
	put_locations(&w);
	put_samples(&w);
	put_rest(&w);
	squeeze(&w, w.n_waiting, w.waiting, Z_FINISH);
	deflateEnd(&w.z);
	prof_functions_free(&w.functions);
	free(w.location);
}
