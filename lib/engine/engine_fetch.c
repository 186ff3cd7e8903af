/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetching the private engine: packages of Debian 12 are downloaded by apt
 * with state of its own, or taken from a folder, unpacked beside the place
 * where the engine goes, and renamed when all is there.
 */
#include "engine_fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * QEMU, the tool that sets its run path, and all that it is linked with
 * except what every Debian has because apt needs it (libc6, libgcc-s1).
 */
const char *const fetch_packages[] = {
	"qemu-user", "patchelf", "libcapstone4", "libffi8", "libglib2.0-0",
	"libgmp10", "libgnutls30", "libhogweed6", "libidn2-0", "libnettle8",
	"libnuma1", "libp11-kit0", "libpcre2-8-0", "libtasn1-6",
	"libunistring2", "liburing2", NULL
};

int
fetch_path(struct fetch *f, char out[PATH_MAX], const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(out, PATH_MAX, format, args);
	va_end(args);
	if (n >= 0 && n < PATH_MAX)
		return 0;
	return engine_fail(f->error, -ENAMETOOLONG, "the path of the cache "
			   "folder %s is too long", f->folder);
}

void
fetch_say(struct fetch *f, const char *format, ...)
{
	char sentence[PATH_MAX + 256];
	va_list args;

	if (!f->how->say)
		return;
	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	f->how->say(sentence);
}

FILE *
fetch_output(struct fetch *f)
{
	return fopen(f->log, "re");
}

const char *
fetch_why(struct fetch *f, char line[256])
{
	FILE *log = fetch_output(f);
	char last[256] = "";

	*line = '\0';
	while (log && fgets(line, 256, log)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "E: ", 3)) {
			fclose(log);
			memmove(line, line + 3, strlen(line + 3) + 1);
			return line;
		}
		if (*line)
			memcpy(last, line, sizeof last);
	}
	if (log)
		fclose(log);
	memcpy(line, last, sizeof last);
	return line;
}

int
fetch_make_folders(char *path)
{
	for (char *p = path + 1; *p; p++) {
		int rc;

		if (*p != '/')
			continue;
		*p = '\0';
		rc = mkdir(path, 0777);
		*p = '/';
		if (rc && errno != EEXIST)
			return -errno;
	}
	return mkdir(path, 0777) && errno != EEXIST ? -errno : 0;
}

int
fetch_make_folder(struct fetch *f)
{
	int rc = fetch_make_folders(f->folder);

	return rc ? engine_fail(f->error, rc, "cannot make the folder %s: %s",
				f->folder, strerror(-rc)) : 0;
}

/* The folder of engines, made if need be, in f->folder. */
static int
open_folder(struct fetch *f)
{
	char *folder = pmcsim_engine_folder();

	if (!folder)
		return engine_fail(f->error, -ENOENT, "there is no folder to "
				   "put an engine into: set HOME or "
				   "XDG_CACHE_HOME");
	if (strlen(folder) >= sizeof f->folder) {
		free(folder);
		return engine_fail(f->error, -ENAMETOOLONG, "the path of the "
				   "cache folder is too long");
	}
	strcpy(f->folder, folder);
	free(folder);
	return fetch_make_folder(f);
}

int
fetch_lock(struct fetch *f)
{
	char path[PATH_MAX];
	int fd, rc = fetch_path(f, path, "%s/lock", f->folder);

	if (rc)
		return rc;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return engine_fail(f->error, -errno, "cannot write %s: %s",
				   path, strerror(errno));
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return engine_fail(f->error, -EBUSY, "another \"%s\" is at work in "
			   "%s: wait until it has finished", f->command,
			   f->folder);
}

/* Puts WORK/new into its place; what was there leaves with the work folder. */
static int
put_in_place(struct fetch *f)
{
	char new[PATH_MAX], old[PATH_MAX], place[PATH_MAX];
	int rc = fetch_path(f, new, "%s/new", f->work);

	if (!rc)
		rc = fetch_path(f, old, "%s/old", f->work);
	if (!rc)
		rc = fetch_path(f, place, "%s/" ENGINE_VERSION, f->folder);
	if (rc)
		return rc;
	if ((rename(place, old) && errno != ENOENT) || rename(new, place))
		return engine_fail(f->error, -errno, "cannot rename %s to %s: "
				   "%s", new, place, strerror(errno));
	return 0;
}

static int
fetch_in_work_folder(struct fetch *f)
{
	char packages[PATH_MAX];
	int rc = fetch_remove_tree(f->work);

	if (!rc && mkdir(f->work, 0777))
		rc = -errno;
	if (rc)
		return engine_fail(f->error, rc, "cannot make the folder %s: "
				   "%s", f->work, strerror(-rc));
	if (f->how->offline) {
		rc = fetch_path(f, packages, "%s", f->how->offline);
	} else {
		rc = fetch_path(f, packages, "%s/packages", f->work);
		if (!rc)
			rc = fetch_lists(f);
		if (!rc)
			rc = fetch_download(f);
	}
	if (!rc)
		rc = fetch_assemble(f, packages);
	if (!rc)
		rc = put_in_place(f);
	return rc;
}

int
pmcsim_engine_fetch(const struct engine_fetch *how,
		    struct pmcsim_error *error)
{
	struct fetch f = {
		.how = how, .error = error, .command = "pmcsim engine",
		.arch = "amd64", .package = fetch_packages
	};
	int lock, rc = open_folder(&f);

	if (!rc)
		rc = fetch_path(&f, f.work, "%s/" ENGINE_VERSION ".partial",
				f.folder);
	if (!rc)
		rc = fetch_path(&f, f.log, "%s/log", f.work);
	if (rc)
		return rc;
	lock = fetch_lock(&f);
	if (lock < 0)
		return lock;
	rc = fetch_in_work_folder(&f);
	fetch_remove_tree(f.work);
	close(lock);
	return fetch_ended(&f, rc);
}

/* Links folder/own/qemu-isa to the program. */
static int
adopt_one(struct fetch *f, const char *program, const char *isa)
{
	char beside[PATH_MAX], place[PATH_MAX];
	int rc = fetch_path(f, beside, "%s/own", f->folder);

	if (!rc && mkdir(beside, 0777) && errno != EEXIST)
		rc = engine_fail(f->error, -errno, "cannot make the folder "
				 "%s: %s", beside, strerror(errno));
	if (!rc)
		rc = fetch_path(f, place, "%s/own/qemu-%s", f->folder, isa);
	if (!rc)
		rc = fetch_path(f, beside, "%s/own/.new-%s", f->folder, isa);
	if (rc)
		return rc;
	if ((unlink(beside) && errno != ENOENT) || symlink(program, beside) ||
	    rename(beside, place))
		return engine_fail(f->error, -errno, "cannot link %s: %s",
				   place, strerror(errno));
	return 0;
}

/* Adopts the program if there is one in the folder, counting it. */
static int
adopt_from(struct fetch *f, const char *folder, const char *isa, unsigned *n)
{
	char program[PATH_MAX];
	int rc = fetch_path(f, program, "%s/qemu-%s", folder, isa);

	if (rc || access(program, X_OK))
		return rc;
	rc = engine_judge(program, isa, f->error);
	if (!rc)
		rc = adopt_one(f, program, isa);
	*n += !rc;
	return rc;
}

int
pmcsim_engine_adopt(const char *path, const char *isa,
		    struct pmcsim_error *error)
{
	struct engine_fetch how = { .offline = NULL };
	struct fetch f = {
		.how = &how, .error = error, .command = "pmcsim engine"
	};
	struct engine_info info = { .kind = ENGINE_NOT_QEMU };
	char *real = realpath(path, NULL);
	const char *each;
	struct stat st;
	unsigned n = 0;
	int rc;

	if (!real || stat(real, &st)) {
		rc = engine_fail(error, -errno, "%s: %s", path,
				 strerror(errno));
		free(real);
		return rc;
	}
	rc = open_folder(&f);
	if (!rc && S_ISDIR(st.st_mode)) {
		for (unsigned i = 0; !rc && (each = pmcsim_engine_isa(i)); i++)
			if (!isa || !strcmp(isa, each))
				rc = adopt_from(&f, real, each, &n);
		if (!rc && !n)
			rc = engine_fail(error, -ENOENT, "%s holds no "
					 "qemu-%s", path, isa ? isa :
					 "x86_64, nor one for another "
					 "instruction set");
	} else if (!rc) {
		pmcsim_engine_inspect(real, &info);
		if (!isa && *info.isa)
			isa = info.isa;
		rc = engine_judge(real, isa ? isa : "x86_64", error);
		if (!rc)
			rc = adopt_one(&f, real, isa ? isa : "x86_64");
	}
	free(real);
	return rc;
}
