/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where parts of pmcsim are that are looked up at run time. */
#ifndef LIB_PLACES_H
#define LIB_PLACES_H

/*
 * The folder with the CPU tables that come with pmcsim: that of the build
 * folder if this library runs from there, else that of the installation.
 * The caller's; NULL: no memory.
 */
char *place_events(void);

#endif
