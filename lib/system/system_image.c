/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The initial file system of a board: Debian's static busybox, the kernel
 * modules by which a folder of the host is mounted, and a script that loads
 * them, says that it is ready - there the snapshot is taken - and then does
 * what it finds in the folder.
 */
#include "system_internal.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <glob.h>

/*
 * The folder is mounted after the snapshot: a mounted one cannot be put
 * into it.
 */
static const char init[] =
	"#!/bin/busybox sh\n"
	"/bin/busybox --install -s /bin\n"
	"export PATH=/bin\n"
	"mount -t proc proc /proc\n"
	"mount -t sysfs sys /sys\n"
	"mount -t devtmpfs dev /dev\n"
	"stty -echo -onlcr\n"
	"for m in $(cat /modules/order); do insmod /modules/$m.ko; done\n"
	"echo " SYSTEM_READY "\n"
	"read -r go\n"
	"mount -t 9p -o trans=virtio,version=9p2000.L,msize=131072,cache=none "
	"job /job && . /job/script\n"
	"echo " SYSTEM_DONE SYSTEM_NO_START "\n"
	"sync\n"
	"exec sleep 1000\n";

static const char *const folders[] = {
	"bin", "dev", "proc", "sys", "tmp", "job", "modules", "root", "etc"
};

static const struct {
	const char *name;
	mode_t mode;
	unsigned major, minor;
} nodes[] = {
	{"dev/console", S_IFCHR | 0600, 5, 1},
	{"dev/null", S_IFCHR | 0666, 1, 3},
};

/* Where a module is in the unpacked package. */
static int
find_module(const char *root, const char *name, char path[PATH_MAX])
{
	static const char *const places[] = {
		"drivers/virtio", "net/9p", "fs/9p", "fs/netfs", "fs/fscache"
	};
	glob_t found;
	int rc = -ENOENT;

	for (size_t i = 0; rc && i < sizeof places / sizeof *places; i++) {
		if (snprintf(path, PATH_MAX, "%s/lib/modules/*/kernel/%s/%s.ko",
			     root, places[i], name) >= PATH_MAX)
			return -ENAMETOOLONG;
		if (glob(path, 0, NULL, &found))
			continue;
		if (strlen(found.gl_pathv[0]) < PATH_MAX) {
			strcpy(path, found.gl_pathv[0]);
			rc = 0;
		}
		globfree(&found);
	}
	return rc;
}

static int
add_modules(struct cpio *c, const struct system_board *board,
	    const char *root)
{
	char path[PATH_MAX], name[128], order[1024] = "";
	int rc = 0;

	for (const char *const *m = board->modules; *m && !rc; m++) {
		rc = find_module(root, *m, path);
		snprintf(name, sizeof name, "modules/%s.ko", *m);
		if (!rc)
			rc = cpio_add_file(c, name, S_IFREG | 0644, path);
		strcat(strcat(order, *m), "\n");
	}
	return rc ? rc : cpio_add(c, "modules/order", S_IFREG | 0644, 0,
				  order, strlen(order));
}

static int
add_all(struct cpio *c, const struct system_board *board, const char *root)
{
	unsigned char measure[SYSTEM_MEASURE_MAX];
	char path[PATH_MAX];
	size_t n = board->measure(measure);
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof folders / sizeof *folders; i++)
		rc = cpio_add(c, folders[i], S_IFDIR | 0755, 0, NULL, 0);
	for (size_t i = 0; !rc && i < sizeof nodes / sizeof *nodes; i++)
		rc = cpio_add(c, nodes[i].name, nodes[i].mode,
			      makedev(nodes[i].major, nodes[i].minor), NULL,
			      0);
	if (!rc)
		rc = cpio_add(c, "init", S_IFREG | 0755, 0, init,
			      sizeof init - 1);
	if (!rc)
		rc = cpio_add(c, "bin/measure", S_IFREG | 0755, 0, measure,
			      n);
	if (snprintf(path, sizeof path, "%s/bin/busybox", root) >=
	    (int)sizeof path)
		return -ENAMETOOLONG;
	if (!rc)
		rc = cpio_add_file(c, "bin/busybox", S_IFREG | 0755, path);
	if (!rc)
		rc = add_modules(c, board, root);
	return rc ? rc : cpio_end(c);
}

int
system_image(const struct system_board *board, const char *root,
	     const char *path, struct pmcsim_error *error)
{
	struct cpio c = {.out = fopen(path, "we"), .inode = 1};
	int rc;

	if (!c.out)
		return engine_fail(error, -errno, "cannot write %s: %s", path,
				   strerror(errno));
	rc = add_all(&c, board, root);
	if (fclose(c.out) && !rc)
		rc = -EIO;
	if (rc)
		return engine_fail(error, rc, "cannot make the initial file "
				   "system %s: %s", path, strerror(-rc));
	return 0;
}

uint64_t
system_image_key(const struct system_board *board, uint64_t hash)
{
	unsigned char measure[SYSTEM_MEASURE_MAX];
	size_t n = board->measure(measure);

	hash = system_hash(hash, init, sizeof init);
	hash = system_hash(hash, measure, n);
	for (const char *const *m = board->modules; *m; m++)
		hash = system_hash(hash, *m, strlen(*m) + 1);
	return hash;
}
