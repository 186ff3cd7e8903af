/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Developer check, a QEMU plugin: do the memory accesses that decode_x86()
 * vouches for really happen?  For every executed instruction it compares
 * them with the callbacks that QEMU makes, in number, order and size, and
 * prints each kind of mismatch once.  At the end it prints how much was
 * compared and how long decoding takes.
 *
 *	gcc -O2 -shared -fPIC -Isimulator tests/dev/memcheck_plugin.c \
 *		simulator/qemu/decode/x86*.c simulator/code/insn.c -o memcheck.so
 *	qemu-x86_64 -plugin ./memcheck.so PROGRAM
 *
 * Arguments: out=FILE appends the report there instead of standard error.
 */
#include "code/decode/decode.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct qemu_info {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system;
};

typedef void exec_cb(unsigned vcpu, void *data);
typedef void mem_cb(unsigned vcpu, u32 info, u64 addr, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(
	const struct qemu_plugin_tb *tb, size_t index);
u64 qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(u32 info);
bool qemu_plugin_mem_is_store(u32 info);
void qemu_plugin_register_vcpu_tb_trans_cb(
	u64 id, void (*cb)(u64 id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_cb(
	struct qemu_plugin_insn *insn, exec_cb *cb, int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(
	struct qemu_plugin_insn *insn, mem_cb *cb, int flags, int rw,
	void *data);
void qemu_plugin_register_atexit_cb(
	u64 id, void (*cb)(u64 id, void *data), void *data);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(u64 id, const struct qemu_info *info, int argc,
			       char **argv);

/* A translated instruction. */
struct checked {
	struct insn in;
	u8 bytes[15];
	char text[48];
};

/* What a virtual CPU's current instruction has done so far. */
struct vcpu {
	const struct checked *now;
	unsigned loads, stores;
	bool misplaced; /* a load after a store, or a size that is not said */
} __attribute__((aligned(64)));

/* QEMU writes a signal frame through the callbacks of the last instruction. */
enum { SIGNAL_FRAME = 64 };

enum { MAX_VCPU = 1024, MAX_REPORTS = 512, CHUNK = 4096, CHUNKS = 1024 };

static struct vcpu vcpus[MAX_VCPU];
static struct checked *chunks[CHUNKS]; /* addresses must not change */
static size_t n_checked;
static char reports[MAX_REPORTS][64];
static unsigned n_reports;
static u64 executed, accesses, vouched, frames;
static bool is64;
static FILE *out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Has a mismatch of this kind been printed before?  Remembers it. */
static bool
seen(const char *kind)
{
	for (unsigned i = 0; i < n_reports; i++)
		if (strcmp(reports[i], kind) == 0)
			return true;
	if (n_reports < MAX_REPORTS)
		strcpy(reports[n_reports++], kind);
	return false;
}

static void
report(const struct checked *c, const struct vcpu *v, const char *what)
{
	char kind[64];

	snprintf(kind, sizeof kind, "%.*s %s %u %u %x",
		 (int)strcspn(c->text, " "), c->text, what, v->loads,
		 v->stores, *c->text == '.' ? c->bytes[0] << 16 |
		 c->bytes[1] << 8 | c->bytes[2] : 0);
	pthread_mutex_lock(&lock);
	if (!seen(kind)) {
		fprintf(out, "MISMATCH %s: expected %u loads %u stores of %u,"
			" happened %u loads %u stores:", what, c->in.n_load,
			c->in.n_store, 1u << c->in.size_log2, v->loads,
			v->stores);
		for (unsigned i = 0; i < c->in.size; i++)
			fprintf(out, " %02x", c->bytes[i]);
		fprintf(out, "  %s\n", c->text);
	}
	pthread_mutex_unlock(&lock);
}

/* The current instruction of v is over, next is the address after it. */
static void
finish(const struct vcpu *v, u64 next)
{
	const struct insn *in = &v->now->in;

	if (in->flags & INSN_MEM_KNOWN && v->stores > SIGNAL_FRAME) {
		frames++; /* comes on top of the instruction's own stores */
		return;
	}
	accesses += v->loads + v->stores;
	if (in->branch == BRANCH_NONE && next != in->pc + in->size)
		return; /* a fault in mid-instruction */
	if (in->flags & INSN_MEM_KNOWN) {
		vouched += v->loads + v->stores;
		if (v->loads != in->n_load || v->stores != in->n_store)
			report(v->now, v, "count");
		else if (v->misplaced)
			report(v->now, v, "order or size");
	}
	if (in->flags & INSN_UNKNOWN)
		report(v->now, v, "unknown");
	/* Loading a segment register touches its descriptor. */
	if (in->cls == CLASS_SYSCALL || in->cls == CLASS_SYSREG ||
	    in->flags & INSN_UNKNOWN)
		return;
	if ((v->loads && !(in->flags & INSN_LOADS)) ||
	    (v->stores && !(in->flags & INSN_STORES)))
		report(v->now, v, "flag");
}

static void
on_exec(unsigned vcpu, void *data)
{
	struct vcpu *v = &vcpus[vcpu % MAX_VCPU];
	const struct checked *c = data;

	executed++;
	if (v->now)
		finish(v, c->in.pc);
	*v = (struct vcpu){.now = c};
}

static void
on_access(unsigned vcpu, u32 info, u64 addr, void *data)
{
	struct vcpu *v = &vcpus[vcpu % MAX_VCPU];
	const struct checked *c = data;

	(void)addr;
	if (qemu_plugin_mem_size_shift(info) != c->in.size_log2)
		v->misplaced = true;
	if (qemu_plugin_mem_is_store(info)) {
		v->stores++;
	} else {
		v->misplaced |= v->stores > 0;
		v->loads++;
	}
}

static struct checked *
new_checked(void)
{
	struct checked **chunk = &chunks[n_checked / CHUNK];

	if (n_checked == (size_t)CHUNK * CHUNKS)
		abort();
	if (!*chunk)
		*chunk = calloc(CHUNK, sizeof **chunk);
	if (!*chunk)
		abort();
	return &(*chunk)[n_checked++ % CHUNK];
}

static void
on_translate(u64 id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t size = qemu_plugin_insn_size(insn);
		char *text = qemu_plugin_insn_disas(insn);
		struct checked *c;

		pthread_mutex_lock(&lock);
		c = new_checked();
		pthread_mutex_unlock(&lock);
		memcpy(c->bytes, qemu_plugin_insn_data(insn),
		       size < sizeof c->bytes ? size : sizeof c->bytes);
		snprintf(c->text, sizeof c->text, "%s", text ? text : "?");
		free(text);
		decode_x86(&c->in, qemu_plugin_insn_vaddr(insn), c->bytes,
			   (unsigned)size, is64);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_exec, 0, c);
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, 0, 3, c);
	}
}

/* Nanoseconds to decode one of the instructions seen, on average. */
static double
decode_time(void)
{
	enum { WANTED = 4000000 };
	struct timespec from, to;
	struct insn in;
	size_t done = 0;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	while (n_checked && done < WANTED) {
		for (size_t i = 0; i < n_checked && i < CHUNK; i++, done++) {
			const struct checked *c = &chunks[0][i];

			decode_x86(&in, c->in.pc, c->bytes, c->in.size, is64);
			__asm__ volatile("" : : "r"(&in) : "memory");
		}
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	return done ? ((double)(to.tv_sec - from.tv_sec) * 1e9 +
		       (double)(to.tv_nsec - from.tv_nsec)) / (double)done : 0;
}

static void
on_exit_cb(u64 id, void *data)
{
	(void)id;
	(void)data;
	fprintf(out, "memcheck: %llu instructions executed, %zu translated, "
		"%llu accesses, %.2f %% vouched for, %llu signal frames, "
		"%u mismatches, %.1f ns to decode one\n",
		(unsigned long long)executed, n_checked,
		(unsigned long long)accesses,
		accesses ? 100.0 * (double)vouched / (double)accesses : 0,
		(unsigned long long)frames, n_reports, decode_time());
	fflush(out);
}

int
qemu_plugin_install(u64 id, const struct qemu_info *info, int argc,
		    char **argv)
{
	out = stderr;
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) != 0)
			return -1;
		out = fopen(argv[i] + 4, "a");
		if (!out)
			return -1;
	}
	is64 = strcmp(info->target_name, "x86_64") == 0;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_cb, NULL);
	return 0;
}
