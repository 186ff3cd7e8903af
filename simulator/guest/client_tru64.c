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

#define NOTHING(request, command) {request, command, 0, 0, 0, 0, NULL, NULL}
#define WORD(request, command, in, put) \
	{request, command, sizeof(uint64_t), 0, in, 0, put, NULL}
#define GIVES(request, command, in, put) \
	{request, command, sizeof(uint64_t), 0, in, 1, put, get_word}
#define RANGE(request, type, put) \
	{request, PMCSIM_PFM_RANGE, sizeof(type), 0, 4, 0, put, NULL}
#define ARRAY(request, command, type, in, out, put, get) \
	{request, command, sizeof(type *), sizeof(type), in, out, put, get}
#define COUNT_CALL(request, command, type, family)                         \
	ARRAY(request, command, type, 2, COUNTS, put_array_##family,       \
	      get_counts_##family)

const struct pmcsim_client_request pmcsim_client_tru64[] = {
	NOTHING(PCNTRENABLE, PMCSIM_PFM_ENABLE),
	NOTHING(PCNTRDISABLE, PMCSIM_PFM_DISABLE),
	NOTHING(PCNTLOGALL, PMCSIM_PFM_LOGALL),
	NOTHING(PCNTLOGSELECT, PMCSIM_PFM_LOGSELECT),
	NOTHING(PCNTCLEARPCBPME, PMCSIM_PFM_CLEARPME),
	NOTHING(PCNTCLEARCNT, PMCSIM_PFM_CLEARCNT),
	NOTHING(PCNTCALLER, PMCSIM_PFM_CALLER),
	WORD(PCNTSETITEMS, PMCSIM_PFM_ITEMS, 1, put_word),
	RANGE(PCNTSETUADDR, struct addr_range, put_uaddr),
	RANGE(PCNTSETKADDR, struct addr_range, put_kaddr),
	RANGE(PCNTSETURANGE, addr_range_t, put_urange),
	RANGE(PCNTSETKRANGE, addr_range_t, put_krange),
	GIVES(PCNTGETRSIZE, PMCSIM_PFM_RSIZE, 0, NULL),
	ARRAY(PCNTGETIPLHIS, PMCSIM_PFM_IPLHIS, struct pfipls, 1, LEVELS,
	      put_array, get_levels),
	WORD(PCNTSETMUX, PMCSIM_PFM_MUX, 2, put_word_4),
	COUNT_CALL(PCNTGETCNT, PMCSIM_PFM_GETCNT, struct pfcntrs, 4),
	WORD(PCNT5CTXTS, PMCSIM_PFM_CONTEXTS, 1, put_word),
	WORD(PCNT5MUX, PMCSIM_PFM_MUX, 2, put_word_5),
	WORD(PCNT5FREQ, PMCSIM_PFM_FREQUENCY, 1, put_word),
	WORD(PCNT5DISABLE, PMCSIM_PFM_ACT, 3, disable_5),
	WORD(PCNT5ENABLE, PMCSIM_PFM_ACT, 3, enable_5),
	WORD(PCNT5CLEAR, PMCSIM_PFM_ACT, 3, clear_5),
	WORD(PCNT5RESTART, PMCSIM_PFM_ACT, 3, restart_5),
	WORD(PCNT5SETCNTRS, PMCSIM_PFM_ACT, 3, set_5),
	GIVES(PCNT5GETCNTRS, PMCSIM_PFM_REGISTERS, 2, put_word_5),
	COUNT_CALL(PCNT5GETCNT, PMCSIM_PFM_GETCNT, struct pfcntrs_ev5, 5),
	COUNT_CALL(PCNT5READCNTRS, PMCSIM_PFM_READCNTRS, struct pfcntrs_ev5, 5),
	WORD(PCNT6MUX, PMCSIM_PFM_MUX, 2, put_word_6),
	WORD(PCNT6ENABWRITE, PMCSIM_PFM_ACT, 3, enable_write_6),
	WORD(PCNT6DISABLE, PMCSIM_PFM_ACT, 3, disable_6),
	WORD(PCNT6ENABLE, PMCSIM_PFM_ACT, 3, enable_6),
	WORD(PCNT6CLEAR, PMCSIM_PFM_ACT, 3, clear_6),
	WORD(PCNT6RESTART, PMCSIM_PFM_ACT, 3, restart_6),
	WORD(PCNT6SETCNTRS, PMCSIM_PFM_ACT, 3, set_6),
	GIVES(PCNT6GETCNTRS, PMCSIM_PFM_REGISTERS, 2, put_word_6),
	COUNT_CALL(PCNT6GETCNT, PMCSIM_PFM_GETCNT, struct pfcntrs_ev6, 6),
	COUNT_CALL(PCNT6READCNTRS, PMCSIM_PFM_READCNTRS, struct pfcntrs_ev6, 6),
	{0, PMCSIM_OTHER, 0, 0, 0, 0, NULL, NULL},
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
