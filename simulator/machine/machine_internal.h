/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the machine and the device core share: the lock, and
 * the steps that are taken with it held.
 */
#ifndef SIM_MACHINE_INTERNAL_H
#define SIM_MACHINE_INTERNAL_H

#include "machine.h"

#include <sys/types.h>

/*
 * Takes and gives back the machine's lock.  If its last owner was killed,
 * what that one had begun is finished first.  From an owner that keeps it for
 * longer than map->patience it is taken away: DOUBT_LOCK_BROKEN.
 */
void machine_lock(struct machine_map *map);
void machine_unlock(struct machine_map *map);

/* The process may be another one than the map was made in. */
void machine_lock_look(struct machine_map *map);

/* What has been counted so far in user mode, and times; the lock is held. */
void machine_sums_locked(struct machine_map *map, u64 sum[SIG_N],
			 u64 times[LEDGER_N]);

/* Whether a lock can be one that a process holds, or free. */
bool machine_lock_is_sound(u64 lock);

/* Whether the file has as many segments as the machine says. */
bool machine_has_segments(const struct machine *m, int fd);

/* Whether the configuration is what it was when it was sealed. */
bool machine_is_sealed(const struct machine *m);

/* Bytes of struct machine in the file: where segment 1 begins. */
size_t machine_head_bytes(void);

/* Maps a machine's head, at addr if that is not NULL; NULL: cannot. */
void *machine_map_head(int fd, void *addr);

/*
 * Makes the machine's file that long, or as long as is wished for if the limit
 * of file sizes allows.  0, or -EFBIG and the like; no signal.
 */
int machine_file_extend(int fd, off_t need, off_t wish);

/*
 * Makes sure that writing to a part of the mapped file cannot fail for want
 * of space.  0 or -ENOSPC and the like; needs nothing for a memfd.
 */
int machine_reserve(struct machine_map *map, size_t offset, size_t bytes);

/* Reads and writes the header of segment k; 0 or -errno. */
int segment_header_read(struct machine_map *map, u32 k,
			struct machine_segment *header);
int segment_header_write(struct machine_map *map, u32 k,
			 const struct machine_segment *header);

/* Makes the segments of a list free; all but a few give their pages back. */
void segments_free(struct machine_map *map, u32 *list);

/*
 * Takes a segment, maps it (at addr if that is not NULL, over what is mapped
 * there) and puts it in front of a list, with nothing used but its header.
 * NULL when the file cannot grow or be mapped.
 */
struct machine_segment *segment_take(struct machine_map *map, u32 *list,
				     void *addr);

/* Maps the whole of segment k, to add to it; NULL if that cannot be done. */
struct machine_segment *segment_map_all(struct machine_map *map, u32 k);

/* Maps the used part of segment k with all its pages; NULL if damaged. */
struct machine_segment *segment_map(struct machine_map *map, u32 k, int prot,
				    size_t *bytes);

/* The block at *offset of a mapped segment, moving on to the next; NULL at
 * the end, or where the segment is damaged. */
struct block *segment_block(struct machine_segment *segment, size_t bytes,
			    size_t *offset);

/* Finishes what the journal says. */
void journal_apply(struct machine_map *map);

/* Adds what the outcomes of conditional branches stand for to sum. */
void machine_outcomes_add(const struct pipeline_config *pipe,
			  const u64 outcome[2][BRANCH_OUTCOMES],
			  u64 sum[SIG_N]);

/* The signals that count how often a cause of the ledger has happened; SIG_N
 * if there is no second one. */
#define LEDGER_SIGNALS 2
extern const u16 ledger_signals[LEDGER_N][LEDGER_SIGNALS];

/* How often each cause has happened, by signals of user mode. */
void ledger_times(const u64 user[SIG_N], u64 times[LEDGER_N]);

/* Adds what fills with nothing else under way stand for to sum. */
void machine_alone_add(const struct sim_config *config,
		       const u64 alone[ALONE_N], u64 sum[SIG_N]);

/* Adds what the blocks of a segment, of so many bytes in use, have counted to
 * sum. */
void segment_add(const struct machine *m, struct machine_segment *segment,
		 size_t bytes, u64 sum[SIG_N]);

/* The same of a slot's branch outcomes and of fills with nothing else under
 * way. */
void slot_rest_add(struct machine_map *map, const struct machine_slot *slot,
		   u64 sum[SIG_N]);

/* All that a slot has counted beside its signals. */
void slot_blocks_add(struct machine_map *map, const struct machine_slot *slot,
		     u64 sum[SIG_N]);

/* Whether no process of the host has that number. */
bool machine_is_dead(s32 pid);

/* machine_slot_retire() with the lock held. */
void machine_slot_retire_locked(struct machine_map *map, unsigned slot);

/*
 * Adds up all processes, or one, with the lock held.  There is room for one set
 * of totals, which are too large for a small stack: they last until the lock is
 * given back, or until the next ones are added up.
 */
const struct machine_totals *machine_totals(struct machine_map *map);
const struct machine_totals *machine_slot_totals(struct machine_map *map,
						 unsigned slot);

#endif
