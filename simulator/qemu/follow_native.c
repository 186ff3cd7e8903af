/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The native engine goes on with the machine where the target executes an
 * x86-64 program.  The plugin's argument native=PATH tells where it is.
 */
#include "follow.h"

#include "program/level.h"
#include "turns/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *
follow_native(const struct engine *e, enum isa isa)
{
	return isa == ISA_X86_64 ? engine_item(e->plugin, "native=") : NULL;
}

/* Takes the value over; NULL: there is none. */
static void
add(struct strings *args, const char *name, char *value)
{
	if (!value)
		return;
	strings_add(args, name);
	strings_own(args, value);
}

/* Where libraries are: the plugin was told so, or a variable does. */
static void
add_sysroots(const struct engine *e, struct strings *args)
{
	for (enum isa isa = 0; isa < ISA_N; isa++) {
		const char *named = getenv(isa_row[isa].variable);
		char option[32], word[32], *value;

		snprintf(option, sizeof option, "-sysroot-%s",
			 isa_row[isa].name);
		snprintf(word, sizeof word, "sysroot-%s=", isa_row[isa].name);
		value = engine_item(e->plugin, word);
		if (!value && named && *named)
			value = strdup(named);
		add(args, option, value);
	}
}

/* The folder of this QEMU, where the others are, unless it was told. */
static char *
folder_of(const struct engine *e)
{
	char *told = engine_item(e->plugin, "qemu=");
	const char *slash = strrchr(e->path, '/');

	if (told || !slash)
		return told;
	return strndup(e->path, (size_t)(slash - e->path));
}

void
follow_native_options(const struct engine *e, struct strings *args)
{
	bool chosen;
	unsigned tc = turns_tc(&chosen);

	add(args, "-machine", engine_item(e->plugin, "machine="));
	if (plugin.inherit)
		strings_add_number(args, "-fd", (unsigned)target.map.fd);
	strings_add_number(args, "-retire", target.slot);
	strings_add_number(args, "-tc", tc);
	strings_add_number(args, "-pin", chosen);
	add(args, "-isa", engine_item(e->plugin, "isa="));
	add_sysroots(e, args);
	add(args, "-qemu", folder_of(e));
	add(args, "-plugin", strdup(e->plugin));
}
