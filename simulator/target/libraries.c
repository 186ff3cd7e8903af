/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libraries.h"

#include "machine/types.h"

#include <link.h>
#include <sys/stat.h>

#define LIBRARIES 64		/* QEMU has some twenty */

static struct library {
	const char *path;	/* the dynamic linker's */
	dev_t device;
	ino_t inode;
} library[LIBRARIES];
static unsigned n_library;

static int
note(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	struct library *l = &library[n_library];
	struct stat file;

	(void)bytes;
	(void)unused;
	if (n_library == LIBRARIES || info->dlpi_name[0] != '/' ||
	    stat(info->dlpi_name, &file))
		return 0;
	*l = (struct library){info->dlpi_name, file.st_dev, file.st_ino};
	n_library++;
	return 0;
}

void
libraries_note(void)
{
	dl_iterate_phdr(note, NULL);
}

bool
libraries_are_there(void)
{
	struct stat file;

	for (unsigned i = 0; i < n_library; i++)
		if (stat(library[i].path, &file) ||
		    file.st_dev != library[i].device ||
		    file.st_ino != library[i].inode)
			return false;
	return true;
}
