/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option --system of all tools that run a command: on a board with a real
 * kernel, whose code is executed and counted, instead of in user mode alone,
 * where kernel modes are the ledger's accounts.
 *
 * Where the board is not set up, the command runs in user mode if it can;
 * then kernel modes are not measured, and the tool fails.
 */
#ifndef SYSTEM_OPTION_H
#define SYSTEM_OPTION_H

#include "tool.h"

/* The row of an option table. */
#define SYSTEM_OPTION(id)                                               \
	{id, 0, "system", "BOARD",                                      \
	 "run on a board with a real kernel: see pmcsim system",        \
	 WORDS_BOARDS}

struct system_option {
	const char *board;	/* NULL: not given */
	bool missing;		/* it is not set up: see system_check */
};

/* Ends the tool if another option, dashes and name, is given that means
 * nothing there. */
void system_excludes(const struct tool *tool, const struct system_option *s,
		     bool given, const char *dashes, const char *name);

/*
 * Whether the command can be run, on the board or without one; ends the tool
 * if not.  Sets missing, and says so.
 */
void system_check(const struct tool *tool, struct system_option *s,
		  char *const *command);

/* Whether it can be run on the board, as pmcsim_system_check has it; notes
 * that its folder is not there. */
int system_check_board(const struct tool *tool, const char *board,
		       char *const *command, struct pmcsim_error *error);

/* Ends the tool with the sentence of such a check that has failed; an unknown
 * board is wrong usage. */
_Noreturn void system_fail(const struct tool *tool, int err,
			   const struct pmcsim_error *error);

/* Where the command runs, as in struct pmcsim_start. */
const char *system_where(const struct system_option *s);

/* Whether counts of these modes, as in struct pmcsim_slot, are measured. */
bool system_measures(const struct system_option *s, unsigned modes);

/* How the part of a count that is not of user mode came about. */
enum system_method {
	SYSTEM_USER_ALONE,   /* there is no such part */
	SYSTEM_EXECUTED,     /* on the board */
	SYSTEM_LEDGER,	     /* accounted without one */
	SYSTEM_NOT_MEASURED, /* the board is missing */
	SYSTEM_NOT_MODELLED  /* the event has none of other modes */
};

enum system_method system_method(const struct system_option *s,
				 unsigned modes);

/* As reports have it; NULL for user mode alone. */
const char *system_method_name(enum system_method method);

/* The name of how well a count of the event is known that came about so. */
const char *system_precision(enum system_method method,
			     const struct pmcsim_event *event);

/*
 * What JSON and CSV say beside a count: why there is none, why it is of user
 * mode only, or what the table says; NULL: nothing.  missing: what stands for
 * the count, or NULL; unknown: as in struct pmcsim_value; event NULL: the
 * table has none.
 */
const char *system_reason(const struct pmcsim_event *event,
			  const char *missing, const char *unknown);

/*
 * Tells on standard error how kernel modes are known and what the kernel did,
 * for a tool that counts these modes on that CPU; facts NULL: no command has
 * run on a board.
 */
void system_tell(const struct tool *tool, const struct system_option *s,
		 unsigned modes, const struct pmcsim_cpu *cpu,
		 const struct pmcsim_system_facts *facts);
void system_tell_machine(const struct tool *tool,
			 const struct system_option *s, unsigned modes,
			 const struct pmcsim_cpu *cpu,
			 const struct pmcsim_machine *m);

/* The tool's exit status for the command's. */
int system_status(const struct system_option *s, int status);

#endif
