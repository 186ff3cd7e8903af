/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables as YAML has them: what libcyaml fills from a file, before any
 * check that a schema cannot make.  Machine parameters go straight into the
 * simulator's struct sim_config.
 */
#ifndef TABLE_YAML_H
#define TABLE_YAML_H

#include "machine/config.h"
#include "pmcsim.h"

struct table_lines;

/* One term of a metric: factor x count of an event. */
struct yaml_term {
	u8 list;	/* 0 even or all, 1 odd */
	u32 code;
	s32 factor;
};

struct yaml_formula {
	struct yaml_term *numerator;
	unsigned numerator_count;
	struct yaml_term *denominator;
	unsigned denominator_count;
};

struct yaml_metric {
	char *name, *label, *text;
	u8 unit;	/* enum yaml_unit */
	u8 digits;
	struct yaml_formula *formulas; /* tried in order */
	unsigned formulas_count;
};

enum yaml_unit { YAML_RATIO, YAML_PERCENT };

struct yaml_event {
	u32 code;
	char *name, *label, *text;
	char scope;	/* 'T', 'V', 'P', 0 */
	u8 precision;	/* enum pmcsim_precision */
	u8 masked;	/* enum pmcsim_masked */
	u8 divide;	/* happenings that count as one; 0: not given */
	bool variant;	/* its code is another event's, too */
	bool averaged;	/* see struct pmcsim_event, as what follows */
	bool of_user;
	bool of_samples;
	char *reason;	/* NULL: none */
	char *of_several;	/* the same */
	char **signals, **per_cycle;
	char *cycles, *edges;	/* signals; NULL: none */
	u8 *counters;	/* that can count it; none: all of its list */
	unsigned signals_count, per_cycle_count, counters_count;
};

/* Codes first to last are reserved. */
struct yaml_range {
	u32 first, last;
};

/* Two lists, or all events on one. */
struct yaml_events {
	struct yaml_event *even, *odd, *all;
	unsigned even_count, odd_count, all_count;
};

struct yaml_reserved {
	struct yaml_range *even, *odd, *all;
	unsigned even_count, odd_count, all_count;
};

struct yaml_group {
	char *name, *option, *text;
	char **aliases;
	unsigned *even, *odd, *all;
	unsigned aliases_count, even_count, odd_count, all_count;
};

/* A counter for a few events alone, beside those that can be programmed. */
struct yaml_fixed {
	char **events;	/* of the table, or of all CPUs */
	unsigned events_count;
	u8 only;	/* no other counter has them */
};

#define TABLE_MAX_FIXED 8

struct yaml_cpu {
	char *name, *description, *os;
	char *events_of;	/* table that events are taken from; NULL */
	struct sim_config config;
	struct yaml_fixed *fixed;
	struct yaml_events events;
	struct yaml_reserved reserved;
	struct yaml_group *groups;
	struct yaml_metric *metrics;
	unsigned fixed_count, groups_count, metrics_count;
};

/* What one happening costs, in signals. */
struct yaml_cost {
	char *signal;
	u32 count;
};

struct yaml_cause {
	u8 cause;	/* enum ledger_cause */
	u8 mode;	/* enum sim_mode */
	char *text;
	struct yaml_cost *cost;
	unsigned cost_count;
};

struct yaml_os {
	char *name, *description;
	u32 tick_hz;	/* 0: no clock ticks */
	u32 tick_code, tick_data; /* bytes that one touches */
	u32 tick_stored;	/* of those of data */
	u32 fault_around;	/* bytes, a power of two */
	struct yaml_cause *causes;
	unsigned causes_count;
};

/* What a machine must have for signals to be counted on it. */
enum yaml_has {
	HAS_ANY,
	HAS_L1_ONLY,	/* no level behind the first */
	HAS_L2,
	HAS_L3
};

/* The signals of an event on machines that have something. */
struct yaml_origin {
	u8 has;		/* enum yaml_has */
	char **signals;
	unsigned signals_count;
};

/* An event that has one name on all CPUs. */
struct yaml_word {
	char *name, *text;
	char **aliases;
	u8 precision;	/* enum pmcsim_precision */
	u8 unit;	/* enum pmcsim_unit; of a time, signals are cycles */
	u8 modes;	/* as struct pmcsim_named has them */
	struct yaml_origin *origins; /* the first that the machine has */
	unsigned aliases_count, origins_count;
};

/* times x over / under, which are names of events. */
struct yaml_quotient {
	char *name, *text, *unit;
	char *over, *under;
	u32 times;
};

struct yaml_lexicon {
	char *name, *description;
	struct yaml_word *words;
	struct yaml_quotient *metrics;
	unsigned words_count, metrics_count;
};

enum table_kind { TABLE_CPU, TABLE_OS, TABLE_LEXICON };

/* A file that was read: its contents, owned, and where things stand in it. */
struct table_file {
	char *path;
	enum table_kind kind;
	union {
		struct yaml_cpu *cpu;
		struct yaml_os *os;
		struct yaml_lexicon *lexicon;
		void *data;
	};
	struct table_lines *lines;
};

/*
 * Reads a file of one kind.  0, -ENOENT and other codes of open and read,
 * -EFBIG, -EINVAL; the sentence is in error.  Free it also after a failure.
 */
int table_file_read(struct table_file *file, enum table_kind kind,
		    const char *path, struct pmcsim_error *error);

/* The same in two parts: its text, which the caller frees, with a zero behind
 * it; and what a text says, which path names in sentences. */
int table_file_text(const char *path, char **text, size_t *length,
		    struct pmcsim_error *error);
int table_file_parse(struct table_file *file, enum table_kind kind,
		     const char *path, const char *text, size_t length,
		     struct pmcsim_error *error);
void table_file_free(struct table_file *file);

#endif
