/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LIB_PROFILE_PLACES_H
#define LIB_PROFILE_PLACES_H

#include "pmcsim.h"

/* Puts places in the order that profiles have: module, offset, image. */
void profile_sort_places(struct pmcsim_profile *p);

#endif
