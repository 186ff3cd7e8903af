/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structures of the event counters of R10000 and R12000, as r10k_evcntrs(5)
 * of IRIX gives them.  The control word has the same value whatever the byte
 * order: event << 5 | interrupt << 4 | mode.
 */
#ifndef PMCSIM_IRIX_SYS_HWPERFTYPES_H
#define PMCSIM_IRIX_SYS_HWPERFTYPES_H

#include "hwperfmacros.h"

#include <sched.h>	/* struct timespec, in any C */
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMCSIM_IRIX_TYPES
#define PMCSIM_IRIX_TYPES
typedef unsigned short ushort_t;
typedef struct timespec timespec_t;
#endif

struct hwperf_ctrlreg {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	ushort_t hwp_ev : 11,	/* event counted */
		 hwp_ie : 1,	/* overflow interrupt enable */
		 hwp_mode : 4;	/* HWPERF_CNTEN_* */
#else
	ushort_t hwp_mode : 4,
		 hwp_ie : 1,
		 hwp_ev : 11;
#endif
};

typedef union {
	short hwperf_spec;
	struct hwperf_ctrlreg hwperf_creg;
} hwperf_ctrl_t;

/* A control word for each event; zero: not counted. */
typedef struct {
	hwperf_ctrl_t hwp_evctrl[HWPERF_EVENTMAX];
} hwperf_eventctrl_t;

typedef struct hwperf_profevctrarg {
	hwperf_eventctrl_t hwp_evctrargs;
	int hwp_ovflw_freq[HWPERF_EVENTMAX]; /* a signal after so many; 0 */
	int hwp_ovflw_sig;	/* 1 to 32; 0: none */
} hwperf_profevctrarg_t;

/* The virtual counters. */
typedef struct {
	__uint64_t hwp_evctr[HWPERF_EVENTMAX];
} hwperf_cntr_t;

/* "Monitoring" by the CPU: the virtual counters at the same time. */
typedef hwperf_cntr_t cpu_mon_t;

typedef struct hwperf_prusage {
	timespec_t pu_tstamp;	/* when this was read */
	timespec_t pu_starttime; /* when the process was started */
	timespec_t pu_utime;	/* time in user mode */
	timespec_t pu_stime;	/* time in the system */
	__uint64_t pu_minf;	/* page faults without reading */
	__uint64_t pu_majf;	/* page faults with reading */
	__uint64_t pu_utlb;	/* user TLB misses */
	__uint64_t pu_nswap;	/* swaps */
	__uint64_t pu_gbread;	/* gigabytes read ... */
	__uint64_t pu_bread;	/* ... and bytes */
	__uint64_t pu_gbwrit;	/* gigabytes written ... */
	__uint64_t pu_bwrit;	/* ... and bytes */
	__uint64_t pu_sigs;	/* signals received */
	__uint64_t pu_vctx;	/* voluntary context switches */
	__uint64_t pu_ictx;	/* involuntary context switches */
	__uint64_t pu_sysc;	/* system calls */
	__uint64_t pu_syscr;	/* ... read() */
	__uint64_t pu_syscw;	/* ... write() */
	__uint64_t pu_syscps;	/* ... poll() or select() */
	__uint64_t pu_sysci;	/* ... ioctl() */
	__uint64_t pu_graphfifo; /* waits for graphics */
	__uint64_t pu_graph_req[8];
	__uint64_t pu_graph_wait[8];
	__uint64_t pu_size;	/* pages of the image */
	__uint64_t pu_rss;	/* pages of it in memory */
	__uint64_t pu_inblock;	/* blocks read */
	__uint64_t pu_oublock;	/* blocks written */
	__uint64_t pu_vfault;	/* page faults in all */
	__uint64_t pu_ktlb;	/* TLB misses of the kernel */
	cpu_mon_t pu_cpu_mon;
} hwperf_prusage_t;

#ifdef __cplusplus
}
#endif

#endif
