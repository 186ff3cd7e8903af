/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signal names of the tables, and the ledger that is written in them. */
#include "table_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Adds a signal to a list of n; how many there are then, or -errno. */
static int
add_signal(int s, u16 *list, unsigned n, unsigned max)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i] == s)
			return -EEXIST;
	if (n == max)
		return -E2BIG;
	list[n] = (u16)s;
	return (int)n + 1;
}

/* Adds the signals that a name stands for, as table_terms() does. */
static int
add_signals(const char *name, u16 *list, unsigned n, unsigned max)
{
	size_t length = strlen(name);
	bool all = length > 2 && !strcmp(name + length - 2, ".*");
	int one = all ? -1 : signal_find(name), more = -ENOENT;

	if (one >= 0)
		return add_signal(one, list, n, max);
	for (int s = 0; all && s < SIG_N; s++) {
		if (strncmp(signal_name(s), name, length - 1))
			continue;
		more = add_signal(s, list, n, max);
		if (more < 0)
			return more;
		n = (unsigned)more;
	}
	return more;
}

/* Cuts "SIGNno" off the end of text; its number, the default if there is
 * none, or -EINVAL. */
static int
cut_number(char *text, char sign, int otherwise)
{
	char *at = strrchr(text, sign), *end;
	unsigned long number;

	if (!at || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1))
		return at && sign == '@' ? -EINVAL : otherwise;
	number = strtoul(at + 1, &end, 10);
	if ((!number && sign != '@') || number > 255)
		return -EINVAL;
	*at = '\0';
	return (int)number;
}

int
table_terms(const char *text, struct event_term *list, unsigned n,
	    unsigned max)
{
	bool less = *text == '-';
	char name[80];
	u16 signal[SIG_N];
	int factor, mask, k;

	text += less;
	if (strlen(text) >= sizeof name)
		return -ENOENT;
	strcpy(name, text);
	factor = cut_number(name, '*', 1);
	mask = cut_number(name, '@', 0);
	if (factor < 0 || mask < 0)
		return -EINVAL;
	k = add_signals(name, signal, 0, SIG_N);
	for (int i = 0; i < k; i++) {
		for (unsigned j = 0; j < n; j++)
			if (list[j].signal == signal[i] &&
			    (!mask || !list[j].mask || list[j].mask & mask))
				return -EEXIST;
		if (n == max)
			return -E2BIG;
		list[n++] = (struct event_term){signal[i], (u8)factor,
						(u8)mask, less};
	}
	return k < 0 ? k : (int)n;
}

static int
check_cost(struct table_check *check, const struct yaml_cause *cause,
	   unsigned index)
{
	u16 seen[SIG_N];
	int n = 0;

	for (unsigned i = 0; i < cause->cost_count; i++) {
		const char *name = cause->cost[i].signal;

		table_at(check, "causes[%u].cost[%u].signal", index, i);
		n = strchr(name, '*') ? -ENOENT
				      : add_signals(name, seen, n, SIG_N);
		if (n == -ENOENT)
			return table_fail(check, "unknown signal '%s'", name);
		if (n < 0)
			return table_fail(check,
					  "signal '%s' is given twice", name);
	}
	return 0;
}

static int
check_numbers(struct table_check *check, const struct yaml_os *os)
{
	const struct {
		const char *name;
		u32 value, most;
	} number[] = {
		{"tick_hz", os->tick_hz, 100000},
		{"tick_code", os->tick_code, 1u << 20},
		{"tick_data", os->tick_data, 1u << 20},
		{"tick_stored", os->tick_stored, os->tick_data},
		{"fault_around", os->fault_around, 1u << 20},
	};

	for (unsigned i = 0; i < SIM_COUNT(number); i++) {
		table_at(check, "%s", number[i].name);
		if (number[i].value > number[i].most)
			return table_fail(check, "%s is %u, but can be 0 to %u",
					  number[i].name, number[i].value,
					  number[i].most);
	}
	if (os->fault_around & (os->fault_around - 1))
		return table_fail(check, "fault_around is %u, no power of two",
				  os->fault_around);
	return 0;
}

int
table_check_os(const struct table_file *file, struct pmcsim_error *error)
{
	struct table_check check = {.file = file, .error = error};
	const struct yaml_os *os = file->os;
	unsigned seen = 0;
	int rc = check_numbers(&check, os);

	for (unsigned i = 0; i < os->causes_count && !rc; i++) {
		table_at(&check, "causes[%u].cause", i);
		if (seen & 1u << os->causes[i].cause)
			return table_fail(&check,
					  "this cause is given twice");
		seen |= 1u << os->causes[i].cause;
		rc = check_cost(&check, &os->causes[i], i);
	}
	return rc;
}

void
table_ledger(struct sim_config *config, const struct yaml_os *os)
{
	struct ledger_config *ledger = &config->ledger;

	memset(ledger, 0, sizeof *ledger);
	if (os->tick_hz)
		ledger->tick_cycles = config->clock_hz / os->tick_hz;
	ledger->tick_code = os->tick_code;
	ledger->tick_data = os->tick_data;
	ledger->tick_stored = os->tick_stored;
	ledger->fault_around = os->fault_around;
	for (unsigned i = 0; i < os->causes_count; i++) {
		const struct yaml_cause *cause = &os->causes[i];

		/* It is work of the processor alone. */
		if (cause->cause == LEDGER_REFILL &&
		    config->pipe.refill_is_hardware)
			continue;
		ledger->cause[cause->cause].mode = cause->mode;
		for (unsigned j = 0; j < cause->cost_count; j++) {
			const struct yaml_cost *cost = &cause->cost[j];

			ledger->cause[cause->cause]
				.cost[signal_find(cost->signal)] = cost->count;
		}
	}
}
