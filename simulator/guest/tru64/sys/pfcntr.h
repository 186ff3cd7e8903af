/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The performance counters of Alphas as Tru64 UNIX shows them, for programs
 * that pmcsim measures.  See pfm(7).
 */
#ifndef PMCSIM_TRU64_SYS_PFCNTR_H
#define PMCSIM_TRU64_SYS_PFCNTR_H

/* Before the name of open() means something else. */
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>

#if UINTPTR_MAX < UINT64_MAX && !defined PMCSIM_PFM_NO_OPEN
#error "the calls of pfm(7) take words of 64 bits"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How the device is opened, in the flags of open().  The bits are others
 * than on Tru64, where they mean nothing to any other file.
 */
#define PCNTOPENONE 0x10000000
#define PCNTOPENEACH 0x20000000
#define PCNTOPENALL 0x30000000
#define PCNTOPENMASK 0x30000000

/* What is done at a tick. */
#define PFM_COUNTERS 1
#define PFM_IPL 2
#define PFM_PROFILING 4

/* What PCNTSETMUX takes: a register of 64 bits. */
struct iccsr {
	uint64_t iccsr_pc1 : 1;
	uint64_t iccsr_ign0 : 2;
	uint64_t iccsr_pc0 : 1;
	uint64_t iccsr_ign1 : 4;
	uint64_t iccsr_mux0 : 4;
	uint64_t iccsr_ign2 : 20;
	uint64_t iccsr_mux1 : 3;
	uint64_t iccsr_disable : 2;
	uint64_t iccsr_ign3 : 27;
};

/* iccsr_mux0 */
#define PF_ISSUES 0x0
#define PF_PIPEDRY 0x2
#define PF_LOADI 0x4
#define PF_PIPEFROZEN 0x6
#define PF_BRANCHI 0x8
#define PF_CYCLES 0xa
#define PF_PALMODE 0xb
#define PF_NONISSUES 0xc
#define PF_EXTPIN0 0xe

/* iccsr_mux1 */
#define PF_DCACHE 0x0
#define PF_ICACHE 0x1
#define PF_DUAL 0x2
#define PF_BRANCHMISS 0x3
#define PF_FPINST 0x4
#define PF_INTOPS 0x5
#define PF_STOREI 0x6
#define PF_EXTPIN1 0x7

/* What is counted: interrupts, and cycles, which come first on later CPUs. */
struct pfcntrs {
	uint64_t pf_cntr0, pf_cntr1, pf_cycle;
};

#define pr_cycle pf_cycle	/* as some programs spell it */

struct pfcntrs_ev5 {
	uint64_t pf_cycle, pf_cntr0, pf_cntr1, pf_cntr2;
};

struct pfcntrs_ev6 {
	uint64_t pf_cycle, pf_cntr0, pf_cntr1;
};

/* Ticks by level; 7 idle, 8 user mode. */
struct pfipls {
	uint64_t ipl[9];
};

struct addr_range {
	uint64_t start, end;
};

typedef struct {
	uint64_t start, end, stride, res0;
} addr_range_t;

/* Counters that a call selects, and their values. */
union pmctrs_ev5 {
	long pmctrs_ev5_long;
	uint64_t pmctrs_ev5_word;
	struct {
		uint64_t pmctrs_ev5_select : 3;
		uint64_t pmctrs_ev5_ign : 5;
		uint64_t pmctrs_ev5_cpu : 8;
		uint64_t pmctrs_ev5_c2 : 14;
		uint64_t pmctrs_ev5_ign2 : 2;
		uint64_t pmctrs_ev5_c1 : 16;
		uint64_t pmctrs_ev5_c0 : 16;
	};
};

union pmctrs_ev6 {
	long pmctrs_ev6_long;
	uint64_t pmctrs_ev6_word;
	struct {
		uint64_t pmctrs_ev6_select : 2;
		uint64_t pmctrs_ev6_ign : 4;
		uint64_t pmctrs_ev6_c1 : 20;
		uint64_t pmctrs_ev6_ign2 : 2;
		uint64_t pmctrs_ev6_c0 : 20;
		uint64_t pmctrs_ev6_ign3 : 8;
		uint64_t pmctrs_ev6_cpu : 8;
	};
};

/* The same fields as programs call them. */
#define pmctrs_ev6_cntr0 pmctrs_ev6_c0
#define pmctrs_ev6_cntr1 pmctrs_ev6_c1

#define PMCTRS_ALL_CPUS 0xff
#define PF5_SEL_COUNTER_0 1
#define PF5_SEL_COUNTER_1 2
#define PF5_SEL_COUNTER_2 4
#define PF6_SEL_COUNTER_0 1
#define PF6_SEL_COUNTER_1 2

/* PCNT5MUX: one of each counter. */
#define PF5_MUX0_CYCLES 0x0ul
#define PF5_MUX0_ISSUES 0x80000000ul
#define PF5_MUX1_NONISSUES 0x0ul
#define PF5_MUX1_SPLITISSUE 0x10ul
#define PF5_MUX1_PIPEDRY 0x20ul
#define PF5_MUX1_REPLAY 0x30ul
#define PF5_MUX1_SINGLEISSUES 0x40ul
#define PF5_MUX1_DUALISSUES 0x50ul
#define PF5_MUX1_TRIPLEISSUES 0x60ul
#define PF5_MUX1_QUADISSUES 0x70ul
#define PF5_MUX1_FLOWCHANGES 0x80ul
#define PF5_MUX1_INTOPS 0x90ul
#define PF5_MUX1_FLOATOPS 0xa0ul
#define PF5_MUX1_LOADS 0xb0ul
#define PF5_MUX1_STORES 0xc0ul
#define PF5_MUX1_ICACHEACC 0xd0ul
#define PF5_MUX1_DCACHEACC 0xe0ul
#define PF5_MUX2_LONGSTALLS 0x0ul
#define PF5_MUX2_PCMISPREDICTS 0x2ul
#define PF5_MUX2_BRANCHMISPREDICTS 0x3ul
#define PF5_MUX2_ICACHEMISSES 0x4ul
#define PF5_MUX2_ITBMISSES 0x5ul
#define PF5_MUX2_DCACHELDMISSES 0x6ul
#define PF5_MUX2_DTBMISSES 0x7ul
#define PF5_MUX2_LDSMERGED 0x8ul
#define PF5_MUX2_LDUREPLAYS 0x9ul
#define PF5_MUX2_FULLREPLAYS 0xaul
#define PF5_MUX2_EXTERNALINPUT 0xbul
#define PF5_MUX2_C_CYCLES 0xcul
#define PF5_MUX2_MEMORYBARRIERS 0xdul
#define PF5_MUX2_LOCKEDLOADS 0xeul
#define PF5_MUX1_SCACHEACC 0xf0ul
#define PF5_MUX1_SCACHEREADS 0x80000000000f0ul
#define PF5_MUX1_SCACHEWRITES1 0x100000000000f0ul
#define PF5_MUX1_SCACHEVICTIM 0x180000000000f0ul
#define PF5_MUX1_BCACHEREF 0x280000000000f0ul
#define PF5_MUX1_BCACHEVICTIM 0x300000000000f0ul
#define PF5_MUX1_SYSREQS 0x380000000000f0ul
#define PF5_MUX2_SCACHEMISSES 0xful
#define PF5_MUX2_SCACHEREADMISSES 0x4000000000000ful
#define PF5_MUX2_SCACHEWRITEMISSES 0x8000000000000ful
#define PF5_MUX2_SCACHESHAREDWRITES 0xc000000000000ful
#define PF5_MUX2_SCACHEWRITES2 0x10000000000000ful
#define PF5_MUX2_BCACHEMISSES 0x14000000000000ful
#define PF5_MUX2_SYSTEMINVALIDATES 0x18000000000000ful
#define PF5_MUX2_SYSTEMREADREQUESTS 0x1c000000000000ful

/* The same of the 21164PC, where they differ. */
#define PF5_MUX1_BCACHEREADS 0xf0ul
#define PF5_MUX1_BCACHEDREADHITS 0x80000000000f0ul
#define PF5_MUX1_BCACHEDREADFILLS 0x100000000000f0ul
#define PF5_MUX1_BCACHEWRITES 0x180000000000f0ul
#define PF5_MUX1_BCACHECLEANWRITEHITS 0x280000000000f0ul
#define PF5_MUX1_BCACHEVICTIMS 0x300000000000f0ul
#define PF5_MUX1_READMISSTWO 0x380000000000f0ul
#define PF5_MUX2_BCACHEDREADS 0xful
#define PF5_MUX2_BCACHEREADHITS 0x4000000000000ful
#define PF5_MUX2_BCACHEREADFILLS 0x8000000000000ful
#define PF5_MUX2_BCACHEWRITEHITS 0xc000000000000ful
#define PF5_MUX2_BCACHEWRITEFILLS 0x10000000000000ful
#define PF5_MUX2_SYSREADFLUSHHITS 0x14000000000000ful
#define PF5_MUX2_SYSREADFLUSHMISSES 0x18000000000000ful
#define PF5_MUX2_READMISSTHREE 0x1c000000000000ful

/* PCNT5FREQ. */
#define PF5_C0_INT_EVERY_256 0x300
#define PF5_C0_INT_EVERY_65536 0x200
#define PF5_C1_INT_EVERY_256 0xc0
#define PF5_C1_INT_EVERY_65536 0x80
#define PF5_C2_INT_EVERY_256 0x30
#define PF5_C2_INT_EVERY_16384 0x20

/* PCNT5CTXTS: whose events, */
#define PF5_CTXT_ALL_PROC 0
#define PF5_CTXT_SEL_PROC 1	/* processes with the bit */
#define PF5_CTXT_PME_THIS 2	/* this process gets it */
#define PF5_CTXT_THIS_PROC 3	/* both */

/* and what does not count, or what does: user mode is the "executive" one. */
#define PF5_CTXT_NO_USER 0x40000000ul
#define PF5_CTXT_NO_PAL 0x200
#define PF5_CTXT_NO_KERNEL 0x100
#define PF5_CTXT_USER 0x300
#define PF5_CTXT_PAL 0x40000100ul
#define PF5_CTXT_USER_AND_PAL 0x100
#define PF5_CTXT_KERNEL 0x40000200ul
#define PF5_CTXT_USER_AND_KERNEL 0x200
#define PF5_CTXT_PAL_AND_KERNEL 0x40000000ul
#define PF5_CTXT_EXEC_AND_SUPER 0x40000300ul
#define PF5_CTXT_ALL_MODES 0

/* PCNT6MUX: of the EV6, one of each counter. */
#define PF6_MUX0_CYCLES 0
#define PF6_MUX0_RET_INSTRUCTIONS 0x10
#define PF6_MUX1_CYCLES 0
#define PF6_MUX1_RET_COND_BRANCHES 1
#define PF6_MUX1_RET_DTB_SINGLE_MISSES 3
#define PF6_MUX1_RET_DTB_DOUBLE_MISSES 4
#define PF6_MUX1_RET_ITB_MISSES 5
#define PF6_MUX1_RET_UNALIGNED_TRAPS 6
#define PF6_MUX1_REPLAY_TRAP 7

/* Of the EV67 and EV7: a pair, or one, by the two bits of PCTR_CTL that the
 * 21264A's hardware reference manual has for SL1. */
#define PF67_RET_INST_AND_CYCLES 0
#define PF67_CYCLES 4
#define PF67_RET_INST_AND_BCACHE_MISSES 8
#define PF67_CYCLES_AND_REPLAY_TRAPS 0xc
#define PF67_CYCLES_AND_UNDEFINED PF67_CYCLES
#define PF67_RET_INST_AND_BCACHE_MISS PF67_RET_INST_AND_BCACHE_MISSES

/* ... or a statistic of ProfileMe, of which PER_RET come in pairs. */
#define PF67_PROFILE_ME(n) (0x10 | (n) << 8)
#define PF67_PM_ABORT PF67_PROFILE_ME(1)
#define PF67_PM_ABORT_PER_RET PF67_PROFILE_ME(2)
#define PF67_PM_ARITH_TRAP PF67_PROFILE_ME(3)
#define PF67_PM_CBR_TAKEN PF67_PROFILE_ME(4)
#define PF67_PM_CBR_TAKEN_PER_RET PF67_PROFILE_ME(5)
#define PF67_PM_CYCLES PF67_PROFILE_ME(6)
#define PF67_PM_CYCLES_PER_RET PF67_PROFILE_ME(7)
#define PF67_PM_DELAY PF67_PROFILE_ME(8)
#define PF67_PM_DELAY_PER_RET PF67_PROFILE_ME(9)
#define PF67_PM_DSTREAM_FAULT PF67_PROFILE_ME(10)
#define PF67_PM_DTB_MISS PF67_PROFILE_ME(11)
#define PF67_PM_DTB_MISS_PER_RET PF67_PROFILE_ME(12)
#define PF67_PM_DTB_MISS3 PF67_PROFILE_ME(13)
#define PF67_PM_DTB_MISS4 PF67_PROFILE_ME(14)
#define PF67_PM_EARLY_KILL PF67_PROFILE_ME(15)
#define PF67_PM_EARLY_KILL_PER_RET PF67_PROFILE_ME(16)
#define PF67_PM_FP_DISABLED PF67_PROFILE_ME(17)
#define PF67_PM_FREQ PF67_PROFILE_ME(18)
#define PF67_PM_ICACHE_MISS PF67_PROFILE_ME(19)
#define PF67_PM_ICACHE_MISS_PER_RET PF67_PROFILE_ME(20)
#define PF67_PM_ICACHE_PARITY PF67_PROFILE_ME(21)
#define PF67_PM_INFLT_BCACHE PF67_PROFILE_ME(22)
#define PF67_PM_INFLT_REPLAYS PF67_PROFILE_ME(23)
#define PF67_PM_INFLT_RETIRES PF67_PROFILE_ME(24)
#define PF67_PM_INTERRUPT PF67_PROFILE_ME(25)
#define PF67_PM_ISTREAM_ACCVIO PF67_PROFILE_ME(26)
#define PF67_PM_ITB_MISS PF67_PROFILE_ME(27)
#define PF67_PM_LDST_UNALIGN PF67_PROFILE_ME(28)
#define PF67_PM_LDST_ORDER PF67_PROFILE_ME(29)
#define PF67_PM_MAP_STALL PF67_PROFILE_ME(30)
#define PF67_PM_MAP_STALL_PER_RET PF67_PROFILE_ME(31)
#define PF67_PM_MISPREDICT PF67_PROFILE_ME(33)
#define PF67_PM_MISPREDICT_PER_RET PF67_PROFILE_ME(34)
#define PF67_PM_OPCDEC PF67_PROFILE_ME(36)
#define PF67_PM_REPLAY_TRAP PF67_PROFILE_ME(37)
#define PF67_PM_REPLAY_TRAP_PER_RET PF67_PROFILE_ME(38)
#define PF67_PM_RETIRE PF67_PROFILE_ME(40)
#define PF67_PM_TRAP PF67_PROFILE_ME(41)
#define PF67_PM_TRAP_PER_RET PF67_PROFILE_ME(42)
#define PF67_PM_VALID PF67_PROFILE_ME(43)

/* ioctl()s of /dev/pfcntr: arguments are addresses of what is named. */
#define PCNTRDISABLE 0x20005000ul
#define PCNTRENABLE 0x20005001ul
#define PCNTSETMUX 0x80085002ul
#define PCNTLOGALL 0x20005003ul
#define PCNTLOGSELECT 0x20005004ul
#define PCNTCLEARCNT 0x20005005ul
#define PCNTGETCNT 0x80085006ul
#define PCNTCLEARPCBPME 0x20005007ul
#define PCNTCALLER 0x20005008ul
#define PCNTGETRSIZE 0x4008500aul
#define PCNTGETIPLHIS 0x8008500bul
#define PCNTSETITEMS 0x8008501ful
#define PCNTSETUADDR 0x80105020ul
#define PCNTSETKADDR 0x80105021ul
#define PCNTSETURANGE 0x80205022ul
#define PCNTSETKRANGE 0x80205023ul
#define PCNT5CTXTS 0x80085028ul
#define PCNT5MUX 0x80085029ul
#define PCNT5FREQ 0x8008502aul
#define PCNT5DISABLE 0x8008502bul
#define PCNT5ENABLE 0x8008502cul
#define PCNT5CLEAR 0x8008502dul
#define PCNT5RESTART 0x8008502eul
#define PCNT5SETCNTRS 0x8008502ful
#define PCNT5GETCNTRS 0xc0085030ul
#define PCNT5GETCNT 0x80085031ul
#define PCNT5READCNTRS 0x80085032ul
#define PCNT6MUX 0x80085033ul
#define PCNT6ENABWRITE 0x80085034ul
#define PCNT6DISABLE 0x80085035ul
#define PCNT6ENABLE 0x80085036ul
#define PCNT6CLEAR 0x80085037ul
#define PCNT6RESTART 0x80085038ul
#define PCNT6SETCNTRS 0x80085039ul
#define PCNT6GETCNTRS 0xc008503aul
#define PCNT6GETCNT 0x8008503bul
#define PCNT6READCNTRS 0x8008503cul

#define _PATH_PFCNTR "/dev/pfcntr"

/* open(), which asks the device whether it may be opened in that mode. */
int pmcsim_pfm_open(const char *path, int flags, ...);

#ifndef PMCSIM_PFM_NO_OPEN
#define open pmcsim_pfm_open
#endif

#ifdef __cplusplus
}
#endif

#endif
