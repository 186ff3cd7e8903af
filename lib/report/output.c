/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output files that are complete or as they were: written beside their
 * place, brought to the disk, renamed.
 */
#include "pmcsim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_BESIDE 100	/* bytes of a name */

struct pmcsim_output {
	FILE *stream;
	char *place;	/* where it goes; NULL: written to directly */
	char *beside;	/* where it is until then */
	int lock;	/* the file appended to, locked; -1: none */
};

/* The folder that a file is in. */
static void
folder_of(const char *path, char folder[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	int n = slash ? (int)(slash - path) + 1 : 0;

	snprintf(folder, PATH_MAX, "%.*s.", n, path);
}

/* Opens and locks the file at path; anew if it was replaced meanwhile. */
static int
open_locked(const char *path)
{
	struct stat mine, there;
	int fd;

	for (;;) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		while (flock(fd, LOCK_EX) != 0) {
			if (errno != EINTR) {
				close(fd);
				return -errno;
			}
		}
		if (fstat(fd, &mine) == 0 && stat(path, &there) == 0 &&
		    mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
			return fd;
		close(fd);
	}
}

static int
copy_all(int from, int to)
{
	char buffer[1 << 14];
	ssize_t n, done, w;

	while ((n = read(from, buffer, sizeof(buffer))) != 0) {
		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		for (done = 0; done < n; done += w) {
			w = write(to, buffer + done, (size_t)(n - done));
			if (w < 0 && errno != EINTR)
				return -errno;
			if (w < 0)
				w = 0;
		}
	}
	return 0;
}

/* The permissions of the file that is replaced, or those of a new one. */
static int
give_mode(int fd, bool exists, const struct stat *old)
{
	mode_t mask;

	if (exists)
		return fchmod(fd, old->st_mode & 07777) ? -errno : 0;
	mask = umask(0);
	umask(mask);
	return fchmod(fd, 0666 & ~mask) ? -errno : 0;
}

/* The file that path leads to, whether it exists or not. */
static char *
resolve(const char *path)
{
	char link[PATH_MAX], *place = realpath(path, NULL), *next;
	const char *slash;
	ssize_t n;

	if (place)
		return place;
	place = strdup(path);
	while (place && (n = readlink(place, link, sizeof link)) > 0) {
		slash = *link == '/' ? NULL : strrchr(place, '/');
		if (asprintf(&next, "%.*s%.*s",
			     slash ? (int)(slash + 1 - place) : 0, place,
			     (int)n, link) < 0)
			next = NULL;
		free(place);
		place = next;
	}
	return place;
}

/*
 * Where a file is until it is complete: beside its place, by a name that is no
 * longer than any folder takes, whatever its own is.
 */
static char *
name_beside(const char *place)
{
	const char *slash = strrchr(place, '/'), *name;
	size_t length;
	char *beside;

	name = slash ? slash + 1 : place;
	length = strlen(name);
	if (length > NAME_BESIDE) {
		length = NAME_BESIDE;
		/* No part of a character of UTF-8. */
		while ((name[length] & 0xc0) == 0x80)
			length--;
	}
	if (asprintf(&beside, "%.*s.XXXXXX", (int)(name + length - place),
		     place) < 0)
		return NULL;
	return beside;
}

static int
open_beside(struct pmcsim_output *o, const char *path, bool exists,
	    const struct stat *old, bool append)
{
	int fd, err;

	o->place = resolve(path);
	if (!o->place)
		return -errno;
	o->beside = name_beside(o->place);
	if (!o->beside)
		return -ENOMEM;
	if (append && exists) {
		o->lock = open_locked(o->place);
		if (o->lock < 0)
			return o->lock;
	}
	fd = mkostemp(o->beside, O_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		free(o->beside);
		o->beside = NULL;
		return err;
	}
	err = give_mode(fd, exists, old);
	if (err == 0 && o->lock >= 0)
		err = copy_all(o->lock, fd);
	if (err == 0) {
		o->stream = fdopen(fd, "w");
		err = o->stream ? 0 : -errno;
	}
	if (err != 0)
		close(fd);
	return err;
}

/*
 * Standard output or standard error, if it is the same file; or -1.  So it is
 * where /dev/stdout leads to a file, which must not be replaced then: others
 * write to it, too.
 */
static int
own_stream(const struct stat *st)
{
	struct stat own;

	for (int fd = 1; fd <= 2; fd++)
		if (fstat(fd, &own) == 0 && own.st_ino == st->st_ino &&
		    own.st_dev == st->st_dev)
			return fd;
	return -1;
}

static int
open_own(struct pmcsim_output *o, int fd)
{
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	o->stream = fd < 0 ? NULL : fdopen(fd, "w");
	return o->stream ? 0 : -errno;
}

static int
open_directly(struct pmcsim_output *o, const char *path, bool append)
{
	o->stream = fopen(path, append ? "ae" : "we");
	return o->stream ? 0 : -errno;
}

int
pmcsim_output_check(const char *path)
{
	char folder[PATH_MAX], *place;
	struct stat st;

	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return -EISDIR;
		if (access(path, W_OK) != 0)
			return -errno;
		if (!S_ISREG(st.st_mode) || own_stream(&st) >= 0)
			return 0;
	} else if (errno != ENOENT || !*path) {
		return -errno;
	}
	place = resolve(path);
	if (!place)
		return -errno;
	folder_of(place, folder);
	free(place);
	if (access(folder, W_OK | X_OK) != 0 || stat(folder, &st) != 0)
		return -errno;
	return st.st_nlink ? 0 : -ENOENT;	/* removed, but we are in it */
}

int
pmcsim_output_open(const char *path, bool append,
		   struct pmcsim_output **output, FILE **stream)
{
	struct pmcsim_output *o = calloc(1, sizeof(*o));
	struct stat st;
	bool exists;
	int err, own;

	if (!o)
		return -ENOMEM;
	o->lock = -1;
	err = pmcsim_output_check(path);
	exists = stat(path, &st) == 0;
	if (err == 0 && !exists && errno != ENOENT)
		err = -errno;
	own = exists ? own_stream(&st) : -1;
	if (err == 0 && exists && !S_ISREG(st.st_mode))
		err = open_directly(o, path, append);
	else if (err == 0 && own >= 0)
		err = open_own(o, own);
	else if (err == 0)
		err = open_beside(o, path, exists, &st, append);
	if (err != 0) {
		pmcsim_output_abandon(o);
		return err;
	}
	*output = o;
	*stream = o->stream;
	return 0;
}

/* Makes the rename itself last. */
static void
sync_folder(const char *path)
{
	char folder[PATH_MAX];
	int fd;

	folder_of(path, folder);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/* Something could not be written: why, another byte of a file that is given up
 * tells, or of what is written to directly what still waits. */
static int
write_error(struct pmcsim_output *o)
{
	if (o->place ? write(fileno(o->stream), "", 1) < 0
		     : fflush(o->stream) != 0)
		return -errno;
	return -EIO;
}

/* Some systems have no fsync for some files: EINVAL, EROFS. */
static int
flush(struct pmcsim_output *o)
{
	if (ferror(o->stream))
		return write_error(o);
	if (fflush(o->stream) != 0)
		return -errno;
	if (o->place && fsync(fileno(o->stream)) != 0 && errno != EINVAL &&
	    errno != EROFS)
		return -errno;
	return 0;
}

int
pmcsim_output_close(struct pmcsim_output *o)
{
	int err = flush(o);

	if (fclose(o->stream) != 0 && err == 0)
		err = -errno;
	o->stream = NULL;
	if (err == 0 && o->place) {
		if (rename(o->beside, o->place) == 0) {
			free(o->beside);
			o->beside = NULL;
			sync_folder(o->place);
		} else {
			err = -errno;
		}
	}
	pmcsim_output_abandon(o);
	return err;
}

void
pmcsim_output_abandon(struct pmcsim_output *o)
{
	if (o->stream)
		fclose(o->stream);
	if (o->beside)
		unlink(o->beside);
	if (o->lock >= 0)
		close(o->lock);
	free(o->beside);
	free(o->place);
	free(o);
}
