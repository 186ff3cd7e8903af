/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * api.c against a make-believe QEMU of each API version: it is built once
 * for each FAKE_API from 1 to 7.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fake_qemu.h"

/* What the handlers were called with. */
static struct {
	struct qemu_plugin_tb *tb;
	unsigned vcpu;
	s64 number, result;
	u64 arg[8];
	unsigned calls;
} seen;

static void
on_translate(struct qemu_plugin_tb *tb)
{
	seen.tb = tb;
	seen.calls++;
}

static void
on_vcpu(unsigned vcpu)
{
	seen.vcpu = vcpu;
	seen.calls++;
}

static void
on_syscall(unsigned vcpu, s64 number, const u64 arg[8])
{
	on_vcpu(vcpu);
	seen.number = number;
	memcpy(seen.arg, arg, sizeof seen.arg);
}

static void
on_return(unsigned vcpu, s64 number, s64 result)
{
	on_vcpu(vcpu);
	seen.number = number;
	seen.result = result;
}

static bool
on_replace(unsigned vcpu, s64 number, const u64 arg[8], s64 *result)
{
	on_syscall(vcpu, number, arg);
	*result = -38;
	return true;
}

static void
on_nothing(void)
{
	seen.calls++;
}

static const struct api_handlers all = {
	.translate = on_translate,
	.vcpu_start = on_vcpu,
	.vcpu_exit = on_vcpu,
	.syscall = on_syscall,
	.syscall_return = on_return,
	.replace = on_replace,
	.flush = on_nothing,
	.exit = on_nothing,
};

static void
version_is_found(void **state)
{
	(void)state;
	assert_int_equal(api_can_replace(), FAKE_API >= 6);
}

static void
bytes_are_copied_and_padded(void **state)
{
	struct qemu_plugin_insn insn = { 3, { 0xc4, 0xe2, 0x7d, 0xff } };
	const u8 want[8] = { 0xc4, 0xe2, 0x7d };
	u8 buf[8];

	(void)state;
	memset(buf, 0xee, sizeof buf);
	assert_int_equal(api_insn_data(&insn, buf, sizeof buf), 3);
	assert_memory_equal(buf, want, sizeof want);
	memset(buf, 0xee, sizeof buf);
	assert_int_equal(api_insn_data(&insn, buf, 2), 2);
	assert_memory_equal(buf, "\xc4\xe2\xee", 3);
}

static void
info_word_is_learnt(void **state)
{
	(void)state;
	assert_int_equal(api_install(), 0);
	for (u32 log2 = 0; log2 < 8; log2++) {
		u32 info = log2 << 9 | 0x100f00ffu;

		info = (info & ~(7u << 9)) | log2 << 9;
		assert_int_equal(api_mem_size_log2(info), log2);
		assert_int_equal(api_mem_is_store(info), 0);
		assert_int_equal(api_mem_is_store(info | 1u << 30), 1);
		assert_false(api_mem_is_both(info | 1u << 30));
		assert_false(api_mem_is_both(info | 1u << 29));
		assert_true(api_mem_is_both(info | 3u << 29));
		assert_int_equal(api_mem_half(info | 3u << 29, true),
				 info | 1u << 30);
		assert_int_equal(api_mem_half(info | 3u << 29, false),
				 info | 1u << 29);
		assert_int_equal(api_mem_size_log2(api_mem_of_8(info)), 3);
	}
	fake_store_bit = 32;
	assert_int_equal(api_install(), -ENOTSUP);
	fake_store_bit = 30;
	fake_size_bit = 31;
	assert_int_equal(api_install(), -ENOTSUP);
	fake_size_bit = 9;
}

static void
the_program_is_known(void **state)
{
	u64 start = 0;
	char *path = api_program();

	(void)state;
	assert_string_equal(path, "./program");
	assert_true(api_program_start(&start));
	assert_int_equal(start, 0x120000000);
	free(path);
}

/* Calls what was registered as this version's QEMU would. */
#define TB ((struct qemu_plugin_tb *)0x1234)
#define DATA ((void *)0xdada)
#define ARGS 1, 2, 3, 4, 5, 6, 7, ~0ull
#define ARG_TYPES u64, u64, u64, u64, u64, u64, u64, u64
#if FAKE_API >= 7
#define CALL(event, types, ...) \
	((void (*)types)fake_callback[event])(__VA_ARGS__, DATA)
#define TYPES(...) (__VA_ARGS__, void *)
#define REPLACE_TYPES (unsigned, s64, ARG_TYPES, s64 *, void *)
#define REPLACE_ARGS(result) 3, 9, ARGS, result, DATA
#else
#define CALL(event, types, ...) \
	((void (*)types)fake_callback[event])(77, __VA_ARGS__)
#define TYPES(...) (u64, __VA_ARGS__)
#define REPLACE_TYPES (u64, unsigned, s64, ARG_TYPES, s64 *)
#define REPLACE_ARGS(result) 77, 3, 9, ARGS, result
#endif

static void
callbacks_arrive(void **state)
{
	const u64 want[8] = { ARGS };

	(void)state;
	api_register(77, &all);
	CALL(FAKE_TRANSLATE, TYPES(struct qemu_plugin_tb *), TB);
	assert_ptr_equal(seen.tb, TB);
	CALL(FAKE_START, TYPES(unsigned), 5);
	assert_int_equal(seen.vcpu, 5);
	CALL(FAKE_EXIT, TYPES(unsigned), 6);
	assert_int_equal(seen.vcpu, 6);
	CALL(FAKE_SYSCALL, TYPES(unsigned, s64, ARG_TYPES), 2, 60, ARGS);
	assert_int_equal(seen.vcpu, 2);
	assert_int_equal(seen.number, 60);
	assert_memory_equal(seen.arg, want, sizeof want);
	CALL(FAKE_RETURN, TYPES(unsigned, s64, s64), 4, 1, -9);
	assert_int_equal(seen.vcpu, 4);
	assert_int_equal(seen.number, 1);
	assert_int_equal(seen.result, -9);
	assert_int_equal(seen.calls, 5);
}

static void
callbacks_without_cpu_arrive(void **state)
{
	typedef void id_fn(u64), data_fn(void *), id_data_fn(u64, void *);

	(void)state;
	api_register(77, &all);
	seen.calls = 0;
	if (FAKE_API >= 7) {
		((data_fn *)fake_callback[FAKE_FLUSH])(DATA);
		((data_fn *)fake_callback[FAKE_ATEXIT])(DATA);
	} else {
		((id_fn *)fake_callback[FAKE_FLUSH])(77);
		((id_data_fn *)fake_callback[FAKE_ATEXIT])(77, DATA);
	}
	api_reset(77, on_nothing);
	((id_fn *)fake_callback[FAKE_RESET])(77);
	assert_int_equal(seen.calls, 3);
}

static void
system_calls_can_be_replaced(void **state)
{
	typedef bool replace_fn REPLACE_TYPES;
	const u64 want[8] = { ARGS };
	s64 result = 0;

	(void)state;
	api_register(77, &all);
	if (FAKE_API < 6) {
		assert_null(fake_callback[FAKE_REPLACE]);
		return;
	}
	assert_true(((replace_fn *)fake_callback[FAKE_REPLACE])(
		REPLACE_ARGS(&result)));
	assert_int_equal(result, -38);
	assert_int_equal(seen.vcpu, 3);
	assert_int_equal(seen.number, 9);
	assert_memory_equal(seen.arg, want, sizeof want);
}

static void
missing_handlers_are_not_registered(void **state)
{
	static const struct api_handlers few = { .exit = on_nothing };

	(void)state;
	memset(fake_callback, 0, sizeof fake_callback);
	api_register(77, &few);
	for (int i = 0; i < FAKE_N; i++)
		assert_int_equal(!fake_callback[i], i != FAKE_ATEXIT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_is_found),
		cmocka_unit_test(bytes_are_copied_and_padded),
		cmocka_unit_test(info_word_is_learnt),
		cmocka_unit_test(the_program_is_known),
		cmocka_unit_test(callbacks_arrive),
		cmocka_unit_test(callbacks_without_cpu_arrive),
		cmocka_unit_test(system_calls_can_be_replaced),
		cmocka_unit_test(missing_handlers_are_not_registered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
