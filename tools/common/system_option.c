/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_option.h"

#include "system/system.h"

#include <errno.h>

#define MODE_USER 8u

void
system_excludes(const struct tool *tool, const struct system_option *s,
		bool given, const char *dashes, const char *name)
{
	if (s->board && given)
		tool_fail(tool, TOOL_USAGE, "%s%s has no meaning with "
			  "%ssystem", dashes, name, tool_dashes(tool));
}

_Noreturn void
system_fail(const struct tool *tool, int err, const struct pmcsim_error *error)
{
	tool_fail(tool, err == -EINVAL ? TOOL_USAGE : tool_status(err), "%s",
		  error->text);
}

int
system_check_board(const struct tool *tool, const char *board,
		   char *const *command, struct pmcsim_error *error)
{
	bool alone;
	int err;

	tool_outlive_file_limit();
	err = pmcsim_system_check(board, command, &alone, error);
	if (alone)
		tool_note(tool, "the folder that the command starts in is not "
			  "on the board: it is too large, or TMPDIR is in it");
	return err;
}

void
system_check(const struct tool *tool, struct system_option *s,
	     char *const *command)
{
	struct pmcsim_error error, ignored;
	int err;

	if (s->board)
		err = system_check_board(tool, s->board, command, &error);
	else
		err = pmcsim_command_check(command, &error);
	if (err == 0)
		return;
	if (!s->board || err != -ENXIO ||
	    pmcsim_system_without(s->board, command, &ignored) != 0)
		system_fail(tool, err, &error);
	s->missing = true;
	tool_say(tool, "%s; the command runs in user mode, and kernel code is "
		 "not measured", error.text);
}

const char *
system_where(const struct system_option *s)
{
	return s->missing ? NULL : s->board;
}

bool
system_measures(const struct system_option *s, unsigned modes)
{
	return !s->missing || !(modes & ~MODE_USER);
}

enum system_method
system_method(const struct system_option *s, unsigned modes)
{
	if (!(modes & ~MODE_USER))
		return SYSTEM_USER_ALONE;
	if (!s->board)
		return SYSTEM_LEDGER;
	return s->missing ? SYSTEM_NOT_MEASURED : SYSTEM_EXECUTED;
}

const char *
system_method_name(enum system_method method)
{
	static const char *const name[] = {
		[SYSTEM_EXECUTED] = "executed",
		[SYSTEM_LEDGER] = "ledger",
		[SYSTEM_NOT_MEASURED] = "not measured",
		[SYSTEM_NOT_MODELLED] = "not modelled",
	};

	return name[method];
}

const char *
system_precision(enum system_method method, const struct pmcsim_event *event)
{
	bool accounted = method == SYSTEM_LEDGER &&
			 event->precision != PMCSIM_NOT_MODELLED;

	return pmcsim_precision_name(accounted ? PMCSIM_LEDGER
					       : event->precision);
}

const char *
system_reason(const struct pmcsim_event *event, const char *missing,
	      const char *unknown)
{
	if (event && event->precision == PMCSIM_NOT_MODELLED)
		return event->reason;
	if (unknown)
		return unknown;
	if (missing)
		return missing;
	return event ? event->reason : NULL;
}

void
system_tell(const struct tool *tool, const struct system_option *s,
	    unsigned modes, const struct pmcsim_cpu *cpu,
	    const struct pmcsim_system_facts *f)
{
	const struct system_board *board;

	if (!s->board && modes & ~MODE_USER)
		tool_note(tool, "kernel modes are accounts of the ledger; "
			  "with --system, kernel code is executed");
	if (!s->board || s->missing || !f)
		return;
	board = pmcsim_system_find_board(s->board);
	tool_say(tool, "%s: system calls %llu, interrupts %llu, %s %llu, other "
		 "exceptions %llu, times idle %llu; all code was executed, "
		 "on the model of %s; modes are those of the blocks executed, "
		 "exception level %s", s->board,
		 (unsigned long long)f->syscalls,
		 (unsigned long long)f->interrupts,
		 board->refills ? "TLB refills" : "page faults",
		 (unsigned long long)(board->refills ? f->refills : f->pages),
		 (unsigned long long)(f->faults - f->pages),
		 (unsigned long long)f->waits, pmcsim_cpu_name(cpu),
		 board->level);
}

void
system_tell_machine(const struct tool *tool, const struct system_option *s,
		    unsigned modes, const struct pmcsim_cpu *cpu,
		    const struct pmcsim_machine *m)
{
	struct pmcsim_system_facts facts;
	bool ran = pmcsim_machine_system(m, &facts);

	system_tell(tool, s, modes, cpu, ran ? &facts : NULL);
}

int
system_status(const struct system_option *s, int status)
{
	return s->missing ? TOOL_FAILED : status;
}
