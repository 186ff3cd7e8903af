/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The performance monitors of Itanium for programs that pmcsim measures: the
 * instructions that reach them, as functions.  See itanium_pmu(4).
 *
 * A fault is a signal, as Linux on Itanium has it: SIGILL for a Privileged
 * Operation fault and for a Reserved Register/Field fault.  If its handler
 * returns, so does the function: -1 with errno EPERM or EINVAL.  Outside
 * pmcsim functions return -1 with errno ENOSYS.
 */
#ifndef PMCSIM_IA64_H
#define PMCSIM_IA64_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IA64_PSR_UP (1u << 2)	/* of sum and rum, ssm and rsm */
#define IA64_PSR_SP (1u << 20)	/* of ssm and rsm */
#define IA64_PSR_PP (1u << 21)

/* Fields of PMC4 to PMC7. */
#define IA64_PMC_PLM(levels) ((uint64_t)(levels) & 0xf) /* a bit each */
#define IA64_PMC_EV ((uint64_t)1 << 4)
#define IA64_PMC_OI ((uint64_t)1 << 5)
#define IA64_PMC_PM ((uint64_t)1 << 6)
#define IA64_PMC_ES(event) (((uint64_t)(event) & 0xff) << 8)
#define IA64_PMC_UMASK(mask) (((uint64_t)(mask) & 0xf) << 16)
#define IA64_PMC_THRESHOLD(n) (((uint64_t)(n) & 7) << 20)

/* Of PMC4 of an Itanium 2, set from the start: without it no monitor counts.
 * Portable programs write it as they have read it. */
#define IA64_PMC4_ENABLE ((uint64_t)1 << 23)

#define IA64_PMC0_FR ((uint64_t)1)

/* mov pmc[i] = value; = pmc[i]; privileged. */
int ia64_set_pmc(unsigned i, uint64_t value);
int ia64_get_pmc(unsigned i, uint64_t *value);

/* mov pmd[i] = value; privileged.  = pmd[i]; for everybody. */
int ia64_set_pmd(unsigned i, uint64_t value);
int ia64_get_pmd(unsigned i, uint64_t *value);

/* User mask; system mask, privileged. */
int ia64_sum(unsigned mask);
int ia64_rum(unsigned mask);
int ia64_ssm(unsigned mask);
int ia64_rsm(unsigned mask);

/* Nothing that was written acts before this. */
int ia64_srlz_d(void);

/*
 * Not an instruction: the level that the program has from now on, 0 to 3, as
 * if an interruption had entered it or returned to it.  EPERM, without a
 * signal, for an emulated user other than root.
 */
int ia64_set_cpl(unsigned cpl);
int ia64_get_cpl(void);

/* Has an interrupt of the monitors send the process a signal; 0: none.
 * ENODATA when the run models no cycles. */
int ia64_on_interrupt(int signal);

#ifdef __cplusplus
}
#endif

#endif
