/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Setting a system up: kernel and busybox are fetched as Debian's packages
 * or taken from a folder, the initial file system is made, the board boots,
 * its snapshot is taken and tried.  All of it in a work folder, which is
 * renamed when everything is there.
 */
#include "system_internal.h"

#include "engine/engine_fetch.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BOOT_SECONDS 180
#define TRY_SECONDS 60

struct setup {
	struct fetch fetch;
	const struct system_board *board;
	char *qemu;
	char packages[PATH_MAX];
	char new[PATH_MAX];	/* the system's folder to be */
	char kernel_package[128];
	uint64_t engine_key;
};

/* ---- Packages -------------------------------------------------------- */

#define BUSYBOX "busybox-static"

/* From the mirror, or from the folder that the user has filled. */
static int
get_packages(struct setup *s)
{
	const char *package[] = {s->kernel_package, BUSYBOX, NULL};
	struct fetch *f = &s->fetch;
	int rc;

	if (f->how->offline)
		return fetch_path(f, s->packages, "%s", f->how->offline);
	rc = fetch_path(f, s->packages, "%s/packages", f->work);
	if (!rc)
		rc = fetch_lists(f);
	if (!rc)
		rc = fetch_resolve(f, s->board->kernel_package,
				   s->kernel_package);
	if (rc)
		return rc;
	f->package = package;
	rc = fetch_download(f);
	f->package = NULL;
	return rc;
}

/* Of a folder, any version of the kernel: linux-image-VERSION-KIND. */
static int
find_kernel_package(struct setup *s)
{
	const char *kind = s->board->kernel_package + strlen("linux-image-");
	char pattern[PATH_MAX];
	const char *name;
	glob_t found;
	int rc = fetch_path(&s->fetch, pattern,
			    "%s/linux-image-[0-9]*-%s_*.deb", s->packages,
			    kind);

	if (rc || *s->kernel_package)
		return rc;
	if (glob(pattern, 0, NULL, &found))
		return engine_fail(s->fetch.error, -ENOENT, "there is no "
				   "linux-image-*-%s_*_%s.deb in %s: put "
				   "Debian 12's package there", kind,
				   s->board->arch, s->packages);
	name = strrchr(found.gl_pathv[found.gl_pathc - 1], '/') + 1;
	snprintf(s->kernel_package, sizeof s->kernel_package, "%.*s",
		 (int)strcspn(name, "_"), name);
	globfree(&found);
	return 0;
}

/* WORK/root: the unpacked packages. */
static int
unpack_packages(struct setup *s)
{
	struct fetch *f = &s->fetch;
	char path[PATH_MAX];
	int rc = find_kernel_package(s);

	if (!rc)
		rc = fetch_path(f, path, "%s/root", f->work);
	if (!rc && mkdir(path, 0777))
		rc = -errno;
	if (!rc)
		rc = fetch_unpack(f, s->packages, s->kernel_package);
	return rc ? rc : fetch_unpack(f, s->packages, BUSYBOX);
}

/* ---- The system's files ---------------------------------------------- */

static int
take_kernel(struct setup *s)
{
	char pattern[PATH_MAX], to[PATH_MAX];
	struct fetch *f = &s->fetch;
	glob_t found;
	int rc = fetch_path(f, pattern, "%s/root/boot/vmlinu[xz]-*", f->work);

	if (!rc)
		rc = fetch_path(f, to, "%s/" SYSTEM_KERNEL, s->new);
	if (rc)
		return rc;
	if (glob(pattern, 0, NULL, &found))
		return engine_fail(f->error, -ENOENT, "the package %s has no "
				   "kernel", s->kernel_package);
	rc = rename(found.gl_pathv[0], to) ? -errno : 0;
	globfree(&found);
	return rc;
}

static int
make_files(struct setup *s)
{
	struct fetch *f = &s->fetch;
	char path[PATH_MAX];
	int rc = take_kernel(s);

	if (rc)
		return rc;
	rc = fetch_path(f, path, "%s/root", f->work);
	if (!rc) {
		char initrd[PATH_MAX];

		rc = fetch_path(f, initrd, "%s/" SYSTEM_INITRD, s->new);
		if (!rc)
			rc = system_image(s->board, path, initrd, f->error);
	}
	return rc;
}

/* ---- Booting --------------------------------------------------------- */

static int
boot_failed(struct setup *s, int rc, const char *what)
{
	if (rc == -ETIMEDOUT)
		return engine_fail(s->fetch.error, rc, "%s did not %s in time",
				   s->board->name, what);
	return engine_fail(s->fetch.error, rc, "%s did not %s: %s",
			   s->board->name, what, rc == -EPIPE ?
			   "QEMU has ended" : strerror(-rc));
}

/* Boots up to the point where commands start, and takes the snapshot. */
static int
take_snapshot(struct setup *s, const char *job)
{
	const struct system_boot boot = {
		.board = s->board, .qemu = s->qemu, .folder = s->new,
		.job = job,
	};
	struct system_qemu q;
	char rest[8];
	int rc = system_boot(&boot, &q);

	if (rc)
		return boot_failed(s, rc, "start");
	rc = system_await(&q, SYSTEM_READY, BOOT_SECONDS, s->fetch.how->stop, rest,
			  sizeof rest);
	if (rc)
		boot_failed(s, rc, "boot");
	else if ((rc = system_snapshot(&q, SYSTEM_SNAPSHOT)))
		boot_failed(s, rc, "write a snapshot");
	system_end(&q);
	return rc;
}

/* Runs a first command in the snapshot: the kernel's symbols come out. */
static int
try_snapshot(struct setup *s, const char *job)
{
	const struct system_boot boot = {
		.board = s->board, .qemu = s->qemu, .folder = s->new,
		.job = job, .restore = true,
	};
	static const char script[] =
		"cp /proc/kallsyms /job/" SYSTEM_SYMBOLS "\n"
		"measure /bin/true true && echo " SYSTEM_DONE "0\n";
	char path[PATH_MAX], to[PATH_MAX], rest[16] = "";
	struct system_qemu q;
	FILE *file;
	int rc = fetch_path(&s->fetch, path, "%s/script", job);

	file = rc ? NULL : fopen(path, "we");
	if (!file || fputs(script, file) < 0 || fclose(file))
		return rc ? rc : -EIO;
	rc = system_boot(&boot, &q);
	if (rc)
		return boot_failed(s, rc, "start again");
	rc = system_send(&q, "go\n");
	if (!rc)
		rc = system_await(&q, SYSTEM_DONE, TRY_SECONDS, s->fetch.how->stop, rest,
				  sizeof rest);
	system_end(&q);
	if (!rc && strcmp(rest, "0"))
		rc = -EIO;
	if (rc)
		return boot_failed(s, rc, "run a first command");
	rc = fetch_path(&s->fetch, path, "%s/" SYSTEM_SYMBOLS, job);
	if (!rc)
		rc = fetch_path(&s->fetch, to, "%s/" SYSTEM_SYMBOLS,
				s->new);
	if (!rc && rename(path, to))
		rc = -errno;
	return rc;
}

static int
write_key(struct setup *s)
{
	char path[PATH_MAX];
	int rc = fetch_path(&s->fetch, path, "%s/" SYSTEM_KEY, s->new);
	FILE *file = rc ? NULL : fopen(path, "we");

	if (!file)
		return rc ? rc : -errno;
	fprintf(file, "engine %016llx\nkernel %s\n",
		(unsigned long long)s->engine_key, s->kernel_package);
	return fclose(file) ? -EIO : 0;
}

/* Puts WORK/new into its place, which what it was made of names. */
static int
put_in_place(struct setup *s)
{
	char place[PATH_MAX], old[PATH_MAX];
	struct fetch *f = &s->fetch;
	uint64_t key;
	int rc = system_content_key(s->new, s->engine_key, &key);

	if (!rc)
		rc = fetch_path(f, place, "%s/%s-%016llx", f->folder,
				s->board->name, (unsigned long long)key);
	if (!rc)
		rc = fetch_path(f, old, "%s/old", f->work);
	if (rc)
		return rc;
	if ((rename(place, old) && errno != ENOENT) || rename(s->new, place))
		return engine_fail(f->error, -errno, "cannot rename %s to %s: "
				   "%s", s->new, place, strerror(errno));
	return 0;
}

/* ---- All of it ------------------------------------------------------- */

static int
make_folder(struct fetch *f, char path[PATH_MAX], const char *name)
{
	int rc = fetch_path(f, path, "%s/%s", f->work, name);

	if (!rc && mkdir(path, 0777))
		rc = engine_fail(f->error, -errno, "cannot make the folder "
				 "%s: %s", path, strerror(errno));
	return rc;
}

static int
set_up(struct setup *s)
{
	struct fetch *f = &s->fetch;
	char job[PATH_MAX];
	int rc = get_packages(s);

	if (!rc)
		rc = make_folder(f, s->new, "new");
	if (!rc)
		rc = make_folder(f, job, "job");
	if (!rc)
		rc = unpack_packages(s);
	if (!rc)
		rc = make_files(s);
	if (!rc) {
		fetch_say(f, "booting %s with %s", s->board->name,
			  s->kernel_package);
		rc = take_snapshot(s, job);
	}
	if (!rc)
		rc = try_snapshot(s, job);
	if (!rc)
		rc = write_key(s);
	return rc ? rc : put_in_place(s);
}

/* The folder of systems, made if need be, and the work folder in it. */
static int
open_folder(struct setup *s)
{
	struct fetch *f = &s->fetch;
	char *folder = pmcsim_system_folder();
	int rc;

	if (!folder)
		return engine_fail(f->error, -ENOENT, "there is no folder to "
				   "put a system into: set HOME or "
				   "XDG_CACHE_HOME");
	rc = fetch_path(f, f->folder, "%s", folder);
	free(folder);
	if (!rc)
		rc = fetch_make_folder(f);
	if (!rc)
		rc = fetch_path(f, f->work, "%s/%s.partial", f->folder,
				s->board->name);
	return rc ? rc : fetch_path(f, f->log, "%s/log", f->work);
}

static int
set_up_locked(struct setup *s)
{
	struct fetch *f = &s->fetch;
	int lock = fetch_lock(f), rc;

	if (lock < 0)
		return lock;
	rc = fetch_remove_tree(f->work);
	if (!rc && mkdir(f->work, 0777))
		rc = -errno;
	if (rc)
		engine_fail(f->error, rc, "cannot make the folder %s: %s",
			    f->work, strerror(-rc));
	else
		rc = set_up(s);
	fetch_remove_tree(f->work);
	close(lock);
	return fetch_ended(f, rc);
}

/* Whether there is one that is what its name says. */
static bool
is_ready(const struct setup *s)
{
	struct pmcsim_error not_found;
	struct system_place place;
	const char *name;
	uint64_t key;
	bool ready;

	if (pmcsim_system_find(s->board->name, &place, &not_found))
		return false;
	name = strrchr(place.folder, '-');
	ready = name && !system_content_key(place.folder, s->engine_key,
					    &key) &&
		strtoull(name + 1, NULL, 16) == key;
	pmcsim_system_place_free(&place);
	return ready;
}

int
pmcsim_system_setup(const char *board, const struct engine_fetch *how,
		    struct pmcsim_error *error)
{
	struct setup *s = calloc(1, sizeof *s);
	int rc;

	if (!s)
		return engine_fail(error, -ENOMEM, "out of memory");
	snprintf(error->text, sizeof error->text, "%s cannot be set up",
		 board);
	s->board = pmcsim_system_find_board(board);
	if (!s->board) {
		free(s);
		return engine_fail(error, -EINVAL, "there is no board %s; see "
				   "\"pmcsim system list\"", board);
	}
	s->fetch = (struct fetch){
		.how = how, .error = error, .arch = s->board->arch,
		.command = "pmcsim system setup"};
	rc = system_find_qemu(s->board, &s->qemu, error);
	if (!rc)
		rc = system_engine_key(s->board, s->qemu, &s->engine_key);
	if (rc || how->force || how->offline || !is_ready(s)) {
		if (!rc)
			rc = open_folder(s);
		if (!rc)
			rc = set_up_locked(s);
	}
	free(s->qemu);
	free(s);
	return rc;
}

int
pmcsim_system_remove(const char *board, struct pmcsim_error *error)
{
	char *base = pmcsim_system_folder(), pattern[PATH_MAX];
	glob_t found;
	int rc = 0, n = 0;

	if (!base)
		return 0;
	snprintf(pattern, sizeof pattern, "%s/%s-*", base, board);
	free(base);
	if (glob(pattern, 0, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc && !rc; i++) {
		rc = fetch_remove_tree(found.gl_pathv[i]);
		if (rc)
			engine_fail(error, rc, "cannot remove %s: %s",
				    found.gl_pathv[i], strerror(-rc));
		n += !rc;
	}
	globfree(&found);
	return rc ? rc : n;
}
