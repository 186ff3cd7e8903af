/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "api.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>

/* Hides the versions' different prototypes until a call casts to one. */
typedef void any_fn(void);

/*
 * Weak: NULL in a QEMU that lacks them.  The first group is there in all
 * versions, but with different prototypes.
 */
#define WEAK __attribute__((weak))
any_fn qemu_plugin_register_vcpu_init_cb;
any_fn qemu_plugin_register_vcpu_exit_cb;
any_fn qemu_plugin_register_vcpu_tb_trans_cb;
any_fn qemu_plugin_register_vcpu_syscall_cb;
any_fn qemu_plugin_register_vcpu_syscall_ret_cb;
any_fn qemu_plugin_register_flush_cb;
any_fn qemu_plugin_register_atexit_cb;
any_fn qemu_plugin_reset;
WEAK any_fn qemu_plugin_scoreboard_new;
WEAK any_fn qemu_plugin_register_vcpu_tb_exec_cond_cb;
WEAK any_fn qemu_plugin_read_memory_vaddr;
WEAK any_fn qemu_plugin_write_memory_vaddr;
WEAK any_fn qemu_plugin_register_vcpu_syscall_filter_cb;

/* One function, two prototypes: up to version 2, and from 3 on. */
any_fn qemu_plugin_insn_data;
typedef const void *insn_data_2_fn(const struct qemu_plugin_insn *insn);
typedef size_t insn_data_3_fn(const struct qemu_plugin_insn *insn, void *dest,
			      size_t length);

WEAK char *qemu_plugin_path_to_binary(void);
WEAK u64 qemu_plugin_start_code(void);
unsigned qemu_plugin_mem_size_shift(u32 info);
bool qemu_plugin_mem_is_store(u32 info);

API_EXPORT int qemu_plugin_version = API_OLDEST;

u8 api_size_shift;
u8 api_store_shift;
uintptr_t api_code;
size_t api_code_size;

static const struct api_handlers *handlers;

bool
api_can_replace(void)
{
	return qemu_plugin_version >= 6;
}

/*
 * Versions 6 and 7 offer the same functions.  What tells them apart is
 * QEMU's own version, in the text that --version prints: "version 11.1.0".
 * Other versions named in QEMU's constants ("CPU version 2.5+") are lower.
 */
static bool
names_version(const char *text, size_t length, unsigned major,
	      unsigned minor)
{
	static const char key[] = " version ";
	const char *end = text + length, *p = text;

	while ((p = memmem(p, (size_t)(end - p), key, sizeof key - 1))) {
		char number[16] = "", *dot;
		size_t rest;
		unsigned long found;

		p += sizeof key - 1;
		rest = (size_t)(end - p);
		memcpy(number, p, rest < sizeof number ? rest :
		       sizeof number - 1);
		found = strtoul(number, &dot, 10);
		if (dot != number && *dot == '.' && (found > major ||
		    (found == major && strtoul(dot + 1, NULL, 10) >= minor)))
			return true;
	}
	return false;
}

/* Looks through the constants of the program itself, the first object. */
static int
search_program(struct dl_phdr_info *object, size_t size, void *is_version_7)
{
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &object->dlpi_phdr[i];

		if (ph->p_type != PT_LOAD || (ph->p_flags & (PF_W | PF_X)))
			continue;
		if (names_version((const char *)object->dlpi_addr +
				  ph->p_vaddr, ph->p_filesz, 11, 1))
			*(bool *)is_version_7 = true;
	}
	return 1;
}

/* The newest version that the QEMU around us and we both speak. */
static int
find_version(void)
{
	bool is_version_7 = false;

	if (!qemu_plugin_scoreboard_new)
		return 1;
	if (!qemu_plugin_register_vcpu_tb_exec_cond_cb)
		return 2;
	if (!qemu_plugin_read_memory_vaddr)
		return 3;
	if (!qemu_plugin_write_memory_vaddr)
		return 4;
	if (!qemu_plugin_register_vcpu_syscall_filter_cb)
		return 5;
	dl_iterate_phdr(search_program, &is_version_7);
	return is_version_7 ? 7 : 6;
}

__attribute__((constructor)) static void
set_version(void)
{
	qemu_plugin_version = find_version();
}

/* Of the program itself, the first object. */
static int
find_code(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &object->dlpi_phdr[i];

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X))
			continue;
		api_code = object->dlpi_addr + ph->p_vaddr;
		api_code_size = ph->p_memsz;
	}
	return 1;
}

int
api_install(void)
{
	bool size_seen = false, store_seen = false;

	dl_iterate_phdr(find_code, NULL);
	for (u8 bit = 0; bit < 32; bit++) {
		u32 info = UINT32_C(1) << bit;

		if (!size_seen && qemu_plugin_mem_size_shift(info) == 1) {
			api_size_shift = bit;
			size_seen = true;
		}
		if (!store_seen && qemu_plugin_mem_is_store(info)) {
			api_store_shift = bit;
			store_seen = true;
		}
	}
	for (unsigned log2 = 0; log2 < 8 && size_seen; log2++)
		size_seen = qemu_plugin_mem_size_shift((u32)log2
						<< api_size_shift) == log2;
	return size_seen && store_seen && api_store_shift ? 0 : -ENOTSUP;
}

size_t
api_insn_data(const struct qemu_plugin_insn *insn, void *buf, size_t length)
{
	size_t n = qemu_plugin_insn_size(insn);
	any_fn *data = qemu_plugin_insn_data;

	n = n < length ? n : length;
	if (qemu_plugin_version >= 3)
		n = ((insn_data_3_fn *)data)(insn, buf, n);
	else
		memcpy(buf, ((insn_data_2_fn *)data)(insn), n);
	memset((char *)buf + n, 0, length - n);
	return n;
}

char *
api_program(void)
{
	return qemu_plugin_path_to_binary ? qemu_plugin_path_to_binary() : NULL;
}

bool
api_program_start(u64 *start)
{
	if (!qemu_plugin_start_code)
		return false;
	*start = qemu_plugin_start_code();
	return true;
}

/* Callbacks up to version 6: the plugin's id comes first. */

static void
translate_6(u64 id, struct qemu_plugin_tb *tb)
{
	(void)id;
	handlers->translate(tb);
}

static void
vcpu_start_6(u64 id, unsigned vcpu)
{
	(void)id;
	handlers->vcpu_start(vcpu);
}

static void
vcpu_exit_6(u64 id, unsigned vcpu)
{
	(void)id;
	handlers->vcpu_exit(vcpu);
}

static void
syscall_6(u64 id, unsigned vcpu, s64 number, u64 a1, u64 a2, u64 a3, u64 a4,
	  u64 a5, u64 a6, u64 a7, u64 a8)
{
	const u64 arg[8] = { a1, a2, a3, a4, a5, a6, a7, a8 };

	(void)id;
	handlers->syscall(vcpu, number, arg);
}

static void
syscall_return_6(u64 id, unsigned vcpu, s64 number, s64 result)
{
	(void)id;
	handlers->syscall_return(vcpu, number, result);
}

static bool
replace_6(u64 id, unsigned vcpu, s64 number, u64 a1, u64 a2, u64 a3, u64 a4,
	  u64 a5, u64 a6, u64 a7, u64 a8, s64 *result)
{
	const u64 arg[8] = { a1, a2, a3, a4, a5, a6, a7, a8 };

	(void)id;
	return handlers->replace(vcpu, number, arg, result);
}

static void
flush_6(u64 id)
{
	(void)id;
	handlers->flush();
}

static void
exit_6(u64 id, void *data)
{
	(void)id;
	(void)data;
	handlers->exit();
}

/* Callbacks from version 7 on: no id, user data last. */

static void
translate_7(struct qemu_plugin_tb *tb, void *data)
{
	(void)data;
	handlers->translate(tb);
}

static void
vcpu_start_7(unsigned vcpu, void *data)
{
	(void)data;
	handlers->vcpu_start(vcpu);
}

static void
vcpu_exit_7(unsigned vcpu, void *data)
{
	(void)data;
	handlers->vcpu_exit(vcpu);
}

static void
syscall_7(unsigned vcpu, s64 number, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
	  u64 a6, u64 a7, u64 a8, void *data)
{
	const u64 arg[8] = { a1, a2, a3, a4, a5, a6, a7, a8 };

	(void)data;
	handlers->syscall(vcpu, number, arg);
}

static void
syscall_return_7(unsigned vcpu, s64 number, s64 result, void *data)
{
	(void)data;
	handlers->syscall_return(vcpu, number, result);
}

static bool
replace_7(unsigned vcpu, s64 number, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
	  u64 a6, u64 a7, u64 a8, s64 *result, void *data)
{
	const u64 arg[8] = { a1, a2, a3, a4, a5, a6, a7, a8 };

	(void)data;
	return handlers->replace(vcpu, number, arg, result);
}

static void
flush_7(void *data)
{
	(void)data;
	handlers->flush();
}

static void
exit_7(void *data)
{
	(void)data;
	handlers->exit();
}

/* Hands a callback to QEMU, with user data where the prototype has it. */
static void
hand_over(any_fn *reg, u64 id, any_fn *callback, bool with_data)
{
	typedef void reg_fn(u64, any_fn *);
	typedef void reg_data_fn(u64, any_fn *, void *);

	if (with_data)
		((reg_data_fn *)reg)(id, callback, NULL);
	else
		((reg_fn *)reg)(id, callback);
}

/* The callback to register, by whether the QEMU speaks version 7. */
#define PICK(name) (v7 ? (any_fn *)name##_7 : (any_fn *)name##_6)

void
api_register(u64 id, const struct api_handlers *h)
{
	bool v7 = qemu_plugin_version >= 7;

	handlers = h;
	if (h->translate)
		hand_over(qemu_plugin_register_vcpu_tb_trans_cb, id,
			  PICK(translate), v7);
	if (h->vcpu_start)
		hand_over(qemu_plugin_register_vcpu_init_cb, id,
			  PICK(vcpu_start), v7);
	if (h->vcpu_exit)
		hand_over(qemu_plugin_register_vcpu_exit_cb, id,
			  PICK(vcpu_exit), v7);
	if (h->syscall)
		hand_over(qemu_plugin_register_vcpu_syscall_cb, id,
			  PICK(syscall), v7);
	if (h->syscall_return)
		hand_over(qemu_plugin_register_vcpu_syscall_ret_cb, id,
			  PICK(syscall_return), v7);
	if (h->replace && api_can_replace())
		hand_over(qemu_plugin_register_vcpu_syscall_filter_cb, id,
			  PICK(replace), v7);
	if (h->flush)
		hand_over(qemu_plugin_register_flush_cb, id, PICK(flush), v7);
	if (h->exit)
		hand_over(qemu_plugin_register_atexit_cb, id, PICK(exit),
			  true);
}

void
api_reset(u64 id, void (*after)(void))
{
	/* Whatever QEMU hands it, it does not look at. */
	hand_over(qemu_plugin_reset, id, after, true);
}
