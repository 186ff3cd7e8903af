/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What struct pmcsim_machine is inside the library. */
#ifndef MACHINE_API_H
#define MACHINE_API_H

#include "../simulator/machine.h"
#include "pmcsim.h"

struct pmcsim_machine {
	struct machine_map map;
	char *path;	/* by which the engine opens the machine */
};

#endif
