/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constants of the event counters of R10000 and R12000, as programs for IRIX
 * include them.  Names are those of r10k_evcntrs(5); numbers that the manual
 * leaves open are pmcsim's own.
 */
#ifndef PMCSIM_IRIX_SYS_HWPERFMACROS_H
#define PMCSIM_IRIX_SYS_HWPERFMACROS_H

#define HWPERF_EVENTMAX 32	/* events of both counters */
#define HWPERF_CNTEVENTMAX 16	/* events of one counter */
#define HWPERF_CNT1BASE 16	/* the first event of counter 1 */
#define HWPERF_CNT1MAX 32	/* behind the last one */
#define HWPERF_MINEVENT 0	/* hwp_ev: the first event of a counter */
#define HWPERF_MAXEVENT 15	/* ... and the last */

/* hwp_mode: where an event counts. */
#define HWPERF_CNTEN_E 0x1	/* exception level */
#define HWPERF_CNTEN_K 0x2	/* kernel */
#define HWPERF_CNTEN_S 0x4	/* supervisor; no mode of IRIX */
#define HWPERF_CNTEN_U 0x8	/* user */
#define HWPERF_MODEMASK 0xf

/* Commands of syssgi(SGI_EVENTCTR, ...). */
#define HWPERF_PROFENABLE 1
#define HWPERF_ENSYSCNTRS 2
#define HWPERF_GET_SYSCNTRS 3
#define HWPERF_GET_CPUCNTRS 4
#define HWPERF_GET_SYSEVCTRL 5
#define HWPERF_SET_SYSEVCTRL 6
#define HWPERF_RELSYSCNTRS 7

/* Events of counter 0, R10000. */
#define HWPERF_C0PRFCNT0_CYCLES 0
#define HWPERF_C0PRFCNT0_IINSTR 1
#define HWPERF_C0PRFCNT0_ILD 2
#define HWPERF_C0PRFCNT0_IST 3
#define HWPERF_C0PRFCNT0_ISC 4
#define HWPERF_C0PRFCNT0_FAILSC 5
#define HWPERF_C0PRFCNT0_DBR 6
#define HWPERF_C0PRFCNT0_SCWB 7
#define HWPERF_C0PRFCNT0_SCECC 8
#define HWPERF_C0PRFCNT0_PICMISS 9
#define HWPERF_C0PRFCNT0_SICMISS 10
#define HWPERF_C0PRFCNT0_IMISPRED 11
#define HWPERF_C0PRFCNT0_EXTINT 12
#define HWPERF_C0PRFCNT0_EXTINV 13
#define HWPERF_C0PRFCNT0_VCC 14
#define HWPERF_C0PRFCNT0_GINSTR 15

/* Events of counter 1, as counter 1 has them. */
#define HWPERF_C0PRFCNT1_CYCLES 0
#define HWPERF_C0PRFCNT1_GINSTR 1
#define HWPERF_C0PRFCNT1_GLD 2
#define HWPERF_C0PRFCNT1_GST 3
#define HWPERF_C0PRFCNT1_GSC 4
#define HWPERF_C0PRFCNT1_GFINSTR 5
#define HWPERF_C0PRFCNT1_PDCWB 6
#define HWPERF_C0PRFCNT1_TLB 7
#define HWPERF_C0PRFCNT1_BRMISS 8
#define HWPERF_C0PRFCNT1_PDCMISS 9
#define HWPERF_C0PRFCNT1_SDCMISS 10
#define HWPERF_C0PRFCNT1_DMISPRED 11
#define HWPERF_C0PRFCNT1_EXTINTHIT 12
#define HWPERF_C0PRFCNT1_EXTINVHIT 13
#define HWPERF_C0PRFCNT1_SPEXCL 14
#define HWPERF_C0PRFCNT1_SPSHRD 15

#endif
