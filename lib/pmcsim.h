/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libpmcsim: classic performance counters, emulated.
 *
 * Load a CPU table, plan which event goes on which counter in which run,
 * run a target under the emulated device, read the counters, work out
 * metrics.  Functions return 0 or a negative errno-style code, never print
 * and never exit; where a struct pmcsim_error is taken, it says in one
 * sentence what was wrong and where.
 */
#ifndef PMCSIM_H
#define PMCSIM_H

#include "pmcsim_error.h"
#include "pmcsim_table.h"
#include "pmcsim_run.h"
#include "pmcsim_names.h"
#include "pmcsim_region.h"
#include "pmcsim_profile.h"
#include "pmcsim_report.h"
#include "pmcsim_device.h"

#endif
