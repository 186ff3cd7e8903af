/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the parts of pmcsim are that are looked up at run time.  The
 * environment comes first; a library that runs from its build folder finds
 * the parts there, an installed one where they were installed.
 */
#ifndef LIB_PLACES_H
#define LIB_PLACES_H

/*
 * Folders with CPU tables, separated by colons: $PMCSIM_EVENTS, or the one
 * of the build folder or installation.  The caller's; NULL: no memory.
 */
char *place_events(void);

/* The QEMU plugin: $PMCSIM_PLUGIN, or as above.  The caller's, or NULL. */
char *place_plugin(void);

/*
 * A file of the target's side, such as the preload shim: in the folder
 * $PMCSIM_GUEST, or as above.  The caller's, or NULL.
 */
char *place_guest(const char *file);

#endif
