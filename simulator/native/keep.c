/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keep_internal.h"

#include "target/built_map.h"
#include "target/procedures.h"
#include "watch/profile.h"
#include "x86_64/explain.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_PROGRAM "/proc/self/exe"
#define COMPARED 16		/* pages at once */

static struct {
	bool wanted;
	bool spoiled;
	struct keep_key key;
	const struct keep_image *image; /* that this process has taken */
	u32 taken;		/* blocks of that, */
	u32 shown;		/* ... of which so many are found */
	struct keep_region region[KEEP_REGIONS];
	u32 n_region;
} keep;

/* ---- Whether, and for which program --------------------------------------- */

/* What is made for a machine that is watched depends on what watches it. */
static bool
is_usual(void)
{
	return !core.profiler && !core.calls && !procedures_wanted() &&
	       !explain_is_asked() && !(target.map.m->need & NEED_PLACES);
}

/* Identifies a file, as it is. */
static bool
identify(const char *path, u64 identity[5])
{
	struct stat st;

	if (stat(path, &st))
		return false;
	identity[0] = st.st_dev;
	identity[1] = st.st_ino;
	identity[2] = (u64)st.st_size;
	identity[3] = (u64)st.st_mtim.tv_sec * 1000000000u +
		      (u64)st.st_mtim.tv_nsec;
	identity[4] = (u64)st.st_ctim.tv_sec * 1000000000u +
		      (u64)st.st_ctim.tv_nsec;
	return true;
}

static bool
make_key(void)
{
	keep.key.layout = code_layout();
	keep.key.config = target.map.m->config_sum;
	keep.key.level = native.level;
	keep.key.timing = target.timing;
	keep.key.need = target.map.m->need;
	return identify(native.path, keep.key.program) &&
	       identify(OWN_PROGRAM, keep.key.engine);
}

void
keep_begin(void)
{
	struct keep_file file;
	u64 offset;

	keep.wanted = is_usual() && make_key() &&
		      keep_file_open(&file, false);
	if (!keep.wanted)
		return;
	keep.image = keep_file_find(&file, &keep.key, &offset);
	if (keep.image && !keep_take(keep.image, file.fd, offset))
		keep.image = NULL;
	if (keep.image)
		keep.taken = code_blocks();
	/* So that none of it is forgotten when the target asks for that. */
	if (keep.image && keep.image->tells_faults)
		host_faults_are_told();
	keep_file_close(&file);
}

void
keep_spoil(void)
{
	keep.spoiled = true;
}

bool
keep_is_on(void)
{
	return keep.wanted && !keep.spoiled;
}

/* ---- What the target maps -------------------------------------------------- */

static const u64 *
page_list(const struct keep_image *image)
{
	return (const u64 *)((const u8 *)image + image->page_at);
}

/* Whether those pages of the target are what they were, from number first on. */
static bool
are_same(u64 first, u64 n)
{
	static u8 now[COMPARED * NATIVE_PAGE];
	const u8 *then = (const u8 *)keep.image + keep.image->copy_at +
			 first * NATIVE_PAGE;

	return !guest_read(now, page_list(keep.image)[first],
			   n * NATIVE_PAGE) &&
	       !memcmp(now, then, n * NATIVE_PAGE);
}

/* Whether all pages of the region that code was read from are the same. */
static bool
is_same(const struct keep_region *r)
{
	const u64 *page = page_list(keep.image);
	u64 n = keep.image->n_page, i, run;

	for (i = 0; i < n; i += run) {
		run = 1;
		if (page[i] < r->from || page[i] >= r->to)
			continue;
		while (run < COMPARED && i + run < n &&
		       page[i + run] == page[i] + run * NATIVE_PAGE &&
		       page[i + run] < r->to)
			run++;
		if (!are_same(i, run))
			return false;
	}
	return true;
}

static bool
has(const struct keep_region *r, u64 at)
{
	return at >= r->from && at < r->to;
}

/* Code that was made of the region is found from now on. */
static void
show(const struct keep_region *r)
{
	const u64 *page = page_list(keep.image);

	for (u32 i = 0; i < keep.taken; i++) {
		struct code_block *b = code_block_of(i);

		if (!has(r, b->pc))
			continue;
		keep.shown++;
		if (b->head)
			continue;
		code_show(b);
		if (b->arrive)
			code_know(b);
	}
	for (u64 i = 0; i < keep.image->n_page; i++)
		if (has(r, page[i]))
			host_depend(page[i]);
}

static void
look(const struct keep_region *r)
{
	for (u32 i = 0; i < keep.image->n_region; i++) {
		const struct keep_region *then = &keep.image->region[i];

		if (then->from == r->from && then->to == r->to && is_same(r))
			show(r);
	}
}

void
keep_changed(u64 at, u64 bytes)
{
	for (u32 i = 0; i < keep.n_region;)
		if (keep.region[i].from < at + bytes && keep.region[i].to > at)
			keep.region[i] = keep.region[--keep.n_region];
		else
			i++;
}

void
keep_flushed(void)
{
	for (u32 i = 0; i < keep.taken; i++)
		built_map_note(code_block_of(i)->block);
	keep.image = NULL;
	keep.taken = keep.shown = 0;
}

void
keep_mapped(u64 at, u64 bytes, int prot, int flags, int fd)
{
	struct keep_region r = {at, at + native_pages(bytes)};

	if (!keep.wanted || fd < 0 || !(prot & PROT_EXEC) ||
	    prot & PROT_WRITE || (flags & MAP_TYPE) != MAP_PRIVATE)
		return;
	if (keep.n_region == KEEP_REGIONS) {
		keep.spoiled = true;
		return;
	}
	keep.region[keep.n_region++] = r;
	if (keep.image)
		look(&r);
}

/* ---- At the end ------------------------------------------------------------ */

static const struct keep_region *
region_of(u64 at)
{
	for (u32 i = 0; i < keep.n_region; i++)
		if (has(&keep.region[i], at))
			return &keep.region[i];
	return NULL;
}

/* Whether a block depends on nothing but code that is mapped. */
static bool
is_plain(const struct code_block *b)
{
	return b->copy == COPY_WHOLE && !b->checked && !b->block->marked &&
	       region_of(b->pc) &&
	       region_of(b->pc) == region_of(b->pc + b->bytes - 1u);
}

/* Blocks that are found together are found by each other, too. */
static bool
is_linked_within(const struct code_exit *x)
{
	return !x->to || region_of(x->from->pc) == region_of(x->to->pc);
}

static bool
are_plain(void)
{
	for (u32 i = 0; i < code_blocks(); i++)
		if (!is_plain(code_block_of(i)))
			return false;
	for (u32 i = 0; i < code_exits(); i++)
		if (!is_linked_within(code_exit(i)))
			return false;
	return true;
}

/* Nothing of what may be kept was left out, or made for this process alone. */
static bool
is_whole(void)
{
	return !keep.spoiled && !code_has_dropped() && !blocks_will_change() &&
	       !glue_direction() && keep.shown == keep.taken && are_plain();
}

static int
by_address(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* Lists the pages of regions that code depends on, up to so many; how many that
 * are.  Too many: ~0, as when it depends on others. */
static u64
list_pages(u64 *page, u64 most)
{
	static u64 all[HOST_DEPENDENCIES], left[HOST_DEPENDENCIES];
	u64 n = 0;

	host_dependencies(all);
	memcpy(left, all, sizeof left);
	for (u32 i = 0; i < keep.n_region; i++)
		for (u64 at = keep.region[i].from; at < keep.region[i].to;
		     at += NATIVE_PAGE) {
			if (!host_has_dependency(all, at))
				continue;
			host_clear_dependency(left, at);
			if (n == most)
				return ~0ull;
			page[n++] = at;
		}
	for (unsigned i = 0; i < HOST_DEPENDENCIES; i++)
		if (left[i])
			return ~0ull;
	qsort(page, n, sizeof *page, by_address);
	return n;
}

#define PAGES_MOST 65536u

/* Writes the pages into the image, which has room for them. */
static bool
write_pages(struct keep_image *image, const u64 *page)
{
	u8 *copy = (u8 *)image + image->copy_at;

	memcpy((u8 *)image + image->page_at, page,
	       image->n_page * sizeof *page);
	for (u64 i = 0; i < image->n_page; i++)
		if (guest_read(copy + i * NATIVE_PAGE, page[i], NATIVE_PAGE))
			return false;
	return true;
}

static void
write_image(const struct keep_file *file, struct keep_image *image,
	    const u64 *page)
{
	struct keep_image *to;

	image->tells_faults = host_tells_faults;
	image->n_region = keep.n_region;
	memcpy(image->region, keep.region, sizeof image->region);
	image->page_at = image->bytes;
	image->copy_at = image->page_at +
			 native_pages(image->n_page * sizeof *page);
	image->bytes = image->copy_at + image->n_page * NATIVE_PAGE;
	to = keep_file_room(file, image->bytes);
	if (!to)
		return;
	*to = *image;
	keep_write(to);
	if (write_pages(to, page))
		keep_file_put(file, to, &keep.key, code_blocks());
	munmap(to, image->bytes);
}

static void
write_all(const struct keep_file *file)
{
	static struct keep_image image;
	u64 *page = malloc(PAGES_MOST * sizeof *page);

	image.n_page = page ? list_pages(page, PAGES_MOST) : ~0ull;
	if (image.n_page != ~0ull && keep_lay_out(&image))
		write_image(file, &image, page);
	free(page);
}

/* Whether this was the only program so far, so that another one is not likely. */
static bool
is_alone(void)
{
	return target.map.m->images < 2 && !target.map.m->kept.again;
}

void
keep_save(void)
{
	struct keep_file file;

	if (!keep.wanted || keep.spoiled || is_alone() ||
	    code_blocks() == keep.taken || !keep_file_open(&file, true))
		return;
	if (keep_file_wants(&file, &keep.key, code_blocks()) && is_whole() &&
	    keep_file_lock(&file)) {
		/* Another process may have put one there meanwhile. */
		if (keep_file_wants(&file, &keep.key, code_blocks()))
			write_all(&file);
		keep_file_unlock(&file);
	}
	keep_file_close(&file);
}
