/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions as their language has them: C++, Rust, D. */
#include "symbols.h"

#include <libiberty/demangle.h>

char *
symbol_plain(const char *name)
{
	return *name == '_' ? cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS |
						   DMGL_ANSI) : NULL;
}

const char *
symbol_name(struct symbol *s)
{
	if (!s->tried)
		s->plain = symbol_plain(s->name);
	s->tried = true;
	return s->plain && *s->plain ? s->plain : s->name;
}
