/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Systems: a board with a Linux kernel under QEMU's system emulator, in which
 * a command runs with the kernel code that it causes.
 *
 * A system is a folder in the user's cache: kernel, initial file system,
 * snapshot of the booted machine, kernel symbols.  A command starts from the
 * snapshot; its files go in and what it has written comes out by a folder
 * that both sides see.
 */
#ifndef LIB_SYSTEM_H
#define LIB_SYSTEM_H

#include "program/isa.h"
#include "engine/engine.h"

#define SYSTEM_MEASURE_MAX 512
#define SYSTEM_NO_PROGRAM 127	/* status of a command that is not there */

/* A kind of board that there are systems for. */
struct system_board {
	const char *name;	/* as --system takes it */
	const char *text;
	enum isa isa;		/* of its programs */
	const char *arch;	/* of its packages */
	const char *qemu;	/* program */
	const char *qemu_package;
	const char *kernel_package;
	const char *const *machine; /* QEMU's options */
	const char *const *modules; /* of the kernel, in this order */
	/* The program that starts a command between two marks and has its
	 * status, as an ELF file; its size. */
	size_t (*measure)(unsigned char program[SYSTEM_MEASURE_MAX]);
	/* Folders of libraries, from Debian's folder of them or the root; the
	 * first is where the guest has them. */
	const char *const *libraries;
	const char *append;	/* kernel's command line */
	uint64_t unmapped_first, unmapped_last; /* kernel addresses that no
						 * TLB maps; 0: none */
	const char *level;	/* what exception level is, in words */
	bool refills;		/* the kernel refills the TLB, by code */
	bool symbol_vectors;	/* symbols tell where the kernel is entered */
};

/* The n-th board, NULL behind the last; the board of that name or NULL. */
PMCSIM_API const struct system_board *pmcsim_system_board(unsigned n);
PMCSIM_API const struct system_board *
pmcsim_system_find_board(const char *name);

/* A system that is set up. */
struct system_place {
	const struct system_board *board;
	char *qemu;
	char *folder;
};

/*
 * Finds the system of a board that QEMU here can go on with: -ENXIO with a
 * sentence that says how to get one.  Release with
 * pmcsim_system_place_free().
 */
PMCSIM_API int pmcsim_system_find(const char *board,
				  struct system_place *place,
				  struct pmcsim_error *error);
PMCSIM_API void pmcsim_system_place_free(struct system_place *place);

/* The folder of systems, "~/.cache/pmcsim/system"; the caller's, or NULL. */
PMCSIM_API char *pmcsim_system_folder(void);

/*
 * Sets a board's system up: complete, or not at all.  One that is there, of
 * this QEMU and with the files that it was made with, stays as it is, unless
 * packages are brought or force is set.  As for pmcsim_engine_fetch(), and
 * -ETIMEDOUT if the kernel does not boot.
 */
PMCSIM_API int pmcsim_system_setup(const char *board,
				   const struct engine_fetch *how,
				   struct pmcsim_error *error);

/* Removes all systems of a board; how many there were, or -errno. */
PMCSIM_API int pmcsim_system_remove(const char *board,
				    struct pmcsim_error *error);

#endif
