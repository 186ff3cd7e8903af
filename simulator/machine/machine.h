/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine: one emulated computer in one shared mapping.
 *
 * The mapping is a file (a memfd of the tool, or a file that lasts): first
 * struct machine, then segments of MACHINE_SEGMENT bytes that processes of
 * the target take for their blocks.  Everything that is counted lives here,
 * so that nothing is lost when a process of the target aborts, is killed or
 * executes another program.  Offsets, never pointers, cross processes.
 *
 * Each process of the target owns a slot.  A slot holds the signals counted
 * so far per hardware context (user mode; other modes come from the ledger),
 * and heads the list of the process's segments, in which each block counts
 * its executions.  Totals are worked out when they are read.
 *
 * Where a whole system runs, kernel code is executed: the engine has a slot
 * for each mode, and the ledger has no part in it.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "block_shared.h"

#include "hwperf_state.h"
#include "ia64_state.h"
#include "machine_sum.h"
#include "pfm_state.h"
#include "system_state.h"
#include "wrong_path.h"

#define MACHINE_MAGIC 0x6d6973636d70ull /* "pmcsim" */
#define MACHINE_VERSION 16u
#define MACHINE_SLOTS 4096
#define MACHINE_SEGMENT (2u << 20)
#define MACHINE_PAGE 4096	/* bytes, of the host's */
#define MACHINE_REGIONS 256
#define REGION_NAME 64		/* bytes, its null character included */

/* What a run must model; a run whose counters need less pays less. */
enum machine_need {
	NEED_COUNT = 1 << 0,  /* instructions by kind: always */
	NEED_TIMING = 1 << 1, /* caches, TLBs, predictors, cycles */
	NEED_WATCH = 1 << 2,  /* overflows; implies NEED_TIMING */
	NEED_PLACES = 1 << 3, /* where code comes from, see machine_log.h */
	NEED_PROFILE = 1 << 4, /* counts per instruction, see profile.h */
	NEED_FLIGHT = 1 << 5, /* events of instructions in flight */
	NEED_ORDER = 1 << 6,  /* accesses that pass each other */
	NEED_CALLS = 1 << 7,  /* which calls led to a sample, see calls.h */
	NEED_REGIONS = 1 << 8, /* counts of regions, see machine_region.h */
	NEED_THREADS = 1 << 9, /* each thread is one of them, too */
	NEED_FIRST = 1 << 10 /* the first thread of the first process is one */
};

/* Reasons to doubt what was counted; lib/counters/doubts.c has their words. */
enum machine_doubt {
	DOUBT_CODE_TWICE,	/* code is written through a second mapping */
	DOUBT_LOCK_BROKEN,	/* the lock was not given back in time */
	DOUBT_TICKS_MISSED,	/* the host's cycle counter has been read */
	DOUBT_PRECISION,	/* the x87's precision has changed */
	DOUBT_PROCEDURES,	/* too many have the name of a region */
	DOUBT_PERIOD,		/* a process was killed in one that was not over */
	DOUBT_N
};

enum slot_state {
	SLOT_FREE,
	SLOT_RUNNING,
	SLOT_LEAVING /* ended, but children still copy its segments */
};

/* Outcomes of conditional branches, see core.h: [shares a group][outcome]. */
#define BRANCH_OUTCOMES 4

/* Bits of a branch's outcome. */
enum {
	OUTCOME_TAKEN = 1 << 0,
	OUTCOME_MISS = 1 << 1,	/* not as predicted */
	OUTCOME_LATE = 1 << 2,	/* predicted by the decoder; not counted apart */
	OUTCOME_BLIND = 1 << 3	/* fetch has waited for it; neither */
};

/*
 * Loads that had a line come from memory, or from the level behind the first
 * one, while nothing else was under way: what they count besides is known from
 * the configuration.
 */
enum alone {
	ALONE_FILLS,
	ALONE_BEHIND,	/* cycles that the line before was still written to
			   the cache; with one buffer, that it was waited for */
	ALONE_LDQ,	/* cycles that fills were in the load queue */
	ALONE_NEAR_E,	/* from the level behind, clean there */
	ALONE_NEAR_M,	/* and modified */
	/* Waited for by the next process: by machine_alone_wait(); those that
	 * the level behind had modified. */
	ALONE_WAITS,
	ALONE_WAITS_M = ALONE_WAITS + ALONE_KINDS,
	ALONE_N = ALONE_WAITS_M + ALONE_KINDS
};

/* What periods have counted is added up in so many parts, each of every such period:
 * how far they differ tells how well all of it is known. */
#define PERIOD_PARTS 10u

/* What a process lets come to rest, itself only looking again and again. */
enum slot_settles {
	SETTLES_NOTHING,
	SETTLES_PIPE,		/* all others, and reads a pipe then */
	SETTLES_CHILDREN	/* its children */
};

struct machine_slot {
	u32 state;		/* enum slot_state */
	s32 pid;
	s32 parent;		/* pid of the process that forked it */
	u32 pids;		/* the PID namespace that these are of; 0: unknown */
	u32 first;		/* 1: the run began with this process */
	u32 tc;			/* context that the blocks' counts belong to */
	u32 image;		/* number of the program, of all there were */
	u32 segment;		/* first of the list, 0: none */
	u32 leaving;		/* segments not counted any more, as a list */
	u32 forks;		/* children that have yet to copy segments */
	u32 uid;		/* user that it believes to be */
	u32 mode;		/* enum sim_mode that its blocks run in */
	u32 settles;		/* enum slot_settles */
	u32 estimates;		/* 1: it has executed what is not accounted for yet,
				   see machine_period.h */
	u64 random;		/* where its random numbers are: qemu/random.h */
	struct hwperf_process hwperf;
	struct pfm_process pfm;
	u64 outcome[2][BRANCH_OUTCOMES];
	u64 alone[ALONE_N];
	u64 sig[SIM_MAX_TC][SIG_N];
};

/* The cycles from the miss of a load that is alone until its line is there. */
u32 machine_alone_latency(const struct sim_config *config);

/* The cycles that a reader waits for a load of that kind, ALONE_WAITS; 0: it is
 * none of them. */
u32 machine_alone_wait(const struct sim_config *config, unsigned kind);

/*
 * Heads each segment.  Blocks follow from MACHINE_FIRST_BLOCK, each starting
 * with its size; a block is written first and then added to used.
 */
struct machine_segment {
	u32 next;		/* index of the next one, 0: none */
	u32 used;		/* bytes, this header included */
};

#define MACHINE_FIRST_BLOCK 64u

/*
 * What a process was about to do when it was killed: counts move from one
 * place to another in one step, which the next process that takes the lock
 * finishes.
 */
enum journal_step {
	JOURNAL_NONE,
	JOURNAL_FOLD,  /* sum is the slot's sig[tc]; clear its blocks */
	JOURNAL_RETIRE /* sum is slot 0's sig[tc]; clear the slot's */
};

struct machine_journal {
	u32 step;		/* enum journal_step */
	u32 slot;
	u32 tc;
	u32 segment;		/* JOURNAL_RETIRE: list to stop counting */
	u64 sum[SIG_N];
};

/* One counter of the device. */
struct pmu_counter {
	u32 control;		/* the raw control word, as last written */
	s32 event;		/* index into config.event, -1: counts nothing */
	u8 modes;		/* bit per enum sim_mode */
	u8 scope;		/* enum sim_scope that the control word asks */
	u8 scope_id;		/* TC or VPE */
	bool interrupt;		/* interrupt enabled */
	u8 mask;		/* unit mask */
	u8 threshold;		/* see struct pmu_select */
	bool invert;
	bool edge;
	u32 unrepeatable;	/* the machine's, at programming time */
	u64 base;		/* value at programming time */
	struct pmu_start start;	/* the event's signals at that time */
};

/* What is done when a counter overflows. */
enum request_action {
	REQUEST_SIGNAL = 1 << 0, /* the process gets a signal */
	REQUEST_FREEZE = 1 << 1, /* all counters stop */
	REQUEST_RECORD = 1 << 2, /* a record in the log */
	REQUEST_LEAD = 1 << 3,	 /* nothing, but there are followers */
	REQUEST_BLOCK = 1 << 4,	 /* the record has all of the block */
	REQUEST_SUMS = 1 << 5,	 /* a record of all that has been counted */
	REQUEST_END = 1 << 6	 /* all processes get SIGTERM */
};

#define MACHINE_REQUESTS 9	/* a profile's events, and what leads them */
#define MACHINE_PROFILE 8	/* events of a profile */

/* A request to watch a counter (sample.h). */
struct machine_request {
	u32 actions;		/* enum request_action, 0: none */
	u32 counter;
	s32 pid;		/* only this process; 0: all together */
	s32 signal;		/* as the host numbers it */
	u32 leader;		/* see struct sample_watch */
	u64 period;		/* 0: only once */
	u64 jitter;		/* see struct sample_watch */
	u32 seed;
	u32 serial;		/* of its making */
	sample_distance left;	/* to the next one */
	u64 overflows;		/* so far */
};

enum region_kind {
	REGION_MARKED,		/* between two markers */
	REGION_FUNCTION,	/* the calls of a procedure */
	REGION_THREAD		/* a thread, from its beginning to its end */
};

/* A part of the target's execution that has a name. */
struct machine_region {
	char name[REGION_NAME];
	u32 kind;		/* enum region_kind */
	u32 pad;
	u64 begun;		/* entries, the outermost of those that nest */
	u64 ended;		/* of those */
	u64 unbegun;		/* ends without a beginning */
	u64 left_out;		/* entries of a thread in too many others */
	u64 sig[SIM_MAX_TC][SIG_N]; /* that its threads have counted in it */
};

/* Periods, of each of which a part is modelled: machine_period.h. */
struct machine_periods {
	u32 one_in;		/* of so many instructions one is modelled; 0: all
				   are */
	u32 warm, measured;	/* cycles that are modelled of each period: counts
				   of the latter stand for all of it */
	u64 n;			/* so many are over */
	u64 exact;		/* steps that were counted as they were */
	u64 estimated;		/* ... and those that their counts stand for */
	u64 part[PERIOD_PARTS][SIG_N]; /* what is estimated of every such period,
				   and its steps as SIG_INSN */
};

struct machine {
	u64 magic;
	u32 version;
	u32 size_check;		/* sizeof(struct machine) */
	u64 lock;		/* machine_lock.c */
	/* On pages of its own: machine_guard(). */
	_Alignas(MACHINE_PAGE) struct sim_config config;
	_Alignas(MACHINE_PAGE)
	u64 config_sum;		/* of config and signals: machine_seal() */
	char cpu_name[64];

	/* How to run. */
	u32 need;		/* enum machine_need */
	u32 uid;		/* user that programs believe to be at first */
	bool range_extension;	/* counters extended to 64 bits by software */
	bool parallel;		/* threads not in turn, not repeatable */
	bool machine_clock;	/* the target reads the machine's clock */
	bool seeded;		/* it gets the random numbers of seed */
	u64 seed;
	bool merge_always;	/* cycle-by-cycle model for one context too */
	bool system;		/* a whole system runs: see executed */
	u32 uncounted;		/* programs that ran without engine */
	u32 unrepeatable;	/* times that threads did not take turns */
	u32 doubts;		/* of this run: 1 << enum machine_doubt each */
	u32 cut;		/* processes of this run that their engine has
				   stopped before their end */
	u32 used;		/* programs of this run use the device: all
				   from now on model what they may count */
	u32 begun;		/* the first process of this run has */

	/*
	 * The device.  A widened one has more counters than the real one, up
	 * to SIM_WIDE_COUNTERS; counter n then counts what counter
	 * n % config.n_counters of the real one can.
	 */
	u32 n_counters;
	struct pmu_counter counter[SIM_WIDE_COUNTERS];
	bool stopped;
	u32 request_serial;	/* changes with requests and counters */
	struct machine_request request[MACHINE_REQUESTS];
	struct hwperf_machine hwperf;
	struct ia64_machine ia64;
	struct pfm_machine pfm;

	/* What is put on record (machine_log.h), and counted per instruction
	 * (profile.h): events of these counters. */
	u32 images;		/* so far */
	u32 log_first, log_last; /* segments, as a list */
	u32 log_lost;		/* records that found no room */
	u32 paths;		/* of calls, so far */
	u32 profile_segment;	/* first of all, of ended processes as well */
	u32 n_profile;
	u32 profile_counter[MACHINE_PROFILE];

	/* Storage. */
	bool lasting;		/* a file on a disk, which may be full */
	struct {
		s32 pid, fd;	/* 0: there is none */
		bool again;	/* of machines before this one, too */
		u64 device, inode;
	} kept;			/* the descriptor of its starter for code that
				   engines keep, and which file that is */
	char boot_id[40];	/* of the host, when it was last attached */
	struct machine_journal journal;
	u32 segments;		/* handed out so far, segment 0 is not used */
	u32 free_segment;	/* list of returned ones */
	u32 warm_segments;	/* of those, how many still have pages */
	u32 slots_used;		/* high-water mark */
	u32 moving;		/* processes from one slot to another: exec */
	struct system_facts facts;
	struct system_utilities utilities;
	struct system_vectors vectors;
	u64 executed[MODE_USER][SIG_N]; /* of modes below user, by slots that
					   ended */
	struct machine_slot slot[MACHINE_SLOTS]; /* 0: processes that ended */

	/* Regions of this run: machine_region.h.  Behind the slots, so that
	 * machine_thaw() leaves them where they are. */
	u32 n_regions;
	u32 regions_lost;	/* that found no room */
	char function[128];	/* the procedure that is one; empty: none */
	u32 function_found;	/* 1: code was mapped that has it */
	u32 profile_region;	/* what a profile is of: its number and 1; 0: of
				   all */
	struct machine_region region[MACHINE_REGIONS];

	struct machine_periods periods; /* of this run, likewise */
};

/*
 * A process's view of a machine: the mapping of the first part, and the
 * file behind it for segments.
 */
struct machine_map {
	struct machine *m;
	int fd;
	struct machine_totals *totals;	/* of the lock's owner */
	u32 log_mapped;		/* segment of the log that is mapped */
	struct machine_segment *log;
	u32 pids;		/* which PID namespace we are in; 0: unknown */
	u32 patience;		/* for the lock, in ms */
	bool guarded;		/* m->config is a copy of our own */
	struct machine *live;	/* NULL, or m is a copy of our own: of this */
	struct machine_segment *header; /* and of its segments, by index */
};

/* Creates a machine of that configuration in the open file fd (truncates
 * it).  0, or -errno; the caller keeps fd, which map uses until unmapped. */
int machine_create(struct machine_map *map, int fd,
		   const struct sim_config *config, const char *cpu_name);

/* A file without a name for code that engines keep, as long as its descriptor is
 * open, which the caller closes; -1: they do without.  And lets those of a machine
 * use it; again: others have, and are likely to do so again. */
int machine_keep_new(void);
void machine_keep(struct machine_map *map, int fd, bool again);

/*
 * Maps an existing machine; -EINVAL if the file is none of this version.  One
 * that was in use when its host went down, or that comes from another host,
 * is put in order: all that ran on it have ended.
 */
int machine_attach(struct machine_map *map, int fd);

/* There is a reason to doubt what this run counts. */
static inline void
machine_doubt(struct machine *m, enum machine_doubt doubt)
{
	__atomic_fetch_or(&m->doubts, 1u << doubt, __ATOMIC_RELAXED);
}

/* The configuration has been changed on purpose: that of a machine's file is
 * not accepted otherwise. */
void machine_seal(struct machine *m);

/* Whether it is one of this version, and all that a reader follows is in
 * range. */
bool machine_is_sound(const struct machine *m);

/*
 * A target shares the mapping with its engine, and can write to it what it
 * likes.  For the starter of one, machine_guard() puts a copy of the
 * configuration into its view before, and machine_freeze() behind the run makes
 * all of the view a copy: -EINVAL if that is not as the engine leaves it, and
 * would lead a reader astray.  machine_thaw() ends both, to start another one:
 * what has been written to the copy since goes into the mapping.
 */
int machine_guard(struct machine_map *map);
int machine_freeze(struct machine_map *map);
int machine_thaw(struct machine_map *map);

/* Unmaps; does not close the file. */
void machine_detach(struct machine_map *map);

/*
 * Takes a slot for process pid, and a number for the program; its index,
 * -EAGAIN if all are taken by living processes, or -ENOSPC if the disk is full.
 */
int machine_slot_take(struct machine_map *map, s32 pid, s32 parent);

/*
 * Adds what a slot has counted to slot 0 and frees it and its segments.
 * Only the owning process may call it, or anybody once the owner is dead.
 */
void machine_slot_retire(struct machine_map *map, unsigned slot);

/*
 * Moves the execution counts of the slot's blocks into its signals, before the
 * process goes on on another context; own are all its segments, as it has them
 * mapped.
 */
void machine_slot_fold(struct machine_map *map, unsigned slot,
		       struct machine_segment *const own[], unsigned n);

/* What a slot has counted on context tc so far, the blocks of its n segments
 * included. */
void machine_slot_look(struct machine_map *map, unsigned slot, unsigned tc,
		       struct machine_segment *const own[], unsigned n,
		       u64 sum[SIG_N]);

/*
 * Takes a segment for a slot and maps it, at addr if that is not NULL (over
 * what is mapped there).  What it holds behind its header is not defined.
 * NULL when the file cannot grow or be mapped.
 */
void *machine_segment_take(struct machine_map *map, unsigned slot,
			   void *addr);

/*
 * Before a process forks: its segments will be kept, even if it ends or
 * executes another program, until the child has copied them.
 * machine_fork_child() in the child ends that, or machine_fork_cancel() in
 * the parent if there is no child.  Without it a parent that ends at once
 * pulls the segments away from under the child.
 */
void machine_fork_prepare(struct machine_map *map, unsigned slot);
void machine_fork_cancel(struct machine_map *map, unsigned slot);

/*
 * In a child just forked: takes a slot for the child, on the parent's
 * context, and replaces the parent's mapped segments (addresses in seg, n of
 * them) by copies at the same addresses whose blocks have not been executed
 * yet.  used: bytes of each that were in use at the fork; what the parent has
 * added since is not the child's, which has no memory of what goes with it.
 * Slot or -errno; after an error the child must not run blocks.
 */
int machine_fork_child(struct machine_map *map, unsigned parent_slot,
		       s32 pid, s32 parent, struct machine_segment **seg,
		       const u32 *used, unsigned n);

#endif
