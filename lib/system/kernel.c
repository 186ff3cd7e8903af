/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel.h"

#include "engine/engine.h"
#include "symbols/history.h"
#include "system_internal.h"

#include "machine/machine.h"
#include "counters/machine_api.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GAP 65536	/* code without a function begins behind so much */
#define PAGE 4096

/* ---- Reading --------------------------------------------------------- */

static bool
is_code(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* A line without its end, "address type name" and perhaps "[module]"; false
 * if it is not of that form. */
static bool
parse_line(char *line, struct kernel_function *f, char *type)
{
	char *end, *module;

	f->start = strtoull(line, &end, 16);
	if (end == line || *end != ' ' || !end[1] || end[2] != ' ' ||
	    !end[3])
		return false;
	*type = end[1];
	f->name = end + 3;
	f->module = "kernel";
	module = strpbrk(end + 3, " \t");
	if (!module)
		return true;
	*module = '\0';
	module = strchr(module + 1, '[');
	end = module ? strchr(module, ']') : NULL;
	if (!end)
		return false;
	*end = '\0';
	f->module = module + 1;
	return true;
}

/* Of names for one address: rather a function's than a mark's. */
static int
rank_of(const char *name)
{
	size_t n = strlen(name);

	return (*name == '_') + 2 * (n > 4 && !strcmp(name + n - 4, "_end")) +
	       2 * (n > 5 && !strcmp(name + n - 5, "start"));
}

static int
by_address(const void *a, const void *b)
{
	const struct kernel_function *x = a, *y = b;
	int order = rank_of(x->name) - rank_of(y->name);

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return order ? order : strcmp(x->name, y->name);
}

/* One function per address, which goes as far as the next. */
static void
sort_functions(struct pmcsim_kernel *k)
{
	size_t n = 0;

	if (!k->n)
		return;
	qsort(k->function, k->n, sizeof *k->function, by_address);
	for (size_t i = 1; i < k->n; i++)
		if (k->function[i].start != k->function[n].start)
			k->function[++n] = k->function[i];
	k->n = n + 1;
	for (size_t i = 0; i < k->n; i++) {
		struct kernel_function *f = &k->function[i];
		uint64_t end = f->start + PAGE - f->start % PAGE;

		if (i + 1 < k->n && f[1].start - f->start <= GAP)
			end = f[1].start;
		f->size = end - f->start;
	}
}

int
kernel_parse(struct pmcsim_kernel *k, char *text)
{
	char *save, type;

	*k = (struct pmcsim_kernel){.text = text};
	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		void *list = history_grow(k->function, k->n, &k->room,
					  sizeof *k->function);

		if (!list)
			return -ENOMEM;
		k->function = list;
		if (!parse_line(line, &k->function[k->n], &type))
			return -EINVAL;
		k->n += is_code(type);
	}
	sort_functions(k);
	return k->n ? 0 : -EINVAL;
}

const struct kernel_function *
kernel_find(const struct pmcsim_kernel *k, uint64_t address)
{
	size_t n = history_begun(k->function, k->n, sizeof *k->function,
				 address);

	if (!n || address - k->function[n - 1].start >=
			  k->function[n - 1].size)
		return NULL;
	return &k->function[n - 1];
}

/* ---- A system's ------------------------------------------------------ */

/* All of a file, with a null character; the caller's. */
static int
read_text(const char *path, char **text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
	struct stat st;
	size_t n = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -errno;
	*text = fstat(fd, &st) ? NULL : malloc((size_t)st.st_size + 1);
	while (*text && got > 0 && n < (size_t)st.st_size) {
		got = read(fd, *text + n, (size_t)st.st_size - n);
		n += got > 0 ? (size_t)got : 0;
	}
	if (*text)
		(*text)[n] = '\0';
	rc = !*text ? -ENOMEM : got < 0 ? -errno : 0;
	close(fd);
	if (rc)
		free(*text);
	return rc;
}

int
kernel_open(const struct system_place *place, struct pmcsim_kernel **kernel,
	    struct pmcsim_error *error)
{
	struct pmcsim_kernel *k = calloc(1, sizeof *k);
	char path[PATH_MAX], *text = NULL;
	int rc;

	if (!k)
		return engine_fail(error, -ENOMEM, "out of memory");
	snprintf(path, sizeof path, "%s/" SYSTEM_SYMBOLS, place->folder);
	rc = read_text(path, &text);
	if (!rc)
		rc = kernel_parse(k, text);
	if (rc) {
		pmcsim_kernel_free(k);
		return engine_fail(error, rc, "%s: no list of a kernel's "
				   "functions", path);
	}
	*kernel = k;
	return 0;
}

int
pmcsim_kernel_open(const char *board, struct pmcsim_kernel **kernel,
		   struct pmcsim_error *error)
{
	struct system_place place;
	int rc = pmcsim_system_find(board, &place, error);

	if (rc)
		return rc;
	rc = kernel_open(&place, kernel, error);
	pmcsim_system_place_free(&place);
	return rc;
}

void
pmcsim_kernel_free(struct pmcsim_kernel *k)
{
	if (!k)
		return;
	free(k->function);
	free(k->text);
	free(k);
}

size_t
pmcsim_kernel_utility(const struct pmcsim_kernel *k, struct pmcsim_machine *m,
		      const char *name)
{
	struct system_utilities *u = &m->map.m->utilities;
	size_t found = 0;

	for (size_t i = 0; i < k->n; i++) {
		const struct kernel_function *f = &k->function[i];

		if (strcmp(f->name, name))
			continue;
		if (u->n == SYSTEM_UTILITIES)
			break;
		u->range[u->n].start = f->start;
		u->range[u->n++].end = f->start + f->size;
		found++;
	}
	return found;
}
