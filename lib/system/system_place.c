/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding QEMU's system emulator, and the system that goes with it. */
#include "system_internal.h"


#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *
pmcsim_system_folder(void)
{
	char *engine = pmcsim_engine_folder(), *slash, *path = NULL;

	if (!engine)
		return NULL;
	slash = strrchr(engine, '/');
	if (asprintf(&path, "%.*s/system", (int)(slash - engine), engine) < 0)
		path = NULL;
	free(engine);
	return path;
}

static bool
is_good(const char *path)
{
	struct engine_info info;

	return !access(path, X_OK) && !pmcsim_engine_inspect(path, &info) &&
	       info.kind == ENGINE_GOOD;
}

/* The program in one of the folders of a list like PATH; the caller's. */
static char *
find_in(const char *list, const char *name)
{
	char *path;

	while (list && *list) {
		size_t n = strcspn(list, ":");

		if (asprintf(&path, "%.*s/%s", (int)n, list, name) < 0)
			return NULL;
		if (n && is_good(path))
			return path;
		free(path);
		list += n + (list[n] == ':');
	}
	return NULL;
}

int
system_find_qemu(const struct system_board *board, char **qemu,
		 struct pmcsim_error *error)
{
	*qemu = find_in(getenv("PMCSIM_QEMU_SYSTEM"), board->qemu);
	if (!*qemu)
		*qemu = find_in(getenv("PATH"), board->qemu);
	if (*qemu)
		return 0;
	return engine_fail(error, -ENXIO, "there is no %s that takes plugins: "
			   "install Debian's package %s, or name its folder "
			   "with PMCSIM_QEMU_SYSTEM", board->qemu,
			   board->qemu_package);
}

/* Whether the system in the folder was made by that engine. */
static bool
goes_with(const char *folder, uint64_t key)
{
	unsigned long long found = 0;
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof path, "%s/" SYSTEM_KEY, folder);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fscanf(file, "engine %llx", &found) != 1)
		found = ~key;
	fclose(file);
	return found == key;
}

/* The newest system in the cache that goes with the engine, or NULL. */
static char *
find_folder(const struct system_board *board, uint64_t key)
{
	char *base = pmcsim_system_folder(), *pattern = NULL, *folder = NULL;
	glob_t found;

	if (!base || asprintf(&pattern, "%s/%s-*", base, board->name) < 0)
		pattern = NULL;
	free(base);
	if (!pattern)
		return NULL;
	if (!glob(pattern, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc && !folder; i++)
			if (goes_with(found.gl_pathv[i], key))
				folder = strdup(found.gl_pathv[i]);
		globfree(&found);
	}
	free(pattern);
	return folder;
}

int
pmcsim_system_find(const char *name, struct system_place *place,
		   struct pmcsim_error *error)
{
	uint64_t key;
	int rc;

	*place = (struct system_place){
		.board = pmcsim_system_find_board(name)};
	if (!place->board)
		return engine_fail(error, -EINVAL, "there is no board %s; see "
				   "\"pmcsim system list\"", name);
	rc = system_find_qemu(place->board, &place->qemu, error);
	if (!rc)
		rc = system_engine_key(place->board, place->qemu, &key);
	if (rc)
		return rc;
	place->folder = find_folder(place->board, key);
	if (place->folder)
		return 0;
	pmcsim_system_place_free(place);
	return engine_fail(error, -ENXIO, "the system %s is not set up: run "
			   "\"pmcsim system setup %s\"", name, name);
}

void
pmcsim_system_place_free(struct system_place *place)
{
	free(place->qemu);
	free(place->folder);
	place->qemu = place->folder = NULL;
}
