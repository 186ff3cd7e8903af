/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an instruction is to the engine: what has to be done with its copy. */
#include "host_internal.h"

static enum host_kind
kind_of_branch(const struct host_view *v, enum host_kind direct,
	       enum host_kind indirect)
{
	if (v->z.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return HOST_BAD;
	return v->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? direct
							     : indirect;
}

static enum host_kind
kind_of_condition(const struct host_view *v)
{
	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_JCXZ:
	case ZYDIS_MNEMONIC_JECXZ:
	case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_LOOP:
	case ZYDIS_MNEMONIC_LOOPE:
	case ZYDIS_MNEMONIC_LOOPNE:
		return HOST_JCXZ;
	default:
		return HOST_JCC;
	}
}

/* Loading a segment register ends QEMU's blocks; the engine has FS and GS. */
static enum host_kind
kind_of_move(const struct host_view *v)
{
	const ZydisDecodedOperand *to = &v->op[0];

	if (to->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return HOST_COPY;
	switch (to->reg.value) {
	case ZYDIS_REGISTER_ES:
	case ZYDIS_REGISTER_SS:
	case ZYDIS_REGISTER_DS:
		return HOST_ENDS;
	case ZYDIS_REGISTER_FS:
	case ZYDIS_REGISTER_GS:
		return HOST_ASK;
	default:
		return HOST_COPY;
	}
}

/* Those that are no branch. */
static enum host_kind
kind_of_other(const struct host_view *v)
{
	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		return kind_of_move(v);
	case ZYDIS_MNEMONIC_SYSCALL:
		return HOST_SYSCALL;
	case ZYDIS_MNEMONIC_CPUID:
	case ZYDIS_MNEMONIC_RDTSC:
	case ZYDIS_MNEMONIC_RDTSCP:
	case ZYDIS_MNEMONIC_XGETBV:
	case ZYDIS_MNEMONIC_RDFSBASE:
	case ZYDIS_MNEMONIC_WRFSBASE:
	case ZYDIS_MNEMONIC_RDGSBASE:
	case ZYDIS_MNEMONIC_WRGSBASE:
	case ZYDIS_MNEMONIC_RDRAND:
	case ZYDIS_MNEMONIC_RDSEED:
	case ZYDIS_MNEMONIC_PUSHFQ:
		return HOST_ASK;
	case ZYDIS_MNEMONIC_POPFQ:
		return HOST_ASK_ENDS;
	case ZYDIS_MNEMONIC_SYSENTER:
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
		return HOST_BAD;
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_PAUSE:
	case ZYDIS_MNEMONIC_XRSTOR:
	case ZYDIS_MNEMONIC_XRSTOR64:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_INT1:
	case ZYDIS_MNEMONIC_INT:
		return HOST_ENDS;
	default:
		return HOST_COPY;
	}
}

enum host_kind
host_kind_of(const struct host_view *v)
{
	switch (v->z.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return kind_of_condition(v);
	case ZYDIS_CATEGORY_UNCOND_BR:
		return kind_of_branch(v, HOST_JUMP, HOST_JUMP_IND);
	case ZYDIS_CATEGORY_CALL:
		return kind_of_branch(v, HOST_CALL, HOST_CALL_IND);
	case ZYDIS_CATEGORY_RET:
		return v->z.mnemonic == ZYDIS_MNEMONIC_RET
			       ? kind_of_branch(v, HOST_RETURN, HOST_RETURN)
			       : HOST_BAD;
	default:
		return kind_of_other(v);
	}
}
