/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all parts of libpmcsim share.  See pmcsim.h. */
#ifndef PMCSIM_ERROR_H
#define PMCSIM_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMCSIM_API __attribute__((visibility("default")))

/* One sentence without a final newline; empty when nothing went wrong. */
struct pmcsim_error {
	char text[512];
};

/* Version of the library, "1.2.3". */
PMCSIM_API const char *pmcsim_version(void);

#ifdef __cplusplus
}
#endif

#endif
