/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of fetching the private engine (engine_fetch.c), of which
 * systems use the general ones.
 */
#ifndef LIB_ENGINE_FETCH_H
#define LIB_ENGINE_FETCH_H

#include "engine.h"

#include <limits.h>

/* A fetch under way, in a work folder that ends with it. */
struct fetch {
	const struct engine_fetch *how;
	struct pmcsim_error *error;
	const char *command;	/* of ours that fetches */
	const char *arch;	/* of the packages */
	const char *const *package; /* NULL behind the last; [0] names it */
	char folder[PATH_MAX];	/* of all engines */
	char work[PATH_MAX];	/* beside the engine that is to come */
	char log[PATH_MAX];	/* what the last command has printed */
};

/* Packages of Debian 12, NULL behind the last; [0] is QEMU, [1] patchelf. */
extern const char *const fetch_packages[];

/* A path into out, from a format; -ENAMETOOLONG with a sentence. */
__attribute__((format(printf, 3, 4))) int
fetch_path(struct fetch *f, char out[PATH_MAX], const char *format, ...);

/*
 * Runs a command (looked up in PATH, messages in English) to its end, with
 * no input and its output in the log.  0, or -errno: not started, -EIO: it
 * failed.  fetch_why() then tells what it complained about.  When the caller is
 * told to stop it is ended, with what it has started: -EINTR.
 */
int fetch_run(struct fetch *f, const char *const argv[]);
int fetch_run_in(struct fetch *f, const char *folder,
		 const char *const argv[]);
const char *fetch_why(struct fetch *f, char line[256]);

/* What a fetch returns that ends with rc: if it was stopped, -EINTR with a
 * sentence. */
int fetch_ended(struct fetch *f, int rc);

/* Opens the log of the last command for reading; NULL on failure. */
FILE *fetch_output(struct fetch *f);

/* Tells the user. */
__attribute__((format(printf, 2, 3))) void
fetch_say(struct fetch *f, const char *format, ...);

/* Makes a folder and those above it: 0 or -errno.  path is changed and put
 * back. */
int fetch_make_folders(char *path);

/* Makes f->folder so. */
int fetch_make_folder(struct fetch *f);

/* Removes a folder and all in it, if it is there: 0 or -errno. */
int fetch_remove_tree(const char *path);

/* The lock of f->folder, which lets one fetch at a time: a descriptor to be
 * closed, or -errno. */
int fetch_lock(struct fetch *f);

/* Reads the package lists of the distribution's mirror, with apt state of
 * our own in the work folder. */
int fetch_lists(struct fetch *f);

/* After that: the package that a package without contents stands for. */
int fetch_resolve(struct fetch *f, const char *package, char name[128]);

/* After that: downloads f->package into the work folder's packages. */
int fetch_download(struct fetch *f);

/* Unpacks a package, of those in a folder the newest, into WORK/root.  With
 * the sentence in f->error: -ENOENT, -EIO. */
int fetch_unpack(struct fetch *f, const char *folder, const char *name);

/*
 * Makes WORK/new, an engine that runs, out of the packages in the folder
 * packages.
 */
int fetch_assemble(struct fetch *f, const char *packages);

#endif
