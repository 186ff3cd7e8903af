/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every engine begins with. */
#include "engine.h"

#include "built_map.h"
#include "calling.h"
#include "channel_ia64.h"
#include "dumpable.h"
#include "hwperf_watch.h"
#include "libraries.h"
#include "mapped.h"
#include "pfm_watch.h"
#include "pipeline/window.h"
#include "profiling.h"
#include "regioning.h"
#include "sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int
engine_attach(const char *path, int fd)
{
	int error;

	libraries_note();
	dumpable_begin();
	if (fd < 0)
		fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return -errno;
	error = machine_attach(&target.map, fd);
	if (error)
		close(fd);
	return error;
}

bool
target_is_modelled(void)
{
	return target.timing || target.config->topo.tcs > 1 ||
	       target.config->topo.cpus > 1;
}

int
engine_model(void)
{
	int error;

	target.config = &target.map.m->config;
	target.timing = target.map.m->need &
				(NEED_TIMING | NEED_WATCH | NEED_PROFILE) ||
			target_is_used();
	error = target_is_modelled()
			? pipeline_init(&core, target.config)
			: pipeline_init_counts(&core, target.config);
	return error ? error : target_look();
}

void
engine_model_all(void)
{
	if (!target_is_modelled())
		core_model(&core);
	target.timing = true;
	mapped_begin();
	built_map_forget();
	hwperf_watch_start();
}

int
engine_watch(void)
{
	int error = sampling_start();

	if (!error)
		error = profiling_start();
	if (!error)
		error = calling_start();
	if (!error)
		error = regioning_start();
	if (error)
		return error;
	hwperf_watch_start();
	channel_ia64_start();
	pfm_watch_start();
	return 0;
}
