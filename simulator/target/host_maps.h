/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the host says is mapped in this process. */
#ifndef TARGET_HOST_MAPS_H
#define TARGET_HOST_MAPS_H

#include "machine/types.h"

#include <stddef.h>

struct host_map {
	u64 start, end, offset, inode, device;
	bool writable, executable;
	bool written;		/* what is written there changes the file */
	char *path;		/* empty: no file */
};

struct host_maps {
	char *text;
	struct host_map *list;
	size_t n;
};

/* false if there is no list or no memory; the caller frees it in any case. */
bool host_maps_read(struct host_maps *all);
void host_maps_free(struct host_maps *all);

#endif
