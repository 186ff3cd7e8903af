/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The performance monitors of Itanium: pmcsim/ia64.h. */
#include "pmcsim_client.h"

#include "ia64/pmcsim/ia64.h"

#include <errno.h>
#include <signal.h>

/* A command with in words; the result, and the word that it gives. */
static int
call(enum pmcsim_command command, uint64_t *word, size_t in, size_t out)
{
	long result = -1;

	if (pmcsim_client_call(-1, command, word, in, out, &result) ==
	    PMCSIM_NOT_SERVED) {
		errno = ENOSYS;
		return -1;
	}
	return (int)result;
}

/* The same for an instruction, which may fault. */
static int
execute(enum pmcsim_command command, uint64_t *word, size_t in, size_t out)
{
	int result = call(command, word, in, out), error = errno;

	if (result < 0 && (error == EPERM || error == EINVAL)) {
		raise(SIGILL);
		errno = error;
	}
	return result;
}

static int
set_register(enum pmcsim_command command, unsigned i, uint64_t value)
{
	uint64_t word[2] = {i, value};

	return execute(command, word, 2, 0);
}

static int
get_register(enum pmcsim_command command, unsigned i, uint64_t *value)
{
	uint64_t word = i;
	int result = execute(command, &word, 1, 1);

	*value = result < 0 ? 0 : word;
	return result;
}

static int
change_mask(enum pmcsim_command command, unsigned mask)
{
	uint64_t word = mask;

	return execute(command, &word, 1, 0);
}

int
ia64_set_pmc(unsigned i, uint64_t value)
{
	return set_register(PMCSIM_IA64_SET_PMC, i, value);
}

int
ia64_get_pmc(unsigned i, uint64_t *value)
{
	return get_register(PMCSIM_IA64_GET_PMC, i, value);
}

int
ia64_set_pmd(unsigned i, uint64_t value)
{
	return set_register(PMCSIM_IA64_SET_PMD, i, value);
}

int
ia64_get_pmd(unsigned i, uint64_t *value)
{
	return get_register(PMCSIM_IA64_GET_PMD, i, value);
}

int
ia64_sum(unsigned mask)
{
	return change_mask(PMCSIM_IA64_SUM, mask);
}

int
ia64_rum(unsigned mask)
{
	return change_mask(PMCSIM_IA64_RUM, mask);
}

int
ia64_ssm(unsigned mask)
{
	return change_mask(PMCSIM_IA64_SSM, mask);
}

int
ia64_rsm(unsigned mask)
{
	return change_mask(PMCSIM_IA64_RSM, mask);
}

int
ia64_srlz_d(void)
{
	uint64_t nothing = 0;

	return execute(PMCSIM_IA64_SRLZ_D, &nothing, 0, 0);
}

int
ia64_set_cpl(unsigned cpl)
{
	uint64_t word = cpl;

	return call(PMCSIM_IA64_SET_CPL, &word, 1, 0);
}

int
ia64_get_cpl(void)
{
	uint64_t word = 0;

	return call(PMCSIM_IA64_GET_CPL, &word, 0, 1) < 0 ? -1 : (int)word;
}

int
ia64_on_interrupt(int signal)
{
	uint64_t word = (uint64_t)signal;

	return call(PMCSIM_IA64_ON_INTERRUPT, &word, 1, 0);
}
