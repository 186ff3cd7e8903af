/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of the emulated devices, and which of them a descriptor is: a memfd
 * that carries the device in its name, so that it is known again wherever dup,
 * fork and execve take it.
 */
#include "device_file.h"

#include "channel_hwperf.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_PREFIX "pmcsim:"
#define LINK_PREFIX "/memfd:" NAME_PREFIX
#define LINK_SUFFIX " (deleted)"

static const struct device_file *const files[] = {
	&perf_file,
	&hwperf_file,
	&pctr_file,
	&ia64_file,
	&pfm_file,
};

/* Of a file that is open, the process may have ended. */
static const struct device_file *
find_file(const char *path, bool is_open)
{
	for (size_t i = 0; i < SIM_COUNT(files); i++)
		if (files[i]->system == target.config->system &&
		    (files[i]->path ? !strcmp(files[i]->path, path) :
				      is_open || files[i]->match(path)))
			return files[i];
	return NULL;
}

const struct device_file *
device_file_named(const char *path)
{
	return find_file(path, false);
}

const struct device_file *
device_file_called(void)
{
	for (size_t i = 0; i < SIM_COUNT(files); i++)
		if (files[i]->system == target.config->system &&
		    files[i]->call)
			return files[i];
	return NULL;
}

const struct device_file *
device_file_of(int fd, char path[DEVICE_PATH])
{
	char link[32], name[sizeof LINK_PREFIX + DEVICE_PATH +
			    sizeof LINK_SUFFIX];
	size_t prefix = sizeof LINK_PREFIX - 1;
	size_t suffix = sizeof LINK_SUFFIX - 1;
	ssize_t n;

	if (fcntl(fd, F_GET_SEALS) < 0)	/* no memfd: the common case */
		return NULL;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, name, sizeof name);
	if (n < (ssize_t)(prefix + suffix) ||
	    n >= (ssize_t)(prefix + suffix + DEVICE_PATH) ||
	    memcmp(name, LINK_PREFIX, prefix))
		return NULL;
	name[n - (ssize_t)suffix] = '\0';
	if (path)
		strcpy(path, name + prefix);
	return find_file(name + prefix, true);
}

/* ---- Snapshots ------------------------------------------------------- */

/* Beyond the limit that the target has set to its files is a signal. */
bool
device_file_fits(size_t bytes)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) && bytes <= limit.rlim_cur;
}

/* The memfd may be open for reading only.  It gets the whole text or none. */
void
device_file_fill(int fd, const struct device_file *file)
{
	char path[32], text[DEVICE_TEXT];
	size_t length = file->read ? file->read(text) : 0;
	int writable;

	if (!length && !file->pour)
		return;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	writable = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (writable < 0)
		return;
	if (file->pour)
		file->pour(writable);
	else if (device_file_fits(length) &&
		 write(writable, text, length) != (ssize_t)length)
		close(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC));
	close(writable);
}

int
device_file_snapshot(const struct device_file *file, const char *path)
{
	char name[sizeof NAME_PREFIX + DEVICE_PATH];
	int fd;

	snprintf(name, sizeof name, NAME_PREFIX "%s", path);
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd >= 0) {
		fchmod(fd, 0644);
		device_file_fill(fd, file);
	}
	return fd;
}

bool
device_file_writable(int fd)
{
	return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}
