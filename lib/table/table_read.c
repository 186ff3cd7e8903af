/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a table: the file, the positions in it, then libcyaml, whose several
 * lines of complaint become one sentence.
 */
#include "table_lines.h"
#include "table_schema.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE (1u << 20)
#define MAX_TRACE 16

/* What libcyaml says of a failure: a line, then a trace, innermost first. */
struct complaint {
	char what[256];
	char trace[MAX_TRACE][80]; /* "key" or "[index]" */
	unsigned n;
};

static void
hear(cyaml_log_t level, void *context, const char *format, va_list args)
{
	struct complaint *c = context;
	char line[256], key[64];
	unsigned index;

	if (level != CYAML_LOG_ERROR)
		return;
	vsnprintf(line, sizeof line, format, args);
	line[strcspn(line, "\n")] = '\0';
	if (!strncmp(line, "Load: ", 6)) {
		if (!c->what[0])
			strcpy(c->what, line + 6);
	} else if (c->n == MAX_TRACE) {
		return;
	} else if (sscanf(line, "  in mapping field '%63[^']'", key) == 1) {
		snprintf(c->trace[c->n++], sizeof c->trace[0], ".%s", key);
	} else if (sscanf(line, "  in sequence entry '%u'", &index) == 1) {
		snprintf(c->trace[c->n++], sizeof c->trace[0], "[%u]",
			 index - 1);
	}
}

/* The path to what is complained of, without the innermost skip steps. */
static void
trace_path(const struct complaint *c, unsigned skip, char *path, size_t size)
{
	size_t used = 0;

	path[0] = '\0';
	for (unsigned i = c->n; i > skip && used < size; i--) {
		const char *step = c->trace[i - 1];

		if (!used && *step == '.')
			step++;
		used += snprintf(path + used, size - used, "%s", step);
	}
}

/* The innermost key of the trace. */
static const char *
trace_key(const struct complaint *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->trace[i][0] == '.')
			return c->trace[i] + 1;
	return "file";
}

/* Where a complaint's line is to be looked for. */
enum place { AT_TRACE, AT_PARENT, AT_KEY };

/* What our sentence takes: what follows libcyaml's prefix, the innermost
 * key, or both in this order. */
enum takes { REST, KEY, BOTH };

static const struct wording {
	const char *prefix;	/* libcyaml's */
	const char *ours;
	enum takes takes;
	enum place place;
} wordings[] = {
	{"Unexpected key: ", "unknown key '%s'", REST, AT_KEY},
	{"Missing required mapping field: ", "key '%s' is missing", REST,
	 AT_PARENT},
	{"Invalid ENUM value: ", "'%s' is not a word that '%s' can be", BOTH,
	 AT_TRACE},
	{"Invalid UINT value: ", "%s is out of range for '%s'", BOTH,
	 AT_TRACE},
	{"Invalid INT value: ", "%s is out of range for '%s'", BOTH, AT_TRACE},
	{"Invalid uint64_t value: ", "%s is out of range for '%s'", BOTH,
	 AT_TRACE},
	{"STRING length < ", "'%s' is empty", KEY, AT_TRACE},
	{"STRING length > ", "the text of '%s' is too long", KEY, AT_TRACE},
	{"Expecting MAPPING", "'%s' should hold keys and values", KEY,
	 AT_TRACE},
	{"Expecting SEQUENCE", "'%s' should be a list", KEY, AT_TRACE},
	{"Expecting STRING", "'%s' should be a text", KEY, AT_TRACE},
	{"Expecting ENUM", "'%s' should be a word", KEY, AT_TRACE},
	{"Expecting UINT", "'%s' should be a number", KEY, AT_TRACE},
	{"Expecting INT", "'%s' should be a number", KEY, AT_TRACE},
	{"Insufficient entries", "'%s' has too few entries", KEY, AT_TRACE},
	{"Excessive entries", "'%s' has too many entries", KEY, AT_TRACE},
	{"", "%s", REST, AT_TRACE},
};

static int
pass_on(const struct complaint *c, const struct table_file *file,
	struct pmcsim_error *error)
{
	const struct wording *w = wordings;
	char path[512], text[400];
	const char *rest;

	while (strncmp(c->what, w->prefix, strlen(w->prefix)))
		w++;
	rest = c->what + strlen(w->prefix);
	trace_path(c, w->place == AT_PARENT, path, sizeof path);
	if (w->place == AT_KEY) {
		size_t used = strlen(path);

		snprintf(path + used, sizeof path - used, "%s%s",
			 used ? "." : "", rest);
	}
	snprintf(text, sizeof text, w->ours,
		 w->takes == KEY ? trace_key(c) : rest, trace_key(c));
	return table_error(error, file->path,
			   table_lines_find(file->lines, path), "%s", text);
}

static cyaml_config_t
loader(struct complaint *c)
{
	return (cyaml_config_t){
		.log_fn = hear,
		.log_ctx = c,
		.mem_fn = cyaml_mem,
		.log_level = CYAML_LOG_ERROR,
		.flags = CYAML_CFG_NO_ALIAS,
	};
}

static int
parse(struct table_file *file, const char *text, size_t length,
      struct pmcsim_error *error)
{
	struct complaint complaint = {0};
	cyaml_config_t config = loader(&complaint);
	cyaml_err_t rc;
	int err;

	err = table_lines_read(file->kind, file->path, text, length,
			       &file->lines, error);
	if (err)
		return err;
	rc = cyaml_load_data((const uint8_t *)text, length, &config,
			     table_schema(file->kind), &file->data, NULL);
	if (rc == CYAML_OK)
		return 0;
	if (rc == CYAML_ERR_OOM)
		return -ENOMEM;
	if (!complaint.what[0])
		snprintf(complaint.what, sizeof complaint.what, "%s",
			 cyaml_strerror(rc));
	return pass_on(&complaint, file, error);
}

/* All of an open regular file; its length, or -errno. */
static ssize_t
read_all(int fd, char **text)
{
	struct stat st;
	ssize_t used = 0, n;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	if (st.st_size > MAX_FILE)
		return -EFBIG;
	*text = malloc(MAX_FILE + 1);
	if (!*text)
		return -ENOMEM;
	while ((n = read(fd, *text + used, MAX_FILE + 1 - used)) > 0)
		used += n;
	if (n < 0)
		return -errno;
	return used > MAX_FILE ? -EFBIG : used;
}

int
table_file_text(const char *path, char **text, size_t *length,
		struct pmcsim_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	*text = NULL;
	n = fd < 0 ? -errno : read_all(fd, text);
	if (fd >= 0)
		close(fd);
	if (n == -EFBIG)
		snprintf(error->text, sizeof error->text,
			 "%s: larger than %u bytes", path, MAX_FILE);
	else if (n == -EINVAL)
		snprintf(error->text, sizeof error->text,
			 "%s: not a regular file", path);
	else if (n < 0)
		snprintf(error->text, sizeof error->text, "%s: %s", path,
			 strerror(-n));
	*length = n < 0 ? 0 : (size_t)n;
	if (n >= 0)
		(*text)[n] = '\0';
	return n < 0 ? (int)n : 0;
}

int
table_file_parse(struct table_file *file, enum table_kind kind,
		 const char *path, const char *text, size_t length,
		 struct pmcsim_error *error)
{
	int rc;

	*file = (struct table_file){.kind = kind, .path = strdup(path)};
	rc = file->path ? parse(file, text, length, error) : -ENOMEM;
	if (rc == -ENOMEM)
		snprintf(error->text, sizeof error->text, "%s: %s", path,
			 strerror(ENOMEM));
	return rc;
}

int
table_file_read(struct table_file *file, enum table_kind kind,
		const char *path, struct pmcsim_error *error)
{
	size_t length;
	char *text;
	int rc;

	*file = (struct table_file){.kind = kind};
	rc = table_file_text(path, &text, &length, error);
	if (!rc)
		rc = table_file_parse(file, kind, path, text, length, error);
	free(text);
	return rc;
}

void
table_file_free(struct table_file *file)
{
	struct complaint complaint = {0};
	cyaml_config_t config = loader(&complaint);

	if (file->data)
		cyaml_free(&config, table_schema(file->kind), file->data,
			   0);
	table_lines_free(file->lines);
	free(file->path);
	*file = (struct table_file){0};
}
