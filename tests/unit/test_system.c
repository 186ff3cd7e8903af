/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of systems that need no QEMU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "system/kernel.h"
#include "qemu/system_modes.h"
#include "qemu/system_modes_x86.h"
#include "system/system_internal.h"
#include "program/system_marks.h"
#include "machine/types.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Modes ----------------------------------------------------------- */

#define ERET 0x42000018u
#define MTC0_STATUS(rt) (0x40806000u | (rt) << 16)
#define MFC0_STATUS(rt) (0x40006000u | (rt) << 16)
#define XORI(rt, imm) (0x38000000u | (rt) << 21 | (rt) << 16 | (imm))
#define ORI(rt, imm) (0x34000000u | (rt) << 21 | (rt) << 16 | (imm))
#define OR(rd, rs, rt) ((rs) << 21 | (rt) << 16 | (rd) << 11 | 0x25u)
#define LW(rt, base) (0x8c000000u | (base) << 21 | (rt) << 16)

static void
the_level_is_what_status_gets(void **state)
{
	const struct {
		u32 word[4];
		unsigned n;
		enum modes_effect effect;
	} block[] = {
		{{ERET}, 1, EFFECT_CLEARS},
		{{0, 0}, 2, EFFECT_NONE},
		/* or with a mask, xori with it: the bits are clear */
		{{MFC0_STATUS(8), ORI(8, 0x1f), XORI(8, 0x1e),
		  MTC0_STATUS(8)}, 4, EFFECT_CLEARS},
		/* only the interrupt enable is cleared */
		{{MFC0_STATUS(8), ORI(8, 1), XORI(8, 1), MTC0_STATUS(8)}, 4,
		 EFFECT_NONE},
		/* what an exception has saved, with the mask of today */
		{{MFC0_STATUS(4), LW(2, 29), OR(2, 2, 4), MTC0_STATUS(2)}, 4,
		 EFFECT_SETS},
		/* another task's, which is not at that level */
		{{MFC0_STATUS(4), LW(2, 5), OR(2, 2, 4), MTC0_STATUS(2)}, 4,
		 EFFECT_NONE},
		/* the register was loaded anew */
		{{LW(2, 29), MFC0_STATUS(2), MTC0_STATUS(2)}, 3,
		 EFFECT_NONE},
	};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(block); i++)
		assert_int_equal(modes_effect(block[i].word, block[i].n),
				 block[i].effect);
	assert_int_equal(modes_effect(NULL, 0), EFFECT_NONE);
}

/* A way through user code, a system call, its body, a refill, the return. */
static void
modes_follow_blocks(void **state)
{
	const struct {
		u32 pc;
		enum modes_effect effect;
		enum sim_mode mode;
		enum system_vector vector;
	} step[] = {
		/* no vector is known before the first user code */
		{0x80101180, EFFECT_NONE, MODE_KERNEL, VECTOR_NONE},
		{0x00400000, EFFECT_NONE, MODE_USER, VECTOR_NONE},
		{0x81290180, EFFECT_NONE, MODE_EXL, VECTOR_GENERAL},
		{0x80103000, EFFECT_CLEARS, MODE_EXL, VECTOR_NONE},
		{0x80103040, EFFECT_NONE, MODE_KERNEL, VECTOR_NONE},
		{0xc0000000, EFFECT_NONE, MODE_KERNEL, VECTOR_NONE},
		{0x81290000, EFFECT_CLEARS, MODE_EXL, VECTOR_REFILL},
		{0xc0000004, EFFECT_NONE, MODE_KERNEL, VECTOR_NONE},
		{0x81290200, EFFECT_CLEARS, MODE_EXL, VECTOR_INTERRUPT},
		{0x80104000, EFFECT_SETS, MODE_KERNEL, VECTOR_NONE},
		{0x80104020, EFFECT_CLEARS, MODE_EXL, VECTOR_NONE},
		{0x00400010, EFFECT_NONE, MODE_USER, VECTOR_NONE},
		{0x81290900, EFFECT_NONE, MODE_EXL, VECTOR_INTERRUPT},
		{0x81290a00, EFFECT_CLEARS, MODE_EXL, VECTOR_NONE},
		{0x81290a00, EFFECT_NONE, MODE_KERNEL, VECTOR_NONE},
	};
	struct modes m = {.exl = false};
	enum system_vector vector;

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(step); i++) {
		assert_int_equal(modes_enter(&m, step[i].pc, step[i].effect,
					     &vector), step[i].mode);
		assert_int_equal(vector, step[i].vector);
	}
}

/* ---- Modes of x86-64 ------------------------------------------------- */

#define KERNEL 0xffffffff81c00000ull

static void
the_last_change_of_the_flag_counts(void **state)
{
	static const struct system_code nop = {{0x90}, 1}, cli = {{0xfa}, 1},
		sti = {{0xfb}, 1}, iretq = {{0x48, 0xcf}, 2},
		add = {{0x00, 0xfa}, 2};
	const struct system_code off[] = {nop, cli, nop}, on[] = {cli, sti},
		same[] = {nop, add}, returns[] = {nop, iretq};

	(void)state;
	assert_int_equal(x86_effect(off, 3), X86_OFF);
	assert_int_equal(x86_effect(on, 2), X86_ON);
	assert_int_equal(x86_effect(same, 2), X86_SAME);
	assert_int_equal(x86_effect(returns, 2), X86_RETURN);
	assert_int_equal(x86_effect(NULL, 0), X86_SAME);
}

/* A system call with an interrupt, a page fault in it, and the return. */
static void
x86_modes_follow_blocks(void **state)
{
	const struct {
		bool user;
		enum system_vector vector;
		enum x86_effect effect;
		enum sim_mode mode;
		bool off;
	} step[] = {
		{true, VECTOR_NONE, X86_SAME, MODE_USER, false},
		{false, VECTOR_CALL, X86_SAME, MODE_EXL, true},
		{false, VECTOR_NONE, X86_ON, MODE_EXL, true},
		{false, VECTOR_NONE, X86_SAME, MODE_KERNEL, false},
		{false, VECTOR_INTERRUPT, X86_ON, MODE_EXL, true},
		{false, VECTOR_NONE, X86_OFF, MODE_KERNEL, false},
		/* disabled again, but by the kernel */
		{false, VECTOR_NONE, X86_RETURN, MODE_KERNEL, true},
		{false, VECTOR_NONE, X86_OFF, MODE_KERNEL, false},
		{false, VECTOR_PAGE, X86_RETURN, MODE_EXL, true},
		{false, VECTOR_NONE, X86_SAME, MODE_KERNEL, true},
		{true, VECTOR_NONE, X86_SAME, MODE_USER, false},
		{false, VECTOR_INTERRUPT, X86_RETURN, MODE_EXL, true},
		{true, VECTOR_NONE, X86_SAME, MODE_USER, false},
	};
	struct x86_modes m = {.off = true};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(step); i++) {
		assert_int_equal(x86_enter(&m, step[i].user, step[i].vector,
					   step[i].effect), step[i].mode);
		assert_int_equal(m.off, step[i].off);
	}
}

static void
symbols_tell_the_ways_into_a_kernel(void **state)
{
	static const char text[] =
		"ffffffff81000000 T xen_asm_exc_page_fault\n"
		"ffffffff81c00080 T entry_SYSCALL_64\n"
		"ffffffff81c000b8 T entry_SYSCALL_64_after_hwframe\n"
		"ffffffff81c00290 T irq_entries_start\n"
		"ffffffff81c008f0 T spurious_entries_start\n"
		"ffffffff81c00990 T asm_exc_divide_error\n"
		"ffffffff81c00be0 T asm_exc_page_fault\n"
		"ffffffff81c00e40 T asm_common_interrupt\n"
		"ffffffff81c00ef0 T asm_sysvec_apic_timer_interrupt\n"
		"ffffffff81e00000 T memcpy\n";
	struct pmcsim_kernel k;
	struct system_vectors v;

	(void)state;
	assert_int_equal(kernel_parse(&k, strdup(text)), 0);
	system_vectors(&k, &v);
	assert_int_equal(v.n, 6);
	assert_int_equal(x86_vector(&v, KERNEL + 0x080), VECTOR_CALL);
	assert_int_equal(x86_vector(&v, KERNEL + 0x081), VECTOR_NONE);
	assert_int_equal(x86_vector(&v, KERNEL + 0x0b8), VECTOR_NONE);
	assert_int_equal(x86_vector(&v, KERNEL + 0x298), VECTOR_INTERRUPT);
	assert_int_equal(x86_vector(&v, KERNEL + 0x990), VECTOR_GENERAL);
	assert_int_equal(x86_vector(&v, KERNEL + 0xbe0), VECTOR_PAGE);
	assert_int_equal(x86_vector(&v, KERNEL + 0xe40), VECTOR_NONE);
	assert_int_equal(x86_vector(&v, KERNEL + 0xef0), VECTOR_INTERRUPT);
	assert_true(x86_is_entry_code(&v, KERNEL + 0x1220));
	assert_false(x86_is_entry_code(&v, 0xffffffff8103ade4));
	free(k.function);
	free(k.text);
}

/* ---- Files of a system ----------------------------------------------- */

static void
archives_are_newc(void **state)
{
	static const char expected[] =
		"070701" "00000001" "000081a4" "00000000" "00000000"
		"00000001" "00000000" "00000003" "00000000" "00000000"
		"00000000" "00000000" "00000004" "00000000"
		"a/b\0\0\0" "xyz\0"
		"070701" "00000002" "00002180" "00000000" "00000000"
		"00000001" "00000000" "00000000" "00000000" "00000000"
		"00000005" "00000001" "00000002" "00000000" "c\0"
		"070701" "00000003" "00000000" "00000000" "00000000"
		"00000001" "00000000" "00000000" "00000000" "00000000"
		"00000000" "00000000" "0000000b" "00000000"
		"TRAILER!!!\0\0\0\0";
	char *text = NULL;
	size_t size = 0;
	struct cpio c = {.out = open_memstream(&text, &size), .inode = 1};

	(void)state;
	assert_non_null(c.out);
	assert_int_equal(cpio_add(&c, "a/b", S_IFREG | 0644, 0, "xyz", 3), 0);
	assert_int_equal(cpio_add(&c, "c", S_IFCHR | 0600, 0x501, NULL, 0),
			 0);
	assert_int_equal(cpio_end(&c), 0);
	fclose(c.out);
	assert_int_equal(size, sizeof expected - 1);
	assert_memory_equal(text, expected, size);
	free(text);
}

static void
the_measuring_program_is_an_elf_file(void **state)
{
	unsigned char program[SYSTEM_MEASURE_MAX];
	const Elf32_Ehdr *header = (const Elf32_Ehdr *)program;
	const Elf32_Phdr *segment = (const Elf32_Phdr *)(header + 1);
	size_t n = system_measure_mipsel(program);
	unsigned starts = 0, stops = 0;

	(void)state;
	assert_memory_equal(program, ELFMAG, SELFMAG);
	assert_int_equal(header->e_machine, EM_MIPS);
	assert_int_equal(header->e_phoff, sizeof *header);
	assert_int_equal(segment->p_filesz, n);
	assert_int_equal(header->e_entry - segment->p_vaddr,
			 sizeof *header + sizeof *segment);
	for (size_t at = sizeof *header + sizeof *segment; at < n; at += 4) {
		u32 word;

		memcpy(&word, program + at, 4);
		starts += word == SYSTEM_MARK_START;
		stops += word == SYSTEM_MARK_STOP;
	}
	assert_int_equal(starts, 1);
	assert_int_equal(stops, 1);
}

static void
that_of_x86_as_well(void **state)
{
	static const unsigned char start[] = {
		SYSTEM_MARK_X86(SYSTEM_MARK_X86_START)};
	static const unsigned char stop[] = {
		SYSTEM_MARK_X86(SYSTEM_MARK_X86_STOP)};
	unsigned char program[SYSTEM_MEASURE_MAX];
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)program;
	const Elf64_Phdr *segment = (const Elf64_Phdr *)(header + 1);
	size_t n = system_measure_x86_64(program);

	(void)state;
	assert_memory_equal(program, ELFMAG, SELFMAG);
	assert_int_equal(header->e_machine, EM_X86_64);
	assert_int_equal(header->e_phoff, sizeof *header);
	assert_int_equal(segment->p_filesz, n);
	assert_int_equal(header->e_entry - segment->p_vaddr,
			 sizeof *header + sizeof *segment);
	assert_non_null(memmem(program, n, start, sizeof start));
	assert_non_null(memmem(program, n, stop, sizeof stop));
}

/* Which decides how it reads a snapshot. */
static void
an_emulator_tells_its_version(void **state)
{
	static const char text[] = "QEMU Virtual CPU version 2.5+\0"
		"a version 3.1\0QEMU emulator version 10.0.13 (Debian)";
	char path[] = "/tmp/test_system-XXXXXX";
	struct engine_info info;
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, text, sizeof text), sizeof text);
	close(fd);
	assert_int_equal(pmcsim_engine_inspect(path, &info), 0);
	unlink(path);
	assert_int_equal(info.kind, ENGINE_NOT_QEMU);
	assert_string_equal(info.version, "10.0.13");
	assert_string_equal(info.isa, "");
}

/* The published values of FNV-1a. */
static void
keys_are_hashes(void **state)
{
	const struct system_board *malta = pmcsim_system_find_board("malta");
	uint64_t key, other;

	(void)state;
	assert_true(system_hash(SYSTEM_HASH_START, "", 0) ==
		    0xcbf29ce484222325ull);
	assert_true(system_hash(SYSTEM_HASH_START, "a", 1) ==
		    0xaf63dc4c8601ec8cull);
	assert_true(system_hash(SYSTEM_HASH_START, "foobar", 6) ==
		    0x85944171f73967e8ull);
	assert_non_null(malta);
	assert_int_equal(system_engine_key(malta, "/bin/sh", &key), 0);
	assert_int_equal(system_engine_key(malta, "/bin/cat", &other), 0);
	assert_true(key != other);
	assert_int_equal(system_engine_key(malta, "/no/such", &key), -ENOENT);
}

static void
answers_of_the_monitor(void **state)
{
	static const char line[] = "{\"return\": {\"expected-downtime\": 300, "
		"\"status\": \"completed\", \"ram\": {\"total\": 42}}}";
	char value[16];

	(void)state;
	assert_int_equal(qmp_value(line, "status", value, sizeof value), 0);
	assert_string_equal(value, "completed");
	assert_int_equal(qmp_value(line, "total", value, sizeof value), 0);
	assert_string_equal(value, "42");
	assert_int_equal(qmp_value(line, "event", value, sizeof value),
			 -ENOENT);
	assert_int_equal(qmp_value(line, "status", value, 4), -E2BIG);
	assert_int_equal(qmp_value("{\"status\" 1}", "status", value,
				   sizeof value), -ENOENT);
}

/* No file gets out of the folder that it is copied to. */
static void
paths_lose_their_dots(void **state)
{
	static const char *const path[][2] = {
		{"/a/b", "/a/b"}, {"/a/./b//c/", "/a/b/c"},
		{"/a/../b", "/b"}, {"/../../etc/x", "/etc/x"}, {"/..", "/"},
	};
	char out[PATH_MAX], here[PATH_MAX], expected[PATH_MAX + 8];

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(path); i++) {
		assert_int_equal(system_job_path(path[i][0], out), 0);
		assert_string_equal(out, path[i][1]);
	}
	assert_non_null(getcwd(here, sizeof here));
	snprintf(expected, sizeof expected, "%s/x", here);
	assert_int_equal(system_job_path("./y/../x", out), 0);
	assert_string_equal(out, expected);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_level_is_what_status_gets),
		cmocka_unit_test(modes_follow_blocks),
		cmocka_unit_test(the_last_change_of_the_flag_counts),
		cmocka_unit_test(x86_modes_follow_blocks),
		cmocka_unit_test(symbols_tell_the_ways_into_a_kernel),
		cmocka_unit_test(archives_are_newc),
		cmocka_unit_test(the_measuring_program_is_an_elf_file),
		cmocka_unit_test(that_of_x86_as_well),
		cmocka_unit_test(an_emulator_tells_its_version),
		cmocka_unit_test(keys_are_hashes),
		cmocka_unit_test(answers_of_the_monitor),
		cmocka_unit_test(paths_lose_their_dots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
