/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of Tru64 for the counters of Alphas: pfm(7). */
#include "pmcsim_client.h"

#define PMCSIM_PFM_NO_OPEN
#include "tru64/sys/pfcntr.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define CPUS 16
#define COUNTS (1 + 4 * CPUS)	/* words of counts, their number first */
#define LEVELS (1 + 9 * CPUS)
#define MODE_SHIFT 28		/* of PCNTOPENMASK */

/* What PMCSIM_PFM_ACT does. */
enum { DISABLE, ENABLE, RESTART, CLEAR, SET, ENABLE_WRITE };

/* ---- Arguments ------------------------------------------------------- */

static void
put_word(const void *from, uint64_t *word)
{
	memcpy(word, from, sizeof *word);
}

/* The address of an array, to which the argument points. */
static void
put_array(const void *from, uint64_t *word)
{
	*word = (uintptr_t)*(void *const *)from;
}

/* Behind the number of a family. */
#define PUT(name, family, put)                                            \
	static void name(const void *from, uint64_t *word)                \
	{                                                                 \
		word[0] = (family);                                       \
		put(from, word + 1);                                      \
	}

PUT(put_word_4, 4, put_word)
PUT(put_word_5, 5, put_word)
PUT(put_word_6, 6, put_word)
PUT(put_array_4, 4, put_array)
PUT(put_array_5, 5, put_array)
PUT(put_array_6, 6, put_array)

/* Behind the numbers of a family and an action. */
#define ACT(name, family, action)                                         \
	static void name(const void *from, uint64_t *word)                \
	{                                                                 \
		word[0] = (family);                                       \
		word[1] = (action);                                       \
		put_word(from, word + 2);                                 \
	}

ACT(disable_5, 5, DISABLE)
ACT(enable_5, 5, ENABLE)
ACT(restart_5, 5, RESTART)
ACT(clear_5, 5, CLEAR)
ACT(set_5, 5, SET)
ACT(disable_6, 6, DISABLE)
ACT(enable_6, 6, ENABLE)
ACT(restart_6, 6, RESTART)
ACT(clear_6, 6, CLEAR)
ACT(set_6, 6, SET)
ACT(enable_write_6, 6, ENABLE_WRITE)

static void
put_addr(const struct addr_range *range, uint64_t *word, unsigned what)
{
	word[0] = what;
	word[1] = range->start;
	word[2] = range->end;
	word[3] = 0;
}

static void
put_uaddr(const void *from, uint64_t *word)
{
	put_addr(from, word, 0);
}

static void
put_kaddr(const void *from, uint64_t *word)
{
	put_addr(from, word, 1);
}

static void
put_range(const addr_range_t *range, uint64_t *word, unsigned what)
{
	word[0] = what | 2;
	word[1] = range->start;
	word[2] = range->end;
	word[3] = range->stride;
}

static void
put_urange(const void *from, uint64_t *word)
{
	put_range(from, word, 0);
}

static void
put_krange(const void *from, uint64_t *word)
{
	put_range(from, word, 1);
}

/* ---- Results --------------------------------------------------------- */

static void
get_word(void *to, const uint64_t *word)
{
	memcpy(to, word, sizeof *word);
}

static void
get_counts_4(void *to, const uint64_t *word)
{
	struct pfcntrs *p = *(struct pfcntrs **)to;
	uint64_t n;

	for (n = *word++; n--; p++, word += 4)
		*p = (struct pfcntrs){word[1], word[2], word[0]};
}

static void
get_counts_5(void *to, const uint64_t *word)
{
	struct pfcntrs_ev5 *p = *(struct pfcntrs_ev5 **)to;
	uint64_t n;

	for (n = *word++; n--; p++, word += 4)
		*p = (struct pfcntrs_ev5){word[0], word[1], word[2], word[3]};
}

static void
get_counts_6(void *to, const uint64_t *word)
{
	struct pfcntrs_ev6 *p = *(struct pfcntrs_ev6 **)to;
	uint64_t n;

	for (n = *word++; n--; p++, word += 4)
		*p = (struct pfcntrs_ev6){word[0], word[1], word[2]};
}

static void
get_levels(void *to, const uint64_t *word)
{
	struct pfipls *p = *(struct pfipls **)to;
	uint64_t n;

	for (n = *word++; n--; p++, word += 9)
		memcpy(p->ipl, word, sizeof p->ipl);
}

/* ---- Requests -------------------------------------------------------- */

#define NOTHING(request, command) {request, command, 0, 0, NULL, NULL}

const struct pmcsim_client_request pmcsim_client_tru64[] = {
	NOTHING(PCNTRENABLE, PMCSIM_PFM_ENABLE),
	NOTHING(PCNTRDISABLE, PMCSIM_PFM_DISABLE),
	NOTHING(PCNTLOGALL, PMCSIM_PFM_LOGALL),
	NOTHING(PCNTLOGSELECT, PMCSIM_PFM_LOGSELECT),
	NOTHING(PCNTCLEARPCBPME, PMCSIM_PFM_CLEARPME),
	NOTHING(PCNTCLEARCNT, PMCSIM_PFM_CLEARCNT),
	NOTHING(PCNTCALLER, PMCSIM_PFM_CALLER),
	{PCNTSETITEMS, PMCSIM_PFM_ITEMS, 1, 0, put_word, NULL},
	{PCNTSETUADDR, PMCSIM_PFM_RANGE, 4, 0, put_uaddr, NULL},
	{PCNTSETKADDR, PMCSIM_PFM_RANGE, 4, 0, put_kaddr, NULL},
	{PCNTSETURANGE, PMCSIM_PFM_RANGE, 4, 0, put_urange, NULL},
	{PCNTSETKRANGE, PMCSIM_PFM_RANGE, 4, 0, put_krange, NULL},
	{PCNTGETRSIZE, PMCSIM_PFM_RSIZE, 0, 1, NULL, get_word},
	{PCNTGETIPLHIS, PMCSIM_PFM_IPLHIS, 1, LEVELS, put_array, get_levels},
	{PCNTSETMUX, PMCSIM_PFM_MUX, 2, 0, put_word_4, NULL},
	{PCNTGETCNT, PMCSIM_PFM_GETCNT, 2, COUNTS, put_array_4, get_counts_4},
	{PCNT5CTXTS, PMCSIM_PFM_CONTEXTS, 1, 0, put_word, NULL},
	{PCNT5MUX, PMCSIM_PFM_MUX, 2, 0, put_word_5, NULL},
	{PCNT5FREQ, PMCSIM_PFM_FREQUENCY, 1, 0, put_word, NULL},
	{PCNT5DISABLE, PMCSIM_PFM_ACT, 3, 0, disable_5, NULL},
	{PCNT5ENABLE, PMCSIM_PFM_ACT, 3, 0, enable_5, NULL},
	{PCNT5CLEAR, PMCSIM_PFM_ACT, 3, 0, clear_5, NULL},
	{PCNT5RESTART, PMCSIM_PFM_ACT, 3, 0, restart_5, NULL},
	{PCNT5SETCNTRS, PMCSIM_PFM_ACT, 3, 0, set_5, NULL},
	{PCNT5GETCNTRS, PMCSIM_PFM_REGISTERS, 2, 1, put_word_5, get_word},
	{PCNT5GETCNT, PMCSIM_PFM_GETCNT, 2, COUNTS, put_array_5, get_counts_5},
	{PCNT5READCNTRS, PMCSIM_PFM_READCNTRS, 2, COUNTS, put_array_5,
	 get_counts_5},
	{PCNT6MUX, PMCSIM_PFM_MUX, 2, 0, put_word_6, NULL},
	{PCNT6ENABWRITE, PMCSIM_PFM_ACT, 3, 0, enable_write_6, NULL},
	{PCNT6DISABLE, PMCSIM_PFM_ACT, 3, 0, disable_6, NULL},
	{PCNT6ENABLE, PMCSIM_PFM_ACT, 3, 0, enable_6, NULL},
	{PCNT6CLEAR, PMCSIM_PFM_ACT, 3, 0, clear_6, NULL},
	{PCNT6RESTART, PMCSIM_PFM_ACT, 3, 0, restart_6, NULL},
	{PCNT6SETCNTRS, PMCSIM_PFM_ACT, 3, 0, set_6, NULL},
	{PCNT6GETCNTRS, PMCSIM_PFM_REGISTERS, 2, 1, put_word_6, get_word},
	{PCNT6GETCNT, PMCSIM_PFM_GETCNT, 2, COUNTS, put_array_6, get_counts_6},
	{PCNT6READCNTRS, PMCSIM_PFM_READCNTRS, 2, COUNTS, put_array_6,
	 get_counts_6},
	{0, PMCSIM_OTHER, 0, 0, NULL, NULL},
};

/* ---- open ------------------------------------------------------------ */

/* Asks the device; the descriptor, or -1 with errno and it is closed. */
static int
ask(int fd, uint64_t mode)
{
	long result = 0;
	int error;

	if (pmcsim_client_call(fd, PMCSIM_PFM_OPEN, &mode, 1, 0, &result) ==
		    PMCSIM_NOT_SERVED || result >= 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int
pmcsim_pfm_open(const char *path, int flags, ...)
{
	unsigned mode = 0;
	va_list ap;
	int fd;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, unsigned);
	va_end(ap);
	fd = open(path, flags & ~PCNTOPENMASK, mode);
	if (fd < 0 || strcmp(path, _PATH_PFCNTR))
		return fd;
	return ask(fd, (unsigned)(flags & PCNTOPENMASK) >> MODE_SHIFT);
}
