/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Developer check, a QEMU plugin: the memory accesses that decode_mips() and
 * decode_alpha() vouch for, against those that QEMU makes, instruction by
 * executed instruction.  For single-threaded programs.
 *
 *	gcc -O2 -shared -fPIC -D_GNU_SOURCE -Isimulator \
 *		tests/dev/memcheck_mips.c simulator/qemu/api.c \
 *		simulator/code/insn.c simulator/qemu/decode/mips*.c \
 *		simulator/qemu/decode/alpha*.c -o memcheck.so
 *	qemu-mipsel -cpu 34Kf -L /usr/mipsel-linux-gnu \
 *		-plugin ./memcheck.so PROGRAM
 *	qemu-alpha -cpu ev67 -L /usr/alpha-linux-gnu \
 *		-plugin ./memcheck.so PROGRAM
 *
 * Prints each instruction that differs once, each instruction that was
 * executed but not decoded once, and a summary, to standard error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu/api.h"
#include "code/decode/decode.h"

#define SEEN_MAX 32

/* A translated instruction. */
struct site {
	struct insn insn;
	u32 code;
	bool reported;
};

static struct {
	enum isa isa;
	struct site *site;	/* being executed, or NULL */
	unsigned n_seen;
	u8 seen[SEEN_MAX];	/* its accesses: log2 of bytes, bit 7: store */
	u64 executed, known, mismatches, unknown;
} check;

API_EXPORT int qemu_plugin_install(u64 id, const struct api_info *info,
				   int argc, char **argv);

static unsigned
expected_accesses(const struct insn *in, u8 *list)
{
	unsigned n = 0;

	for (unsigned i = 0; i < in->n_load; i++)
		list[n++] = in->size_log2;
	for (unsigned i = 0; i < in->n_store; i++)
		list[n++] = in->size_log2 | 0x80;
	return n;
}

static bool
as_decoded(const struct insn *in)
{
	u8 expected[SEEN_MAX];

	if (in->flags & INSN_MEM_KNOWN)
		return check.n_seen == expected_accesses(in, expected) &&
		       !memcmp(check.seen, expected, check.n_seen);
	for (unsigned i = 0; i < check.n_seen; i++) {
		unsigned wanted = check.seen[i] & 0x80 ? INSN_STORES :
				  INSN_LOADS | INSN_IS_SC;

		if (!(in->flags & wanted))
			return false;
	}
	return true;
}

static void
print_accesses(const char *title, const u8 *list, unsigned n)
{
	fprintf(stderr, " %s", title);
	for (unsigned i = 0; i < n; i++)
		fprintf(stderr, " %c%d", list[i] & 0x80 ? 'S' : 'L',
			1 << (list[i] & 7));
}

static void
report(struct site *site, const char *what)
{
	u8 expected[SEEN_MAX];
	unsigned n = expected_accesses(&site->insn, expected);

	if (site->reported)
		return;
	site->reported = true;
	fprintf(stderr, "memcheck: %s: %0*x at %llx:", what,
		site->insn.size * 2, site->code,
		(unsigned long long)site->insn.pc);
	print_accesses("decoded", expected, n);
	print_accesses("seen", check.seen, check.n_seen);
	fputc('\n', stderr);
}

/* The instruction is over when the next one starts. */
static void
finish(void)
{
	struct site *site = check.site;

	if (!site)
		return;
	check.executed++;
	check.known += (site->insn.flags & INSN_MEM_KNOWN) != 0;
	if (site->insn.flags & INSN_UNKNOWN) {
		check.unknown++;
		report(site, "not decoded");
	}
	if (!as_decoded(&site->insn)) {
		check.mismatches++;
		report(site, "mismatch");
	}
}

static void
on_exec(unsigned vcpu, void *data)
{
	(void)vcpu;
	finish();
	check.site = data;
	check.n_seen = 0;
}

static void
on_access(unsigned vcpu, u32 info, u64 vaddr, void *data)
{
	(void)vcpu;
	(void)vaddr;
	if (data == check.site && check.n_seen < SEEN_MAX)
		check.seen[check.n_seen++] =
			(u8)(api_mem_size_log2(info) |
			     api_mem_is_store(info) << 7);
}

/* The mode shows in any instruction of two bytes or at an odd halfword. */
static bool
is_mips16(const struct qemu_plugin_tb *tb)
{
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (qemu_plugin_insn_size(insn) == 2 ||
		    qemu_plugin_insn_vaddr(insn) & 2)
			return true;
	}
	return false;
}

static void
decode(struct site *site, const struct qemu_plugin_insn *insn, bool mips16)
{
	u64 pc = qemu_plugin_insn_vaddr(insn);
	u8 bytes[4];
	unsigned size = (unsigned)api_insn_data(insn, bytes, sizeof bytes);
	bool big = check.isa == ISA_MIPS;

	for (unsigned i = 0; i < size; i++)
		site->code = site->code << 8 | bytes[i];
	if (check.isa == ISA_ALPHA)
		decode_alpha(&site->insn, pc, bytes, size);
	else
		decode_mips(&site->insn, pc, bytes, size, big, mips16);
}

static void
on_translate(struct qemu_plugin_tb *tb)
{
	bool mips16 = check.isa != ISA_ALPHA && is_mips16(tb);

	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		struct site *site = calloc(1, sizeof *site);

		if (!site)
			abort();
		decode(site, insn, mips16);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_exec,
						       API_NO_REGS, site);
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, API_NO_REGS,
						 API_READ_WRITE, site);
	}
}

static void
on_end(void)
{
	finish();
	fprintf(stderr,
		"memcheck: %llu executed, %llu vouched for, "
		"%llu not decoded, %llu mismatches\n",
		(unsigned long long)check.executed,
		(unsigned long long)check.known,
		(unsigned long long)check.unknown,
		(unsigned long long)check.mismatches);
}

int
qemu_plugin_install(u64 id, const struct api_info *info, int argc, char **argv)
{
	static const struct api_handlers handlers = {
		.translate = on_translate,
		.exit = on_end,
	};
	const char *target = info->target_name;

	(void)argc;
	(void)argv;
	if (!strcmp(target, "mipsel"))
		check.isa = ISA_MIPSEL;
	else if (!strcmp(target, "mips"))
		check.isa = ISA_MIPS;
	else if (!strcmp(target, "alpha"))
		check.isa = ISA_ALPHA;
	else
		return -1;
	if (api_install() < 0)
		return -1;
	api_register(id, &handlers);
	return 0;
}
