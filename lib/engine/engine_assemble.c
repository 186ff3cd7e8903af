/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine out of packages: QEMU's programs for the instruction sets that
 * we have a use for in bin/, the libraries that they need in lib/, and in
 * the programs a run path from the one to the other.
 */
#include "engine_fetch.h"

#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARIES "usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"

/* Moves the files that a pattern names into a folder; how many, or -errno. */
static int
move_files(struct fetch *f, const char *pattern, const char *folder)
{
	glob_t found;
	int rc = glob(pattern, GLOB_NOSORT, NULL, &found), n = 0;

	if (rc)
		return rc == GLOB_NOMATCH ? 0 : -EIO;
	for (size_t i = 0; i < found.gl_pathc && n >= 0; i++) {
		const char *name = strrchr(found.gl_pathv[i], '/') + 1;
		char to[PATH_MAX];

		rc = fetch_path(f, to, "%s/%s", folder, name);
		if (!rc && rename(found.gl_pathv[i], to))
			rc = -errno;
		n = rc ? rc : n + 1;
	}
	globfree(&found);
	return n;
}

/* The newest file of a package in the folder: NAME_VERSION_ARCH.deb. */
static int
find_package(struct fetch *f, const char *folder, const char *name,
	     char path[PATH_MAX])
{
	const char *newest = NULL;
	glob_t found;
	int rc = fetch_path(f, path, "%s/%s_*_%s.deb", folder, name,
			    f->arch);

	if (rc)
		return rc;
	if (glob(path, 0, NULL, &found))
		return -ENOENT;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (!newest || strverscmp(found.gl_pathv[i], newest) > 0)
			newest = found.gl_pathv[i];
	rc = fetch_path(f, path, "%s", newest);
	globfree(&found);
	return rc;
}

int
fetch_unpack(struct fetch *f, const char *folder, const char *name)
{
	char path[PATH_MAX], root[PATH_MAX], why[256];
	const char *const argv[] = { "dpkg-deb", "-x", path, root, NULL };
	int rc = find_package(f, folder, name, path);

	if (rc == -ENOENT)
		return engine_fail(f->error, rc, "there is no %s_*_%s.deb "
				   "in %s: put Debian 12's package there",
				   name, f->arch, folder);
	if (!rc)
		rc = fetch_path(f, root, "%s/root", f->work);
	if (rc)
		return rc;
	rc = fetch_run(f, argv);
	if (rc)
		return engine_fail(f->error, rc, "dpkg-deb cannot unpack %s: "
				   "%s", path, fetch_why(f, why));
	return 0;
}

/*
 * Unpacks one package into WORK/root.  Of a folder that the user brought,
 * patchelf may be missing if the host has it.
 */
static int
unpack(struct fetch *f, const char *folder, const char *name)
{
	const char *const probe[] = { "patchelf", "--version", NULL };
	char path[PATH_MAX];

	if (!strcmp(name, "patchelf") &&
	    find_package(f, folder, name, path) == -ENOENT &&
	    !fetch_run(f, probe))
		return 0;
	return fetch_unpack(f, folder, name);
}

/* Gives the program a run path to ../lib, for its libraries' sake too. */
static int
set_run_path(struct fetch *f, const char *program)
{
	char patchelf[PATH_MAX], why[256];
	const char *argv[] = { patchelf, "--force-rpath", "--set-rpath",
			       "$ORIGIN/../lib", program, NULL };
	int rc = fetch_path(f, patchelf, "%s/root/usr/bin/patchelf", f->work);

	if (rc)
		return rc;
	if (access(patchelf, X_OK))
		argv[0] = "patchelf";
	rc = fetch_run(f, argv);
	if (rc)
		return engine_fail(f->error, rc, "patchelf cannot set the run "
				   "path of %s: %s", program,
				   fetch_why(f, why));
	return 0;
}

/* Takes one program over and sees whether it runs. */
static int
take_program(struct fetch *f, const char *isa)
{
	char from[PATH_MAX], to[PATH_MAX], why[256];
	const char *const argv[] = { to, "--version", NULL };
	int rc = fetch_path(f, from, "%s/root/usr/bin/qemu-%s", f->work, isa);

	if (!rc)
		rc = fetch_path(f, to, "%s/new/bin/qemu-%s", f->work, isa);
	if (rc)
		return rc;
	if (rename(from, to))
		return engine_fail(f->error, -errno, "the package qemu-user "
				   "has no qemu-%s: bring Debian 12's", isa);
	rc = set_run_path(f, to);
	if (!rc)
		rc = engine_judge(to, isa, f->error);
	if (rc)
		return rc;
	if (fetch_run(f, argv))
		return engine_fail(f->error, -ENOEXEC, "the fetched qemu-%s "
				   "does not run here: %s", isa,
				   fetch_why(f, why));
	return 0;
}

/* Keeps the libraries: of each folder, all that has a version. */
static int
take_libraries(struct fetch *f)
{
	static const char *const folders[] = { LIBRARIES };
	char pattern[PATH_MAX], folder[PATH_MAX];
	int rc = fetch_path(f, folder, "%s/new/lib", f->work);

	for (size_t i = 0; !rc && i < sizeof folders / sizeof *folders; i++) {
		rc = fetch_path(f, pattern, "%s/root/%s/lib*.so.*", f->work,
				folders[i]);
		if (!rc)
			rc = move_files(f, pattern, folder);
		rc = rc > 0 ? 0 : rc;
	}
	return rc;
}

static int
make_new(struct fetch *f)
{
	static const char *const folders[] = { "root", "new", "new/bin",
					       "new/lib" };
	char path[PATH_MAX];
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof folders / sizeof *folders; i++) {
		rc = fetch_path(f, path, "%s/%s", f->work, folders[i]);
		if (!rc && mkdir(path, 0777))
			rc = engine_fail(f->error, -errno, "cannot make the "
					 "folder %s: %s", path,
					 strerror(errno));
	}
	return rc;
}

int
fetch_assemble(struct fetch *f, const char *packages)
{
	const char *isa;
	int rc = make_new(f);

	for (size_t i = 0; !rc && fetch_packages[i]; i++)
		rc = unpack(f, packages, fetch_packages[i]);
	if (rc)
		return rc;
	rc = take_libraries(f);
	if (rc)
		return engine_fail(f->error, rc, "cannot move libraries in "
				   "%s: %s", f->work, strerror(-rc));
	for (unsigned i = 0; !rc && (isa = pmcsim_engine_isa(i)); i++)
		rc = take_program(f, isa);
	return rc;
}
