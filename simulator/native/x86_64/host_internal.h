/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files share that tell what an instruction is. */
#ifndef NATIVE_HOST_INTERNAL_H
#define NATIVE_HOST_INTERNAL_H

#include "host.h"

#include <Zydis/Zydis.h>

/* Zydis' view of the instruction that is being decoded. */
struct host_view {
	ZydisDecodedInstruction z;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	u64 pc;
};

/* The general register that this is a part of, or HOST_NONE. */
u8 host_general(ZydisRegister r);

/* host_kind.c: how it is copied. */
enum host_kind host_kind_of(const struct host_view *v);

/* Fills in h->further. */
void host_further(struct host_insn *h, const struct host_view *v);

/* Fills in h->gather. */
void host_gather(struct host_insn *h, const struct host_view *v);

#endif
