/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libperfex: counts two events between two points of a program, see
 * libperfex(3).  $T5_EVENT0 and $T5_EVENT1 override e0 and e1.
 */
#ifndef PMCSIM_IRIX_PERFEX_H
#define PMCSIM_IRIX_PERFEX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts from zero; reads and stops.  A generation number, or -1 with errno. */
int start_counters(int e0, int e1);
int read_counters(int e0, long long *c0, int e1, long long *c1);

/* Print on stderr: counts; counts and estimates of their times.  0 or -1. */
int print_counters(int e0, long long c0, int e1, long long c1);
int print_costs(int e0, long long c0, int e1, long long c1);

/* Takes costs from a file that perfex -t has written; 0 or -1. */
int load_costs(char *CostFileName);

/* The same for Fortran. */
int start_counters_(const int *e0, const int *e1);
int read_counters_(const int *e0, long long *c0, const int *e1,
		   long long *c1);
int print_counters_(const int *e0, const long long *c0, const int *e1,
		    const long long *c1);
int print_costs_(const int *e0, const long long *c0, const int *e1,
		 const long long *c1);
int load_costs_(const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
