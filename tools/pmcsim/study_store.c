/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "pmcsim study": results in a database.  The files of cells are what there
 * is; the database has what was read of them, by the hash that names them, and
 * can be removed at any time.
 */
#include "study.h"

#include "common/csv_table.h"

#include <sqlite3.h>
#include <stdlib.h>

#define DATABASE "study.sqlite"
#define PATIENCE_MS 60000	/* for another one that writes it */

struct study_store {
	sqlite3 *db;
	sqlite3_stmt *figures, *add_cell, *add_parameter, *add_figure, *has;
};

static const char schema[] =
	"CREATE TABLE IF NOT EXISTS cell (hash TEXT PRIMARY KEY,"
	" number INTEGER NOT NULL, text TEXT NOT NULL, cpu TEXT NOT NULL,"
	" command TEXT NOT NULL, engine TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS parameter (hash TEXT NOT NULL,"
	" name TEXT NOT NULL, value TEXT NOT NULL,"
	" PRIMARY KEY (hash, name)) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS figure (hash TEXT NOT NULL,"
	" place INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,"
	" value REAL, unit TEXT NOT NULL, reason TEXT NOT NULL,"
	" PRIMARY KEY (hash, place)) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS planned (hash TEXT PRIMARY KEY,"
	" number INTEGER NOT NULL) WITHOUT ROWID;";

static _Noreturn void
fail(sqlite3 *db)
{
	tool_fail(&study_tool, TOOL_FAILED, DATABASE ": %s",
		  db ? sqlite3_errmsg(db) : "out of memory");
}

static void
execute(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(db);
}

static sqlite3_stmt *
prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		fail(db);
	return statement;
}

/* Writes a row; values have been bound. */
static void
write_row(struct study_store *store, sqlite3_stmt *statement)
{
	if (sqlite3_step(statement) != SQLITE_DONE)
		fail(store->db);
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
}

static void
bind(sqlite3_stmt *statement, int place, const char *text)
{
	sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

/* ---- From files to rows ------------------------------------------------- */

static char *
read_result(const char *path)
{
	FILE *in = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	/* To the first byte 0, which there is none of. */
	if (in && getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = NULL;
	}
	if (in)
		fclose(in);
	return text;
}

static const char *
field(const struct csv_table *t, size_t row, const char *name)
{
	int column = csv_table_column(t, name);

	return column < 0 ? "" : csv_table_cell(t, row, (size_t)column);
}

/* A metric's name may be that of another: then what it is of tells them
 * apart. */
static char *
figure_name(const struct csv_table *t, size_t row)
{
	const char *name = field(t, row, "name"), *of = "";
	const char *region = field(t, row, "region");
	char *text = NULL;
	bool twin = false;
	int err = 0;

	if (*region) {
		if (asprintf(&text, "%s: %s", region, name) < 0)
			tool_fail(&study_tool, TOOL_FAILED, "out of memory");
		return text;
	}
	for (size_t i = 1; i < t->n_rows; i++) {
		twin |= !*field(t, i, "region") && i != row &&
			!strcmp(field(t, i, "name"), name);
		if (i < row && !strcmp(field(t, i, "kind"), "count"))
			of = field(t, i, "name");
	}
	if (twin && *of)
		err = asprintf(&text, "%s (%s)", name, of);
	else
		text = strdup(name);
	if (err < 0 || !text)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	return text;
}

/* A figure at that place; value is empty: it has none. */
static void
add_figure(struct study_store *store, const char *hash, size_t place,
	   const char *kind, const char *name, const char *value,
	   const char *unit, const char *reason)
{
	bind(store->add_figure, 1, hash);
	sqlite3_bind_int64(store->add_figure, 2, (sqlite3_int64)place);
	bind(store->add_figure, 3, kind);
	bind(store->add_figure, 4, name);
	if (*value)
		sqlite3_bind_double(store->add_figure, 5, strtod(value, NULL));
	bind(store->add_figure, 6, unit);
	bind(store->add_figure, 7, reason);
	write_row(store, store->add_figure);
}

/* How well the count of a row is known, behind all figures: of estimates, and of runs
 * that were not alike. */
static void
add_deviation(struct study_store *store, const char *hash,
	      const struct csv_table *t, size_t row)
{
	const char *percent = field(t, row, "deviation_percent");
	char *name, *of;

	if (strtod(percent, NULL) <= 0)
		return;
	of = figure_name(t, row);
	if (asprintf(&name, "%s +-", of) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	add_figure(store, hash, t->n_rows + row, "deviation", name, percent,
		   "percent", "");
	free(name);
	free(of);
}

static void
add_figures(struct study_store *store, const char *hash,
	    const struct csv_table *t)
{
	for (size_t i = 1; i < t->n_rows; i++) {
		char *name = figure_name(t, i);

		add_figure(store, hash, i, field(t, i, "kind"), name,
			   field(t, i, "value"), field(t, i, "unit"),
			   field(t, i, "reason"));
		free(name);
		add_deviation(store, hash, t, i);
	}
}

static void
add_cell(struct study_store *store, const struct study *s,
	 const struct study_cell *cell, const struct csv_table *t)
{
	char *text = study_cell_text(s, cell->number);

	bind(store->add_cell, 1, cell->hash);
	sqlite3_bind_int64(store->add_cell, 2, cell->number);
	bind(store->add_cell, 3, text);
	bind(store->add_cell, 4, field(t, 1, "cpu"));
	bind(store->add_cell, 5, field(t, 1, "command"));
	bind(store->add_cell, 6, field(t, 1, "engine"));
	write_row(store, store->add_cell);
	free(text);
	for (unsigned i = 0; i < s->n_parameters; i++) {
		bind(store->add_parameter, 1, cell->hash);
		bind(store->add_parameter, 2, s->parameter[i].name);
		bind(store->add_parameter, 3,
		     study_value(s, cell->number, i));
		write_row(store, store->add_parameter);
	}
	add_figures(store, cell->hash, t);
}

static bool
is_known(struct study_store *store, const char *hash)
{
	int step;

	bind(store->has, 1, hash);
	step = sqlite3_step(store->has);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		fail(store->db);
	sqlite3_reset(store->has);
	return step == SQLITE_ROW;
}

/* What is there of the plan and not known yet. */
static void
add_results(struct study_store *store, const struct study_plan *plan)
{
	for (unsigned i = 0; i < plan->n; i++) {
		const struct study_cell *cell = &plan->cell[i];
		struct csv_table t;
		char *path, *text;
		size_t line;

		if (is_known(store, cell->hash))
			continue;
		path = study_cell_file(plan->study, cell);
		text = read_result(path);
		if (text && (!csv_table_read(&study_tool, text, &t, &line) ||
			     t.n_rows < 2))
			tool_fail(&study_tool, TOOL_FAILED,
				  "%s: no result of a cell", path);
		if (text) {
			add_cell(store, plan->study, cell, &t);
			csv_table_free(&t);
		}
		free(text);
		free(path);
	}
}

/* The plan as it is now, for other programs that read the database. */
static void
write_plan(struct study_store *store, const struct study_plan *plan)
{
	sqlite3_stmt *add = prepare(store->db,
		"INSERT OR REPLACE INTO planned VALUES (?, ?)");

	execute(store->db, "DELETE FROM planned");
	for (unsigned i = 0; i < plan->n; i++) {
		bind(add, 1, plan->cell[i].hash);
		sqlite3_bind_int64(add, 2, plan->cell[i].number);
		write_row(store, add);
	}
	sqlite3_finalize(add);
}

static struct study_store *
open_database(const char *folder, int flags)
{
	struct study_store *store = tool_alloc(&study_tool, 1, sizeof *store);
	char *path;

	if (asprintf(&path, "%s/" DATABASE, folder) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
		tool_fail(&study_tool, TOOL_FAILED, "%s: %s", path,
			  store->db ? sqlite3_errmsg(store->db)
				    : "out of memory");
	free(path);
	sqlite3_busy_timeout(store->db, PATIENCE_MS);
	return store;
}

struct study_store *
study_store_open(const struct study_plan *plan)
{
	struct study_store *store =
		open_database(plan->study->results,
			      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);

	execute(store->db, "BEGIN IMMEDIATE");
	execute(store->db, schema);
	store->has = prepare(store->db, "SELECT 1 FROM cell WHERE hash = ?");
	store->add_cell = prepare(store->db,
		"INSERT INTO cell VALUES (?, ?, ?, ?, ?, ?)");
	store->add_parameter = prepare(store->db,
		"INSERT INTO parameter VALUES (?, ?, ?)");
	store->add_figure = prepare(store->db,
		"INSERT INTO figure VALUES (?, ?, ?, ?, ?, ?, ?)");
	store->figures = prepare(store->db,
		"SELECT kind, name, value, unit FROM figure WHERE hash = ?"
		" ORDER BY place");
	add_results(store, plan);
	write_plan(store, plan);
	execute(store->db, "COMMIT");
	return store;
}

void
study_store_close(struct study_store *store)
{
	sqlite3_finalize(store->has);
	sqlite3_finalize(store->add_cell);
	sqlite3_finalize(store->add_parameter);
	sqlite3_finalize(store->add_figure);
	sqlite3_finalize(store->figures);
	sqlite3_close(store->db);
	free(store);
}

/* ---- From rows to figures ----------------------------------------------- */

/* Of a row whose first columns are kind, name, value and unit. */
static struct study_figure
figure_at(sqlite3_stmt *s, const char *hash)
{
	return (struct study_figure){
		.hash = hash,
		.kind = (const char *)sqlite3_column_text(s, 0),
		.name = (const char *)sqlite3_column_text(s, 1),
		.known = sqlite3_column_type(s, 2) != SQLITE_NULL,
		.value = sqlite3_column_double(s, 2),
		.unit = (const char *)sqlite3_column_text(s, 3),
	};
}

void
study_store_figures(struct study_store *store, const char *hash,
		    void (*fn)(void *arg, const struct study_figure *f),
		    void *arg)
{
	sqlite3_stmt *s = store->figures;

	bind(s, 1, hash);
	while (sqlite3_step(s) == SQLITE_ROW) {
		struct study_figure f = figure_at(s, hash);

		fn(arg, &f);
	}
	sqlite3_reset(s);
}

static char *
copy(sqlite3_stmt *s, int column)
{
	char *text = strdup((const char *)sqlite3_column_text(s, column));

	if (!text)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	return text;
}

/* Times in milliseconds are no whole numbers, and compared as metrics are. */
static struct pmcsim_figure
figure_of(sqlite3_stmt *s)
{
	struct pmcsim_figure f = {
		.which = copy(s, 0),
		.metric = strcmp((const char *)sqlite3_column_text(s, 1),
				 "count") ||
			  !strcmp((const char *)sqlite3_column_text(s, 4),
				  "msec"),
		.name = copy(s, 2),
		.known = sqlite3_column_type(s, 3) != SQLITE_NULL,
		.value = sqlite3_column_double(s, 3),
	};

	f.count = f.metric || f.value < 0 ? 0 : (uint64_t)f.value;
	return f;
}

struct pmcsim_figures *
study_store_report(const char *folder)
{
	struct study_store *store = open_database(folder,
						  SQLITE_OPEN_READONLY);
	struct pmcsim_figures *all = tool_alloc(&study_tool, 1, sizeof *all);
	sqlite3_stmt *s = prepare(store->db,
		"SELECT cell.text, kind, name, value, unit"
		" FROM planned JOIN cell USING (hash) JOIN figure USING (hash)"
		" ORDER BY planned.number, place");
	size_t room = 0;

	while (sqlite3_step(s) == SQLITE_ROW) {
		if (all->n == room) {
			room = room ? 2 * room : 64;
			all->figure = reallocarray(all->figure, room,
						   sizeof *all->figure);
			if (!all->figure)
				fail(NULL);
		}
		all->figure[all->n++] = figure_of(s);
	}
	sqlite3_finalize(s);
	sqlite3_close(store->db);
	free(store);
	if (!all->n)
		tool_fail(&study_tool, TOOL_FAILED,
			  "%s: there are no results in it", folder);
	return all;
}

void
study_store_cells(const char *folder, const char *name,
		  void (*fn)(void *arg, const char *cell,
			     const struct study_figure *f),
		  void *arg)
{
	struct study_store *store = open_database(folder,
						  SQLITE_OPEN_READONLY);
	sqlite3_stmt *s = prepare(store->db,
		"SELECT kind, name, value, unit, cell.text, cell.hash"
		" FROM planned JOIN cell USING (hash) JOIN figure USING (hash)"
		" WHERE figure.name = ? ORDER BY planned.number, place");

	bind(s, 1, name);
	while (sqlite3_step(s) == SQLITE_ROW) {
		struct study_figure f = figure_at(
			s, (const char *)sqlite3_column_text(s, 5));

		fn(arg, (const char *)sqlite3_column_text(s, 4), &f);
	}
	sqlite3_finalize(s);
	sqlite3_close(store->db);
	free(store);
}
