/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program to be executed, and the scripts that start it. */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "isa.h"
#include "strings.h"

struct program {
	enum isa isa;
	char *path;		/* of the ELF file */
	struct strings argv;	/* as it will see them */
};

void program_free(struct program *p);

#define SCRIPT_BYTES 256	/* of a script that the kernel looks at; the
				 * last one has to be the line's end */
#define SCRIPT_DEPTH 5		/* scripts that start each other */

/* Whether a file that begins with these bytes is a script. */
bool script_begins(const char *head, size_t length);

/*
 * Splits a #! line in place as Linux does, and writes behind length:
 * an interpreter and at most one argument, "" if there is none.  False if it
 * names no interpreter or is cut off within its path.
 */
bool script_split(char *line, size_t length, char **interpreter,
		  char **argument);

/* Starts interpreter [argument] p->path instead of p->path.  If there was no
 * memory, p->path is NULL or p->argv.failed is set. */
void script_start(struct program *p, const char *interpreter,
		  const char *argument);

enum program_kind {
	PROGRAM_NONE,	/* cannot be executed: execve will say why */
	PROGRAM_ODD,	/* the host may know how to execute it; we do not */
	PROGRAM_ELF	/* of an instruction set that an engine knows */
};

/*
 * Looks into p->path, and into the interpreters of a script, which are put
 * in front of p->argv as the kernel does.  program_free() in any case.
 */
enum program_kind program_look(struct program *p);

#endif
