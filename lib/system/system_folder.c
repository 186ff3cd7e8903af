/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder that a command starts in goes into a system with all that is
 * below it, if that is not too much. */
#include "system_internal.h"

#include "engine/engine_fetch.h"

#include <errno.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_BYTES (8ull << 20)
#define FOLDER_ENTRIES 1000

static FTS *
start(void)
{
	static char here[] = ".";
	char *const roots[] = {here, NULL};

	return fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
}

/* A profile is uprofile's or kprofile's, not the command's, which would find
 * another folder each time. */
static bool
is_profile(const FTSENT *e)
{
	return e->fts_info == FTS_F && e->fts_level == 1 &&
	       (!strncmp(e->fts_name, "kmon.out", 8) ||
		!strncmp(e->fts_name, "umon.out", 8));
}

/* The next one, folders before what is in them; NULL at the end. */
static FTSENT *
next(FTS *fts)
{
	FTSENT *e;

	do
		e = fts_read(fts);
	while (e && (e->fts_info == FTS_DP || is_profile(e)));
	return e;
}

/* Not where such jobs are, either. */
static bool
is_small(const struct system_job *job, FTS *fts)
{
	uint64_t bytes = 0;
	unsigned entries = 0;
	struct stat st;
	FTSENT *e;

	if (stat(job->folder, &st))
		return false;
	while ((e = next(fts))) {
		if (e->fts_info == FTS_F)
			bytes += (uint64_t)e->fts_statp->st_size;
		if (++entries > FOLDER_ENTRIES || bytes > FOLDER_BYTES ||
		    job->bytes + bytes > SYSTEM_JOB_LIMIT ||
		    (e->fts_info == FTS_D &&
		     e->fts_statp->st_ino == st.st_ino &&
		     e->fts_statp->st_dev == st.st_dev))
			return false;
	}
	return true;
}

static int
add_folder(const struct system_job *job, const char *to)
{
	char path[2 * PATH_MAX];

	if (snprintf(path, sizeof path, "%s/root%s", job->folder, to) >=
	    PATH_MAX)
		return -ENAMETOOLONG;
	return fetch_make_folders(path);
}

static int
add_link(const struct system_job *job, const char *from, const char *to)
{
	char path[2 * PATH_MAX], target[PATH_MAX];
	ssize_t n = readlink(from, target, sizeof target - 1);

	if (n < 0)
		return -errno;
	target[n] = '\0';
	snprintf(path, sizeof path, "%s/root%s", job->folder, to);
	return symlink(target, path) ? -errno : 0;
}

/* What cannot be read here is not there either. */
static int
add_entry(struct system_job *job, const FTSENT *e, struct pmcsim_error *error)
{
	char to[PATH_MAX];
	int rc = system_job_path(e->fts_path, to);

	if (rc)
		return rc;
	switch (e->fts_info) {
	case FTS_D:
		return add_folder(job, to);
	case FTS_F:
		rc = system_job_add(job, e->fts_path, to, error);
		break;
	case FTS_SL:
	case FTS_SLNONE:
		rc = add_link(job, e->fts_path, to);
		break;
	default:
		break;
	}
	return rc == -EEXIST || rc == -EACCES || rc == -ENOENT ? 0 : rc;
}

int
system_job_folder(struct system_job *job, struct pmcsim_error *error)
{
	FTS *fts = start();
	bool small = fts && is_small(job, fts);
	FTSENT *e;
	int rc = 0;

	if (fts)
		fts_close(fts);
	job->alone = !small;
	fts = small ? start() : NULL;
	while (fts && !rc && (e = next(fts)))
		rc = add_entry(job, e, error);
	if (fts)
		fts_close(fts);
	return rc;
}
