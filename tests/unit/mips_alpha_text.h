/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A decoded MIPS or Alpha instruction as text, so that known answers are
 * readable and every field is compared:
 *
 *	class branch flags accesses dst= src= addr= data=
 *
 * with what is empty left out.  Accesses are L4 (a load of four bytes),
 * S4*3 (three stores), L? (loads that are not vouched for); "loaded" stands
 * after dst= if dst[0] comes from memory.
 */
#ifndef MIPS_ALPHA_TEXT_H
#define MIPS_ALPHA_TEXT_H

#include <stdio.h>
#include <string.h>

#include "code/insn.h"
#include "table/table_classes.h"

#define INSN_TEXT_MAX 256

static const char *const class_names[CLASS_N] = {
#define NAME(id, name, ...) [CLASS_##id] = name,
	TABLE_CLASSES(NAME) TABLE_OPTIONAL_CLASSES(NAME)
#undef NAME
};

static const char *const branch_names[] = {
	"", " cond", " jump", " call", " ind_jump", " ind_call", " return",
	" rep", " cond_call",
};

static const struct {
	unsigned flag;
	const char *name;
} flag_names[] = {
	{INSN_IS_FP, " fp"},	   {INSN_IS_MIPS16, " mips16"},
	{INSN_IS_DSP, " dsp"},	   {INSN_IS_SC, " sc"},
	{INSN_IS_LL, " ll"},	   {INSN_IS_FORK, " fork"},
	{INSN_IS_YIELD, " yield"}, {INSN_IS_LOCKED, " locked"},
	{INSN_LIKELY, " likely"},  {INSN_UNKNOWN, " unknown"},
	{INSN_IS_BARRIER, " barrier"},
	{INSN_DRAINS, " drains"},
};

static void
text_add(char *text, const char *more)
{
	strncat(text, more, INSN_TEXT_MAX - strlen(text) - 1);
}

static void
text_register(char *text, unsigned reg)
{
	char name[16];

	if (reg < REG_FP0)
		snprintf(name, sizeof name, "r%u", reg);
	else if (reg < REG_FLAGS)
		snprintf(name, sizeof name, "f%u", reg - REG_FP0);
	else if (reg == REG_FLAGS)
		snprintf(name, sizeof name, "flags");
	else if (reg <= REG_HILO + 3)
		snprintf(name, sizeof name, "ac%u", reg - REG_HILO);
	else
		snprintf(name, sizeof name, "%u?", reg);
	text_add(text, name);
}

static void
text_list(char *text, const char *title, const u8 *list, unsigned n)
{
	if (list[0] == REG_NONE)
		return;
	text_add(text, title);
	for (unsigned i = 0; i < n && list[i] != REG_NONE; i++) {
		if (i > 0)
			text_add(text, ",");
		text_register(text, list[i]);
	}
}

/* Nothing if the instruction makes no access and says so. */
static void
text_accesses(char *text, const struct insn *in, char kind, unsigned flag,
	      unsigned n)
{
	char access[32] = "";

	if (!(in->flags & INSN_MEM_KNOWN)) {
		if (in->flags & flag)
			snprintf(access, sizeof access, " %c?", kind);
	} else if (in->flags & flag && n == 1) {
		snprintf(access, sizeof access, " %c%d", kind,
			 1 << in->size_log2);
	} else if (in->flags & flag || n > 0) {
		snprintf(access, sizeof access, " %c%d*%u", kind,
			 1 << in->size_log2, n);
	}
	text_add(text, access);
}

static void
insn_text(const struct insn *in, char text[INSN_TEXT_MAX])
{
	text[0] = '\0';
	text_add(text, class_names[in->cls]);
	text_add(text, branch_names[in->branch]);
	for (size_t i = 0; i < SIM_COUNT(flag_names); i++)
		if (in->flags & flag_names[i].flag)
			text_add(text, flag_names[i].name);
	text_accesses(text, in, 'L', INSN_LOADS, in->n_load);
	text_accesses(text, in, 'S', INSN_STORES, in->n_store);
	text_list(text, " dst=", in->dst, INSN_DST);
	if (in->dst_loaded)
		text_add(text, " loaded");
	text_list(text, " src=", in->src, INSN_SRC);
	text_list(text, " addr=", in->addr, INSN_ADDR);
	text_list(text, " data=", &in->data, 1);
}

#endif
