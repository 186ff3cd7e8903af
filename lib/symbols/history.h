/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where addresses of a target's programs led to, as the log tells it. */
#ifndef LIB_HISTORY_H
#define LIB_HISTORY_H

#include "pmcsim.h"
#include "machine/machine_log.h"

/* A mapping of an image; later ones are in front of earlier ones. */
struct history_map {
	uint64_t start, end, offset;
	unsigned module;
};

struct history_image {
	struct pmcsim_image image;
	struct history_map *map;
	size_t n, room;
};

/* All programs of a machine, by number. */
struct history {
	struct history_image *image;
	size_t n, room;
	char **module;
	size_t n_modules, modules_room;
};

/* Adds what a record of the log says; 0 or -ENOMEM.  Samples say nothing. */
int history_add(struct history *h, const struct log_record *record);
void history_free(struct history *h);

/* The number of a module, which is added if need be; -ENOMEM. */
int history_module(struct history *h, const char *path);

/*
 * Module and offset of an address that image number was executing when it
 * had so many mappings on record; module 0 and the address if not known.
 */
void history_find(const struct history *h, unsigned number, size_t maps,
		  uint64_t pc, unsigned *module, uint64_t *offset);

/* How many mappings an image has on record so far. */
size_t history_maps(const struct history *h, unsigned number);

/* Makes room for one more; NULL without memory. */
void *history_grow(void *list, size_t n, size_t *room, size_t bytes);

/* How many of a list, of so many bytes each, begin at an address or before it:
 * the first member of each is its uint64_t start, and they go up. */
size_t history_begun(const void *list, size_t n, size_t bytes,
		     uint64_t address);

#endif
