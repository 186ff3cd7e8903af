/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU as the models see it: plain numbers, no names.  libpmcsim fills it
 * from events/<cpu>.yaml and puts it into the machine's shared mapping.
 */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include "config_window.h"
#include "insn_class.h"
#include "signals.h"

enum sim_policy {
	POLICY_LRU,
	POLICY_RANDOM,	   /* pseudo-random, fixed seed */
	POLICY_FIFO,	   /* oldest fill leaves */
	POLICY_ROUND_ROBIN, /* one pointer per set */
	POLICY_NOT_LAST_USED /* that, but it passes over the last used */
};

/* A cache.  size 0: there is none behind the first level, which is always
 * there.  Sets and line are powers of two. */
struct cache_config {
	u32 size;	/* bytes */
	u32 ways;
	u32 line;	/* bytes, 16 to 256 */
	u8 policy;	/* enum sim_policy */
	bool write_through;
	bool no_write_allocate;
	/* Behind the first level. */
	bool inclusive;	/* what leaves it leaves the levels before it */
	bool victim;	/* it has what leaves the level before it, and nothing
			   else: what goes back there leaves it */
	bool data_only;	/* instructions come from behind it */
	bool told_of_stores; /* which lines the first level changes */
	u32 latency;	/* cycles from the issue of a load that this level
			   has to that of an instruction which needs it */
	u32 repeat;	/* cycles from one data line that is read to the next;
			   0: any number of them at once */
	u32 way_entries; /* way prediction: last way per set, 0: none */
	u32 way_penalty; /* cycles of looking at the wrong way first */
};

/* See core/prefetch.h. */
enum prefetch_kind { PREFETCH_NEXT, PREFETCH_STRIDE, PREFETCH_STREAM };
enum prefetch_fills { PREFETCH_FILLS_L1D, PREFETCH_FILLS_L2 };

#define SIM_PREFETCHERS 4
#define SIM_PREFETCH_BUFFERS 32

struct prefetch_config {
	u8 kind;	/* enum prefetch_kind */
	u8 fills;	/* enum prefetch_fills */
	u8 degree;	/* lines that one access can bring */
	u8 buffers;	/* lines on their way, at most */
	u32 entries;	/* PREFETCH_STRIDE: loads, a power of two;
			   PREFETCH_STREAM: pages */
	u8 confidence;	/* those: times that a step has to be the same */
	u8 distance;	/* PREFETCH_STREAM: steps ahead, at most */
	u8 reach;	/* PREFETCH_STREAM: lines from one to the next, at most,
			   as many each time; 0: it goes up or down, line by
			   line */
};

/* A TLB.  entries 0: there is none behind the first, which are always
 * there.  ways 0: fully associative. */
/* Contexts that share a micro-TLB. */
enum tlb_owner { TLB_OF_ALL, TLB_OF_VPE, TLB_OF_CONTEXT };

struct tlb_config {
	u32 entries;
	u32 ways;
	u32 page_bits;	/* log2 of the bytes that one entry maps */
	u8 policy;
	u8 owner;	/* enum tlb_owner */
	bool inclusive;	/* joint TLB: what leaves it leaves the others */
	bool maps_tables; /* DTLB without a joint TLB: page tables are in
			     virtual memory, which it maps as well */
};

/* A processor that walks the page tables, whose entries it reads from the level
 * behind the first.  levels 0: a refill takes tlb_refill and reads nothing. */
struct walk_config {
	u8 levels;	/* of page tables, 9 bits of an address each */
	u8 kept;	/* entries of the last table but one that it keeps */
	u8 walkers;	/* out of order: walks at a time; 0: 1 */
};

enum predictor_kind {
	PREDICT_BIMODAL,
	PREDICT_GSHARE,
	PREDICT_NOT_TAKEN,
	/* From here on predict.h; none of them is on the fast path. */
	PREDICT_BTB,
	PREDICT_ICACHE,
	PREDICT_TOURNAMENT,
	PREDICT_TAGE
};

#define TAGE_MAX_TABLES 12
#define TAGE_MAX_HISTORY 256

/* Tables of tagged entries, each looked up by a longer history than the one
 * before it, see tage.h.  tables 0: there are none. */
struct tage_config {
	u32 tables;
	u32 entries;		/* of each table, a power of two */
	u16 history[TAGE_MAX_TABLES]; /* bits, ascending */
	u8 tag_bits;
	u8 counter_bits;
	u8 useful_bits;
	u32 age;		/* branches until usefulness is halved */
};

struct branch_config {
	u8 kind;		/* enum predictor_kind */
	u8 initial;		/* initial counter, 0..3 */
	u8 history_bits;	/* PREDICT_GSHARE; outcomes of the branch itself:
				   PREDICT_BTB, PREDICT_TOURNAMENT */
	u8 global_bits;		/* PREDICT_TOURNAMENT: outcomes of all */
	u8 counter_bits;	/* PREDICT_ICACHE; local: PREDICT_TOURNAMENT */
	u8 policy;		/* PREDICT_BTB, enum sim_policy */
	bool static_backward;	/* PREDICT_BTB: the decoder predicts, too */
	u16 decode_redirect;	/* bubble of that beyond taken_bubble, cycles */
	u32 ways;		/* PREDICT_BTB, 0: fully associative */
	u8 pc_shift;		/* bits of the PC dropped before indexing */
	u32 entries;		/* counters, branches, local histories */
	u32 return_entries;	/* return prediction stack, 0: none */
	bool return_one_owner;	/* one stack, owned by one context */
	u32 target_entries;	/* indirect target buffer, 0: never predicted */
	/* PREDICT_TAGE: entries are counters of two bits before these; targets
	   of indirect jumps, before which is the target buffer. */
	struct tage_config tage, targets;
};

/* Ports are 16 by intervals, and the first eight of them elsewhere. */
#define PORTS_EXACT 0xff

/*
 * Latency: cycles to the consumer.  Repeat: cycles the unit is busy.  Ports
 * are for PIPELINE_WINDOW and ISSUE_SLOTS, the rest for PIPELINE_WINDOW.
 */
struct class_config {
	u16 latency;
	u16 repeat;
	u8 unit;	/* enum sim_unit */
	u16 ports;	/* mask of the issue ports; 0: it needs none */
	u8 busy;	/* 1 to 7: what is busy for repeat cycles */
	bool serial;	/* nothing is in the window beside it */
	u8 uops;	/* that compute, where window_config.micro_ops says so; 0
			   is 1 */
};

enum sim_unit { UNIT_NONE, UNIT_MDU, UNIT_FPU };

enum pipeline_kind {
	PIPELINE_INORDER, /* pipeline/inorder.h */
	PIPELINE_WINDOW,  /* pipeline/window.h */
	PIPELINE_INTERVAL /* the same machine, by pipeline/interval.h */
};

/* Which instructions issue in one cycle, see pipeline/issue.h. */
enum issue_rule { ISSUE_SINGLE, ISSUE_PAIRS, ISSUE_SLOTS, ISSUE_BUNDLES };

/* Instructions whose pipes do not depend on their class. */
enum issue_form {
	FORM_LOAD,
	FORM_LOAD_LOCKED,
	FORM_STORE,
	FORM_FP_STORE,
	FORM_STORE_COND,
	FORM_BRANCH,
	FORM_FP_BRANCH,
	FORM_JUMP,	/* through a register */
	FORM_N,
	FORM_CLASS = FORM_N /* all others */
};

struct issue_config {
	u8 rule;		/* enum issue_rule */
	u8 width;		/* instructions per cycle; 0 is 1 */
	/* ISSUE_PAIRS */
	bool prefix_overlaps;	/* prefixes of a long instruction are free */
	bool escape_free;	/* the byte 0F is no prefix to the decoder */
	u8 banks;		/* of the data cache; a pair's accesses to one
				   of them take a cycle more; 0: any two go */
	u8 bank_bytes;
	bool mmx_store_waits;	/* what an MMX register stores is waited for
				   as an address is */
	u8 mispredict_second;	/* slots more if the branch is in the second
				   pipe; with a predictor of predict.h */
	/* ISSUE_SLOTS */
	u8 group_bytes;		/* code comes in aligned groups; 0: not */
	u8 accesses;		/* instructions with accesses per cycle; 0: any */
	bool store_alone;	/* no other access beside a store */
	bool compare_early;	/* CLASS_LOGIC to a branch, cmov: same cycle */
	u16 ports[FORM_N];	/* masks of pipes */
	/* ISSUE_BUNDLES: what one cycle can disperse */
	u8 bundles;
	u8 units_m, units_i, units_f, units_b;
	u8 units_load, units_store; /* of those of kind M */
	bool mmf_alone;		/* a bundle of that template goes alone */
};

struct pipeline_config {
	u8 kind;	     /* enum pipeline_kind */
	struct issue_config issue;
	struct class_config cls[CLASS_N];
	struct window_config window; /* PIPELINE_WINDOW */
	u16 load_use;	     /* load to ALU, cycles */
	u16 load_address;    /* load to address, cycles */
	u16 alu_address;     /* ALU result to address, cycles */
	u16 unit_address;    /* added when a unit's result forms an address */
	u16 store_data_slack; /* cycles store data may come late */
	u16 mispredict;	     /* wrong-path slots after a mispredict; in a
				window, cycles from the branch's result to
				the first right instruction's dispatch */
	u16 indirect;	     /* wrong-path slots after an unpredicted jr */
	u16 wrong_bubble;    /* fetch bubble behind either; in order */
	u16 taken_bubble;    /* fetch bubble of a predicted taken branch */
	u16 fetch_bytes;     /* bytes of a fetch group */
	u16 fetch_ahead;     /* cycles that fetch runs ahead of issue, or of
				dispatch in a window */
	u16 discarded_tenths; /* groups thrown away per taken branch x 10 */
	u16 itlb_bubble;     /* fetch bubble of a micro-ITLB miss */
	u16 dtlb_replay;     /* cycles the pipeline is blocked per uDTLB miss */
	u16 tlb_refill;	     /* cycles of a joint TLB refill; with a walk, beside
				what it reads */
	u16 long_stall;	     /* cycles: longer ones are counted one by one */
	u16 misaligned;	     /* cycles that a misaligned access takes more */
	u16 string_bytes;    /* x86: of a repeated movs or stos that are one
				step; 0: each element is one */
	bool load_blocks;    /* a load that misses keeps the pipeline until its
				data is there; of one context in order */
	bool barrier_drains; /* INSN_DRAINS does */
	bool watch_alignment; /* misaligned accesses are looked for */
	bool watch_mmx;	     /* what MMX instructions do is told apart */
	bool locks_bus;	     /* a locked access that spans two lines does; of a
				window */
	bool refill_is_hardware; /* refill burns user cycles */
	bool miss_counts_secondary; /* accesses to a line in flight count */
};

/* Whether it issues out of order: window_config says how. */
SIM_INLINE bool
pipeline_is_window(const struct pipeline_config *pipe)
{
	return pipe->kind != PIPELINE_INORDER;
}

/* Turns of a repeated movs or stos, of elements of so many bytes, that are one
 * step, which is all that is modelled of them. */
SIM_INLINE unsigned
pipeline_string_step(const struct pipeline_config *pipe, unsigned bytes)
{
	return pipe->string_bytes > bytes ? pipe->string_bytes / bytes : 1;
}

struct memory_config {
	u16 latency;	   /* cycles from the issue of a load to that of an
			      instruction which needs it */
	u16 bus_fill;	   /* bus cycles of a line fill */
	u16 bus_writeback; /* bus cycles of a write-back */
	u16 beat;	   /* cycles between two words of a fill */
	u16 fsb;	   /* fill/store buffer entries, 1..64 */
	u16 ldq;	   /* load queue entries, 1..64 */
	u16 wbb;	   /* write-back buffer entries, 1..64 */
	bool ordered;	   /* a store that hits waits until the buffer has
			      written those that missed */
	/* Stores that go through the first level, see writebuf.h. */
	u16 wbb_bytes;	   /* of a block whose stores merge; 0: none do */
	u16 wbb_drain_at;  /* entries that wait before one is written */
	u16 wbb_drain_after; /* cycles until one is anyway; 0: it is not */
	u16 wbb_cycles;	   /* to write one */
	u16 ifb;	   /* instruction fill buffers, 1..8 */
};

/* Behind the first beat of a line, which what was asked for comes with. */
#define LINE_BEATS_BEHIND 3u

/* The signal of n entries in use: first, or one of the two behind it. */
SIM_INLINE unsigned
queue_signal(u32 capacity, u32 n, unsigned first)
{
	return n * 4 < capacity ? first : first + 1 + (n * 2 > capacity);
}

#define SIM_MAX_TC 16

struct topology_config {
	u32 vpes;
	u32 tcs;		 /* hardware contexts, all VPEs together */
	u8 vpe_of_tc[SIM_MAX_TC];
	u32 quantum;		 /* instructions a thread records per turn */
	u32 time_slice;		 /* instructions, threads that share a TC */
	u32 cpus;		 /* each context is a CPU with caches of its
				    own, so many; 0 or 1: they share one core */
};

#define SIM_EVENT_TERMS 32
#define SIM_EVENT_PER_CYCLE 8

/* One signal of an event. */
struct event_term {
	u16 signal;
	u8 factor;	/* how much one happening counts */
	u8 mask;	/* bits of the unit mask that it belongs to; 0: always;
			   or the unit mask, where that is a number */
	bool less;	/* it is taken off */
};

/*
 * What a counter can select: the signals that its event adds up.  For
 * counting cycles by how often something happens in them, per_cycle[i]
 * counts the cycles with i + 1 happenings (the last: so many or more).
 */
struct sim_event {
	u16 code;
	u8 counters;	/* mask of the counters that can count it */
	u8 scope;	/* enum sim_scope: the narrowest it can be counted in */
	u8 n;
	u8 n_per_cycle;
	u16 per_cycle[SIM_EVENT_PER_CYCLE]; /* signals */
	u16 cycles;	/* signal: cycles with one happening or more, where more
			   is not told apart; 0: none */
	u16 edges;	/* signal: of these, those behind one without; 0 */
	bool unknown;	/* the model cannot tell */
	bool of_user;	/* known in user mode; other modes are not looked at */
	bool mask_is_number; /* the unit mask is, and not bits */
	u8 mask_default; /* where none was asked for */
	u8 divide;	/* happenings that count as one; 0 is 1 */
	struct event_term term[SIM_EVENT_TERMS];
};

enum sim_scope { SCOPE_TC, SCOPE_VPE, SCOPE_PROCESSOR };

#define SIM_MAX_EVENTS 1024
#define SIM_MAX_COUNTERS 8	/* of the real device */
/* Of a device widened to count all at once: each event of a 34K in each mode
 * and context, and more. */
#define SIM_WIDE_COUNTERS 4096

/*
 * The ledger: what one happening costs in a mode that user-mode emulation
 * does not execute.  Row = happening, see enum ledger_cause.
 */
enum ledger_cause {
	LEDGER_SYSCALL,
	LEDGER_PAGE,	/* first touch of a page */
	LEDGER_SIGNAL,
	LEDGER_REFILL,	/* joint TLB refill */
	LEDGER_TICK,	/* clock tick */
	/* What there is more than that of any call, by kind of call. */
	LEDGER_IO,	/* moves data */
	LEDGER_LINE,	/* ... for each 64 bytes of them */
	LEDGER_PATH,	/* looks up a path */
	LEDGER_MAP,	/* changes the map of memory */
	LEDGER_FORK,	/* process, to its end */
	LEDGER_EXEC,	/* program, to its end */
	LEDGER_N
};

struct ledger_config {
	u64 tick_cycles;	/* user cycles between two clock ticks; 0: none */
	u32 tick_code, tick_data; /* bytes of the lines that one touches */
	u32 tick_stored;	/* of those of data, that it stores to */
	u32 fault_around;	/* bytes of a file that one fault maps; 0: a page */
	struct {
		u8 mode;	/* enum sim_mode */
		u32 cost[SIG_N];
	} cause[LEDGER_N];
};

/* The operating system whose interface to the counters a CPU is shown with. */
enum sim_system {
	SYSTEM_PROCPERF, /* /proc/perf of MIPS 34K Linux */
	SYSTEM_IRIX,	 /* r10k_evcntrs of IRIX */
	SYSTEM_OPENBSD,	 /* /dev/pctr of OpenBSD */
	SYSTEM_TRU64,	 /* /dev/pfcntr of Tru64 */
	SYSTEM_IA64,	 /* the PMC and PMD registers of Itanium */
	SYSTEM_NONE	 /* none: events are known by name */
};

/* What a control word of the counters looks like, where a system has
 * several kinds. */
enum counter_control {
	CONTROL_ONLY,	/* the one that the system has */
	CONTROL_CESR,	/* Pentium: two functions of 9 bits in one register */
	CONTROL_EVTSEL,	/* Pentium Pro: a register of 32 bits per counter */
	CONTROL_ES7,	/* Itanium: a PMC with 7 bits of event select */
	CONTROL_ES8,	/* Itanium 2: with 8 bits */
	/* Alphas: the words of the calls named so in pfm(7). */
	CONTROL_EV4,
	CONTROL_EV5,
	CONTROL_EV6,
	CONTROL_EV67	/* as before, but only some pairs of events */
};

struct sim_config {
	u8 system;		/* enum sim_system */
	u64 clock_hz;
	struct cache_config l1i, l1d, l2, l3;
	u32 n_prefetchers;
	struct prefetch_config prefetcher[SIM_PREFETCHERS];
	/* No jtlb: behind the others are the page tables.  With a jtlb_data
	 * of its own for data, the jtlb is for instructions. */
	struct tlb_config itlb, dtlb, jtlb, jtlb_data;
	struct walk_config walk;
	u32 os_page_bits; /* of a page of the operating system; 0: as the
			     smallest of the first TLBs */
	/* Addresses that no TLB maps, first to last; none if both are 0. */
	u64 unmapped_first, unmapped_last;
	struct branch_config branch;
	struct pipeline_config pipe;
	struct memory_config mem;
	struct topology_config topo;
	struct ledger_config ledger;
	bool tick_evicts;	/* a clock tick brings its lines, see
				   core/tick.h */
	u32 n_counters;
	u32 counter_bits;
	u8 counter_control;	/* enum counter_control */
	u32 cpuid;		/* family, model, stepping of an x86; 0: the
				   first of those with that control */
	u32 n_events;
	struct sim_event event[SIM_MAX_EVENTS];
};

/* Contexts of all CPUs; a machine whose topology says nothing has one. */
static inline u32
contexts_number(const struct sim_config *config)
{
	return config->topo.tcs ? config->topo.tcs : 1;
}

/* Whether several contexts issue into one pipeline. */
static inline bool
contexts_share(const struct sim_config *config)
{
	return config->topo.tcs > 1 && config->topo.cpus <= 1;
}

#endif
