/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "premade.h"

#include "keep.h"

#include "turns/turns.h"

#include <sys/mman.h>

#define NOTES 4096		/* of a family; what comes then is not noted */

/* What an exit's number is in other notes. */
enum { NOTE_BLOCK = UINT32_MAX, NOTE_TARGET = UINT32_MAX - 1 };

static struct {
	struct notes {
		u32 n;		/* more than NOTES: it is full */
		struct note {
			u32 number;
			u64 from;
			u64 pc;	/* 0: not written yet */
		} note[NOTES];
	} *notes;		/* shared with all that are forked; or NULL */
	u32 passed;		/* so many have been looked at */
	bool child;		/* it notes what it makes */
} premade;

static void
begin(void)
{
	void *p = mmap(NULL, sizeof *premade.notes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	premade.notes = p == MAP_FAILED ? NULL : p;
}

static void
make(const struct note *note)
{
	switch (note->number) {
	case NOTE_BLOCK:
		blocks_make(note->pc);
		return;
	case NOTE_TARGET:
		blocks_know(note->pc);
		return;
	}
	blocks_link(note->number, note->from, note->pc);
}

void
premade_before(void)
{
	u32 n;

	if (!keep_is_on() || !turns_single())
		return;
	if (!premade.notes)
		begin();
	if (!premade.notes)
		return;
	n = __atomic_load_n(&premade.notes->n, __ATOMIC_ACQUIRE);
	for (; premade.passed < n && premade.passed < NOTES; premade.passed++) {
		const struct note *note = &premade.notes->note[premade.passed];

		if (!__atomic_load_n(&note->pc, __ATOMIC_ACQUIRE))
			return;
		make(note);
	}
}

void
premade_forked(void)
{
	premade.child = premade.notes;
}

/* ---- In a child ------------------------------------------------------------ */

static void
note(u32 number, u64 from, u64 pc)
{
	struct note *note;
	u32 i;

	if (!premade.child || !keep_is_on() ||
	    __atomic_load_n(&premade.notes->n, __ATOMIC_RELAXED) >= NOTES)
		return;
	i = __atomic_fetch_add(&premade.notes->n, 1, __ATOMIC_RELAXED);
	if (i >= NOTES)
		return;
	note = &premade.notes->note[i];
	note->number = number;
	note->from = from;
	__atomic_store_n(&note->pc, pc, __ATOMIC_RELEASE);
}

void
premade_note_block(u64 pc)
{
	note(NOTE_BLOCK, 0, pc);
}

void
premade_note_exit(u32 number, u64 from, u64 pc)
{
	note(number, from, pc);
}

void
premade_note_target(u64 pc)
{
	note(NOTE_TARGET, 0, pc);
}
