/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spread of repeated counts.  Outliers are set aside by their distance from
 * the median, in units that estimate a standard deviation and that outliers
 * hardly move: the median absolute deviation (MAD) x 1.4826, or, where more
 * than half of the counts are equal and the MAD is zero, the mean absolute
 * deviation x 1.2533.  A count farther away than 3.5 units is an outlier.
 */
#include "pmcsim.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAR_AWAY 3.5L
#define MEDIAN_UNIT 1.4826L	/* 1 / normal quantile of 3/4 */
#define MEAN_UNIT 1.2533L	/* square root of pi / 2 */

static int
by_size(const void *a, const void *b)
{
	long double x = *(const long double *)a, y = *(const long double *)b;

	return x < y ? -1 : x > y;
}

/* Sorts x. */
static long double
median(long double *x, size_t n)
{
	qsort(x, n, sizeof *x, by_size);
	return n & 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* How far from the median a count can be and be kept; x is scratch space. */
static long double
reach(const uint64_t *count, size_t n, long double centre, long double *x)
{
	long double sum = 0, mad;

	for (size_t i = 0; i < n; i++) {
		x[i] = fabsl(count[i] - centre);
		sum += x[i];
	}
	mad = median(x, n);
	return FAR_AWAY *
	       (mad > 0 ? mad * MEDIAN_UNIT : sum / n * MEAN_UNIT);
}

int
pmcsim_spread(const uint64_t *count, size_t n, struct pmcsim_spread *spread)
{
	long double *x, centre, far, sum = 0, squares = 0;
	size_t kept = 0;

	memset(spread, 0, sizeof *spread);
	if (!n)
		return -EINVAL;
	x = calloc(n, sizeof *x);
	if (!x)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		x[i] = count[i];
	centre = median(x, n);
	far = reach(count, n, centre, x);
	for (size_t i = 0; i < n; i++) {
		if (fabsl(count[i] - centre) > far)
			continue;
		if (!kept || count[i] < spread->min)
			spread->min = count[i];
		if (!kept || count[i] > spread->max)
			spread->max = count[i];
		x[kept++] = count[i];
		sum += count[i];
	}
	sum /= kept;
	for (size_t i = 0; i < kept; i++)
		squares += (x[i] - sum) * (x[i] - sum);
	spread->mean = sum;
	spread->deviation = kept > 1 ? sqrtl(squares / (kept - 1)) : 0;
	spread->kept = kept;
	spread->outliers = n - kept;
	free(x);
	return 0;
}
