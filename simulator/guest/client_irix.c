/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of IRIX for the event counters: r10k_evcntrs(5). */
#include "pmcsim_client.h"

#include "irix/sys/hwperfioctl.h"
#include "irix/sys/syssgi.h"

#include <errno.h>
#include <stdarg.h>

#define ARGUMENT_WORDS (2 * HWPERF_EVENTMAX + 1)
#define PRUSAGE_WORDS (8 + 23 + 16 + HWPERF_EVENTMAX)
#define PROF_WORDS 4
#define MAX_PROF ((PMCSIM_CLIENT_WORDS - ARGUMENT_WORDS - 1) / PROF_WORDS)

/* ---- Structures ------------------------------------------------------ */

static void
put_argument(const void *from, uint64_t *word)
{
	const hwperf_profevctrarg_t *a = from;
	int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		*word++ = (ushort_t)a->hwp_evctrargs.hwp_evctrl[i].hwperf_spec;
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		*word++ = (uint64_t)(int64_t)a->hwp_ovflw_freq[i];
	*word = (uint64_t)(int64_t)a->hwp_ovflw_sig;
}

static void
get_counters(void *to, const uint64_t *word)
{
	hwperf_cntr_t *c = to;
	int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		c->hwp_evctr[i] = word[i];
}

static void
get_control(void *to, const uint64_t *word)
{
	hwperf_eventctrl_t *c = to;
	int i;

	for (i = 0; i < HWPERF_EVENTMAX; i++)
		c->hwp_evctrl[i].hwperf_spec = (short)word[i];
}

static const uint64_t *
get_time(timespec_t *to, const uint64_t *word)
{
	to->tv_sec = (time_t)word[0];
	to->tv_nsec = (long)word[1];
	return word + 2;
}

static const uint64_t *
get_words(__uint64_t *to, size_t n, const uint64_t *word)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = word[i];
	return word + n;
}

static void
get_prusage(void *to, const uint64_t *word)
{
	hwperf_prusage_t *u = to;
	__uint64_t *const one[] = {
		&u->pu_minf, &u->pu_majf, &u->pu_utlb, &u->pu_nswap,
		&u->pu_gbread, &u->pu_bread, &u->pu_gbwrit, &u->pu_bwrit,
		&u->pu_sigs, &u->pu_vctx, &u->pu_ictx, &u->pu_sysc,
		&u->pu_syscr, &u->pu_syscw, &u->pu_syscps, &u->pu_sysci,
		&u->pu_size, &u->pu_rss, &u->pu_inblock, &u->pu_oublock,
		&u->pu_vfault, &u->pu_ktlb, &u->pu_graphfifo,
	};
	size_t i;

	word = get_time(&u->pu_tstamp, word);
	word = get_time(&u->pu_starttime, word);
	word = get_time(&u->pu_utime, word);
	word = get_time(&u->pu_stime, word);
	for (i = 0; i < sizeof one / sizeof *one; i++)
		word = get_words(one[i], 1, word);
	word = get_words(u->pu_graph_req, 8, word);
	word = get_words(u->pu_graph_wait, 8, word);
	get_counters(&u->pu_cpu_mon, word);
}

/* ---- ioctl() of /proc files ------------------------------------------ */

#define TAKES(request)                                                \
	{request, PMCSIM_##request, sizeof(hwperf_profevctrarg_t), 0, \
	 ARGUMENT_WORDS, 0, put_argument, NULL}
#define GIVES(request, type, words, get) \
	{request, PMCSIM_##request, sizeof(type), 0, 0, words, NULL, get}
#define PLAIN(request) {request, PMCSIM_##request, 0, 0, 0, 0, NULL, NULL}

const struct pmcsim_client_request pmcsim_client_irix[] = {
	TAKES(PIOCENEVCTRS),
	GIVES(PIOCGETEVCTRS, hwperf_cntr_t, HWPERF_EVENTMAX, get_counters),
	GIVES(PIOCGETPREVCTRS, hwperf_prusage_t, PRUSAGE_WORDS, get_prusage),
	GIVES(PIOCGETEVCTRL, hwperf_eventctrl_t, HWPERF_EVENTMAX, get_control),
	TAKES(PIOCSETEVCTRL),
	PLAIN(PIOCRELEVCTRS),
	PLAIN(PIOCSAVECCNTRS),
	{0, PMCSIM_OTHER, 0, 0, 0, 0, NULL, NULL},
};

/* ---- syssgi() -------------------------------------------------------- */

/* A call that no machine answers is one that the kernel does not have. */
static long
call(enum pmcsim_command command, uint64_t *word, size_t in, size_t out)
{
	long result = -1;

	if (pmcsim_client_call(-1, command, word, in, out, &result) ==
	    PMCSIM_NOT_SERVED)
		errno = ENOSYS;
	return result;
}

static long
bad_address(void)
{
	errno = EFAULT;
	return -1;
}

static long
with_argument(enum pmcsim_command command, const void *arg)
{
	uint64_t word[PMCSIM_CLIENT_WORDS];

	if (!pmcsim_client_has(arg, sizeof(hwperf_profevctrarg_t), 0))
		return bad_address();
	put_argument(arg, word);
	return call(command, word, ARGUMENT_WORDS, 0);
}

static long
read_counters(enum pmcsim_command command, long cpu, void *to)
{
	uint64_t word[PMCSIM_CLIENT_WORDS];
	long result;

	if (!pmcsim_client_has(to, sizeof(hwperf_cntr_t), 1))
		return bad_address();
	word[0] = (uint64_t)(int64_t)cpu;
	result = call(command, word, 1, HWPERF_EVENTMAX);
	if (result > 0)
		get_counters(to, word);
	return result;
}

static long
read_control(void *to)
{
	uint64_t word[PMCSIM_CLIENT_WORDS];
	long result;

	if (!pmcsim_client_has(to, sizeof(hwperf_eventctrl_t), 1))
		return bad_address();
	result = call(PMCSIM_HWPERF_GET_SYSEVCTRL, word, 0, HWPERF_EVENTMAX);
	if (result > 0)
		get_control(to, word);
	return result;
}

static long
enable_profiling(const void *arg, const struct prof *prof, long n)
{
	uint64_t words[PMCSIM_CLIENT_WORDS], *word = words + ARGUMENT_WORDS;
	long i;

	if (n < 1 || n > (long)MAX_PROF) {
		errno = EINVAL;
		return -1;
	}
	if (!pmcsim_client_has(arg, sizeof(hwperf_profevctrarg_t), 0) ||
	    !pmcsim_client_has(prof, (size_t)n * sizeof *prof, 0))
		return bad_address();
	put_argument(arg, words);
	*word++ = (uint64_t)n;
	for (i = 0; i < n; i++) {
		*word++ = (uintptr_t)prof[i].pr_base;
		*word++ = prof[i].pr_size;
		*word++ = prof[i].pr_off;
		*word++ = prof[i].pr_scale;
	}
	return call(PMCSIM_HWPERF_PROFENABLE, words, (size_t)(word - words),
		    0);
}

static long
eventctr(va_list ap)
{
	int command = va_arg(ap, int);
	const struct prof *prof;
	const void *arg;
	long cpu;

	switch (command) {
	case HWPERF_PROFENABLE:
		arg = va_arg(ap, void *);
		prof = va_arg(ap, void *);
		return enable_profiling(arg, prof, va_arg(ap, int));
	case HWPERF_ENSYSCNTRS:
		return with_argument(PMCSIM_HWPERF_ENSYSCNTRS,
				     va_arg(ap, void *));
	case HWPERF_GET_SYSCNTRS:
		return read_counters(PMCSIM_HWPERF_GET_SYSCNTRS, 0,
				     va_arg(ap, void *));
	case HWPERF_GET_CPUCNTRS:
		cpu = va_arg(ap, int);
		return read_counters(PMCSIM_HWPERF_GET_CPUCNTRS, cpu,
				     va_arg(ap, void *));
	case HWPERF_GET_SYSEVCTRL:
		return read_control(va_arg(ap, void *));
	case HWPERF_SET_SYSEVCTRL:
		return with_argument(PMCSIM_HWPERF_SET_SYSEVCTRL,
				     va_arg(ap, void *));
	case HWPERF_RELSYSCNTRS:
		return call(PMCSIM_HWPERF_RELSYSCNTRS, NULL, 0, 0);
	}
	errno = EINVAL;
	return -1;
}

ptrdiff_t
syssgi(int request, ...)
{
	long result = -1;
	va_list ap;

	va_start(ap, request);
	if (request == SGI_EVENTCTR)
		result = eventctr(ap);
	else
		errno = EINVAL;
	va_end(ap);
	return result;
}
