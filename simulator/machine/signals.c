/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signals.h"

#include <string.h>

/* With their lengths, in which most differ. */
static const struct {
	const char *name;
	size_t length;
} names[SIG_N] = {
#define SIGNAL(id, name, text) [SIG_##id] = {name, sizeof name - 1},
#include "signals.def"
#undef SIGNAL
};

const char *
signal_name(enum sim_signal s)
{
	return names[s].name;
}

int
signal_find(const char *name)
{
	size_t length = strlen(name);

	for (int s = 0; s < SIG_N; s++)
		if (names[s].length == length &&
		    !memcmp(names[s].name, name, length))
			return s;
	return -1;
}

bool
signal_is_untimed(enum sim_signal s)
{
	switch (s) {
	case SIG_BRANCH_COND:
	case SIG_BRANCH_TAKEN:
	case SIG_JUMP:
	case SIG_CALL:
	case SIG_JUMP_IND:
	case SIG_RETURN:
		return true;
	default:
		return s <= SIG_INSN_LAST;
	}
}

bool
signal_is_told(enum sim_signal s)
{
	return signal_is_untimed(s) ||
	       (s >= SIG_OS_SYSCALL && s <= SIG_OS_EXEC);
}
