/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The performance counters of Pentiums as OpenBSD 2.0 to 4.1 shows them, for
 * programs that pmcsim measures.  See pctr(4).
 */
#ifndef PMCSIM_OPENBSD_MACHINE_PCTR_H
#define PMCSIM_OPENBSD_MACHINE_PCTR_H

#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For %qd and %llu on every machine, as there. */
typedef unsigned long long pctrval;

#define PCTR_NUM 2

/*
 * The header's first revision, of August 1996, had functions of 16 bits, other
 * requests for them, and other names of a Pentium's flags.  Programs of then
 * are compiled with PMCSIM_PCTR_1996 defined.
 */
#ifdef PMCSIM_PCTR_1996
typedef unsigned short pmcsim_pctr_fn;
#else
typedef unsigned int pmcsim_pctr_fn;
#endif

struct pctrst {
	pmcsim_pctr_fn pctr_fn[PCTR_NUM]; /* current settings of the counters */
	pctrval pctr_tsc;		/* free-running 64-bit cycle counter */
	pctrval pctr_hwc[PCTR_NUM];	/* values of the counters */
	pctrval pctr_idl;		/* iterations of the idle loop */
};

/* Bits of a Pentium's function. */
#define P5CTR_K 0x40	/* count events in kernel mode */
#define P5CTR_U 0x80	/* count events in user mode */
#define P5CTR_C 0x100	/* count cycles of the event */
#ifdef PMCSIM_PCTR_1996
#define PCTR_K P5CTR_K
#define PCTR_U P5CTR_U
#define PCTR_C P5CTR_C
#endif

/* Bits of a Pentium Pro's function. */
#define P6CTR_U 0x010000	/* count events in user mode */
#define P6CTR_K 0x020000	/* count events in kernel mode */
#define P6CTR_E 0x040000	/* count edges */
#define P6CTR_EN 0x400000	/* enable; that of counter 0 rules both */
#define P6CTR_I 0x800000	/* invert the counter mask */

/* Unit masks of its events of the second level. */
#define P6CTR_UM_M 0x0800
#define P6CTR_UM_E 0x0400
#define P6CTR_UM_S 0x0200
#define P6CTR_UM_I 0x0100
#define P6CTR_UM_MESI (P6CTR_UM_M | P6CTR_UM_E | P6CTR_UM_S | P6CTR_UM_I)

/* And of its events of the bus. */
#define P6CTR_UM_A 0x2000

#define P6CTR_CM_SHIFT 24	/* left shift of the counter mask */

/* ioctl()s of /dev/pctr: read everything; set a counter's function. */
#ifdef PMCSIM_PCTR_1996
#define PCIOCRD 0x40246301ul
#define PCIOCS0 0x80026308ul
#define PCIOCS1 0x80026309ul
#else
#define PCIOCRD 0x40286301ul
#define PCIOCS0 0x80046308ul
#define PCIOCS1 0x80046309ul
#endif

#define _PATH_PCTR "/dev/pctr"

/*
 * The family, model and stepping of the emulated CPU, as cpuid(1) has it, and
 * in the high word that it has a time stamp counter.
 */
pctrval __cpuid(void);

#define __hastsc(id) (((id) & 0x1000000000ull) != 0)
#define __hasp5ctr(id) (((id) & 0xf00) == 0x500)
#define __hasp6ctr(id) (((id) & 0xf00) == 0x600)
#define __cpufamily() (__cpuid() >> 8 & 0xf)

/*
 * Emulated cycles so far, and the value of an emulated counter, 0 or 1.  0
 * where no machine answers; there the instruction rdtsc would read the host's.
 */
pctrval pmcsim_rdtsc(void);
pctrval pmcsim_rdpmc(unsigned int counter);

#define rdtsc() pmcsim_rdtsc()
#define rdpmc(counter) pmcsim_rdpmc(counter)

#ifdef __cplusplus
}
#endif

#endif
