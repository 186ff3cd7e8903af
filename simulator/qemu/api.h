/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's plugin API as we use it, declared here so that neither QEMU's
 * header nor GLib is needed, and so that one plugin loads into every QEMU
 * from 7.2 (API version 1) to 11.1 (version 7).
 *
 * QEMU reads qemu_plugin_version after loading the plugin and refuses what
 * it does not speak; a constructor in api.c finds out what the running QEMU
 * offers and sets it.  What differs between versions is hidden behind the
 * api_ functions below; what is alike everywhere is declared under its own
 * name.
 *
 *	version	QEMU	change that concerns us
 *	1	4.2	(7.2 is the oldest supported)
 *	2	9.0	scoreboards; the global inline operations are gone
 *	3	9.1	qemu_plugin_insn_data() copies
 *	4	9.2	guest memory can be read
 *	5	10.1	guest memory and registers can be written
 *	6	11.0	system calls can be replaced
 *	7	11.1	callbacks lose the plugin's id and get user data
 */
#ifndef QEMU_API_H
#define QEMU_API_H

#include "machine/types.h"

#include <string.h>

#define API_EXPORT __attribute__((visibility("default")))
#define API_OLDEST 1

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* What a callback does to the CPU's registers. */
enum api_regs { API_NO_REGS, API_READ_REGS, API_WRITE_REGS };

enum api_access { API_READ = 1, API_WRITE = 2, API_READ_WRITE = 3 };

/* Filled in by QEMU for qemu_plugin_install(); alike in all versions. */
struct api_info {
	const char *target_name;	/* "x86_64", "mipsel" */
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	int smp_vcpus;			/* of system emulation only */
	int max_vcpus;
};

/* Called when a block or an instruction executes. */
typedef void api_exec_fn(unsigned vcpu, void *data);

/* Called when an instruction has accessed memory at vaddr. */
typedef void api_access_fn(unsigned vcpu, u32 info, u64 vaddr, void *data);

/* Alike in all versions. */
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
u64 qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
/* In user mode: where the instruction is in QEMU's own address space. */
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  api_exec_fn *fn, enum api_regs regs,
					  void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    api_exec_fn *fn,
					    enum api_regs regs, void *data);
/*
 * Register one callback with API_READ_WRITE per instruction: for accesses
 * made by helpers, 7.2 stops at the first callback whose access does not
 * match, and of the others it reports stores and no loads for API_READ, both
 * for API_WRITE.
 */
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      api_access_fn *fn, enum api_regs regs,
				      enum api_access access, void *data);

/*
 * The plugin's handlers, in one form for all versions.  NULL: not called.
 * replace() is called before a system call on QEMUs that can let a plugin
 * answer it (see api_can_replace): true if it has set *result.
 */
struct api_handlers {
	void (*translate)(struct qemu_plugin_tb *tb);
	void (*vcpu_start)(unsigned vcpu);
	void (*vcpu_exit)(unsigned vcpu);
	void (*syscall)(unsigned vcpu, s64 number, const u64 arg[8]);
	void (*syscall_return)(unsigned vcpu, s64 number, s64 result);
	bool (*replace)(unsigned vcpu, s64 number, const u64 arg[8],
			s64 *result);
	void (*flush)(void);	/* the code cache; no CPU runs meanwhile */
	void (*exit)(void);
};

/* Registers the handlers for the plugin's id; *handlers must stay. */
void api_register(u64 id, const struct api_handlers *handlers);

/* Forgets the code cache; no CPU runs meanwhile.  after() when that is done,
 * when handlers are registered no more. */
void api_reset(u64 id, void (*after)(void));

/* Whether replace() of the handlers is ever called. */
bool api_can_replace(void);

/*
 * To be called first in qemu_plugin_install(): learns how the info word of
 * memory callbacks is laid out.  0, or -ENOTSUP if it makes no sense.
 */
int api_install(void);

/*
 * Copies the instruction's bytes to buf and clears the rest of its length
 * bytes; returns how many belong to the instruction, at most length.
 */
size_t api_insn_data(const struct qemu_plugin_insn *insn, void *buf,
		     size_t length);

/*
 * In user mode, as soon as there are blocks: the path of the program as it was
 * given to QEMU, the caller's (NULL: this QEMU does not tell); and where the
 * first byte of its executable segments is (false: the same).
 */
char *api_program(void);
bool api_program_start(u64 *start);

/* Set by api_install(); bits of the info word. */
extern u8 api_size_shift;
extern u8 api_store_shift;	/* above 0 */

/* Set by api_install(): where QEMU's own code is. */
extern uintptr_t api_code;
extern size_t api_code_size;

/* log2 of the bytes that an access has moved. */
SIM_INLINE unsigned
api_mem_size_log2(u32 info)
{
	return info >> api_size_shift & 7;
}

/* 1 if it was a store, 0 if it was a load. */
SIM_INLINE unsigned
api_mem_is_store(u32 info)
{
	return info >> api_store_shift & 1;
}

/*
 * Whether it was both.  An atomic access that loads and stores is announced
 * once by 7.2 where others could see it: there are threads, or memory is
 * shared.  That it loads is the bit below.
 */
SIM_INLINE bool
api_mem_is_both(u32 info)
{
	return ((u64)info << 1 >> api_store_shift & 3) == 3;
}

/* The word of such an access's load, or store. */
SIM_INLINE u32
api_mem_half(u32 info, bool store)
{
	return info & ~(1u << (store ? api_store_shift - 1 : api_store_shift));
}

/* The word of one that moves 8 bytes. */
SIM_INLINE u32
api_mem_of_8(u32 info)
{
	return (info & ~(7u << api_size_shift)) | 3u << api_size_shift;
}

/* Whether QEMU's own code, and not translated code, has made the access that
 * a callback was called for, which returns there. */
SIM_INLINE bool
api_by_qemu(const void *returns)
{
	return (uintptr_t)returns - api_code < api_code_size;
}

#endif
