/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of a whole system: which state it was in, and for whom a utility
 * routine worked.
 *
 * Each state is an image of the log (enum system_state).  Where a utility
 * routine executes, the address that counts is its caller's.
 */
#ifndef QEMU_SYSTEM_PROFILE_H
#define QEMU_SYSTEM_PROFILE_H

#include "machine/machine_log.h"
#include "watch/profile.h"
#include "system_callers.h"
#include "system_isa.h"

/* What of a block a profile needs, beside its blocks. */
struct profile_place {
	struct callers_block callers;
	struct profile_version *version; /* a list */
};

/* For whom a block was counted. */
struct profile_owner {
	enum system_state state;
	u64 caller;		/* 0: for itself */
};

/* Takes on what the machine asks for: 0 or -errno. */
int system_profile_start(void);

/* Fills what is known at translation. */
void system_profile_place(struct profile_place *p,
			  const struct system_block *at,
			  const struct block *b);

/* The core is about to count in another mode, and has been told to pause;
 * and is bound to that mode's signals. */
void system_profile_leave(void);
void system_profile_arrive(enum sim_mode mode);

/* A block is entered: before and after the core is told. */
void system_profile_enter(struct profile_place *p, struct block *b,
			  const struct system_entry *e);
void system_profile_entered(struct profile_place *p);

/* That of the block that was entered last. */
struct profile_owner system_profile_owner(void);

/* The record of a block for one, a new one if there is none yet; NULL if
 * there is no room. */
struct profile_block *system_profile_record(struct profile_place *p,
					    const struct block *b,
					    const struct profile_owner *owner);

/* A sample gets its state, and the address that counts. */
void system_profile_sample(struct log_sample *sample);

#endif
