/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_args.h"

#include <string.h>
#include <sys/resource.h>

void
engine_write_value(FILE *f, const char *value)
{
	for (; *value; value++) {
		if (*value == ',')
			fputc(',', f);
		fputc(*value, f);
	}
}

/*
 * Variables that QEMU itself, its dynamic linker or its memory allocator
 * would heed; they reach the target by -E.  A comma cannot be quoted there:
 * a value with one stays where it is.
 */
static bool
concerns_engine(const char *variable)
{
	static const char *const prefix[] = {"LD_", "QEMU_", "MALLOC_",
					     "GLIBC_TUNABLES="};

	if (strchr(variable, ',') || !strchr(variable, '='))
		return false;
	for (size_t i = 0; i < SIM_COUNT(prefix); i++)
		if (!strncmp(variable, prefix[i], strlen(prefix[i])))
			return true;
	return false;
}

/*
 * QEMU turns the order of the environment round, and puts what came by -E in
 * front: hence backwards.  A heap for each of QEMU's own threads would lie
 * where the kernel's choice of addresses for the target finds it or not; the
 * target does not see that there is one for all.
 */
void
engine_split_environment(char *const *target, struct strings *args,
			 struct strings *env)
{
	size_t n = 0;

	strings_add(env, "MALLOC_ARENA_MAX=1");
	strings_add(args, "-U");
	strings_add(args, "MALLOC_ARENA_MAX");
	while (target && target[n])
		n++;
	while (n-- > 0) {
		if (concerns_engine(target[n])) {
			strings_add(args, "-E");
			strings_add(args, target[n]);
		} else {
			strings_add(env, target[n]);
		}
	}
}

/* QEMU makes a stack as large as its limit, but of 8 MB if there is none. */
static void
add_stack(struct strings *args, enum isa isa)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur != RLIM_INFINITY)
		return;
	strings_add(args, "-s");
	strings_add(args, isa_row[isa].stack);
}

void
engine_add_program(struct strings *args, const struct program *p)
{
	add_stack(args, p->isa);
	strings_add(args, "-0");
	strings_add(args, p->argv.n ? p->argv.s[0] : "");
	strings_add(args, p->path);
	for (size_t i = 1; i < p->argv.n; i++)
		strings_add(args, p->argv.s[i]);
}
