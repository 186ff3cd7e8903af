/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calling.h"

#include "machine/machine_log.h"
#include "at_fork.h"
#include "catching.h"
#include "engine.h"

#include <pthread.h>

#define PATHS_MAX (1u << 22)	/* of a machine */

static struct {
	struct calls calls;
	struct calls_context context[SIM_MAX_TC];
	pthread_mutex_t lock;	/* of calls, for threads that do not wait for
				   their turns */
} calling = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* All processes of the machine number their paths together: a child goes on
 * from those of its parent. */
static u32
name_path(void *arg, u32 parent, u64 site)
{
	struct machine *m = target.map.m;
	struct log_call r = {
		.head = {.bytes = sizeof r, .kind = LOG_CALL,
			 .image = target_slot()->image},
		.parent = parent,
		.site = site,
	};

	(void)arg;
	if (__atomic_load_n(&m->paths, __ATOMIC_RELAXED) >= PATHS_MAX)
		return 0;
	r.path = __atomic_add_fetch(&m->paths, 1, __ATOMIC_RELAXED);
	return machine_log_append(&target.map, &r.head) ? 0 : r.path;
}

static void
lock(void)
{
	pthread_mutex_lock(&calling.lock);
}

static void
unlock(void)
{
	pthread_mutex_unlock(&calling.lock);
}

int
calling_start(void)
{
	int error;

	if (!(target.map.m->need & NEED_CALLS))
		return 0;
	error = calls_init(&calling.calls, name_path, NULL);
	if (error)
		return error;
	calling.calls.catches = catching_at;
	at_fork(lock, unlock, unlock);
	core.calls = calling.context;
	return 0;
}

void
calling_enter(unsigned vcpu, const struct block *t)
{
	lock();
	engine->called(vcpu, &calling.calls, t);
	unlock();
}

void
calling_entered(void)
{
	if (!core.told)
		calls_arrived(&core.calls[target_slot()->tc]);
}

static void
tell(u32 path, u64 taken)
{
	struct log_called r = {
		.head = {.bytes = sizeof r, .kind = LOG_CALLED,
			 .image = target_slot()->image},
		.path = path,
		.taken = taken,
	};

	machine_log_append(&target.map, &r.head);
}

void
calling_end(void)
{
	if (!core.calls)
		return;
	lock();
	calls_tell(&calling.calls, tell);
	unlock();
}

void
calling_fork_child(void)
{
	if (core.calls)
		calls_tell(&calling.calls, NULL);
}

u32
calling_path(const struct sample *sample)
{
	if (!core.calls)
		return 0;
	return calls_to(&calling.context[sample->tc], sample->block);
}
