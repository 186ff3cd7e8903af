/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events folders: $PMCSIM_EVENTS, the build tree's, the installed. */
#include "places.h"
#include "table.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".yaml"

/* Calls visit for the folders of a list until it returns other than 0. */
static int
each_of(const char *list, int (*visit)(const char *folder, void *context),
	void *context)
{
	char *copy = strdup(list), *rest = copy, *folder;
	int rc = copy ? 0 : -ENOMEM;

	while (!rc && (folder = strsep(&rest, ":")))
		if (*folder)
			rc = visit(folder, context);
	free(copy);
	return rc;
}

static int
each_folder(int (*visit)(const char *folder, void *context), void *context)
{
	const char *own = getenv("PMCSIM_EVENTS");
	char *ours;
	int rc = own ? each_of(own, visit, context) : 0;

	if (rc)
		return rc;
	ours = place_events();
	rc = ours ? each_of(ours, visit, context) : -ENOMEM;
	free(ours);
	return rc ? rc : visit(PMCSIM_EVENTS_DIR, context);
}

struct search {
	const char *name;
	char *path;
};

/* 1 if the folder has the table. */
static int
look(const char *folder, void *context)
{
	struct search *search = context;

	if (asprintf(&search->path, "%s/%s" SUFFIX, folder, search->name) < 0)
		return -ENOMEM;
	if (!access(search->path, F_OK))
		return 1;
	free(search->path);
	search->path = NULL;
	return 0;
}

int
table_find(const char *name, char **path, struct pmcsim_error *error)
{
	struct search search = {.name = name};
	bool is_path = !fnmatch("?*" SUFFIX, name, 0);
	int rc;

	*path = NULL;
	if (strchr(name, '/') && strncmp(name, "os/", 3) &&
	    strncmp(name, "names/", 6))
		is_path = true;
	if (is_path) {
		*path = strdup(name);
		return *path ? 0 : -ENOMEM;
	}
	rc = *name ? each_folder(look, &search) : 0;
	if (rc < 0)
		return rc;
	*path = search.path;
	if (rc)
		return 0;
	snprintf(error->text, sizeof error->text,
		 "no CPU table is called '%s'; \"pmcsim list\" shows those "
		 "that there are", name);
	return -ENOENT;
}

struct names {
	char **name;
	size_t n;
};

static int
add_name(struct names *names, const char *file)
{
	size_t length = strlen(file) - strlen(SUFFIX);
	char **grown;

	for (size_t i = 0; i < names->n; i++)
		if (!strncmp(names->name[i], file, length) &&
		    !names->name[i][length])
			return 0;
	grown = reallocarray(names->name, names->n + 1, sizeof *grown);
	if (!grown)
		return -ENOMEM;
	names->name = grown;
	grown[names->n] = strndup(file, length);
	return grown[names->n] ? (names->n++, 0) : -ENOMEM;
}

static int
gather(const char *folder, void *context)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int rc = 0;

	if (!dir)
		return 0;
	while (!rc && (entry = readdir(dir)))
		if (!fnmatch("?*" SUFFIX, entry->d_name, FNM_PERIOD))
			rc = add_name(context, entry->d_name);
	closedir(dir);
	return rc;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int
pmcsim_cpu_names(char ***names, size_t *n)
{
	struct names found = {0};
	int rc = each_folder(gather, &found);

	if (rc) {
		pmcsim_names_free(found.name, found.n);
		return rc;
	}
	if (found.n)
		qsort(found.name, found.n, sizeof *found.name, by_name);
	*names = found.name;
	*n = found.n;
	return 0;
}

void
pmcsim_names_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}
