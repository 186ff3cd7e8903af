/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of accesses: which of them an instruction needs. */
#include "accesses_internal.h"

#include "turns/turns.h"

void *
access_data(const struct block_access *a)
{
	return (void *)((uintptr_t)a |
			(uintptr_t)a->clock_back << CLOCK_BACK_SHIFT);
}

void
plugin_count_at(const struct block_access *a, unsigned signal)
{
	core.sig[signal]++;
	look(a);
}

/* Where nothing is modelled: only that it happened matters (turns_step.c). */
static void
on_access_count(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (core.recording)
		turns_access(vcpu, access_of(data), va,
			     1u << api_mem_size_log2(info),
			     api_mem_is_store(info));
}

/* Whether translated code makes the accesses of x86's instruction. */
static bool
is_translated(const struct insn *in)
{
	return in->flags & INSN_MEM_KNOWN &&
	       !(in->flags & (INSN_IS_LOCKED | INSN_IS_X87));
}

static const struct access_callback *
callback_of(const struct insn *in, const struct block_access *a)
{
	const struct sim_config *config = target.config;
	bool align = config->pipe.watch_alignment;
	bool through = in->n_store && config->l1d.write_through;
	bool tells = in->n_store && core.tells;
	bool sized = in->flags & INSN_MEM_KNOWN && in->size_log2 <= 3;
	bool both = in->n_load && in->n_store, known = sized && !both;
	enum access_extra extra = !align ? ACCESS_PLAIN
				  : a->flags & ACCESS_BANK ? ACCESS_BANKED
							   : ACCESS_ALIGN;

	if (callback_has_parts(in))
		return &callback_part;
	if (target.system)
		return in->n_load + in->n_store ? &callback_system
						: &callback_system_dynamic;
	if (in->n_load + in->n_store == 0)
		return &callback_dynamic;
	if (in->flags & INSN_IS_LOCKED)
		return &callback_locked;
	if (in->flags & INSN_IS_SC)
		return &callback_conditional;
	if (a->flags & ACCESS_IS_MMX && !core.window)
		return &callback_mmx;
	if (a->flags & ACCESS_BANK &&
	    (through || tells || !known || !align))
		return &callback_banked;
	if (core.stores && known && !through && !tells)
		return &callback_known[align ? ACCESS_FORWARD_ALIGN
					     : ACCESS_FORWARD]
				      [in->n_store != 0][in->size_log2];
	if (through && known && !config->mem.ordered && !core.stores)
		return &callback_through[align][in->size_log2];
	if (sized && both && !align && !through && !tells && !core.stores)
		return &callback_both[in->size_log2];
	if (through || tells || !known)
		return align ? &callback_watched
		       : through ? &callback_write_through : &callback_either;
	if (align && in->n_store && config->mem.ordered)
		extra = ACCESS_ORDERED;
	return &callback_known[extra][in->n_store != 0][in->size_log2];
}

api_access_fn *
callback_access(const struct insn *in, const struct block_access *a, bool last)
{
	const struct access_callback *callback;
	bool x86 = target_is_x86();

	if (!target.timing)
		return on_access_count;
	callback = callback_of(in, a);
	if (!last || !x86 || !callback->last ||
	    (callback != &callback_dynamic && !is_translated(in)))
		return callback->fn;
	return callback->last;
}

/* Where contexts share a pipeline, it is known from its block. */
void
callback_barrier(unsigned vcpu, void *access)
{
	if (core.recording && !contexts_share(target.config))
		turns_access(vcpu, access, 0, 0, false);
	if (core.recording)
		return;
	if (target.system && !plugin_counts(access))
		return;
	core_barrier(&core, access);
	look(access);
}
