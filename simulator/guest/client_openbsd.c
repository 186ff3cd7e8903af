/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of OpenBSD for the counters of Pentiums: pctr(4). */
#include "pmcsim_client.h"

#undef PMCSIM_PCTR_1996	/* the program's; here are both */
#include "openbsd/machine/pctr.h"

#define STATE_WORDS (2 * PCTR_NUM + 2)
#define CPUID_TSC 0x10ull

/* Of the header's first revision: see there. */
struct pctrst_1996 {
	unsigned short pctr_fn[PCTR_NUM];
	pctrval pctr_tsc, pctr_hwc[PCTR_NUM], pctr_idl;
};

#define PCIOCRD_1996 0x40246301ul
#define PCIOCS0_1996 0x80026308ul
#define PCIOCS1_1996 0x80026309ul

static void
get_state(void *to, const uint64_t *word)
{
	struct pctrst *state = to;
	int i;

	for (i = 0; i < PCTR_NUM; i++)
		state->pctr_fn[i] = (unsigned int)*word++;
	state->pctr_tsc = *word++;
	for (i = 0; i < PCTR_NUM; i++)
		state->pctr_hwc[i] = *word++;
	state->pctr_idl = *word;
}

static void
get_state_1996(void *to, const uint64_t *word)
{
	struct pctrst_1996 *state = to;
	struct pctrst now;
	int i;

	get_state(&now, word);
	state->pctr_tsc = now.pctr_tsc;
	state->pctr_idl = now.pctr_idl;
	for (i = 0; i < PCTR_NUM; i++) {
		state->pctr_fn[i] = (unsigned short)now.pctr_fn[i];
		state->pctr_hwc[i] = now.pctr_hwc[i];
	}
}

static void
put_function_1996(const void *from, uint64_t *word)
{
	*word = *(const unsigned short *)from;
}

static void
put_function(const void *from, uint64_t *word)
{
	*word = *(const unsigned int *)from;
}

#define READS(request, type, get) \
	{request, PMCSIM_PCIOCRD, sizeof(type), 0, 0, STATE_WORDS, NULL, get}
#define SETS(request, command, type, put) \
	{request, command, sizeof(type), 0, 1, 0, put, NULL}

const struct pmcsim_client_request pmcsim_client_openbsd[] = {
	READS(PCIOCRD, struct pctrst, get_state),
	SETS(PCIOCS0, PMCSIM_PCIOCS0, unsigned int, put_function),
	SETS(PCIOCS1, PMCSIM_PCIOCS1, unsigned int, put_function),
	READS(PCIOCRD_1996, struct pctrst_1996, get_state_1996),
	SETS(PCIOCS0_1996, PMCSIM_PCIOCS0, unsigned short, put_function_1996),
	SETS(PCIOCS1_1996, PMCSIM_PCIOCS1, unsigned short, put_function_1996),
	{0, PMCSIM_OTHER, 0, 0, 0, 0, NULL, NULL},
};

/* The one word that a command gives; 0 without an answer. */
static uint64_t
read_word(enum pmcsim_command command, uint64_t argument)
{
	uint64_t word = argument;
	long result = -1;

	if (pmcsim_client_call(-1, command, &word, 1, 1, &result) ==
		    PMCSIM_NOT_SERVED || result < 0)
		return 0;
	return word;
}

pctrval
__cpuid(void)
{
	pctrval id = read_word(PMCSIM_PCTR_CPUID, 0);

	return id ? id | CPUID_TSC << 32 : 0;
}

pctrval
pmcsim_rdtsc(void)
{
	return read_word(PMCSIM_PCTR_RDTSC, 0);
}

pctrval
pmcsim_rdpmc(unsigned int counter)
{
	return read_word(PMCSIM_PCTR_RDPMC, counter);
}
