/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of systems; see system.h. */
#ifndef LIB_SYSTEM_INTERNAL_H
#define LIB_SYSTEM_INTERNAL_H

#include "program/strings.h"
#include "system.h"

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

/* Files of a system's folder. */
#define SYSTEM_KERNEL "kernel"
#define SYSTEM_INITRD "initrd"
#define SYSTEM_SNAPSHOT "snapshot"
#define SYSTEM_SYMBOLS "kallsyms"
#define SYSTEM_KEY "key"

/* What the guest says on its console, at the beginning of a line. */
#define SYSTEM_READY "pmcsim ready"
#define SYSTEM_DONE "pmcsim done "
#define SYSTEM_NO_START "125"	/* behind it: nothing could be started */

/* ---- Identity: system_key.c ------------------------------------------ */

/* FNV-1a of 64 bits; start with SYSTEM_HASH_START. */
#define SYSTEM_HASH_START 0xcbf29ce484222325ull
uint64_t system_hash(uint64_t hash, const void *data, size_t bytes);

/* What has to be the same for a snapshot to go on: QEMU's program, its
 * options, and what we put into the initial file system.  0 or -errno. */
int system_engine_key(const struct system_board *board, const char *qemu,
		      uint64_t *key);

/* The key of a system, of an engine's key and the files in the folder.  0 or
 * -errno. */
int system_content_key(const char *folder, uint64_t engine_key,
		       uint64_t *key);

/* The QEMU for a board that takes plugins: the caller's, or -ENXIO with a
 * sentence. */
int system_find_qemu(const struct system_board *board, char **qemu,
		     struct pmcsim_error *error);

/* ---- cpio archives: system_cpio.c ------------------------------------ */

struct cpio {
	FILE *out;
	unsigned inode;
	uint64_t bytes;
};

/* Adds an entry of any kind (mode as in stat) to an archive of the kind
 * that kernels unpack; device is for nodes.  0 or -errno. */
int cpio_add(struct cpio *c, const char *name, mode_t mode, dev_t device,
	     const void *data, size_t bytes);
int cpio_add_file(struct cpio *c, const char *name, mode_t mode,
		  const char *path);
int cpio_end(struct cpio *c);

/* ---- The initial file system: system_image.c, system_measure_*.c ------ */

/*
 * Writes a board's initial file system: busybox, modules from the unpacked
 * kernel package in root, the script that starts commands.  0 or -errno with
 * a sentence.
 */
int system_image(const struct system_board *board, const char *root,
		 const char *path, struct pmcsim_error *error);

/* Adds to a hash what is in it beside packages. */
uint64_t system_image_key(const struct system_board *board, uint64_t hash);

/* The measuring programs, see struct system_board. */
size_t system_measure_mipsel(unsigned char program[SYSTEM_MEASURE_MAX]);
size_t system_measure_x86_64(unsigned char program[SYSTEM_MEASURE_MAX]);

/* ---- The kernel: system_vectors.c ------------------------------------- */

struct system_vectors;

/* Finds the ways into a kernel of a board whose vectors are at no address of
 * their own. */
void system_vectors(const struct pmcsim_kernel *k, struct system_vectors *v);

/* ---- QEMU: system_boot.c, system_qmp.c -------------------------------- */

/* A QEMU under way. */
struct system_qemu {
	pid_t pid;
	int console[2];		/* what it prints, what it reads */
	int monitor;		/* QMP */
	bool greeted;		/* and it listens to commands */
	char line[512];		/* of the console, not yet complete */
	size_t n;
};

/* How to start it. */
struct system_boot {
	const struct system_board *board;
	const char *qemu;
	const char *folder;	/* with the system's files */
	const char *job;	/* folder that the guest mounts */
	const char *plugin;	/* with its arguments, or NULL */
	bool restore;		/* from the snapshot */
};

/* Starts it, bounded in memory and time; it dies with us.  0 or -errno. */
int system_boot(const struct system_boot *boot, struct system_qemu *q);

/* Waits for a line that begins with text; what follows it goes to rest.
 * -ETIMEDOUT, -EPIPE (it has ended), -EINTR (*stop). */
int system_await(struct system_qemu *q, const char *text, int seconds,
		 const volatile int *stop, char *rest, size_t size);

/* Writes a line to the console. */
int system_send(struct system_qemu *q, const char *line);

/* Asks it by its monitor to end: 0 or -errno. */
int system_quit(struct system_qemu *q);

/* Ends it, by force if it does not end at once. */
void system_end(struct system_qemu *q);

/* Writes the snapshot into the file of that name, in QEMU's folder. */
int system_snapshot(struct system_qemu *q, const char *name);

/*
 * The value of a key of a QMP answer, {"return": ...}, as text: for what
 * QEMU sends, one object a line.  -ENOENT if there is none.
 */
int qmp_value(const char *line, const char *key, char *value, size_t size);

/* ---- Commands: system_job.c, system_libraries.c ----------------------- */

/* A command for a system, with what it needs there. */
struct system_job {
	char *folder;		/* that the guest mounts */
	const struct system_board *board;
	struct strings words;	/* of the command; none: as they were given */
	uint64_t bytes;		/* copied so far */
	bool alone;		/* the folder it starts in was left out */
};

/* Copies a file into a job, to where the guest is to see it; 0 or -errno
 * with a sentence.  system_job_path(): a path without dots, from the root. */
int system_job_add(struct system_job *job, const char *from, const char *to,
		   struct pmcsim_error *error);
int system_job_path(const char *path, char out[PATH_MAX]);

/* Adds the libraries that an ELF program of the board needs. */
int system_job_libraries(struct system_job *job, const char *program,
			 struct pmcsim_error *error);

/* Adds the folder that the command starts in, or sets alone if it is large. */
int system_job_folder(struct system_job *job, struct pmcsim_error *error);

/* Makes the folder of a command; 0 or -errno with a sentence. */
int system_job_make(struct system_job *job, const struct system_board *board,
		    char *const *argv, struct pmcsim_error *error);
void system_job_remove(struct system_job *job);

/* ---- What comes out: system_result.c --------------------------------- */

/*
 * By its token the board's first process, which alone is told it, is known
 * when it says that the command has ended.
 */
#define SYSTEM_TOKEN 33		/* bytes of one, and 0 */
int system_token_make(char token[SYSTEM_TOKEN]);

/* Starts the job's script; waits for the end of its command, which has that
 * status, as system_await() does; also -ENOEXEC (it could not be started),
 * -ENOSPC (there was no room for what it has written), -EPROTO (not as our
 * script says it). */
int system_start_command(struct system_qemu *q, const char *token);
int system_await_end(struct system_qemu *q, const char *token, int seconds,
		     const volatile int *stop, int *status);

/* The same for a line: what follows SYSTEM_DONE; -EAGAIN if our script does
 * not say that. */
int system_read_end(const char *rest, const char *token, int *status);

/*
 * Writes a file of the folder to fd: 0, also without one, -EINTR (*stop),
 * -EPROTO (no file), -EFBIG, or why it cannot be read or written.
 */
int system_pass_on(const char *folder, const char *name, int fd,
		   const volatile int *stop);

/* The most that comes out of a guest in a file: more than its memory. */
#define SYSTEM_OUTPUT_LIMIT (256 << 20)

/* The most that is copied into a guest. */
#define SYSTEM_JOB_LIMIT (48ull << 20)

#endif
