/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "explain.h"
#include "targets.h"

#include "machine/ahead.h"
#include "target/target.h"

#include <errno.h>
#include <sys/mman.h>

#define CACHE_BYTES (192u << 20)
#define CACHE_SPARE (1u << 20)	/* what a block may need, and edges */
#define COLD_BYTES (48u << 20)	/* of the cache: what is executed but once */
#define COLD_SPARE (1u << 16)
#define USUAL_BYTES 2048	/* of a block's code, at most */
#define USUAL_EXITS 2
#define USUAL_COLD_BYTES 64
#define MAX_BLOCKS (1u << 20)
#define MAX_EXITS (1u << 21)
#define MAX_ACCESSES (1u << 22)
#define MAX_MAP (1u << 24)

static struct {
	u8 *base;
	struct emitter at, cold;
	struct code_block *block;
	struct code_exit *exit;
	struct code_access *access;
	u16 *map;		/* bytes from a body to an instruction */
	u32 n_block, n_exit, n_access, n_map;
	u64 flushed;
	/* Up to where pages of them were asked for. */
	const char *asked, *asked_cold, *asked_block, *asked_exit;
} cache;

enum code_enter code_enter;
enum code_copy code_copy;
bool code_calls_only;

/* Memory from there on, if that is free, so that each process has it there, of which
 * pages are taken as they are used; NULL: none. */
static void *
reserve(u64 *at, size_t bytes)
{
	void *p = mmap((void *)(uintptr_t)*at, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*at += (bytes + HOST_PAGE_BYTES - 1) & ~(u64)(HOST_PAGE_BYTES - 1);
	return p == MAP_FAILED ? NULL : p;
}

static u8 *
cold_base(void)
{
	return cache.base + (CACHE_BYTES - COLD_BYTES);
}

/* What all blocks share is emitted first. */
static void
begin_shared(void)
{
	cache.at.p = cache.base;
	cache.cold.p = cold_base();
	edge_begin(&cache.at);
	arrive_begin(&cache.at);
}

int
code_begin(u64 near, u64 lists, enum code_enter enter)
{
	void *p = mmap((void *)(uintptr_t)(near - CACHE_BYTES), CACHE_BYTES,
		       PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	cache.base = p;
	cache.block = reserve(&lists, MAX_BLOCKS * sizeof *cache.block);
	cache.exit = reserve(&lists, MAX_EXITS * sizeof *cache.exit);
	cache.access = reserve(&lists, MAX_ACCESSES * sizeof *cache.access);
	code_enter = enter;
	targets_forget();
	begin_shared();
	cache.map = reserve(&lists, MAX_MAP * sizeof *cache.map);
	return cache.block && cache.exit && cache.access && cache.map &&
			       lists_begin(reserve(&lists, LISTS_BYTES))
		       ? 0 : -ENOMEM;
}

void
code_choose(enum code_enter enter)
{
	code_enter = enter;
}

struct code_block *
code_find(u64 pc)
{
	return lists_find(pc, code_copy);
}

struct code_block *
code_find_other(u64 pc)
{
	struct code_block *b = NULL;

	for (unsigned i = 0; i < CODE_COPIES && !b; i++) {
		if (i != code_copy)
			b = lists_find(pc, (enum code_copy)i);
		if (b && !code_is_same(b))
			b = NULL;
	}
	return b;
}

void
code_select(enum code_copy copy)
{
	if (code_copy != copy)
		targets_forget();
	code_copy = copy;
}

bool
code_is_full(void)
{
	return cache.at.p > cold_base() - CACHE_SPARE ||
	       cache.cold.p - cold_base() > COLD_BYTES - COLD_SPARE ||
	       cache.n_block == MAX_BLOCKS ||
	       cache.n_exit > MAX_EXITS - BLOCK_MAX_INSN ||
	       cache.n_map > MAX_MAP - BLOCK_MAX_INSN ||
	       cache.n_access > MAX_ACCESSES - 64 * BLOCK_MAX_INSN;
}

void
code_flush(void)
{
	lists_forget();
	targets_forget();
	host_forget();
	drop_begin();
	links_begin();
	exits_begin();
	begin_shared();
	cache.n_block = cache.n_exit = cache.n_access = cache.n_map = 0;
	cache.flushed++;
}

u64
code_flushed(void)
{
	return cache.flushed;
}

/* Of what most blocks need no more than. */
static void
ask_for_pages(void)
{
	ahead_as_written(&cache.asked, cache.at.p, USUAL_BYTES);
	ahead_as_written(&cache.asked_cold, cache.cold.p, USUAL_COLD_BYTES);
	ahead_as_written(&cache.asked_block, &cache.block[cache.n_block],
			 sizeof *cache.block);
	ahead_as_written(&cache.asked_exit, &cache.exit[cache.n_exit],
			 USUAL_EXITS * sizeof *cache.exit);
}

struct code_block *
code_make(const struct code_source *s)
{
	struct code_block *b;
	const u8 *begin, *cold;

	if (code_is_full())
		return NULL;
	ask_for_pages();
	cold = cache.cold.p;
	b = &cache.block[cache.n_block++];
	*b = (struct code_block){.pc = s->pc, .block = s->block,
				 .body = cache.at.p, .head = s->head,
				 .copy = (u8)code_copy};
	live_find(s);
	check_plan(s);
	b->live = code_live[0];
	b->map = cache.n_map;
	b->n = (u16)s->n;
	b->bytes = (u16)(s->insn[s->n - 1].pc + s->insn[s->n - 1].size - s->pc);
	begin = cache.at.p;
	exit_put_behind(&cache.at, b, s->by);
	for (unsigned i = 0; i < s->n; i++) {
		cache.map[cache.n_map++] = (u16)(cache.at.p - b->body);
		copy_insn(&cache.at, b, s, i);
	}
	b->end = cache.at.p;
	explain_part(&cache.at, "accesses that the tables do not show, by C");
	check_cold(&cache.at);
	explain_block(b, s, &(struct explain_code){begin, cache.at.p, cold});
	if (!s->head)
		code_show(b);
	return b;
}

u64
code_first(void)
{
	return (u64)(uintptr_t)cache.block;
}

void *
code_entry(struct code_block *t)
{
	if (!t->entry) {
		t->entry = cache.at.p;
		edge_call(&cache.at, t);
	}
	return t->entry;
}

u64
exit_new(struct code_block *from, enum code_exit_kind kind, u64 to)
{
	cache.exit[cache.n_exit] = (struct code_exit){
		.from = from, .target = to, .kind = (u8)kind};
	return cache.n_exit++;
}

/* What code arrives at that looks for t itself: no other reads where that is. */
static void
arrive(struct code_block *t)
{
	if (arrive_are_brief()) {
		t->arrive = cache.at.p;
		arrive_brief_at(&cache.at, t);
	} else if (t->copy == COPY_WHOLE) {
		t->arrive = cache.at.p;
		arrive_at(&cache.at, t);
	}
}

void
code_know(struct code_block *t)
{
	if (code_is_full() || t->checked || t->copy != code_copy)
		return;
	code_entry(t);
	if (!t->arrive)
		arrive(t);
	targets_put(&(struct host_target){
		.pc = t->pc, .code = t->entry, .arrive = t->arrive});
}

struct emitter *
code_emitter(void)
{
	return &cache.at;
}

struct emitter *
code_cold_emitter(void)
{
	return &cache.cold;
}

struct code_exit *
code_exit_of(u64 number)
{
	return &cache.exit[number];
}

const u8 *
code_place(const struct code_block *b, unsigned i)
{
	return b->body + cache.map[b->map + i];
}

bool
code_holds(const u8 *at)
{
	return (at >= cache.base && at < cache.at.p) ||
	       (at >= cold_base() && at < cache.cold.p);
}

const struct code_exit *
code_exit(u64 number)
{
	return &cache.exit[number];
}

/* Blocks lie in the cache in their order; edges between them are none. */
const struct code_block *
code_block_with(const u8 *at)
{
	u32 low = 0, high = cache.n_block;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (cache.block[middle].end <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == cache.n_block || at < cache.block[low].body)
		return NULL;
	return &cache.block[low];
}

u64
code_origin(const u8 *at)
{
	const struct code_block *b = code_block_with(at);
	unsigned i;
	u64 pc;

	if (!b)
		return 0;
	i = b->n - 1u;
	while (i && b->body + cache.map[b->map + i] > at)
		i--;
	pc = b->pc;
	for (unsigned k = 0; k < i; k++)
		pc += host_at(pc)->size;
	return pc;
}

bool
code_is_of_page(const u8 *at, u64 page)
{
	const struct code_block *b = code_block_with(at);

	return b && code_touches(b->pc, b->pc + b->bytes, page);
}

u64
access_new(struct code_access a)
{
	cache.access[cache.n_access] = a;
	return cache.n_access++;
}

const struct code_access *
code_access(u64 number)
{
	return &cache.access[number];
}

/* ---- Kept for other processes ------------------------------------------- */

void
code_parts(struct code_part part[CODE_PARTS])
{
	part[CODE_PART_HOT] = (struct code_part){
		cache.base, (size_t)(cache.at.p - cache.base)};
	part[CODE_PART_COLD] = (struct code_part){
		cold_base(), (size_t)(cache.cold.p - cold_base())};
	part[CODE_PART_BLOCKS] = (struct code_part){
		cache.block, cache.n_block * sizeof *cache.block};
	part[CODE_PART_EXITS] = (struct code_part){
		cache.exit, cache.n_exit * sizeof *cache.exit};
	part[CODE_PART_ACCESSES] = (struct code_part){
		cache.access, cache.n_access * sizeof *cache.access};
	part[CODE_PART_MAP] = (struct code_part){
		cache.map, cache.n_map * sizeof *cache.map};
}

void
code_parts_taken(const struct code_part part[CODE_PARTS])
{
	links_taken();
	cache.at.p = cache.base + part[CODE_PART_HOT].bytes;
	cache.cold.p = cold_base() + part[CODE_PART_COLD].bytes;
	cache.n_block = (u32)(part[CODE_PART_BLOCKS].bytes /
			      sizeof *cache.block);
	cache.n_exit = (u32)(part[CODE_PART_EXITS].bytes / sizeof *cache.exit);
	cache.n_access = (u32)(part[CODE_PART_ACCESSES].bytes /
			       sizeof *cache.access);
	cache.n_map = (u32)(part[CODE_PART_MAP].bytes / sizeof *cache.map);
}

u64
code_layout(void)
{
	const struct predict *predict = core.predict;
	const void *at[] = {&core, &host_state, cache.base, cache.block,
		cache.exit, cache.access, cache.map, core.stores, predict,
		predict ? predict->known : NULL,
		predict ? predict->history : NULL,
		predict ? predict->counter : NULL};
	u64 sum = code_enter * 2u + code_calls_only;

	for (unsigned i = 0; i < SIM_COUNT(at); i++)
		sum = (sum ^ sum >> 29 ^ (u64)(uintptr_t)at[i]) *
		      0x9e3779b97f4a7c15;
	return sum;
}

u32
code_exits(void)
{
	return cache.n_exit;
}

u32
code_blocks(void)
{
	return cache.n_block;
}

struct code_block *
code_block_of(u32 number)
{
	return &cache.block[number];
}
