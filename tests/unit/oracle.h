/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The modelled structures once more, from their definitions and as plainly
 * as possible: entries in a row, each with the time of its last use and of
 * its fill, searched from end to end.  Slow, and meant to share nothing with
 * the models but the configuration that both are given.
 *
 * Times: the parts of one access (two lines, two pages) and the lines of one
 * block count as used at the same time; of equals the lowest way leaves.
 */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include "machine/config.h"

/* A generator for drivers: nothing to do with the one of the models. */
struct dice {
	u64 state;
};

u32 dice_next(struct dice *d);
/* A number below n, which is not 0. */
u32 dice_below(struct dice *d, u32 n);
/* True n times of 100. */
bool dice_percent(struct dice *d, unsigned n);
/* One of n numbers; DICE_PICK() takes the numbers themselves. */
u32 dice_pick(struct dice *d, const u32 *list, u32 n);
/* Some TLB with pages of that size and one of the first policies. */
void dice_tlb(struct dice *d, struct tlb_config *t, u32 page_bits,
	      u32 policies);

#define DICE_PICK(d, ...)                                                    \
	dice_pick(d, (const u32[]){__VA_ARGS__},                             \
		  SIM_COUNT(((u32[]){__VA_ARGS__})))

struct oracle_entry {
	bool valid, dirty;
	u64 key;
	u64 used, filled;	/* times */
	u64 ready;		/* cycle the fill is complete */
};

/* A cache or TLB: keys (line or page numbers) in sets of ways. */
struct oracle_array {
	unsigned sets, ways;
	u8 policy;
	u32 random;
	u64 fills;
	struct oracle_entry *entry;
};

/* ways 0: fully associative.  Frees with oracle_array_free(). */
void oracle_array_init(struct oracle_array *a, unsigned entries,
		       unsigned ways, u8 policy);
void oracle_array_free(struct oracle_array *a);

/* The entry that holds key, marked as used; NULL if none does. */
struct oracle_entry *oracle_find(struct oracle_array *a, u64 key, u64 time);

/* Puts key in; what was there before is *old (valid or not). */
struct oracle_entry *oracle_fill(struct oracle_array *a, u64 key, u64 time,
				 struct oracle_entry *old);

/* Entries that are free again at known cycles. */
struct oracle_buffer {
	unsigned n, capacity;
	u64 done[64];
};

/* The same where accesses come out of order of time: the last ones, all of which
 * are looked at. */
#define ORACLE_HELD 256

struct oracle_holds {
	unsigned n, capacity;
	u64 from[ORACLE_HELD], to[ORACLE_HELD];
};

/* The first cycle from t on at which an entry is free. */
u64 oracle_take(struct oracle_buffer *b, u64 t);
void oracle_put(struct oracle_buffer *b, u64 done);

/* What counts; one member per signal that is compared. */
struct oracle_counts {
	u64 miss, fill, writeback, split, dtlb, jtlb_d;
	u64 fetch_miss, itlb, jtlb_i;
	u64 l2_access, l2_miss, l2_writeback;
};

/* One core's memory side. */
struct oracle {
	const struct sim_config *config;
	struct oracle_array data, code, dtlb, itlb, jtlb, l2;
	struct oracle_buffer fsb, wbb, ldq;
	u64 bus_free;
	bool unordered;		/* these instead: */
	struct oracle_holds fills, victims, bus;
	u64 time;		/* of uses: one per access or block */
	struct oracle_counts n;
};

void oracle_init(struct oracle *o, const struct sim_config *config);
void oracle_free(struct oracle *o);

/* What an access that begins at cycle t leads to. */
struct oracle_result {
	u64 ready;	/* cycle that all lines are there; 0: they were */
	u64 wait;	/* for buffers */
	u64 replay;	/* for the micro-TLB */
	bool refill;	/* of the joint TLB */
};

struct oracle_result oracle_data(struct oracle *o, u64 va, unsigned bytes,
				 bool store, u64 t);

/* Fetches a block of so many bytes; no times. */
void oracle_code(struct oracle *o, u64 va, unsigned bytes);

/* Branch prediction. */
struct oracle_branch {
	const struct branch_config *config;
	unsigned *counter;
	bool history[32];	/* [0]: the last one */
	u64 *target;
	u64 stack[64];
	unsigned depth;
};

enum oracle_return { RETURN_RIGHT, RETURN_WRONG, RETURN_UNKNOWN };

void oracle_branch_init(struct oracle_branch *b,
			const struct branch_config *config);
void oracle_branch_free(struct oracle_branch *b);

/* True if the prediction was wrong. */
bool oracle_cond(struct oracle_branch *b, u64 pc, bool taken);
bool oracle_indirect(struct oracle_branch *b, u64 pc, u64 target);
void oracle_call(struct oracle_branch *b, u64 address);
enum oracle_return oracle_return(struct oracle_branch *b, u64 target);

#endif
