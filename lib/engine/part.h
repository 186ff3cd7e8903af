/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that engines are made of: where they are. */
#ifndef LIB_PART_H
#define LIB_PART_H

#include "pmcsim.h"

struct part {
	const char *name;
	const char *variable;	/* of the environment, which can name it */
	const char *const *beside; /* where it is from the library's folder; NULL
				      behind the last */
	const char *installed;	/* the folder that it was configured for */
};

/* Its full path, the caller's: what the variable says, or the first that was
 * built or installed with this library; NULL with a sentence. */
char *part_find(const struct part *part, struct pmcsim_error *error);

/* The plugin's own path, as part_find(). */
char *part_plugin_path(struct pmcsim_error *error);

/* What QEMU's option -plugin takes: the caller's; NULL with a sentence. */
char *part_plugin(const char *machine_path, struct pmcsim_error *error);

#endif
