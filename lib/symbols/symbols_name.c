/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions as their language has them: C++, Rust, D. */
#include "symbols.h"

#include <libiberty/demangle.h>

const char *
symbol_name(struct symbol *s)
{
	if (!s->tried && *s->name == '_')
		s->plain = cplus_demangle(s->name, DMGL_AUTO | DMGL_PARAMS |
						   DMGL_ANSI);
	s->tried = true;
	return s->plain && *s->plain ? s->plain : s->name;
}
