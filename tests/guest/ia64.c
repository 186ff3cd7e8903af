/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client of itanium_pmu(4), as its manual has it: self-monitoring, faults,
 * serialization, secured monitors, an overflow.  Ends with "done".
 */
#include "check.h"

#include <pmcsim/ia64.h>
#include <signal.h>

#define INSTRUCTIONS 0x08	/* IA64_INST_RETIRED, on PMC4 and PMC5 */
#define USER IA64_PMC_PLM(8)

static volatile sig_atomic_t faults, interrupts;
static volatile unsigned rounds;

static void
on_signal(int number)
{
	if (number == SIGILL)
		faults++;
	else
		interrupts++;
}

/* 4 instructions a round, at least, on any machine. */
static void
work(unsigned n)
{
	for (rounds = 0; rounds < n; rounds++)
		continue;
}

static uint64_t
pmd(unsigned i)
{
	uint64_t value = 1;

	CHECK(ia64_get_pmd(i, &value) == 0);
	return value;
}

/* Monitor i as given, counting from value, monitors of users stopped. */
static void
set_up(unsigned i, uint64_t pmc, uint64_t value)
{
	uint64_t was = 0;

	CHECK(ia64_set_cpl(0) == 0);
	CHECK(ia64_rsm(IA64_PSR_SP | IA64_PSR_PP | IA64_PSR_UP) == 0);
	CHECK(ia64_get_pmc(i, &was) == 0);
	CHECK(ia64_set_pmc(i, pmc | (was & IA64_PMC4_ENABLE)) == 0);
	CHECK(ia64_set_pmd(i, value) == 0);
	CHECK(ia64_srlz_d() == 0);
	CHECK(ia64_set_cpl(3) == 0);
}

static void
start(void)
{
	CHECK(ia64_sum(IA64_PSR_UP) == 0);
	CHECK(ia64_srlz_d() == 0);
}

static void
check_faults(void)
{
	uint64_t value;

	for (unsigned cpl = 1; cpl < 4; cpl++) {
		faults = 0;
		CHECK(ia64_set_cpl(cpl) == 0 && ia64_get_cpl() == (int)cpl);
		CHECK(ia64_set_pmc(4, 0) == -1 && errno == EPERM);
		CHECK(ia64_get_pmc(4, &value) == -1 && errno == EPERM);
		CHECK(ia64_set_pmd(4, 0) == -1 && errno == EPERM);
		CHECK(ia64_ssm(IA64_PSR_PP) == -1 && errno == EPERM);
		CHECK(ia64_rsm(IA64_PSR_PP) == -1 && errno == EPERM);
		CHECK(faults == 5);
		CHECK(ia64_get_pmd(256, &value) == -1 && errno == EINVAL);
		CHECK(ia64_sum(1) == -1 && errno == EINVAL);
		CHECK(faults == 7);
		CHECK(ia64_get_pmd(4, &value) == 0 && faults == 7);
	}
	CHECK(ia64_set_cpl(4) == -1 && errno == EINVAL);
	CHECK(ia64_set_cpl(3) == 0 && faults == 7);
}

/* Started and stopped by the program itself; nothing acts too early. */
static void
check_serialization(void)
{
	uint64_t before;

	set_up(4, USER | IA64_PMC_ES(INSTRUCTIONS), 0);
	work(1000);
	CHECK(pmd(4) == 0);
	CHECK(ia64_sum(IA64_PSR_UP) == 0);
	work(1000);
	CHECK(pmd(4) == 0);
	CHECK(ia64_srlz_d() == 0);
	work(1000);
	before = pmd(4);
	CHECK(before > 4000);
	CHECK(ia64_rum(IA64_PSR_UP) == 0);
	work(1000);
	CHECK(pmd(4) > before + 4000);
	CHECK(ia64_srlz_d() == 0);
	before = pmd(4);
	work(1000);
	CHECK(pmd(4) == before);
}

/* From another level they read zero, cannot be stopped, and collect. */
static void
check_secured(void)
{
	uint64_t before;

	set_up(4, USER | IA64_PMC_ES(INSTRUCTIONS), 0);
	start();
	work(1000);
	before = pmd(4);
	CHECK(before > 4000);
	CHECK(ia64_set_cpl(0) == 0 && ia64_ssm(IA64_PSR_SP) == 0);
	CHECK(ia64_srlz_d() == 0);
	CHECK(pmd(4) >= before);
	CHECK(ia64_set_cpl(3) == 0 && pmd(4) == 0);
	CHECK(ia64_rum(IA64_PSR_UP) == 0 && ia64_srlz_d() == 0);
	work(1000);
	CHECK(pmd(4) == 0);
	CHECK(ia64_set_cpl(0) == 0 && pmd(4) > before + 4000);
	CHECK(ia64_rsm(IA64_PSR_SP) == 0 && ia64_srlz_d() == 0);
	CHECK(ia64_set_cpl(3) == 0 && pmd(4) > before + 4000);
	/* A privileged monitor is level 0's alone. */
	set_up(4, USER | IA64_PMC_PM | IA64_PMC_ES(INSTRUCTIONS), 5);
	CHECK(pmd(4) == 0);
}

/* Frozen by the overflow, within a block; the bits stay until cleared. */
static void
check_overflow(void)
{
	uint64_t value = 0, left;

	CHECK(ia64_on_interrupt(SIGUSR1) == 0);
	set_up(4, USER | IA64_PMC_ES(INSTRUCTIONS), 0);
	set_up(5, USER | IA64_PMC_OI | IA64_PMC_ES(INSTRUCTIONS),
	       ~(uint64_t)0 - 9999);
	start();
	work(100);
	CHECK(interrupts == 0);
	work(10000);
	CHECK(interrupts == 1);
	left = pmd(4);
	CHECK(left >= 10000 && left < 10200 && pmd(5) == left - 10000);
	work(10000);
	CHECK(pmd(4) == left && interrupts == 1);
	CHECK(ia64_set_cpl(0) == 0 && ia64_get_pmc(0, &value) == 0);
	CHECK(value == (IA64_PMC0_FR | 1 << 5));
	CHECK(ia64_set_pmc(0, 0) == 0 && ia64_srlz_d() == 0);
	CHECK(ia64_set_cpl(3) == 0);
	work(1000);
	CHECK(pmd(4) > left + 4000 && interrupts == 1);
	CHECK(ia64_on_interrupt(0) == 0);
}

int
main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	uint64_t value;

	(void)argv;
	CHECK(sigaction(SIGILL, &action, NULL) == 0);
	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	if (argc > 1) {
		CHECK(ia64_get_pmd(4, &value) == -1 && errno == ENOSYS);
		CHECK(ia64_set_cpl(0) == -1 && errno == ENOSYS);
	} else {
		CHECK(ia64_get_cpl() == 3);
		check_faults();
		check_serialization();
		check_secured();
		check_overflow();
	}
	puts("done");
	return check_failures != 0;
}
