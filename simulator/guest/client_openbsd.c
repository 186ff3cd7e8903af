/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of OpenBSD for the counters of Pentiums: pctr(4). */
#include "pmcsim_client.h"

#include "openbsd/machine/pctr.h"

#define STATE_WORDS (2 * PCTR_NUM + 2)
#define CPUID_TSC 0x10ull

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
put_function(const void *from, uint64_t *word)
{
	*word = *(const unsigned int *)from;
}

const struct pmcsim_client_request pmcsim_client_openbsd[] = {
	{PCIOCRD, PMCSIM_PCIOCRD, 0, STATE_WORDS, NULL, get_state},
	{PCIOCS0, PMCSIM_PCIOCS0, 1, 0, put_function, NULL},
	{PCIOCS1, PMCSIM_PCIOCS1, 1, 0, put_function, NULL},
	{0, PMCSIM_OTHER, 0, 0, NULL, NULL},
};

/* The one word that a command gives; 0 where nobody answers. */
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
