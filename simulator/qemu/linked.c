/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "linked.h"

#include "turns/turns.h"

/* What a thread has loaded last that way. */
struct link {
	u64 addr;
	u64 value;
	u64 calls;	/* system calls made before */
	u8 bytes;	/* 0: nothing yet */
	bool holds;	/* the store that follows finds it there */
};

static __thread struct link link;

static bool wanted;	/* by an event of the machine */
static u64 calls;

void
linked_start(void)
{
	wanted = target.timing && (target_asked_for(SIG_SC_STORED) ||
				   target_asked_for(SIG_SC_FAILED));
}

void
linked_syscall(void)
{
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

/* The target's memory at the link, as far as it was loaded: where no thread can
 * have changed the map since, it is there. */
static u64
value_now(void)
{
	const void *p =
		(const void *)(uintptr_t)(target.guest_base + link.addr);
	u64 value = 0;

	if (!turns_none() &&
	    __atomic_load_n(&calls, __ATOMIC_RELAXED) == link.calls)
		memcpy(&value, p, link.bytes);
	else if (guest_read(&value, link.addr, link.bytes))
		value = ~link.value;
	return value;
}

static void
on_load(unsigned vcpu, u32 info, u64 va, void *access)
{
	(void)vcpu;
	(void)access;
	link.addr = va;
	link.bytes = (u8)(1u << api_mem_size_log2(info));
	link.calls = __atomic_load_n(&calls, __ATOMIC_RELAXED);
	link.value = value_now();
}

static void
before_store(unsigned vcpu, void *access)
{
	(void)vcpu;
	(void)access;
	link.holds = target.system ||
		     (link.bytes && value_now() == link.value);
}

/* It is announced as a load and a store, or as one of both. */
static void
on_store(unsigned vcpu, u32 info, u64 va, void *access)
{
	const struct block_access *a = access;

	(void)info;
	(void)va;
	if (!link.holds)
		return;
	link.holds = false;
	if (core.recording)
		turns_stored(vcpu, a);
	else if (!target.system || plugin_counts(a))
		plugin_count_at(a, SIG_SC_STORED);
}

void
linked_watch(struct qemu_plugin_insn *q, const struct insn *in,
	     struct block_access *a)
{
	if (!wanted)
		return;
	if (in->flags & INSN_IS_LL && !target.system)
		qemu_plugin_register_vcpu_mem_cb(q, on_load, API_NO_REGS,
						 API_READ_WRITE, a);
	if (!(in->flags & INSN_IS_SC))
		return;
	qemu_plugin_register_vcpu_insn_exec_cb(q, before_store, API_NO_REGS,
					       a);
	qemu_plugin_register_vcpu_mem_cb(q, on_store, API_NO_REGS,
					 API_READ_WRITE, a);
}
