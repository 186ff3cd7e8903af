/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a QEMU of API version FAKE_API offers to plugins, as far as api.c
 * asks for it.  Registered callbacks are kept for the test to call, with the
 * prototypes of that version.
 */
#ifndef TEST_FAKE_QEMU_H
#define TEST_FAKE_QEMU_H

#include "qemu/api.h"

typedef void any_fn(void);

/* An instruction is its bytes. */
struct qemu_plugin_insn {
	size_t size;
	u8 bytes[16];
};

enum fake_event {
	FAKE_TRANSLATE,
	FAKE_START,
	FAKE_EXIT,
	FAKE_SYSCALL,
	FAKE_RETURN,
	FAKE_REPLACE,
	FAKE_FLUSH,
	FAKE_ATEXIT,
	FAKE_RESET,
	FAKE_N
};

static any_fn *fake_callback[FAKE_N];

#if FAKE_API >= 7
#define FAKE_REGISTER(name, event) \
	void fake_##event(u64 id, any_fn *fn, void *data) __asm__(#name); \
	void fake_##event(u64 id, any_fn *fn, void *data) \
	{ \
		assert_int_equal(id, 77); \
		assert_null(data); \
		fake_callback[event] = fn; \
	}
#else
#define FAKE_REGISTER(name, event) \
	void fake_##event(u64 id, any_fn *fn) __asm__(#name); \
	void fake_##event(u64 id, any_fn *fn) \
	{ \
		assert_int_equal(id, 77); \
		fake_callback[event] = fn; \
	}
#endif

FAKE_REGISTER(qemu_plugin_register_vcpu_tb_trans_cb, FAKE_TRANSLATE)
FAKE_REGISTER(qemu_plugin_register_vcpu_init_cb, FAKE_START)
FAKE_REGISTER(qemu_plugin_register_vcpu_exit_cb, FAKE_EXIT)
FAKE_REGISTER(qemu_plugin_register_vcpu_syscall_cb, FAKE_SYSCALL)
FAKE_REGISTER(qemu_plugin_register_vcpu_syscall_ret_cb, FAKE_RETURN)
FAKE_REGISTER(qemu_plugin_register_flush_cb, FAKE_FLUSH)
FAKE_REGISTER(qemu_plugin_register_atexit_cb, FAKE_ATEXIT)
FAKE_REGISTER(qemu_plugin_reset, FAKE_RESET)

char *qemu_plugin_path_to_binary(void);
char *
qemu_plugin_path_to_binary(void)
{
	return strdup("./program");
}

u64 qemu_plugin_start_code(void);
u64
qemu_plugin_start_code(void)
{
	return 0x120000000;
}

/* What later versions have added. */
#define FAKE_PRESENT(name) \
	any_fn name; \
	void name(void) \
	{ \
	}
#if FAKE_API >= 2
FAKE_PRESENT(qemu_plugin_scoreboard_new)
#endif
#if FAKE_API >= 3
FAKE_PRESENT(qemu_plugin_register_vcpu_tb_exec_cond_cb)
#endif
#if FAKE_API >= 4
FAKE_PRESENT(qemu_plugin_read_memory_vaddr)
#endif
#if FAKE_API >= 5
FAKE_PRESENT(qemu_plugin_write_memory_vaddr)
#endif
#if FAKE_API >= 6
FAKE_REGISTER(qemu_plugin_register_vcpu_syscall_filter_cb, FAKE_REPLACE)
#endif

/* The constants that tell 6 from 7, and others that must not. */
__attribute__((used)) static const char fake_text[] =
	"QEMU Virtual CPU version 2.5+\0 version x\0"
#if FAKE_API >= 7
	"qemu-mipsel version 11.1.3 (Debian 1:11.1.3)\n";
#else
	"qemu-mipsel version 11.0.9 (Debian 1:11.0.9)\n";
#endif

size_t
qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
	return insn->size;
}

#if FAKE_API >= 3
size_t fake_data(const struct qemu_plugin_insn *insn, void *to, size_t n)
	__asm__("qemu_plugin_insn_data");
size_t
fake_data(const struct qemu_plugin_insn *insn, void *to, size_t n)
{
	n = n < insn->size ? n : insn->size;
	memcpy(to, insn->bytes, n);
	return n;
}
#else
const void *fake_data(const struct qemu_plugin_insn *insn)
	__asm__("qemu_plugin_insn_data");
const void *
fake_data(const struct qemu_plugin_insn *insn)
{
	return insn->bytes;
}
#endif

/* An info word with its fields at other places than any QEMU has them. */
static unsigned fake_size_bit = 9, fake_store_bit = 30;

unsigned qemu_plugin_mem_size_shift(u32 info);
unsigned
qemu_plugin_mem_size_shift(u32 info)
{
	return info >> fake_size_bit & 7;
}

bool qemu_plugin_mem_is_store(u32 info);
bool
qemu_plugin_mem_is_store(u32 info)
{
	return fake_store_bit < 32 && (info >> fake_store_bit & 1);
}

#endif
