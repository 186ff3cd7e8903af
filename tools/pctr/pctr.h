/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pctr: what its files share. */
#ifndef PCTR_H
#define PCTR_H

#include "guest/openbsd/machine/pctr.h"
#include "common/tidy.h"

extern const struct tool pctr_tool;

enum pctr_format { PCTR_TEXT, PCTR_JSON, PCTR_CSV, PCTR_MARKDOWN };

/* What the command line wants of a counter. */
struct pctr_wish {
	bool given;
	char flags[16];		/* letters, as they were given */
	const char *function;	/* hexadecimal, [+cm][/mask] behind it */
	const char *mask;	/* -m, hexadecimal */
	const char *threshold;	/* -t, decimal */
};

struct pctr_options {
	const char *cpu;	/* --cpu, NULL: not given */
	const char *machine;	/* --machine, NULL: not given */
	const char *output;
	enum pctr_format format;
	bool append;
	unsigned long run;	/* of those in the output */
	bool list;
	const char *family;	/* of -l, NULL: not given */
	struct pctr_wish wish[2];
	struct system_option system;
	struct outside outside;
	char **command;		/* NULL: none */
};

/* Fills the options, or ends the tool. */
void pctr_parse(struct pctr_options *o, int argc, char **argv);

/* The function that a wish means on that CPU; ends the tool if none. */
uint32_t pctr_function(const struct pmcsim_cpu *cpu, unsigned counter,
		       const struct pctr_wish *wish);

/* The event of a function, or NULL. */
const struct pmcsim_event *pctr_find(const struct pmcsim_cpu *cpu,
				     unsigned counter, uint32_t function);

/* Bits of a function that machine/pctr.h has no names for. */
#define P5CTR_EVENT 0x3fu
#define P6CTR_EVENT 0xffu

/* Modes of a machine that are its kernel mode, as in struct pmcsim_slot. */
#define PCTR_KERNEL_MODES 7u

/* The functions that a CPU has, as pctr -l prints them. */
void pctr_print_list(const struct pmcsim_cpu *cpu, FILE *out);

/* The counters. */
struct pctr_report {
	const struct pmcsim_cpu *cpu;
	struct pmcsim_pctr state;
	char *const *command;	/* NULL: none was run */
	const struct system_option *system;
	const char *unknown[2];	/* why kernel mode is to be counted and is
				 * not; NULL: it is */
	bool partial;
	unsigned doubts;	/* see pmcsim_machine_doubts() */
};

/* Says on standard error which counters have less than they are to have. */
void pctr_tell(const struct pctr_report *r);

void pctr_print(const struct pctr_report *r, const struct pctr_options *o,
		FILE *out);

/* Of its CSV. */
#define PCTR_COLUMNS "counter,function,name,value,precision,reason"

#endif
