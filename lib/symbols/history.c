/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *
history_grow(void *list, size_t n, size_t *room, size_t bytes)
{
	size_t more = *room ? *room * 2 : 64;
	void *larger;

	if (n < *room)
		return list;
	larger = reallocarray(list, more, bytes);
	if (larger)
		*room = more;
	return larger;
}

size_t
history_begun(const void *list, size_t n, size_t bytes, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		uint64_t start;

		memcpy(&start, (const char *)list + mid * bytes, sizeof start);
		if (start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct history_image *
image_of(const struct history *h, unsigned number)
{
	/* Numbers go up, mostly by one. */
	size_t i = number < h->n ? number : h->n;

	while (i--)
		if (h->image[i].image.number == number)
			return &h->image[i];
	for (i = number; i < h->n; i++)
		if (h->image[i].image.number == number)
			return &h->image[i];
	return NULL;
}

static int
add_image(struct history *h, const struct log_image *r)
{
	const struct history_image *parent;
	struct history_image new = {.image = {
		.number = r->head.image, .parent = r->parent,
		.forked = r->forked, .pid = r->pid}};
	void *list = history_grow(h->image, h->n, &h->room, sizeof new);

	if (!list)
		return -ENOMEM;
	h->image = list;
	parent = r->forked ? image_of(h, r->parent) : NULL;
	if (parent && parent->n) {
		new.map = malloc(parent->n * sizeof *new.map);
		if (!new.map)
			return -ENOMEM;
		memcpy(new.map, parent->map, parent->n * sizeof *new.map);
		new.n = new.room = parent->n;
	}
	h->image[h->n++] = new;
	return 0;
}

int
history_module(struct history *h, const char *path)
{
	void *list;

	for (size_t i = h->n_modules; i--;)
		if (!strcmp(h->module[i], path))
			return (int)i;
	list = history_grow(h->module, h->n_modules, &h->modules_room,
			    sizeof *h->module);
	if (!list)
		return -ENOMEM;
	h->module = list;
	h->module[h->n_modules] = strdup(path);
	if (!h->module[h->n_modules])
		return -ENOMEM;
	return (int)h->n_modules++;
}

static int
add_map(struct history *h, const struct log_map *r)
{
	struct history_image *image = image_of(h, r->head.image);
	int first = history_module(h, ""), module = history_module(h, r->path);
	void *list;

	if (first < 0 || module < 0)
		return -ENOMEM;
	if (!image)
		return 0;
	list = history_grow(image->map, image->n, &image->room,
			    sizeof *image->map);
	if (!list)
		return -ENOMEM;
	image->map = list;
	image->map[image->n++] = (struct history_map){
		r->start, r->end, r->offset, (unsigned)module};
	return 0;
}

int
history_add(struct history *h, const struct log_record *record)
{
	if (record->kind == LOG_IMAGE)
		return add_image(h, (const void *)record);
	if (record->kind == LOG_MAP)
		return add_map(h, (const void *)record);
	return history_module(h, "") < 0 ? -ENOMEM : 0;
}

void
history_free(struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->image[i].map);
	for (size_t i = 0; i < h->n_modules; i++)
		free(h->module[i]);
	free(h->image);
	free(h->module);
	*h = (struct history){0};
}

size_t
history_maps(const struct history *h, unsigned number)
{
	const struct history_image *image = image_of(h, number);

	return image ? image->n : 0;
}

void
history_find(const struct history *h, unsigned number, size_t maps,
	     uint64_t pc, unsigned *module, uint64_t *offset)
{
	const struct history_image *image = image_of(h, number);
	size_t i = image ? image->n : 0;

	*module = 0;
	*offset = pc;
	for (i = i < maps ? i : maps; i--;) {
		const struct history_map *map = &image->map[i];

		if (pc < map->start || pc >= map->end)
			continue;
		*module = map->module;
		if (map->module)
			*offset = pc - map->start + map->offset;
		return;
	}
}
