/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a table says of issue out of order; a part of config.h. */
#ifndef SIM_CONFIG_WINDOW_H
#define SIM_CONFIG_WINDOW_H

#include "types.h"

/* Kinds of operation of a window, as a mask. */
enum window_holds {
	HOLD_INT = 1 << 0,
	HOLD_FP = 1 << 1,
	HOLD_LOAD = 1 << 2,
	HOLD_STORE = 1 << 3,	/* its address, if the machine splits */
	HOLD_DATA = 1 << 4,	/* store data, if the machine splits */
	HOLD_BRANCH = 1 << 5,
	HOLD_NOP = 1 << 6,	/* needs no port */
	HOLD_ALL = (1 << 7) - 1
};

/* When an operation gives its place in a queue back. */
enum window_until { UNTIL_ISSUE, UNTIL_DONE, UNTIL_RETIRE };

/* Whose micro-ops an instruction has besides accesses. */
enum window_micro_ops {
	MICRO_OPS_P6,		/* insn.uops in all, or more */
	MICRO_OPS_CLASSES	/* class_config.uops */
};

/* Micro-ops of an instruction that take one place in dispatch, the reorder list
 * and retirement. */
enum window_joins {
	JOIN_LOAD = 1 << 0,	/* a load, and what computes with it */
	JOIN_STORE = 1 << 1,	/* address and data of a store */
	JOIN_UPDATE = 1 << 2	/* and of a load at the same place */
};

/* A list with so many places: the reorder list, issue queues, buffers. */
struct window_queue {
	u16 entries;	/* 1..WINDOW_MOST, or INTERVAL_MOST */
	u8 holds;	/* mask of enum window_holds */
	u8 until;	/* enum window_until */
};

/* What a load does while it is not known where the stores before it store. */
enum window_disambiguation {
	DISAMBIGUATION_PASS,	/* goes ahead, and is never wrong */
	DISAMBIGUATION_WAIT	/* waits until all of their addresses are */
};

#define WINDOW_MOST 127		/* entries of a queue */
#define INTERVAL_MOST 400	/* the same by intervals; */
#define INTERVAL_WIDTH 8	/* what is fetched, or dispatched, per cycle */
#define WINDOW_QUEUES 6
#define WINDOW_DECODERS 8

/* PIPELINE_WINDOW: issue out of order, retirement in order. */
struct window_config {
	u8 fetch;	/* instructions per cycle */
	u8 dispatch;	/* micro-ops that enter the window per cycle */
	u8 retire;	/* micro-ops per cycle */
	u8 run_ahead;	/* cycles that fetch can be ahead of a full window */
	bool split;	/* into micro-ops */
	u8 micro_ops;	/* enum window_micro_ops: how many */
	u8 joins;	/* mask of enum window_joins; by intervals */
	bool stack_free; /* x86: push, pop, call and ret change the stack
			   pointer without a micro-op, and in no time */
	bool store_ahead; /* a store's line is asked for when its address is
			   known, not when it retires; by intervals */
	u16 load_ports, store_ports, data_ports, branch_ports;
	u16 load_ports_fp, data_ports_fp; /* of floating point and vectors; 0: the
				same */
	u8 load_use_fp;	/* load to a floating-point register, cycles */
	u8 load_indexed; /* cycles more of an address of two registers */
	u8 forward;	/* cycles from the issue of what has a store's data to
			   that of the reader of a load that gets it from the
			   store; 0: loads never wait for stores */
	u8 forward_part; /* the same if the store has only part of it */
	u8 disambiguation; /* enum window_disambiguation */
	u8 across;	/* cycles more that an access of two lines takes, */
	u8 across_repeat; /* and until the next such one can begin; 0: as many */
	u8 lock;	/* cycles from one locked instruction to the next */
	u8 part_wait;	/* cycles from the retirement of a write of a part of
			   a register until more of it can be read; 0: no one
			   waits for that */
	bool renames_segments; /* once: the next load of one waits until that
				  before it has retired */
	u8 fuses;	/* mask of enum insn_fuse: those and the conditional
			   branch behind them are one micro-op */
	bool moves_free; /* INSN_MOVES and INSN_ZEROES are done when they enter */
	bool zeroes_free;
	u32 decoders;	/* 0: any instruction anywhere */
	u8 decode[WINDOW_DECODERS]; /* micro-ops that each can make */
	u32 queues;	/* the first is the reorder list */
	struct window_queue queue[WINDOW_QUEUES];
};

#endif
