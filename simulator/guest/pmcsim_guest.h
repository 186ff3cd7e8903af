/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For programs that want to talk to the emulated machine which measures
 * them.  Link libpmcsim-client.
 *
 * None of this is needed to read or write /proc/perf: any program, static
 * or dynamic, finds that file where it is measured.
 *
 * Functions return 0 or more, or -1 with errno: ENOSYS when the program does
 * not run under pmcsim, EPERM, EINVAL, ENOSPC, ENODATA.
 *
 * Not modelled: the cycle counter that MIPS programs read by rdhwr $2 reads
 * as zero, and the timestamp counter of x86 programs is the host's; use
 * pmcsim_guest_cycles() instead.
 */
#ifndef PMCSIM_GUEST_H
#define PMCSIM_GUEST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the channel, 1 or more. */
int pmcsim_guest_version(void);

/* The dump of /proc/perf, a null character behind it; its length. */
long pmcsim_guest_perf_read(char *text, size_t room);

/*
 * Executes lines as /proc/perf takes them; length.  EPERM for an emulated
 * user other than root; EINVAL for a bad line, whose number, from 1, is then
 * in *line if line is not NULL: the lines before it have taken effect.
 */
long pmcsim_guest_perf_write(const char *text, size_t length,
			     unsigned *line);

/* Cycles that this process has taken so far; ENODATA when the run models no
 * cycles. */
int pmcsim_guest_cycles(uint64_t *cycles);

/* How many programs have been executed on this machine without an engine,
 * so that they were not counted. */
int pmcsim_guest_uncounted(uint64_t *programs);

/*
 * Sends the calling process a signal each time that a counter, as it is
 * programmed at present, has counted so many more in this process; period 0:
 * not any more.  The counters 0 to 7 may have a signal each.  EINVAL for a
 * counter, or a signal, that there is not; ENODATA when the run models no
 * cycles.
 */
int pmcsim_guest_on_overflow(unsigned counter, uint64_t period, int signal);

/* The user that the devices believe the program to be. */
int pmcsim_guest_get_uid(unsigned *uid);
int pmcsim_guest_set_uid(unsigned uid);

#ifdef __cplusplus
}
#endif

#endif
