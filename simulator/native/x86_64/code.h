/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code cache: blocks of the target's, copied, with what counts them between
 * the instructions.
 *
 *	host.c		what an instruction is
 *	cpu.c		the processor that programs see
 *	emit.c		an assembler
 *	state.c		from the engine to the copied code and back
 *	copy.c		instructions
 *	copy_repeat.c	... that repeat themselves
 *	check_plan.c	which accesses a block makes
 *	check.c		what counts an access
 *	ask.c		... and asks more of it than where it is
 *	area.c		... of XSAVE and its like
 *	gather.c	... that more than an address tells
 *	live.c		which registers are needed where
 *	scratch.c	registers for checks
 *	glue.c		calls of C
 *	edge.c		from a block to the next one
 *	arrive.c	... that only its branch knows
 *	arrive_brief.c	... where nothing of that is modelled
 *	predict.c	... the branch in between
 *	charge.c	... and what else that costs
 *	record.c	blocks and accesses of threads that take turns
 *	code.c		blocks, found by their addresses, and the cache
 *	code_exit.c	how they are left
 *	explain.c	shows one of them
 *	code_drop.c	blocks whose code changes
 *	code_lists.c	blocks by their address
 *
 * A block has no code to enter it: that stands on each edge that leads there,
 * where the block before is known as well.
 */
#ifndef NATIVE_CODE_H
#define NATIVE_CODE_H

#include "code/block.h"
#include "emit.h"
#include "host.h"

/* One access of an instruction, as the model is told of it. */
struct code_access {
	const struct block_access *a;
	u32 what;		/* ACCESS_WHAT() */
	u16 flags;		/* enum code_access_flags */
	struct host_gather gather;
	u8 further;		/* struct host_further's bytes */
};

enum code_access_flags {
	CODE_INLINE = 1 << 0,	/* a hit in the tables is all that it needs */
	CODE_DYNAMIC = 1 << 1,	/* its block has not counted it */
	CODE_MMX = 1 << 2,
	CODE_BANK = 1 << 3,
	CODE_BARRIER = 1 << 4,	/* no access */
	CODE_TOLD = 1 << 5,	/* C is told by struct host_calls' missed */
	CODE_GATHER = 1 << 6,	/* as many as gather says, from there on */
	CODE_FURTHER = 1 << 7,	/* than that, by what a register has */
};

/* How a block is left. */
struct code_exit {
	struct code_block *from;
	u64 target;		/* CODE_DIRECT */
	u8 *site;		/* distance of the jump that leaves it */
	u8 *leave;		/* where that leads as long as it is not linked */
	u8 *edge;		/* NULL: none was made */
	struct code_block *to;	/* of the edge */
	u32 next;		/* of those that lead there: number + 1, or 0 */
	u8 kind;		/* enum code_exit_kind */
	u8 room;		/* bytes of its jump and behind that, where an edge may
				   have its place; 0: none */
};

enum code_exit_kind { CODE_DIRECT, CODE_INDIRECT, CODE_CALLS_KERNEL };

/* Registers and flags that code behind a place needs. */
struct code_live {
	u16 regs;
	u8 flags;
};

struct code_block {
	u64 pc;
	struct code_block *next; /* of the same hash */
	struct code_block *tail; /* the rest of what the engine cuts, or NULL */
	struct code_block *head; /* of a tail: what that is the rest of */
	struct block *block;
	u8 *body, *end;		/* its instructions, and checks between them */
	u32 map;		/* where they begin: code_origin() */
	u16 n;
	u8 copy;		/* enum code_copy */
	u8 *entry;		/* calls C to enter it; NULL: not made yet */
	u8 *arrive;		/* likewise: arrive_at(), or arrive_brief_at() */
	struct code_live live;	/* where it begins */
	struct code_block *page_next; /* of the same page, or others */
	u32 exits;		/* that lead here: number + 1, or 0 */
	u16 bytes;		/* of its instructions */
	u8 *front[BLOCK_COUNTERS]; /* code that counts it by that counter, and enters
				   it; NULL: none */
	bool checked;		/* its bytes are looked at each time: */
	u64 sum;		/* of them */
};

/* What a block is made of. */
struct code_source {
	u64 pc;
	struct block *block;	/* NULL: nothing is counted */
	const struct host_insn *host;
	const struct insn *insn;
	unsigned n;
	struct code_block *head; /* it is the tail of that, and found by it
				    alone; or NULL */
	const struct code_exit *by; /* that leads there now, or NULL */
};

/* How branches are predicted where blocks are entered inline; ENTER_OWN: by C;
 * ENTER_CALL: no block is; ENTER_COUNT: nothing is modelled, and blocks are
 * counted. */
enum code_enter {
	ENTER_CALL, ENTER_COUNT, ENTER_OWN, ENTER_TABLE, ENTER_HISTORY, ENTER_ICACHE,
	ENTER_BUFFER, ENTER_HELD
};

/* Sets the cache up below that address, and its lists from that on: 0 or -errno. */
int code_begin(u64 near, u64 lists, enum code_enter enter);
void code_choose(enum code_enter enter);

/*
 * Each block may have several copies: one for a thread that executes alone, which does
 * all that there is to be done; one that counts how often it was executed and no more,
 * for threads that take turns, and while nothing is modelled; and one for threads that
 * take turns, and record what they do (record.c).  The last two know how long they may
 * go on.
 */
enum code_copy { COPY_WHOLE, COPY_COUNTED, COPY_RECORDED };
#define CODE_COPIES 3u

/* Which of them code_find() and code_make() are asked for from now on. */
void code_select(enum code_copy copy);

/* The block at pc, or NULL; another copy of it, of the same instructions. */
struct code_block *code_find(u64 pc);
struct code_block *code_find_other(u64 pc);

/* Makes a block; NULL: the cache is full, and code_flush() comes first. */
struct code_block *code_make(const struct code_source *s);

/* Forgets all blocks; how often that was done. */
void code_flush(void);
u64 code_flushed(void);

/* Forgets block b, and those with bytes in the page at that address.  Code that
 * is executed goes on to the end of its block. */
void code_drop(struct code_block *b);
void code_drop_page(u64 page);

/* Where the copy of its instruction i begins, with its checks. */
const u8 *code_place(const struct code_block *b, unsigned i);

/* Whether that is a place of the cache. */
bool code_holds(const u8 *at);

/* Whether code from there to there has bytes on that page. */
static inline bool
code_touches(u64 from, u64 end, u64 page)
{
	return from < page + HOST_PAGE_BYTES && end > page;
}

/* Whether that is of a block that has instructions on that page. */
bool code_is_of_page(const u8 *at, u64 page);

/* From now on b is entered by its entry only, and code_is_same() tells whether
 * its bytes are those that it was made of. */
void code_check(struct code_block *b);
bool code_is_same(const struct code_block *b);

/* Address of the first of all blocks; they stay where they are. */
u64 code_first(void);

/* Code that enters block t from anywhere. */
void *code_entry(struct code_block *t);

/* Indirect branches to t find it from now on. */
void code_know(struct code_block *t);

/* Where the target's instruction is that the copy at that place is of; 0: it is
 * in no copy. */
u64 code_origin(const u8 *at);

/* Lets all exits of the copies that are executed leave to the engine, until they are
 * linked again. */
void code_unlink(void);

/* Instead of an exit's number: the code has been left by a fault, or because
 * the thread's turn is over: host_state.turn is to be entered next. */
#define CODE_FAULT (~0ull)
#define CODE_TURN (~1ull)

/* The exit of that number; lets it lead to t from now on.  Code that goes
 * there, having entered t. */
const struct code_exit *code_exit(u64 number);
void *code_link(u64 number, struct code_block *t);

/* The access of that number. */
const struct code_access *code_access(u64 number);

/*
 * The cache as memory, for processes that have it at the same places: what is
 * used of each part; and that so much of them has been put in place.  A process
 * has the same places as another one if that number is the same.
 */
enum code_parts {
	CODE_PART_HOT, CODE_PART_COLD, CODE_PART_BLOCKS, CODE_PART_EXITS,
	CODE_PART_ACCESSES, CODE_PART_MAP, CODE_PARTS
};

struct code_part {
	void *at;
	size_t bytes;
};

void code_parts(struct code_part part[CODE_PARTS]);
void code_parts_taken(const struct code_part part[CODE_PARTS]);
u64 code_layout(void);

/* How many blocks there are, in the order that they were made in, tails as
 * well; one of them; and it is found from now on. */
u32 code_blocks(void);
struct code_block *code_block_of(u32 number);
void code_show(struct code_block *b);

/* The block whose copy that place is in, or NULL. */
const struct code_block *code_block_with(const u8 *at);

/* How many exits there are. */
u32 code_exits(void);

/* Lets it lead to the engine again.  Code that executes its edge, in a thread whose
 * signal handler does this, goes on in the rest of that. */
void code_unlink_exit(struct code_exit *x);

/* Whether a block was dropped. */
bool code_has_dropped(void);

/* ---- Between the files ---- */

/* Registers that code may use at a place, and what has to be put back. */
struct code_scratch {
	u8 reg[5];
	u8 n;
	u16 spilled;		/* bits of reg[] */
	bool flags;		/* the flags are in RAX */
	bool rax;		/* ... whose own value is in a slot */
};

/* Takes n registers, none of avoid; then saves the flags, if they are live.
 * Puts everything back. */
void scratch_take(struct emitter *e, struct code_scratch *s, unsigned n,
		  u16 avoid, struct code_live live);
void scratch_flags(struct emitter *e, struct code_scratch *s,
		   struct code_live live);
void scratch_give(struct emitter *e, const struct code_scratch *s);

/*
 * glue.c: calls C, or code that changes those registers.  Behind begin(), where
 * the target's registers are as they were, but for RSP, arguments are put in
 * place; call() calls and puts back what is live.  The target's own RSP is in
 * host_state.pointer.
 */
#define GLUE_C 0x0fc7u	/* rax, rcx, rdx, rsi, rdi, r8 to r11 */
void glue_begin(struct emitter *e, struct code_live live, u16 changes);
void glue_call(struct emitter *e, struct code_live live, u16 changes,
	       struct emit_memory to);

/* Whether the target has an instruction that sets the direction flag, which is
 * to be clear in C. */
bool glue_direction(void);
void glue_note_direction(void);

/* live.c: what is live before each instruction of the block that is being made,
 * and behind it. */
void live_find(const struct code_source *s);
extern struct code_live code_live[BLOCK_MAX_INSN + 1];

/* copy.c: instruction i, whatever it is; exits at its end. */
void copy_insn(struct emitter *e, struct code_block *b,
	       const struct code_source *s, unsigned i);

/* Registers, as they are at a place of such a copy where it faults: to what the
 * instruction has made of them. */
void copy_take_back(const struct host_insn *h, const u8 *at,
		    u64 reg[HOST_REGS]);

/* check_plan.c: works out the accesses of a block.  check.c: then tells of those
 * of instruction i, before it. */
void check_plan(const struct code_source *s);
void check_insn(struct emitter *e, const struct code_source *s, unsigned i);

/* The rest of checks, behind the code of a block. */
void check_cold(struct emitter *e);

/* edge.c: what all edges share.  And enters t, and jumps to its body; by a call
 * of C, or behind p. */
void edge_begin(struct emitter *e);
void edge_call(struct emitter *e, struct code_block *t);
void edge_enter(struct emitter *e, const struct code_block *p,
		struct code_block *t);

/* Says which block is under way, for C: code that just counts blocks does not. */
void edge_tell_block(struct emitter *e, const struct code_block *p);

/* Whether edge_enter() needs no more than so many bytes there; and whether it may need
 * no more than EXIT_ROOM, to some t.  If t's body is behind the first EXIT_ROOM_NEXT,
 * these are enough. */
#define EXIT_JUMP 5u
#define EXIT_ROOM_NEXT 7u
#define EXIT_ROOM (EXIT_ROOM_NEXT + EXIT_JUMP)
bool edge_fits(const u8 *at, unsigned room, const struct code_block *p,
	       const struct code_block *t);
bool edge_may_fit(const struct code_block *p);

/* Whether edges of the kind of that from p to t are the same code; whether that is
 * there; and that, or a new one. */
bool edge_is_shared(const struct emitter *e, const struct code_block *p,
		    const struct code_block *t);
bool edge_is_there(const struct code_block *p, const struct code_block *t);
u8 *edge_between(struct emitter *e, const struct code_block *p,
		 struct code_block *t);

/* Goes on to t's body, which is here if it is not made yet. */
void edge_go_on(struct emitter *e, struct code_block *t);

/* Where code has put a register aside that it needs for an address. */
#define CODE_ASIDE host_state.slot[6]

/*
 * arrive.c: whether indirect branches of p are resolved by its code, which
 * arrive_begin() emits, and where that is; and emits the code at known[].arrive
 * for t.
 */
bool arrive_is_inline(const struct block *p);
struct emit_memory arrive_by(const struct block *p);
void arrive_begin(struct emitter *e);

void arrive_at(struct emitter *e, struct code_block *t);

/*
 * arrive_brief.c: whether branches look for their target themselves, as no more is to be
 * done; leaves by that exit to the target in R11, whose own value is in CODE_ASIDE; and
 * the code at known[].arrive for t, with its body behind it, if that is NULL.
 */
bool arrive_are_brief(void);
void arrive_find(struct emitter *e, u64 exit);
void arrive_brief_at(struct emitter *e, struct code_block *t);

/*
 * record.c: enters block t of a copy that records.  And whether indirect branches of
 * what is made find the target by arrive_brief.c; then the same for t there, with
 * two registers: the code goes on behind it, or jumps, where C has to be called.
 */
void record_enter(struct emitter *e, struct code_block *t);
bool record_arrives(void);

/* ... of which no more is recorded than how long its turn is: a jump if that may be
 * over; the flags change. */
u8 *record_turn(struct emitter *e, u8 spare, const struct block *t);
u8 *record_arrive(struct emitter *e, u8 at, u8 spare, const struct block *t);

/* Writes an access down, so many bytes behind where m leads: WRITTEN_ACCESS(). */
void record_access(struct emitter *e, const struct host_memory *m, s32 bytes,
		   u64 what, u16 names, struct code_live live);

/* Where code is made, if there is room for more; and what is hardly executed, or read
 * alone, so that it is not in between. */
struct emitter *code_emitter(void);
struct emitter *code_cold_emitter(void);
bool code_is_full(void);

/*
 * code_exit.c: there are no exits.  Code that leaves by one; the same, by a jump that is
 * taken if cc holds, and the code goes on if not.  And puts b, which has no body yet,
 * there; by: the exit that leads to it now, or NULL.
 */
void exits_begin(void);
void exit_emit(struct emitter *e, u64 number);
void exit_emit_if(struct emitter *e, unsigned cc, u64 number);
void exit_put_behind(struct emitter *e, struct code_block *b,
		     const struct code_exit *by);

/* code_link.c: there are no exits; or they are those of another process, which has
 * linked some. */
void links_begin(void);
void links_taken(void);

/* code_drop.c: a block that has been made; an exit that leads to t from now on;
 * and that nothing is left. */
void drop_note(struct code_block *b);
void drop_link(u64 number, struct code_block *t);
void drop_begin(void);

/* code_lists.c: in that memory, of zeros, once; false: there is none.  That no block
 * is found; one of that address, or NULL; and that one is not found any more. */
#define LISTS_MAX_BITS 20
#define LISTS_BYTES (sizeof(struct code_block *) << LISTS_MAX_BITS)
bool lists_begin(void *memory);
void lists_forget(void);
struct code_block *lists_find(u64 pc, enum code_copy copy);
void code_hide(struct code_block *b);

/* code.c: an exit that may be changed. */
struct code_exit *code_exit_of(u64 number);

/* code.c: a new exit, its number; an access. */
u64 exit_new(struct code_block *from, enum code_exit_kind kind, u64 target);
u64 access_new(struct code_access a);
extern enum code_enter code_enter;
extern bool code_calls_only;	/* no access is checked inline */
extern enum code_copy code_copy; /* what is made is such a one */

#endif
