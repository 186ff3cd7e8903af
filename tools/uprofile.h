/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprofile: options -> machine -> run -> umon.out -> prof. */
#ifndef UPROFILE_H
#define UPROFILE_H

#include "prof.h"

/* Which processors are looked at: an Alpha here has one. */
enum uprofile_cpus { CPUS_ALL, CPUS_EACH, CPUS_ONE };

struct uprofile_options {
	const char *cpu;
	const char *folder;	/* -dirname; NULL: where we are */
	enum uprofile_cpus cpus;
	bool pids, verbose, quiet, exact, display;
	unsigned long period;	/* 0: the device's */
	bool has_stride;
	unsigned long stride;	/* instructions per place; 0: all in one */
	struct prof_options prof;
	char **operand;		/* statistics, then the command */
};

extern const struct tool uprofile_tool;

/* Fills the options, or ends the tool. */
void uprofile_parse(struct uprofile_options *o, int argc, char **argv);

#endif
