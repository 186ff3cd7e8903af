/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that complete a tool's command line in shells other than bash. */
#ifndef COMPLETION_H
#define COMPLETION_H

#include "tool.h"

void completion_zsh(const struct tool *tool, FILE *out);
void completion_fish(const struct tool *tool, FILE *out);

#endif
