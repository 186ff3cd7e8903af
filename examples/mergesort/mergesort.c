/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mergesort: the target of the cache study in MD00548, section 5.1.
 *
 *	mergesort [-cv] [-s LEVELS] FILE ELEMENTS BLOCKSIZE THREADS
 *
 * reads ELEMENTS 32-bit integers from FILE and sorts them with THREADS
 * threads: blocks of BLOCKSIZE elements are sorted one by one, then sorted
 * runs are merged in pairs, level by level.
 *
 * The source of the manual's program is not published.  What its Table 6
 * implies, with N elements, blocks of b and L = log2(N / b) merge levels:
 *
 *  - Instructions and data accesses grow by 27/8 and 3/8 per element and
 *    unit of b.  A selection sort that keeps the index of the minimum costs
 *    9/2 and 1/2; every second block is therefore sorted as two halves and
 *    merged, which has just that mean.  Why the original does three quarters
 *    of the comparisons is unknown.
 *  - Write-backs are one per line for the read, one per level, and one more
 *    when L is odd: two buffers change places at each level, all runs of a
 *    level are merged before the next begins, and the result is copied back
 *    if it ends up in the other buffer.
 *  - About 8 instructions and 2 accesses per element and level: a merge loop
 *    with both heads in registers.
 *  - About 100 instructions and 16 accesses per element that depend neither
 *    on b nor on L and miss no cache: a pass over each block while it is in
 *    the cache.  What the original does there is unknown; this one sums the
 *    block up, in memory, which also lets -c verify the result.
 *  - No write-backs for a conversion of the input: one big read.
 *  - Data-miss stalls are some 18 million more than four threads leave, which
 *    hide one another's misses.  A last serial pass over the result (-v) and
 *    two more merge levels done by one thread (-s 3) account for them, and
 *    with them for the rows of all stalls and ALU stalls.  It is a guess at
 *    the structure of the original that fits; the study uses -v -s 3.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_THREADS 64

enum { EXIT_USAGE = 64, SUMS = 5 };

/* Order-independent sums over elements; volatile: kept in memory. */
struct sums {
	volatile uint32_t sum[SUMS];
};

/* The sort of one thread: elements first .. last - 1 up to runs of width. */
struct share {
	pthread_t thread;
	struct sort *sort;
	size_t first, last;
	int *scratch;		/* half a block */
	struct sums sums;
};

/* One merge of two neighbouring runs: first .. mid - 1 and mid .. last - 1. */
struct join {
	pthread_t thread;
	const int *from;
	int *to;
	size_t first, mid, last;
};

struct sort {
	int *data, *spare;	/* buffers; the result ends up in data */
	size_t n, block;
	unsigned threads;
	unsigned own_levels;	/* merge levels inside a thread's share */
	unsigned serial_levels;	/* last levels that one thread does alone */
	struct share share[MAX_THREADS];
};

static _Noreturn void
die(const char *what, const char *why)
{
	fprintf(stderr, "mergesort: %s: %s\n", what, why);
	exit(1);
}

static void *
allocate(size_t n)
{
	int *p = malloc(n * sizeof *p);

	if (p == NULL)
		die("buffer", strerror(errno));
	return p;
}

/* Adds the elements to the sums, in several independent ways. */
static __attribute__((noinline)) void
sum_up(struct sums *s, const int *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		volatile uint32_t *sum = s->sum;
		uint32_t x = (uint32_t)a[i];

		for (; sum < s->sum + SUMS; sum++) {
			*sum += x;
			x ^= x >> 5;
		}
	}
}

static __attribute__((noinline)) void
selection_sort(int *a, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		size_t least = i;
		int value;

		for (size_t j = i + 1; j < n; j++)
			if (a[j] < a[least])
				least = j;
		value = a[i];
		a[i] = a[least];
		a[least] = value;
	}
}

/* Merges runs a .. a_end - 1 and b .. b_end - 1, neither empty. */
static __attribute__((noinline)) void
merge(const int *a, const int *a_end, const int *b, const int *b_end, int *to)
{
	int x = *a, y = *b;

	for (;;) {
		if (x <= y) {
			*to++ = x;
			if (++a == a_end)
				break;
			x = *a;
		} else {
			*to++ = y;
			if (++b == b_end)
				break;
			y = *b;
		}
	}
	while (a < a_end)
		*to++ = *a++;
	while (b < b_end)
		*to++ = *b++;
}

/* Merges two runs into the other buffer; a run without a partner moves. */
static void
merge_runs(const int *from, int *to, size_t first, size_t mid, size_t last)
{
	if (mid < last)
		merge(from + first, from + mid, from + mid, from + last,
		      to + first);
	else
		memcpy(to + first, from + first,
		       (last - first) * sizeof *to);
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Sorts one block; an odd one as two halves, see the top of the file. */
static void
sort_block(int *a, size_t n, int odd, int *scratch)
{
	size_t half = n / 2;

	if (!odd || half == 0) {
		selection_sort(a, n);
		return;
	}
	selection_sort(a, half);
	selection_sort(a + half, n - half);
	memcpy(scratch, a, half * sizeof *a);
	merge(scratch, scratch + half, a + half, a + n, a);
}

/* One thread's share: its blocks, then its levels of merges. */
static void *
sort_share(void *argument)
{
	struct share *share = argument;
	const struct sort *sort = share->sort;
	int *from = sort->data, *to = sort->spare, *other;
	size_t i, width = sort->block, last = share->last;
	int odd = 0;

	for (i = share->first; i < last; i += width, odd = !odd) {
		size_t n = least(width, last - i);

		sum_up(&share->sums, from + i, n);
		sort_block(from + i, n, odd, share->scratch);
	}
	for (unsigned level = 0; level < sort->own_levels; level++) {
		for (i = share->first; i < last; i += 2 * width)
			merge_runs(from, to, i, least(i + width, last),
				   least(i + 2 * width, last));
		other = from;
		from = to;
		to = other;
		width *= 2;
	}
	return NULL;
}

static void *
join_runs(void *argument)
{
	struct join *j = argument;

	merge_runs(j->from, j->to, j->first, j->mid, j->last);
	return NULL;
}

static void
start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	int e = pthread_create(thread, NULL, function, argument);

	if (e != 0)
		die("thread", strerror(e));
}

/* Merge levels that bring n elements in runs of width into one run. */
static unsigned
levels(size_t n, size_t width)
{
	unsigned level = 0;

	for (; width < n; width *= 2)
		level++;
	return level;
}

/*
 * The starts of the runs that the shares left, and n behind them.  Returns
 * how many runs there are; *bound is the caller's.
 */
static size_t
run_bounds(const struct sort *sort, size_t **bound)
{
	size_t width = sort->block << sort->own_levels, runs = 0;

	*bound = malloc((sort->n / width + sort->threads + 2)
			* sizeof **bound);
	if (*bound == NULL)
		die("buffer", strerror(errno));
	for (unsigned t = 0; t < sort->threads; t++)
		for (size_t i = sort->share[t].first;
		     i < sort->share[t].last; i += width)
			(*bound)[runs++] = i;
	(*bound)[runs] = sort->n;
	return runs;
}

/* One joined level: a thread per pair, or all pairs by this thread. */
static void
join_level(const int *from, int *to, const size_t *bound, size_t runs,
	   int serial)
{
	struct join *join = calloc(runs / 2 + 1, sizeof *join);
	size_t pairs = 0;

	if (join == NULL)
		die("buffer", strerror(errno));
	for (size_t i = 0; i < runs; i += 2, pairs++) {
		struct join *j = &join[pairs];

		j->from = from;
		j->to = to;
		j->first = bound[i];
		j->mid = bound[i + 1];
		j->last = i + 1 < runs ? bound[i + 2] : j->mid;
		if (serial)
			join_runs(j);
		else
			start(&j->thread, join_runs, j);
	}
	for (size_t i = 0; i < pairs && !serial; i++)
		pthread_join(join[i].thread, NULL);
	free(join);
}

/* Joins the runs of all shares; the result is in data. */
static void
join_shares(struct sort *sort)
{
	int *from = sort->data, *to = sort->spare, *other;
	size_t *bound, runs = run_bounds(sort, &bound);

	if (sort->own_levels % 2) {
		from = sort->spare;
		to = sort->data;
	}
	while (runs > 1) {
		unsigned left = levels(runs, 1);

		join_level(from, to, bound, runs,
			   left <= sort->serial_levels);
		for (size_t i = 0; 2 * i < runs; i++)
			bound[i] = bound[2 * i];
		runs = (runs + 1) / 2;
		bound[runs] = sort->n;
		other = from;
		from = to;
		to = other;
	}
	if (from != sort->data)
		memcpy(sort->data, from, sort->n * sizeof *from);
	free(bound);
}

/* Cuts the elements into shares of whole blocks, as even as possible. */
static void
cut_shares(struct sort *sort)
{
	size_t blocks = (sort->n + sort->block - 1) / sort->block;
	size_t longest = (blocks + sort->threads - 1) / sort->threads;
	unsigned joined = levels(sort->threads, 1), own = levels(longest, 1);

	/* Serial levels beyond the joined ones are taken from the shares. */
	if (sort->serial_levels > joined) {
		unsigned taken = sort->serial_levels - joined;

		own = taken < own ? own - taken : 0;
	}
	sort->own_levels = own;
	for (unsigned t = 0; t < sort->threads; t++) {
		struct share *share = &sort->share[t];

		share->sort = sort;
		share->first = blocks * t / sort->threads * sort->block;
		share->last = least(blocks * (t + 1) / sort->threads
				    * sort->block, sort->n);
		share->scratch = allocate(sort->block / 2 + 1);
	}
}

static void
sort_all(struct sort *sort)
{
	cut_shares(sort);
	for (unsigned t = 0; t < sort->threads; t++)
		start(&sort->share[t].thread, sort_share, &sort->share[t]);
	for (unsigned t = 0; t < sort->threads; t++)
		pthread_join(sort->share[t].thread, NULL);
	join_shares(sort);
}

/* Whether the result is in order: one more pass, that only reads. */
static int
in_order(const struct sort *sort)
{
	const int *a = sort->data;

	for (size_t i = 1; i < sort->n; i++)
		if (a[i - 1] > a[i])
			return 0;
	return 1;
}

/* Whether the result has the elements that were read. */
static int
complete(const struct sort *sort)
{
	struct sums all = { { 0 } };

	sum_up(&all, sort->data, sort->n);
	for (unsigned k = 0; k < SUMS; k++) {
		uint32_t sum = 0;

		for (unsigned t = 0; t < sort->threads; t++)
			sum += sort->share[t].sums.sum[k];
		if (sum != all.sum[k])
			return 0;
	}
	return 1;
}

static void
read_file(const char *path, int *to, size_t n)
{
	FILE *f = fopen(path, "rb");

	if (f == NULL)
		die(path, strerror(errno));
	if (fread(to, sizeof *to, n, f) != n)
		die(path, ferror(f) ? strerror(errno) : "is too short");
	fclose(f);
}

static void
usage(void)
{
	fputs("usage: mergesort [-cv] [-s LEVELS] FILE ELEMENTS BLOCKSIZE"
	      " THREADS\n"
	      "  -c  check that the elements are those read, and say so\n"
	      "  -v  verify the order with one more pass over the result\n"
	      "  -s  number of last merge levels done by one thread\n",
	      stderr);
	exit(EXIT_USAGE);
}

static size_t
number(const char *text, size_t min, size_t max)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < min ||
	    value > max) {
		fprintf(stderr, "mergesort: '%s' is not a number from %zu"
			" to %zu\n", text, min, max);
		exit(EXIT_USAGE);
	}
	return value;
}

int
main(int argc, char **argv)
{
	static struct sort sort = { .serial_levels = 1 };
	const size_t max_elements = SIZE_MAX / 16;
	int option, check = 0, verify = 0;

	while ((option = getopt(argc, argv, "cvs:")) != -1) {
		if (option == 'c')
			check = 1;
		else if (option == 'v')
			verify = 1;
		else if (option == 's')
			sort.serial_levels = number(optarg, 1, 64);
		else
			usage();
	}
	if (argc - optind != 4)
		usage();
	sort.n = number(argv[optind + 1], 1, max_elements);
	sort.block = number(argv[optind + 2], 1, max_elements);
	sort.threads = number(argv[optind + 3], 1, MAX_THREADS);
	sort.data = allocate(sort.n);
	sort.spare = allocate(sort.n);
	read_file(argv[optind], sort.data, sort.n);
	sort_all(&sort);
	if ((check || verify) && !in_order(&sort))
		die("result", "is not in order");
	if (check && !complete(&sort))
		die("result", "does not have the elements read");
	if (check)
		puts("sorted");
	return 0;
}
