/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How this QEMU was started, and how to start the next one the same way.
 *
 * Arguments of the plugin that are read here:
 *
 *	qemu=FOLDER		where the QEMUs of other instruction sets are
 *	isa=LEVEL		of the processor that x86-64 programs see
 *	sysroot-<isa>=FOLDER	-L of programs of that instruction set
 */
#include "follow.h"

#include "turns/turns.h"

#include "program/engine_args.h"
#include "program/level.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SYSTEM_FOLDER "/usr/bin"

/* Options of QEMU's without an argument. */
static const char *const flags[] = {"singlestep", "strace",
				    "one-insn-per-tb"};

/* Options that belong to one program and not to the next. */
static const char *const own[] = {"0", "E", "U", "g"};

/* Plugin arguments that differ from process to process. */
static const char *const changing[] = {"fd=", "retire=", "tc=", "pin="};

static bool
one_of(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

/* Our command line: strings one behind the other, an empty one at the end. */
static char *
read_command_line(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t n = 0, room = 0;
	char *text = NULL, *more;
	ssize_t got = -1;

	if (fd < 0)
		return NULL;
	do {
		if (room - n < 3) {
			room = 2 * room + 4096;
			more = realloc(text, room);
			if (!more)
				break;
			text = more;
		}
		got = read(fd, text + n, room - n - 2);
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	close(fd);
	if (got < 0) {
		free(text);
		return NULL;
	}
	text[n] = text[n + 1] = '\0';
	return text;
}

/* Where the item that starts with word, or ends there, is; else NULL. */
static const char *
find_item(const char *plugin, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strchr(plugin, ','); p; p = strchr(p + 1, ','))
		if (!strncmp(p + 1, word, n))
			return p + 1;
	return NULL;
}

/* Length of an item; a doubled comma is part of it. */
static size_t
item_length(const char *item)
{
	size_t n = 0;

	while (item[n] && (item[n] != ',' || item[n + 1] == ','))
		n += item[n] == ',' ? 2 : 1;
	return n;
}

char *
engine_item(const char *plugin, const char *word)
{
	const char *item = find_item(plugin, word);
	size_t n, k = 0;
	char *value;

	if (!item)
		return NULL;
	n = item_length(item);
	value = malloc(n + 1);
	if (!value)
		return NULL;
	for (size_t i = strlen(word); i < n; i++) {
		value[k++] = item[i];
		i += item[i] == ',';
	}
	value[k] = '\0';
	return value;
}

static void
drop_item(char *plugin, const char *word)
{
	const char *found = find_item(plugin, word);
	char *at = found ? plugin + (found - plugin) - 1 : NULL;
	size_t n = found ? item_length(found) + 1 : 0;

	if (found)
		memmove(at, at + n, strlen(at + n) + 1);
}

/* The program behind argv[0]: as it was found, or as the kernel knows it. */
static char *
engine_path(const char *argv0)
{
	char path[4096];
	ssize_t n;

	if (*argv0 == '/' && !access(argv0, X_OK))
		return strdup(argv0);
	n = readlink("/proc/self/exe", path, sizeof path - 1);
	if (n <= 0)
		return NULL;
	path[n] = '\0';
	return strdup(path);
}

static void
take_option(struct engine *e, const char *name, const char *value)
{
	if (!strcmp(name, "plugin") && find_item(value, "machine=")) {
		free(e->plugin);
		e->plugin = strdup(value);
	} else if (!strcmp(name, "cpu")) {
		free(e->cpu);
		e->cpu = strdup(value);
	} else if (!strcmp(name, "L")) {
		free(e->sysroot);
		e->sysroot = strdup(value);
	} else if (!one_of(name, own, SIM_COUNT(own))) {
		char *option;

		strings_own(&e->option, asprintf(&option, "-%s", name) < 0
						? NULL : option);
		strings_add(&e->option, value);
	}
}

int
engine_read(struct engine *e)
{
	char *line = read_command_line(), *at = line, *name;

	memset(e, 0, sizeof *e);
	if (!line)
		return -ENOMEM;
	e->path = engine_path(at);
	at += strlen(at) + 1;
	while (*at == '-') {
		name = at + strspn(at, "-");
		at += strlen(at) + 1;
		if (one_of(name, flags, SIM_COUNT(flags))) {
			strings_add(&e->option, name - 1);
			continue;
		}
		take_option(e, name, at);
		at += strlen(at) + 1;
	}
	free(line);
	if (!e->path || !e->plugin || e->option.failed)
		return -ENOENT;
	for (size_t i = 0; i < SIM_COUNT(changing); i++)
		drop_item(e->plugin, changing[i]);
	return 0;
}

void
engine_free(struct engine *e)
{
	free(e->path);
	free(e->plugin);
	free(e->cpu);
	free(e->sysroot);
	strings_free(&e->option);
}

/* folder/qemu-isa, if it can be executed; else NULL. */
static char *
engine_in(const char *folder, size_t length, enum isa isa)
{
	char *path;

	if (asprintf(&path, "%.*s/qemu-%s", (int)length, folder,
		     isa_row[isa].name) < 0)
		return NULL;
	if (!access(path, X_OK))
		return path;
	free(path);
	return NULL;
}

/* The QEMU beside another program. */
static char *
engine_beside(const char *program, enum isa isa)
{
	const char *slash = strrchr(program, '/');

	return slash ? engine_in(program, (size_t)(slash - program), isa)
		     : NULL;
}

char *
engine_for(const struct engine *e, enum isa isa)
{
	char *folder, *found = NULL, *real;

	if (isa == target.isa)
		return strdup(e->path);
	folder = engine_item(e->plugin, "qemu=");
	if (folder)
		found = engine_in(folder, strlen(folder), isa);
	free(folder);
	if (!found)
		found = engine_beside(e->path, isa);
	if (!found && (real = realpath(e->path, NULL))) {
		found = engine_beside(real, isa);
		free(real);
	}
	return found ? found : engine_in(SYSTEM_FOLDER, strlen(SYSTEM_FOLDER),
					 isa);
}

static void
add_option(struct strings *args, const char *name, const char *value)
{
	if (value) {
		strings_add(args, name);
		strings_add(args, value);
	}
}

/* Where programs of that set find their libraries; the caller's, or NULL. */
static char *
sysroot_of(const struct engine *e, enum isa isa)
{
	const char *sysroot = e->sysroot;
	char word[32], *value;

	if (isa == target.isa)
		return sysroot ? strdup(sysroot) : NULL;
	snprintf(word, sizeof word, "sysroot-%s=", isa_row[isa].name);
	value = engine_item(e->plugin, word);
	if (value)
		return value;
	sysroot = isa_sysroot(isa);
	return sysroot ? strdup(sysroot) : NULL;
}

/* Where libraries of that set are, if only a variable says so. */
static void
write_sysroot(FILE *f, const struct engine *e, enum isa isa)
{
	const char *named = getenv(isa_row[isa].variable);
	char word[32];

	snprintf(word, sizeof word, "sysroot-%s=", isa_row[isa].name);
	if (!named || !*named || find_item(e->plugin, word))
		return;
	fprintf(f, ",%s", word);
	engine_write_value(f, named);
}

/*
 * The plugin's arguments for the next process: the slot that it takes over,
 * the context that it starts on, pin=1 if the target has chosen that, the
 * machine's descriptor if that is inherited, and where libraries are.  That
 * is told by variables only to the first one: the target may clear its
 * environment, or start a program of another set in the end.
 */
static char *
next_plugin(const struct engine *e)
{
	bool chosen;
	unsigned tc = turns_tc(&chosen);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fprintf(f, "%s,retire=%u,tc=%u%s", e->plugin, target.slot, tc,
		chosen ? ",pin=1" : "");
	if (plugin.inherit)
		fprintf(f, ",fd=%d", target.map.fd);
	for (enum isa isa = 0; isa < ISA_N; isa++)
		write_sysroot(f, e, isa);
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/* The processor for programs of that set; the caller's, or NULL. */
static char *
cpu_of(const struct engine *e, enum isa isa)
{
	const char *cpu = isa == target.isa ? e->cpu : isa_row[isa].cpu;
	char *level = engine_item(e->plugin, "isa="), *of_level = NULL;
	bool failed;

	if (level && !cpu && isa == ISA_X86_64)
		of_level = level_qemu(level_named(level), &failed);
	free(level);
	return of_level ? of_level : cpu ? strdup(cpu) : NULL;
}

void
engine_options(const struct engine *e, enum isa isa,
	       struct strings *args)
{
	char *sysroot = sysroot_of(e, isa), *cpu = cpu_of(e, isa);

	for (size_t i = 0; i < e->option.n; i++)
		strings_add(args, e->option.s[i]);
	strings_add(args, "-plugin");
	strings_own(args, next_plugin(e));
	add_option(args, "-cpu", cpu);
	add_option(args, "-L", sysroot);
	free(sysroot);
	free(cpu);
}
