/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "procedures.h"

#include "at_fork.h"
#include "catching.h"
#include "program/procedure.h"

#include <pthread.h>

#define ENTRIES 64		/* of procedures of one name */
#define PATHS_MAX (1u << 20)	/* of calls, that are told apart */

static struct {
	struct calls calls;
	pthread_mutex_t lock;	/* of calls, for threads out of turn */
	struct region_mark begin, end;
	bool wanted;
	u64 entry[ENTRIES];
	unsigned n;
	u32 paths;
} procedures = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
lock(void)
{
	pthread_mutex_lock(&procedures.lock);
}

static void
unlock(void)
{
	pthread_mutex_unlock(&procedures.lock);
}

static u32
name_path(void *arg, u32 parent, u64 site)
{
	(void)arg;
	(void)parent;
	(void)site;
	return procedures.paths == PATHS_MAX ? 0 : ++procedures.paths;
}

int
procedures_start(struct regions *regions)
{
	const char *name = target.map.m->function;
	int region, error;

	if (!*name)
		return 0;
	region = machine_region_find(&target.map, name, REGION_FUNCTION);
	if (region < 0)
		return 0;
	procedures.begin = (struct region_mark){.region = (u16)region,
						.begins = true};
	procedures.end = (struct region_mark){.region = (u16)region};
	error = regions_number(regions, &procedures.begin);
	if (!error)
		error = regions_number(regions, &procedures.end);
	if (!error)
		error = calls_init(&procedures.calls, name_path, NULL);
	if (error)
		return error;
	procedures.calls.catches = catching_at;
	at_fork(lock, unlock, unlock);
	procedures.wanted = true;
	return 0;
}

bool
procedures_wanted(void)
{
	return procedures.wanted;
}

/* ---- Where they begin ------------------------------------------------- */

struct mapped {
	u64 start, end, offset;
};

static void
add_entry(void *arg, u64 offset)
{
	const struct mapped *m = arg;

	if (offset < m->offset || offset - m->offset >= m->end - m->start)
		return;
	if (procedures.n == ENTRIES) {
		machine_doubt(target.map.m, DOUBT_PROCEDURES);
		return;
	}
	procedures.entry[procedures.n++] = m->start + (offset - m->offset);
	__atomic_store_n(&target.map.m->function_found, 1, __ATOMIC_RELAXED);
}

void
procedures_mapped(u64 start, u64 end, u64 offset, const char *path)
{
	struct mapped m = {start, end, offset};
	unsigned n = 0;

	if (!procedures.wanted)
		return;
	for (unsigned i = 0; i < procedures.n; i++)
		if (procedures.entry[i] < start || procedures.entry[i] >= end)
			procedures.entry[n++] = procedures.entry[i];
	procedures.n = n;
	if (*path)
		procedure_find(path, target.map.m->function, add_entry, &m);
}

static bool
is_entry(u64 address)
{
	for (unsigned i = 0; i < procedures.n; i++)
		if (procedures.entry[i] == address)
			return true;
	return false;
}

/* ---- What threads do -------------------------------------------------- */

const struct region_mark *
procedures_follow(struct region_thread *th, const struct block *t)
{
	int error;

	lock();
	error = calls_enter(&procedures.calls, &th->calls, t);
	unlock();
	if (error)
		process_die("calls of a procedure", -error);
	if (th->inside && th->calls.n < th->depth) {
		th->inside = false;
		return &procedures.end;
	}
	if (th->inside || !is_entry(t->vaddr))
		return NULL;
	th->inside = true;
	th->depth = th->calls.n;
	return &procedures.begin;
}
