/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmcsim.h"

#ifndef PMCSIM_VERSION
#error "the build must define PMCSIM_VERSION, as \"1.2.3\""
#endif

const char *
pmcsim_version(void)
{
	return PMCSIM_VERSION;
}
