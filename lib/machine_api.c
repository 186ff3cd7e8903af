/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines as the library's callers see them. */
#include "machine_api.h"

#include "../simulator/device/hwperf.h"
#include "../simulator/device/procperf.h"
#include "engine.h"
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int
fail(struct pmcsim_machine *m, int code, const char *path,
     struct pmcsim_error *error)
{
	pmcsim_machine_free(m);
	if (code == -EEXIST)
		return engine_fail(error, code, "%s: there is one already",
				   path);
	if (code == -EINVAL)
		return engine_fail(error, code,
				   "%s: no machine of this version of pmcsim, "
				   "or a damaged one", path);
	if (code == -EFBIG)
		return engine_fail(error, code,
				   "the limit of file sizes (ulimit -f) leaves "
				   "no room for counts");
	if (code == -ESRCH)
		return engine_fail(error, code,
				   "/proc does not show the processes of this "
				   "PID namespace");
	return engine_fail(error, code, "%s: %s", path ? path : "machine",
			   strerror(-code));
}

static bool
proc_shows_us(void)
{
	char number[24];
	ssize_t n = readlink("/proc/self", number, sizeof number - 1);

	if (n < 0)
		return false;
	number[n] = '\0';
	return strtol(number, NULL, 10) == getpid();
}

static struct pmcsim_machine *
machine_alloc(void)
{
	struct pmcsim_machine *m = calloc(1, sizeof(*m));

	if (m)
		m->map.fd = -1;
	return m;
}

/* A file without a name; the engine reaches it through this process. */
static int
create_memory(struct pmcsim_machine *m)
{
	int fd;

	if (!proc_shows_us())
		return -ESRCH;
	fd = memfd_create("pmcsim-machine", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	m->map.fd = fd;
	if (asprintf(&m->path, "/proc/%d/fd/%d", getpid(), fd) < 0) {
		m->path = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int
create_file(struct pmcsim_machine *m, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return -errno;
	m->map.fd = fd;
	m->path = realpath(path, NULL);
	return m->path ? 0 : -errno;
}

int
pmcsim_machine_new(const struct pmcsim_cpu *cpu, const char *path,
		   struct pmcsim_machine **machine,
		   struct pmcsim_error *error)
{
	struct pmcsim_machine *m = machine_alloc();
	int err;

	if (!m)
		return fail(NULL, -ENOMEM, path, error);
	err = path ? create_file(m, path) : create_memory(m);
	if (err == 0) {
		err = machine_create(&m->map, m->map.fd, &cpu->config,
				     pmcsim_cpu_name(cpu));
		if (err != 0 && path)
			unlink(path);
	}
	if (err != 0)
		return fail(m, err, path, error);
	m->map.m->need = NEED_COUNT | NEED_TIMING;
	m->map.m->range_extension = true;
	*machine = m;
	return 0;
}

int
pmcsim_machine_open(const char *path, struct pmcsim_machine **machine,
		    struct pmcsim_error *error)
{
	struct pmcsim_machine *m = machine_alloc();
	int fd, err;

	if (!m)
		return fail(NULL, -ENOMEM, path, error);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return fail(m, -errno, path, error);
	m->map.fd = fd;
	err = machine_attach(&m->map, fd);
	if (err == 0) {
		m->path = realpath(path, NULL);
		err = m->path ? 0 : -errno;
	}
	if (err != 0)
		return fail(m, err, path, error);
	*machine = m;
	return 0;
}

void
pmcsim_machine_free(struct pmcsim_machine *m)
{
	if (!m)
		return;
	if (m->map.m)
		machine_detach(&m->map);
	if (m->map.fd >= 0)
		close(m->map.fd);
	free(m->path);
	free(m);
}

void
pmcsim_machine_set_uid(struct pmcsim_machine *m, unsigned uid)
{
	m->map.m->uid = uid;
}

void
pmcsim_machine_set_range_extension(struct pmcsim_machine *m, bool on)
{
	m->map.m->range_extension = on;
}

void
pmcsim_machine_set_parallel(struct pmcsim_machine *m, bool on)
{
	m->map.m->parallel = on;
}

void
pmcsim_machine_set_clock(struct pmcsim_machine *m, bool on)
{
	m->map.m->machine_clock = on;
	if (on)
		m->map.m->need |= NEED_TIMING;
}

void
pmcsim_machine_set_seed(struct pmcsim_machine *m, uint64_t seed)
{
	m->map.m->seeded = true;
	m->map.m->seed = seed;
}

int
pmcsim_machine_cat(struct pmcsim_machine *m, char **text)
{
	*text = malloc(PROCPERF_TEXT + 1);
	if (!*text)
		return -ENOMEM;
	(*text)[procperf_read(&m->map, *text)] = '\0';
	return 0;
}

/* Line n, from 1, of a text: its length is in length. */
static const char *
line_of(const char *text, unsigned n, size_t *length)
{
	const char *end;

	while (n-- > 1 && (end = memchr(text, '\n', *length))) {
		*length -= (size_t)(end + 1 - text);
		text = end + 1;
	}
	end = memchr(text, '\n', *length);
	if (end)
		*length = (size_t)(end - text);
	return text;
}

/* What is wrong with a line. */
static const char *
line_fault(const struct pmcsim_machine *m, const char *text, size_t length)
{
	static const char *const fault[] = {
		[PROCPERF_RIGHT] = "not \"num control value\"",
		[PROCPERF_NO_COUNTER] = "there is no such counter",
		[PROCPERF_NOT_ZERO] = "bits 30 and 15 to 12 of the control "
				      "word must be zero",
		[PROCPERF_NO_CONTEXT] = "there is no such TC or VPE",
		[PROCPERF_NO_EVENT] = "the event is reserved on this counter",
		[PROCPERF_NARROW] = "the event cannot be counted for one TC "
				    "or VPE",
	};
	char line[64];
	unsigned n, control;

	snprintf(line, sizeof line, "%.*s",
		 (int)(length < sizeof line ? length : sizeof line), text);
	if (sscanf(line, "%u %x", &n, &control) != 2)
		return fault[PROCPERF_RIGHT];
	return fault[procperf_check(&m->map, n, control)];
}

int
pmcsim_machine_write(struct pmcsim_machine *m, const char *text,
		     size_t length, struct pmcsim_error *error)
{
	unsigned line = 0;
	long n = procperf_write(&m->map, m->map.m->uid, text, length, &line);

	if (n == -EPERM)
		return engine_fail(error, -EPERM,
				   "only root may write /proc/perf, and the "
				   "machine's user is %u", m->map.m->uid);
	if (n < 0) {
		text = line_of(text, line, &length);
		return engine_fail(error, (int)n, "line %u, \"%.*s\": %s",
				   line, (int)(length < 64 ? length : 64),
				   text, line_fault(m, text, length));
	}
	return 0;
}

/* Where a slot counts: the narrowest that it names and its event allows. */
static enum sim_scope
slot_scope(const struct pmcsim_slot *slot, const struct sim_event *event)
{
	enum sim_scope wanted = SCOPE_PROCESSOR;

	if (slot->tc >= 0)
		wanted = SCOPE_TC;
	else if (slot->vpe >= 0)
		wanted = SCOPE_VPE;
	return event && event->scope > wanted ? event->scope : wanted;
}

static void
select_slot(const struct sim_config *config, const struct pmcsim_slot *slot,
	    struct pmu_select *select)
{
	int i = pmu_find_event(config, slot->counter, slot->code);
	enum sim_scope scope =
		slot_scope(slot, i >= 0 ? &config->event[i] : NULL);

	*select = (struct pmu_select){
		.control = slot->control,
		.event = i,
		.modes = (u8)slot->modes,
		.scope = scope,
		.mask = i < 0 ? 0 : config->event[i].mask_default,
	};
	if (scope == SCOPE_TC)
		select->scope_id = (u8)slot->tc;
	else if (scope == SCOPE_VPE)
		select->scope_id = slot->vpe >= 0 ?
					   (u8)slot->vpe :
					   config->topo.vpe_of_tc[slot->tc];
}

int
pmcsim_machine_program(struct pmcsim_machine *m, const struct pmcsim_run *run,
		       struct pmcsim_error *error)
{
	struct machine *machine = m->map.m;
	struct pmu_select select;

	for (size_t i = 0; i < run->n; i++) {
		const struct pmcsim_slot *slot = &run->slot[i];

		if (slot->counter >= SIM_WIDE_COUNTERS)
			return engine_fail(error, -E2BIG,
					   "more than %d counters in one run",
					   SIM_WIDE_COUNTERS);
		if (slot->counter >= machine->n_counters)
			machine->n_counters = slot->counter + 1;
	}
	for (size_t i = 0; i < run->n; i++) {
		select_slot(&machine->config, &run->slot[i], &select);
		pmu_program(&m->map, run->slot[i].counter, &select, 0);
		machine->need |= pmu_need(&machine->config, select.event);
	}
	return 0;
}

const char *
unknown_text(enum pmu_others others, unsigned modes)
{
#define UNACCOUNTED(where) "the ledger has nothing of " where "; with " \
			   "--system, its code is executed"
	static const char *const kernel[] = {
		[OTHERS_NOT_LOOKED_AT] = "in kernel mode it is not looked at",
		[OTHERS_UNACCOUNTED] = UNACCOUNTED("kernel mode"),
	}, *const exl[] = {
		[OTHERS_NOT_LOOKED_AT] = "at exception level it is not looked "
					 "at",
		[OTHERS_UNACCOUNTED] = UNACCOUNTED("exception level"),
	};
#undef UNACCOUNTED

	return modes & 1u << MODE_KERNEL ? kernel[others] : exl[others];
}

const char *
unknown_modes(const struct sim_config *config, bool system, unsigned counter,
	      unsigned code, unsigned modes)
{
	struct pmu_select select = {
		.event = pmu_find_event(config, counter, code),
		.modes = (u8)modes,
	};

	return unknown_text(pmu_others(config, system, &select), modes);
}

const char *
pmcsim_machine_unknown(const struct pmcsim_machine *m, unsigned counter,
		       unsigned code, unsigned modes)
{
	return unknown_modes(&m->map.m->config, m->map.m->system, counter, code,
			     modes);
}

int
pmcsim_machine_values(struct pmcsim_machine *m, const struct pmcsim_run *run,
		      struct pmcsim_value *value)
{
	const struct machine *machine = m->map.m;
	u64 count[SIM_WIDE_COUNTERS];
	u64 width = machine->config.counter_bits;
	u64 mask = width < 64 ? (1ull << width) - 1 : ~0ull;

	pmu_read_all(&m->map, 0, machine->n_counters, count);
	for (size_t i = 0; i < run->n; i++) {
		const struct pmcsim_slot *slot = &run->slot[i];
		struct pmcsim_value *v = &value[i];

		if (slot->counter >= machine->n_counters)
			return -EINVAL;
		v->count = count[slot->counter];
		v->shown = machine->range_extension ? v->count :
						      v->count & mask;
		v->wrapped = v->shown != v->count;
		v->ledger = !machine->system &&
			    (slot->modes & ~(1u << MODE_USER)) != 0;
		v->unknown = pmcsim_machine_unknown(m, slot->counter,
						    slot->code, slot->modes);
	}
	return 0;
}

const char *
pmcsim_machine_cpu_name(const struct pmcsim_machine *m)
{
	return m->map.m->cpu_name;
}

uint64_t
pmcsim_machine_instructions(struct pmcsim_machine *m)
{
	return machine_signal(&m->map, SIG_INSN, MODE_USER, -1, -1);
}

uint64_t
pmcsim_machine_cycles(struct pmcsim_machine *m)
{
	u64 sig[SIG_N];

	machine_signals(&m->map, MODE_USER, -1, -1, sig);
	return machine_cycles(sig);
}

bool
pmcsim_machine_system(const struct pmcsim_machine *m,
		      struct pmcsim_system_facts *facts)
{
	const struct system_facts *f = &m->map.m->facts;

	*facts = (struct pmcsim_system_facts){
		.syscalls = f->syscall,
		.interrupts = f->interrupt,
		.faults = f->exception - f->interrupt - f->syscall,
		.refills = f->refill,
		.pages = f->page,
		.waits = f->wait,
	};
	return m->map.m->system && f->started;
}

unsigned
pmcsim_machine_uncounted(struct pmcsim_machine *m)
{
	return m->map.m->uncounted;
}

bool
pmcsim_machine_unrepeatable(struct pmcsim_machine *m)
{
	return pmu_unrepeatable(m->map.m) || hwperf_unrepeatable(m->map.m);
}

/* Whether the event adds up nothing but instructions by kind. */
static bool
counts_only_instructions(const struct sim_event *event)
{
	for (unsigned i = 0; i < event->n; i++)
		if (event->term[i].signal > SIG_INSN_LAST)
			return false;
	return true;
}

static u32
slot_need(const struct sim_config *config, const struct pmcsim_slot *slot)
{
	int event = pmu_find_event(config, slot->counter, slot->code);

	if (event >= 0 && slot->modes == 1u << MODE_USER &&
	    counts_only_instructions(&config->event[event]))
		return NEED_COUNT;
	return NEED_COUNT | NEED_TIMING;
}

void
pmcsim_machine_prepare(struct pmcsim_machine *m,
		       const struct pmcsim_plan *plan)
{
	u32 need = NEED_COUNT | (m->map.m->machine_clock ? NEED_TIMING : 0);

	for (size_t k = 0; k < plan->n; k++)
		for (size_t i = 0; i < plan->run[k].n; i++)
			need |= slot_need(&m->map.m->config,
					  &plan->run[k].slot[i]);
	m->map.m->need = need;
}
