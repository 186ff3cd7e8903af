/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_explain.h"

#include "engine/engine.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t
address_of(const struct tool *tool, const char *text)
{
	unsigned long long address;
	char *end;

	errno = 0;
	address = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-')
		tool_fail(tool, TOOL_USAGE,
			  "--explain %s: this is no address, such as 0x401000",
			  text);
	return address;
}

/* Prints the file; false: it is empty. */
static bool
print(int fd)
{
	char text[4096];
	bool some = false;
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, text, sizeof text)) > 0) {
		fwrite(text, 1, (size_t)n, stdout);
		some = true;
	}
	return some;
}

int
engine_explain(const struct tool *tool, const char *address, const char *cpu,
	       bool timing, char **command)
{
	static const struct pmcsim_plan nothing;

	struct pmcsim_start start = {.argv = command};
	struct pmcsim_cpu *model;
	struct pmcsim_machine *m;
	struct pmcsim_exit how;
	struct pmcsim_error error;
	uint64_t at = address_of(tool, address);
	int fd = memfd_create("explain", MFD_CLOEXEC);
	char path[64];

	if (*command && !strcmp(*command, "--"))
		start.argv++;
	if (!*start.argv)
		tool_fail(tool, TOOL_USAGE,
			  "--explain: no command to be run; see --help");
	if (fd < 0)
		tool_fail(tool, TOOL_FAILED, "%s", strerror(errno));
	if (pmcsim_engine_choose("native", &error))
		tool_fail(tool, TOOL_FAILED, "%s", error.text);
	if (!pmcsim_command_is_native(start.argv))
		tool_fail(tool, TOOL_FAILED, "%s: this is no program that the "
			  "native engine executes", *start.argv);
	model = tool_cpu(tool, cpu ? cpu : "mips34k");
	if (pmcsim_machine_new(model, NULL, &m, &error))
		tool_fail(tool, TOOL_FAILED, "%s", error.text);
	if (!timing)
		pmcsim_machine_prepare(m, &nothing);
	snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), fd);
	pmcsim_engine_explain(at, path);
	tool_run(tool, m, &start, &how);
	pmcsim_machine_free(m);
	pmcsim_cpu_free(model);
	if (!print(fd))
		tool_fail(tool, TOOL_FAILED, "no code at %s was executed",
			  address);
	close(fd);
	tool_flush(tool);
	return 0;
}
