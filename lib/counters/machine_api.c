/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines as the library's callers see them. */
#include "machine_api.h"

#include "device/hwperf.h"
#include "device/procperf.h"
#include "engine/engine.h"
#include "engine/native.h"
#include "table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WIDTH_FAULT 64		/* the sentence of a value that is too wide */

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
		m->fd = -1;
	return m;
}

/* A file without a name; the engine reaches it through this process. */
static int
create_memory(struct pmcsim_machine *m)
{
	int fd;

	if (!proc_shows_us())
		return -ESRCH;
	fd = memfd_create("pmcsim-machine", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	m->fd = fd;
	if (asprintf(&m->path, "/proc/%d/fd/%d", getpid(), fd) < 0) {
		m->path = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* For tests, and to find what is wrong. */
static bool
keeps_code(void)
{
	const char *asked = getenv("PMCSIM_NATIVE_KEEP");

	return !asked || *asked != '0';
}

/* One file for all machines of this process, as long as that executes: those that
 * come behind each other execute the same programs. */
static void
keep_code(struct pmcsim_machine *m)
{
	static int fd = -1;
	static pid_t owner;
	bool again = owner == getpid();

	if (!again) {
		owner = getpid();
		fd = machine_keep_new();
	}
	machine_keep(&m->map, fd, again);
}

static int
create_file(struct pmcsim_machine *m, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return -errno;
	m->fd = fd;
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
		err = machine_create(&m->map, m->fd, &cpu->config,
				     pmcsim_cpu_name(cpu));
		if (err != 0 && path)
			unlink(path);
	}
	/* The target has it, too: what we have mapped is to stay there. */
	if (err == 0 && !path &&
	    fcntl(m->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
		err = -errno;
	if (err != 0)
		return fail(m, err, path, error);
	if (!path && keeps_code())
		keep_code(m);
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
	m->fd = fd;
	err = machine_attach(&m->map, fd);
	if (err == 0) {
		native_allow(!m->map.m->parallel);
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
	if (m->fd >= 0)
		close(m->fd);
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
	native_allow(!on);
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

/* Whether a word is a number, but more than a counter has room for. */
static bool
is_too_wide(const struct machine *m, const char *word)
{
	bool hex = word[0] == '0' && (word[1] | 0x20) == 'x';
	u64 max = m->range_extension ? ~0ull : pmu_register(&m->config, ~0ull);
	unsigned long long value;
	char *end;

	if (word[0] < '0' || word[0] > '9')
		return false;
	errno = 0;
	value = strtoull(word, &end, hex ? 16 : 10);
	return !*end && (errno == ERANGE || value > max);
}

/* What is wrong with a line; width is room for words of its own. */
static const char *
line_fault(const struct pmcsim_machine *m, const char *text, size_t length,
	   char width[WIDTH_FAULT])
{
	static const char *const fault[] = {
		[PROCPERF_RIGHT] = "not \"num control value\"",
		[PROCPERF_NO_COUNTER] = "there is no such counter",
		[PROCPERF_NOT_ZERO] = "bits 30 and 15 to 12 of the control "
				      "word must be zero",
		[PROCPERF_NO_SCOPE] = "MT_EN, bits 21 and 20, is 3, which "
				      "is reserved",
		[PROCPERF_NO_CONTEXT] = "there is no such TC or VPE",
		[PROCPERF_NO_EVENT] = "the event is reserved on this counter",
		[PROCPERF_NARROW] = "the event cannot be counted for one TC "
				    "or VPE",
	};
	const struct machine *machine = m->map.m;
	char line[64], value[64], more;
	unsigned n, control, rc;

	snprintf(line, sizeof line, "%.*s",
		 (int)(length < sizeof line ? length : sizeof line), text);
	if (sscanf(line, "%u %x", &n, &control) != 2)
		return fault[PROCPERF_RIGHT];
	rc = procperf_check(&m->map, n, control);
	if (rc != PROCPERF_RIGHT ||
	    sscanf(line, "%*s %*s %63s %c", value, &more) != 1 ||
	    !is_too_wide(machine, value))
		return fault[rc];
	snprintf(width, WIDTH_FAULT,
		 "the value is too wide for a counter of %u bits",
		 machine->range_extension ? 64u :
		 machine->config.counter_bits);
	return width;
}

int
pmcsim_machine_write(struct pmcsim_machine *m, const char *text,
		     size_t length, struct pmcsim_error *error)
{
	char width[WIDTH_FAULT];
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
				   text, line_fault(m, text, length, width));
	}
	return 0;
}

const char *
pmcsim_machine_cpu_name(const struct pmcsim_machine *m)
{
	return m->map.m->cpu_name;
}

unsigned
pmcsim_machine_cpus(const struct pmcsim_machine *m)
{
	unsigned cpus = m->map.m->config.topo.cpus;

	return cpus ? cpus : 1;
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
	return pmu_unrepeatable(m->map.m) || hwperf_unrepeatable(m->map.m) ||
	       (m->asked && m->map.m->unrepeatable);
}
