/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock.h"

#include <time.h>

long
clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
