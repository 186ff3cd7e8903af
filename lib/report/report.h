/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the writers of reports share. */
#ifndef REPORT_H
#define REPORT_H

#include "pmcsim.h"

#include <locale.h>

#define REPORT_MODES 8	/* bytes of any mode string */

/* The event that a row counts; never NULL for rows of the report's CPU. */
const struct pmcsim_event *report_event(const struct pmcsim_report *report,
					const struct pmcsim_row *row);

/* Whether the model has the event in a mode that the row counts. */
bool report_is_modelled(const struct pmcsim_report *report,
			const struct pmcsim_row *row);

/* Whether the row has a number; if not, or if it is of user mode only where it
 * is to be of others, too, why; else NULL. */
bool report_has_value(const struct pmcsim_report *report,
		      const struct pmcsim_row *row, const char **reason);

/* How well the row's count is known: as its event is, if no account of the
 * operating system's work is in it. */
enum pmcsim_precision report_precision(const struct pmcsim_report *report,
				       const struct pmcsim_row *row);

/* "U", "SK": the modes that the bits of the control word stand for. */
const char *report_modes(unsigned modes, char text[REPORT_MODES]);

/* The index behind the last row with the modes and context of the first. */
size_t report_view_end(const struct pmcsim_report *report, size_t first);

/* What a metric writer is given: one metric of one mode and context. */
struct report_metric {
	const struct pmcsim_metric *metric;
	const struct pmcsim_count *view; /* modes, tc, vpe */
	double value;
};

/*
 * Calls fn for each metric that the rows first..end give; stops at a
 * negative result and returns it, -ENOMEM when there is no memory.
 */
int report_metrics(const struct pmcsim_report *report, size_t first,
		   size_t end,
		   int (*fn)(const struct report_metric *metric, void *data),
		   void *data);

/* Numbers as in the C locale, between these two; err, or why out failed. */
locale_t report_begin(void);
int report_end(locale_t before, FILE *out, int err);

#endif
