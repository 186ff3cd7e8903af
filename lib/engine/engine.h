/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU user emulators that take plugins: looking at them, finding them,
 * fetching them.
 *
 * The private engine is Debian 12's qemu-user with the libraries it needs,
 * in the user's cache folder.  Its programs carry a run path to those
 * libraries ($ORIGIN/...), so that one path can be executed, needs nothing in
 * the environment, and hands nothing on to the target.
 */
#ifndef LIB_ENGINE_H
#define LIB_ENGINE_H

#include "pmcsim.h"

#define ENGINE_VERSION "7.2"	/* of the private engine */

/* What a file turned out to be. */
enum engine_kind {
	ENGINE_GOOD,
	ENGINE_NOT_QEMU,
	ENGINE_STATIC,		/* statically linked: cannot load plugins */
	ENGINE_NO_PLUGINS,	/* built without plugins */
	ENGINE_OLD,		/* takes plugins, but older than 7.2 */
};

struct engine_info {
	enum engine_kind kind;
	char isa[16];		/* "x86_64", empty if it does not say */
	char version[16];	/* "7.2.22", empty if it does not say */
};

/* The native engine's program: its full path, the caller's.  0, or -ENXIO and a
 * sentence. */
PMCSIM_API int pmcsim_engine_native(char **path, struct pmcsim_error *error);

/* What keeps this host from showing programs the processor that is chosen, by the
 * name of a feature; NULL: nothing. */
PMCSIM_API const char *pmcsim_engine_lacks(void);

/* Lets programs that the native engine executes from now on show what it makes
 * of the block at that address, in the file at path, which stays the caller's. */
PMCSIM_API void pmcsim_engine_explain(uint64_t address, const char *path);

/* Looks into the program without running it.  0, or -errno of opening. */
PMCSIM_API int pmcsim_engine_inspect(const char *path,
				     struct engine_info *info);

/* The n-th instruction set that we have a use for, NULL behind the last. */
PMCSIM_API const char *pmcsim_engine_isa(unsigned n);

/* The folder for engines, "~/.cache/pmcsim/engine"; the caller's. NULL: no
 * memory, or no home folder. */
PMCSIM_API char *pmcsim_engine_folder(void);

/* How to fetch the private engine. */
struct engine_fetch {
	const char *offline;	/* folder with the packages, or NULL: mirror */
	bool force;		/* systems: though it is there already */
	/* Told in a sentence what happens, as it happens; may be NULL. */
	void (*say)(const char *sentence);
	const volatile int *stop; /* counts signals that stop it; or NULL */
};

/*
 * Fetches or renews the private engine: complete, or what was there before.
 * Installs nothing outside the cache folder and needs no rights.  0, -EBUSY
 * (another one is at it), -ENOENT (a package is missing), -EINTR (stopped),
 * -EIO, ...: the sentence in error says what to do.
 */
PMCSIM_API int pmcsim_engine_fetch(const struct engine_fetch *how,
				   struct pmcsim_error *error);

/*
 * Makes the user's own QEMU (a program, or a folder with qemu-<isa>
 * programs) the engine that is found first from now on, by links in the
 * cache folder.  isa NULL: for each instruction set that it has.
 */
PMCSIM_API int pmcsim_engine_adopt(const char *path, const char *isa,
				   struct pmcsim_error *error);

/* 0 if the program is an engine for isa, else -ENXIO and why it is not. */
int engine_judge(const char *path, const char *isa,
		 struct pmcsim_error *error);

/* Writes a sentence into error, if that is not NULL; returns code. */
__attribute__((format(printf, 3, 4))) int
engine_fail(struct pmcsim_error *error, int code, const char *format, ...);

#endif
