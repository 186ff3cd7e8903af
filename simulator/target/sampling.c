/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampling.h"

#include "calling.h"
#include "engine.h"

#include "machine/machine_log.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POLL_CYCLES 65536
#define POLL_TICKER (SAMPLE_TICKERS - 1)

static struct {
	u32 serial;		/* of the machine's requests, when seen */
	u32 watched[MACHINE_REQUESTS]; /* serial of each, 0: not watched */
} sampling;

/* ---- Overflows ------------------------------------------------------- */

void
sampling_signal(int signal)
{
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

static void
freeze(void)
{
	pmu_stop(&target.map);
	sampling_refresh();
}

static void
record(const struct machine_request *r, const struct sample *sample)
{
	const struct block *b = sample->block;
	u32 n = b && r->actions & REQUEST_BLOCK ? b->n_insn : 0;
	size_t bytes = (sizeof(struct log_sample) + n * sizeof(u16) + 7) &
		       ~(size_t)7;
	_Alignas(struct log_sample) char room[LOG_MAX];
	struct log_sample *entry = (struct log_sample *)(void *)room;

	if (bytes > sizeof room)
		n = 0, bytes = sizeof *entry;
	*entry = (struct log_sample){
		.head = {.bytes = (u32)bytes, .kind = LOG_SAMPLE,
			 .image = target_slot()->image},
		.pc = sample->pc,
		.cycle = sample->cycle,
		.n = sample->n > 0 ? (u64)sample->n : 0,
		.request = (u32)(r - target.map.m->request),
		.tc = sample->tc,
		.n_insn = n,
		.path = calling_path(sample),
	};
	for (u32 i = 0; i < n; i++)
		entry->offset[i] = (u16)(block_insns(b)[i].pc - b->vaddr);
	if (n)
		entry->vaddr = b->vaddr;
	if (target.system)
		engine->sampled(entry);
	machine_log_append(&target.map, &entry->head);
}

/*
 * All at once: a process that waits for this one does nothing behind its end.
 * This one gets the signal before another block, so that where it ends is the same
 * in each run.  Those of other PID namespaces have numbers that mean nothing here.
 */
static void
end_all(void)
{
	const struct machine *m = target.map.m;

	for (u32 i = 1; i < m->slots_used; i++) {
		const struct machine_slot *s = &m->slot[i];

		if (i != target.slot && s->state == SLOT_RUNNING &&
		    s->pid > 0 && s->pids == target.map.pids)
			kill(s->pid, SIGTERM);
	}
	sampling_signal(SIGTERM);
}

static void
on_overflow(void *arg, const struct sample *sample)
{
	struct machine_request *r = arg;

	__atomic_add_fetch(&r->overflows, 1, __ATOMIC_RELAXED);
	if (r->actions & REQUEST_RECORD)
		record(r, sample);
	/* Up to the block that is under way. */
	if (r->actions & REQUEST_SUMS)
		machine_log_sums(&target.map, target_slot()->image);
	if (r->actions & REQUEST_SIGNAL)
		sampling_signal(r->signal);
	if (r->actions & REQUEST_FREEZE)
		freeze();
	if (r->actions & REQUEST_END)
		end_all();
}

/* ---- Requests -------------------------------------------------------- */

static bool
is_wanted(const struct machine_request *r)
{
	const struct machine *m = target.map.m;

	return r->actions && !m->stopped && r->counter < m->n_counters &&
	       (!r->pid || r->pid == getpid());
}

static void
watch_request(unsigned n)
{
	struct machine_request *r = &target.map.m->request[n];
	struct sample_watch watch = {
		.select = pmu_watched(target.map.m, r->counter),
		.first = 1,	/* the distance is in the machine */
		.period = r->period,
		.jitter = r->jitter,
		.seed = r->seed,
		.shared = &r->left,
		.leader = r->leader,
		.fn = on_overflow,
		.arg = r,
	};

	if (sampling.watched[n] && sampling.watched[n] != r->serial)
		sample_drop(&core, n);
	if (sample_set(&core, n, &watch))
		sample_clear(&core, n);
	sampling.watched[n] = r->serial;
}

void
sampling_refresh(void)
{
	u32 serial = __atomic_load_n(&target.map.m->request_serial,
				     __ATOMIC_ACQUIRE);

	if (!core.sampler || serial == sampling.serial)
		return;
	sampling.serial = serial;
	for (unsigned n = 0; n < MACHINE_REQUESTS; n++) {
		const struct machine_request *r = &target.map.m->request[n];

		if (is_wanted(r)) {
			watch_request(n);
		} else if (sampling.watched[n]) {
			if (sampling.watched[n] != r->serial)
				sample_drop(&core, n);
			sample_clear(&core, n);
			sampling.watched[n] = 0;
		}
	}
}

static void
poll(void *arg, u64 cycle)
{
	(void)arg;
	(void)cycle;
	sampling_refresh();
}

/* ---- The process ----------------------------------------------------- */

int
sampling_begin(void)
{
	struct machine_slot *slot = target_slot();

	if (core.sampler)
		return 0;
	if (!target.timing)
		return -ENODATA;
	if (!sample_new(&core, slot->sig, slot->tc))
		return -ENOMEM;
	sample_tick(&core, POLL_TICKER, POLL_CYCLES, poll, NULL);
	return 0;
}

int
sampling_start(void)
{
	int error;

	if (!(target.map.m->need & NEED_WATCH))
		return 0;
	error = sampling_begin();
	if (!error)
		sampling_refresh();
	return error;
}

void
sampling_fork_child(void)
{
	if (!core.sampler)
		return;
	sample_child(&core);
	/* Those of the parent alone are not the child's. */
	sampling.serial = 0;
}

/* ---- Numbers of signals ---------------------------------------------- */

/* Of those that differ from the host's, from 1. */
static const u8 mips_signals[] = {
	[7] = 0, [10] = SIGBUS, [12] = SIGSYS, [16] = SIGUSR1,
	[17] = SIGUSR2, [18] = SIGCHLD, [19] = SIGPWR, [20] = SIGWINCH,
	[21] = SIGURG, [22] = SIGIO, [23] = SIGSTOP, [24] = SIGTSTP,
	[25] = SIGCONT, [26] = SIGTTIN, [27] = SIGTTOU, [28] = SIGVTALRM,
	[29] = SIGPROF, [30] = SIGXCPU, [31] = SIGXFSZ,
};

static const u8 alpha_signals[] = {
	[7] = 0, [10] = SIGBUS, [12] = SIGSYS, [16] = SIGURG,
	[17] = SIGSTOP, [18] = SIGTSTP, [19] = SIGCONT, [20] = SIGCHLD,
	[21] = SIGTTIN, [22] = SIGTTOU, [23] = SIGIO, [24] = SIGXCPU,
	[25] = SIGXFSZ, [26] = SIGVTALRM, [27] = SIGPROF, [28] = SIGWINCH,
	[29] = SIGPWR, [30] = SIGUSR1, [31] = SIGUSR2,
};

int
sampling_host_signal(int signal)
{
	const u8 *table = target.isa == ISA_ALPHA ? alpha_signals
						  : mips_signals;

	if (signal < 1 || signal > 31)
		return 0;
	if (target_is_x86())
		return signal;
	if (signal == 7)
		return 0;	/* SIGEMT */
	return table[signal] ? table[signal] : signal;
}
