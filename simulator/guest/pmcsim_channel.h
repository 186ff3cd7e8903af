/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The channel from a measured program to the emulated machine.
 *
 * A request is a system call that Linux no longer has and QEMU does not
 * implement, lookup_dcookie:
 *
 *	syscall(SYS_lookup_dcookie, PMCSIM_MAGIC, operation, request, bytes)
 *
 * It always fails with ENOSYS; the answer is in the request, a struct
 * pmcsim_request with room for text behind it, bytes in all.  Numbers are in
 * the program's own byte order.  Without an answer, result stays what the
 * caller has set it to: PMCSIM_NO_ANSWER.
 *
 * Operations come in ranges of 256, one for each device.
 */
#ifndef PMCSIM_CHANNEL_H
#define PMCSIM_CHANNEL_H

#include <stdint.h>

#define PMCSIM_MAGIC 0x504d4353
#define PMCSIM_CHANNEL_VERSION 2

enum pmcsim_operation {
	/* The machine itself. */
	PMCSIM_GET_VERSION = 0x000, /* value: of this channel */
	PMCSIM_GET_UID = 0x001,	/* value: the emulated user's */
	PMCSIM_SET_UID = 0x002,	/* to value; only user 0 may */
	PMCSIM_GET_CYCLES = 0x003, /* value: see pmcsim_guest.h */
	PMCSIM_GET_UNCOUNTED = 0x004, /* value: see pmcsim_guest.h */
	/* value: period; text: "COUNTER SIGNAL", see pmcsim_guest.h */
	PMCSIM_ON_OVERFLOW = 0x005,

	/* /proc/perf of MIPS 34K Linux. */
	PMCSIM_PERF_READ = 0x100, /* text, length: the dump */
	PMCSIM_PERF_WRITE = 0x101, /* text, length: what to execute */

	/*
	 * ioctl() and other calls of a device.  value: the descriptor, or -1
	 * for a call that takes none; becomes the result, or -errno (those
	 * that are used are the same on all systems).  The text is a sequence
	 * of 64-bit words, little endian whatever the program is: first an
	 * enum pmcsim_command, then its arguments; the results take their
	 * place.  PMCSIM_UNKNOWN: the descriptor is none of the device's, and
	 * the call is for the kernel.
	 */
	PMCSIM_DEVICE_CALL = 0x200
};

/*
 * read() and write() of this descriptor, which there is not, say whether the
 * program has that buffer to be written and to be read: EFAULT if not, which
 * QEMU looks at first.  They are not counted as system calls.
 */
#define PMCSIM_PROBE (-0x504d)

/* What differs in the names of events. */
enum pmcsim_irix_chip {
	PMCSIM_R10000,
	PMCSIM_R10000_2,	/* revision 2 */
	PMCSIM_R12000
};

/* Commands, in ranges of 256, one for each system's device. */
enum pmcsim_command {
	PMCSIM_OTHER = 0,	/* one that the client does not know */

	/* IRIX, see r10k_evcntrs(5); arguments and results in comments. */
	PMCSIM_PIOCENEVCTRS = 0x100, /* 32 specs, 32 thresholds, signal */
	PMCSIM_PIOCGETEVCTRS,	/* -> 32 counters */
	PMCSIM_PIOCGETPREVCTRS, /* -> hwperf_prusage_t, word by word */
	PMCSIM_PIOCGETEVCTRL,	/* -> 32 specs */
	PMCSIM_PIOCSETEVCTRL,	/* as PIOCENEVCTRS */
	PMCSIM_PIOCRELEVCTRS,
	PMCSIM_PIOCSAVECCNTRS,
	PMCSIM_HWPERF_PROFENABLE, /* as PIOCENEVCTRS; n; n times address of
				   * buckets, bytes, offset, scale */
	PMCSIM_HWPERF_ENSYSCNTRS, /* as PIOCENEVCTRS */
	PMCSIM_HWPERF_GET_SYSCNTRS, /* -> 32 counters */
	PMCSIM_HWPERF_GET_CPUCNTRS, /* CPU -> 32 counters */
	PMCSIM_HWPERF_GET_SYSEVCTRL, /* -> 32 specs */
	PMCSIM_HWPERF_SET_SYSEVCTRL, /* as PIOCENEVCTRS */
	PMCSIM_HWPERF_RELSYSCNTRS,
	PMCSIM_IRIX_CPU,	/* -> clock in Hz, pmcsim_irix_chip */

	/* OpenBSD, see pctr(4). */
	PMCSIM_PCIOCRD = 0x200,	/* -> 2 functions, tsc, 2 counters, idle */
	PMCSIM_PCIOCS0,		/* function */
	PMCSIM_PCIOCS1,		/* function */
	PMCSIM_PCTR_CPUID,	/* -> what __cpuid() gives */
	PMCSIM_PCTR_RDTSC,	/* -> cycles; needs no descriptor */
	PMCSIM_PCTR_RDPMC,	/* counter -> its value; needs no descriptor */

	/*
	 * Tru64, see pfm(7).  A family is 4, 5 or 6; counts of a CPU are the
	 * cycles and three counters.  An array that is not there: address 0.
	 */
	PMCSIM_PFM_OPEN = 0x300, /* mode: 1 one CPU, 2 each, 3 all */
	PMCSIM_PFM_ENABLE,
	PMCSIM_PFM_DISABLE,
	PMCSIM_PFM_LOGALL,
	PMCSIM_PFM_LOGSELECT,
	PMCSIM_PFM_CLEARPME,
	PMCSIM_PFM_CLEARCNT,
	PMCSIM_PFM_CALLER,
	PMCSIM_PFM_ITEMS,	/* items */
	PMCSIM_PFM_MUX,		/* family, word */
	PMCSIM_PFM_FREQUENCY,	/* word */
	PMCSIM_PFM_CONTEXTS,	/* word */
	PMCSIM_PFM_ACT,		/* family, enum pfm_action, word */
	PMCSIM_PFM_RANGE,	/* 1 kernel | 2 stride, start, end, stride */
	PMCSIM_PFM_RSIZE,	/* -> bytes */
	PMCSIM_PFM_GETCNT,	/* family, array -> CPUs, counts of each */
	PMCSIM_PFM_READCNTRS,	/* family, array -> CPUs, counts of each */
	PMCSIM_PFM_REGISTERS,	/* family, word -> word */
	PMCSIM_PFM_IPLHIS,	/* array -> CPUs, 9 levels of each */

	/* Itanium, see itanium_pmu(4); none needs a descriptor. */
	PMCSIM_IA64_SET_PMC = 0x400, /* register, value */
	PMCSIM_IA64_GET_PMC,	/* register -> value */
	PMCSIM_IA64_SET_PMD,	/* register, value */
	PMCSIM_IA64_GET_PMD,	/* register -> value */
	PMCSIM_IA64_SUM,	/* mask */
	PMCSIM_IA64_RUM,	/* mask */
	PMCSIM_IA64_SSM,	/* mask */
	PMCSIM_IA64_RSM,	/* mask */
	PMCSIM_IA64_SRLZ_D,
	PMCSIM_IA64_GET_CPL,	/* -> privilege level */
	PMCSIM_IA64_SET_CPL,	/* privilege level */
	PMCSIM_IA64_ON_INTERRUPT /* signal, 0: none */
};

enum pmcsim_result {
	PMCSIM_DONE,
	PMCSIM_NO_ANSWER,	/* not running under pmcsim */
	PMCSIM_UNKNOWN,		/* no such operation */
	PMCSIM_NOT_PERMITTED,
	PMCSIM_INVALID,		/* bad text; value: the line, from 1 */
	PMCSIM_NO_ROOM,		/* the text needs length bytes */
	PMCSIM_NOT_MODELLED	/* not worked out in this run */
};

struct pmcsim_request {
	uint32_t result;	/* enum pmcsim_result */
	uint32_t length;	/* of the text */
	uint64_t value;
	/* text follows */
};

#endif
