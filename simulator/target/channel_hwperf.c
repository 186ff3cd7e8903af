/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event counters of IRIX for the target: files of /proc, syssgi(). */
#include "channel_hwperf.h"

#include "channel.h"
#include "engine.h"
#include "hwperf_watch.h"
#include "sampling.h"
#include "task.h"

#include "device/hwperf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PROC "/proc/"
#define PINFO "/proc/pinfo/"
#define ARGUMENT_WORDS (2 * HWPERF_EVENTS + 1)
#define NS 1000000000ull
#define GIGABYTE (1ull << 30)
#define PATIENCE 2000		/* ms */

/* ---- Processes ------------------------------------------------------- */

static bool
is_pinfo(const char *path)
{
	return !strncmp(path, PINFO, sizeof PINFO - 1);
}

/* The process that a path names; 0: it names none. */
static s32
path_pid(const char *path)
{
	const char *digits = path;
	char *end;
	long pid;

	if (is_pinfo(path))
		digits += sizeof PINFO - 1;
	else if (!strncmp(path, PROC, sizeof PROC - 1))
		digits += sizeof PROC - 1;
	if (!isdigit((unsigned char)*digits))
		return 0;
	pid = strtol(digits, &end, 10);
	return *end || pid > INT32_MAX ? 0 : (s32)pid;
}

/* The slot of a process of this machine; 0: there is none. */
static unsigned
pid_slot(s32 pid)
{
	const struct machine *m = target.map.m;

	for (unsigned i = 1; pid && i < m->slots_used; i++)
		if (m->slot[i].pid == pid &&
		    m->slot[i].state == SLOT_RUNNING &&
		    m->slot[i].hwperf.ready)
			return i;
	return 0;
}

static bool
is_living_child(s32 pid)
{
	char buf[TASK_STAT], state;
	const char *stat = task_stat(pid, buf);
	int parent;

	return stat && sscanf(stat, "%c %d", &state, &parent) == 2 &&
	       state != 'Z' && parent == getpid();
}

/* A child that is just beginning, by fork() or execve(), is waited for. */
static unsigned
find_slot(s32 pid)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	unsigned slot = pid_slot(pid);

	for (int i = 0; pid && !slot && i < PATIENCE && is_living_child(pid);
	     i++) {
		nanosleep(&pause, NULL);
		slot = pid_slot(pid);
	}
	return slot;
}

/* For its own group, and for the superuser. */
static bool
may_use(s32 pid)
{
	return process_uid() == 0 || getpgid(pid) == getpgid(0);
}

static bool
looks_further(pid_t pid, pid_t tid, void *found)
{
	char buf[TASK_STAT];
	const char *stat = task_stat(tid, buf);

	(void)pid;
	*(bool *)found = stat && *stat == 'R';
	return !*(bool *)found;
}

/* Whether a thread of the process is executing or ready to. */
static bool
is_running(s32 pid)
{
	bool found = pid == getpid();

	if (!found)
		task_threads(pid, looks_further, &found);
	return found;
}

/* ---- Words ----------------------------------------------------------- */

/* Signals have the target's numbers. */
static int
get_control(const struct device_call *call, struct hwperf_control *control)
{
	const u64 *word = call->word;

	if (call->n < ARGUMENT_WORDS)
		return -EFAULT;
	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		control->spec[i] = (u16)word[i];
		control->threshold[i] = (s32)word[HWPERF_EVENTS + i];
	}
	control->signal = (s32)word[2 * HWPERF_EVENTS];
	return !control->signal || sampling_host_signal(control->signal) ?
		       0 : -EINVAL;
}

static s64
put_values(struct device_call *call, const u64 value[HWPERF_EVENTS],
	   s64 result)
{
	if (call->room < HWPERF_EVENTS)
		return -EFAULT;
	memcpy(call->word, value, HWPERF_EVENTS * sizeof *value);
	call->n = HWPERF_EVENTS;
	return result;
}

static s64
put_control(struct device_call *call, const struct hwperf_control *control,
	    s64 result)
{
	u64 value[HWPERF_EVENTS];

	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		value[i] = control->spec[i];
	return put_values(call, value, result);
}

/* Zero: what is not modelled; see r10k_evcntrs(5). */
static s64
put_usage(struct device_call *call, const struct hwperf_usage *u, s64 result)
{
	u64 now = u->user_ns + u->system_ns;
	const u64 word[] = {
		now / NS, now % NS, 0, 0, u->user_ns / NS, u->user_ns % NS,
		u->system_ns / NS, u->system_ns % NS,
		u->faults, 0, u->tlb_misses, 0,
		u->bytes[0] / GIGABYTE, u->bytes[0] % GIGABYTE,
		u->bytes[1] / GIGABYTE, u->bytes[1] % GIGABYTE,
		u->signals, 0, 0, u->calls,
		u->kind[0], u->kind[1], u->kind[2], u->kind[3],
		0, 0, 0, 0, u->faults, 0, 0,
	};
	size_t n = SIM_COUNT(word);

	if (call->room < n + 16 + HWPERF_EVENTS)
		return -EFAULT;
	memcpy(call->word, word, sizeof word);
	memset(call->word + n, 0, 16 * sizeof *word);
	memcpy(call->word + n + 16, u->value, sizeof u->value);
	call->n = n + 16 + HWPERF_EVENTS;
	return result;
}

/* ---- ioctl() --------------------------------------------------------- */

/* What looks and does not touch, which /proc/pinfo has as well. */
static s64
look(struct device_call *call, unsigned slot)
{
	struct hwperf_control control;
	struct hwperf_usage usage;
	u64 value[HWPERF_EVENTS];
	s64 result;

	switch (call->command) {
	case PMCSIM_PIOCGETEVCTRS:
		result = hwperf_read(&target.map, slot, value);
		return result < 0 ? result : put_values(call, value, result);
	case PMCSIM_PIOCGETEVCTRL:
		result = hwperf_get_control(&target.map, slot, &control);
		return result < 0 ? result :
				    put_control(call, &control, result);
	case PMCSIM_PIOCGETPREVCTRS:
		result = hwperf_usage(&target.map, slot, &usage);
		return result < 0 ? result : put_usage(call, &usage, result);
	}
	return -EINVAL;
}

static s64
change(struct device_call *call, unsigned slot)
{
	struct hwperf_control control;
	s64 result;

	switch (call->command) {
	case PMCSIM_PIOCENEVCTRS:
		result = get_control(call, &control);
		if (slot == target.slot)
			hwperf_watch_profile(NULL, 0);
		return result ? result :
				hwperf_enable(&target.map, slot, process_uid(),
					      &control, is_running);
	case PMCSIM_PIOCSETEVCTRL:
		result = get_control(call, &control);
		return result ? result :
				hwperf_modify(&target.map, slot, process_uid(),
					      &control);
	case PMCSIM_PIOCRELEVCTRS:
		return hwperf_release(&target.map, slot);
	case PMCSIM_PIOCSAVECCNTRS:
		return hwperf_save(&target.map, slot);
	}
	return -EINVAL;
}

static bool
only_looks(u32 command)
{
	return command == PMCSIM_PIOCGETEVCTRS ||
	       command == PMCSIM_PIOCGETEVCTRL ||
	       command == PMCSIM_PIOCGETPREVCTRS;
}

static s64
proc_call(struct device_call *call)
{
	s32 pid = path_pid(call->path);
	unsigned slot = find_slot(pid);

	if (!slot)
		return -ENOENT;
	if (only_looks(call->command))
		return is_pinfo(call->path) || may_use(pid) ?
			       look(call, slot) : -EPERM;
	if (is_pinfo(call->path) || !may_use(pid))
		return -EPERM;
	return change(call, slot);
}

/* ---- syssgi() -------------------------------------------------------- */

static s64
system_look(struct device_call *call)
{
	struct hwperf_control control;
	u64 value[HWPERF_EVENTS];
	s64 result;

	switch (call->command) {
	case PMCSIM_HWPERF_GET_SYSCNTRS:
		result = hwperf_system_read(&target.map, value);
		break;
	case PMCSIM_HWPERF_GET_CPUCNTRS:
		result = hwperf_cpu_read(&target.map, call->word[0], value);
		break;
	case PMCSIM_HWPERF_GET_SYSEVCTRL:
		result = hwperf_system_control(&target.map, &control);
		return result < 0 ? result :
				    put_control(call, &control, result);
	default:
		return -EINVAL;
	}
	return result <= 0 ? result : put_values(call, value, result);
}

static bool
has_threshold(const struct hwperf_control *control)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		if (control->threshold[i])
			return true;
	return false;
}

static s64
enable_profiling(const struct device_call *call)
{
	struct hwperf_profile profile[HWPERF_PROFILES];
	const u64 *word = call->word + ARGUMENT_WORDS;
	struct hwperf_control control;
	s64 result = get_control(call, &control);

	if (result)
		return result;
	if (call->n <= ARGUMENT_WORDS || !has_threshold(&control) ||
	    *word < 1 || *word > HWPERF_PROFILES ||
	    call->n != ARGUMENT_WORDS + 1 + 4 * *word)
		return -EINVAL;
	for (u64 i = 0; i < *word; i++)
		profile[i] = (struct hwperf_profile){
			.base = word[4 * i + 1],
			.bytes = word[4 * i + 2],
			.offset = word[4 * i + 3],
			.scale = word[4 * i + 4],
		};
	result = hwperf_profile(&target.map, target.slot, process_uid(),
				&control);
	if (result > 0)
		hwperf_watch_profile(profile, (unsigned)*word);
	return result;
}

/* Revision 2 has an event 14 that never happens. */
static enum pmcsim_irix_chip
chip(void)
{
	const struct sim_config *config = target.config;
	int event = pmu_find_event(config, 0, 14);

	if (hwperf_is_r12000(config))
		return PMCSIM_R12000;
	return event < 0 || config->event[event].n ? PMCSIM_R10000 :
						     PMCSIM_R10000_2;
}

static s64
system_call(struct device_call *call)
{
	struct hwperf_control control;
	s64 result;

	switch (call->command) {
	case PMCSIM_IRIX_CPU:
		if (call->room < 2)
			return -EFAULT;
		call->word[0] = target.config->clock_hz;
		call->word[1] = chip();
		call->n = 2;
		return 0;
	case PMCSIM_HWPERF_PROFENABLE:
		return enable_profiling(call);
	case PMCSIM_HWPERF_ENSYSCNTRS:
		result = get_control(call, &control);
		return result ? result :
				hwperf_system_enable(&target.map, process_uid(),
						     &control);
	case PMCSIM_HWPERF_SET_SYSEVCTRL:
		result = get_control(call, &control);
		return result ? result :
				hwperf_system_modify(&target.map, process_uid(),
						     &control);
	case PMCSIM_HWPERF_RELSYSCNTRS:
		return hwperf_system_release(&target.map, process_uid());
	}
	return system_look(call);
}

/* ---- The files ------------------------------------------------------- */

static bool
match(const char *path)
{
	return strlen(path) >= 9 && find_slot(path_pid(path));
}

static bool
may_write(const char *path)
{
	return !is_pinfo(path) && may_use(path_pid(path));
}

static s64
device_call(struct device_call *call)
{
	s64 result;

	target_settle();
	result = call->path ? proc_call(call) : system_call(call);
	hwperf_watch_refresh();
	if (result < 0)
		call->n = 0;
	return result;
}

const struct device_file hwperf_file = {
	.system = SYSTEM_IRIX,
	.match = match,
	.like = {"/proc", "stat"},
	.may_write = may_write,
	.call = device_call,
};

/* ---- System calls of the target -------------------------------------- */

/* What a call is counted as; -1: nothing of its own. */
static int
kind_of(enum call call)
{
	switch (call) {
	case CALL_READ:
	case CALL_READV:
	case CALL_PREAD:
	case CALL_PREADV:
		return 0;
	case CALL_WRITE:
	case CALL_WRITEV:
	case CALL_PWRITE:
	case CALL_PWRITEV:
		return 1;
	case CALL_POLL:
		return 2;
	case CALL_IOCTL:
		return 3;
	default:
		return -1;
	}
}

void
channel_hwperf_returned(enum call call, s64 result)
{
	struct hwperf_process *p = &target_slot()->hwperf;
	int kind = kind_of(call);

	if (target.config->system != SYSTEM_IRIX)
		return;
	if (kind >= 0)
		p->calls[kind]++;
	if ((kind == 0 || kind == 1) && result > 0)
		p->bytes[kind] += (u64)result;
	if (call == CALL_WAIT)
		hwperf_watch_pass(hwperf_wait(&target.map, target.slot));
	hwperf_watch_refresh();
}
