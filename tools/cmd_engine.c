/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim engine": shows which QEMUs execute targets, or fetches them. */
#include "cmd_engine.h"

#include "engine.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_OWN = 125, EXIT_USAGE = 64 };

struct options {
	const char *offline;
	const char *qemu;
	const char *isa;
	bool force;
	bool help;
};

static const char usage[] =
	"Usage: pmcsim engine [OPTION...]\n"
	"Show which QEMU executes the targets of each instruction set, and\n"
	"fetch Debian 12's into the user's cache where there is none that "
	"takes plugins.\n"
	"\n"
	"      --force        fetch it in any case\n"
	"      --offline DIR  take the packages from DIR, not from a mirror\n"
	"      --qemu PATH    use this program, or those of this folder, "
	"from now on\n"
	"      --isa ISA      be concerned with one instruction set: x86_64,\n"
	"                     i386, mipsel, mips or alpha\n"
	"      --help         show this text\n";

static int
complain(int status, const char *sentence)
{
	fprintf(stderr, "pmcsim engine: %s\n", sentence);
	return status;
}

static void
say(const char *sentence)
{
	fprintf(stderr, "pmcsim engine: %s\n", sentence);
}

static bool
is_isa(const char *name)
{
	const char *isa;

	for (unsigned i = 0; (isa = pmcsim_engine_isa(i)); i++)
		if (!strcmp(isa, name))
			return true;
	return false;
}

/* 0, or EXIT_USAGE when it has complained. */
static int
parse(int argc, char **argv, struct options *options)
{
	enum { OFFLINE = 256, QEMU, ISA, FORCE, HELP };
	static const struct option list[] = {
		{ "offline", required_argument, NULL, OFFLINE },
		{ "qemu", required_argument, NULL, QEMU },
		{ "isa", required_argument, NULL, ISA },
		{ "force", no_argument, NULL, FORCE },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 }
	};
	static char name[] = "pmcsim engine";
	int c;

	argv[0] = name;	/* getopt_long() complains in its name */
	optind = 0;
	while ((c = getopt_long(argc, argv, "", list, NULL)) != -1)
		switch (c) {
		case OFFLINE:
			options->offline = optarg;
			break;
		case QEMU:
			options->qemu = optarg;
			break;
		case ISA:
			options->isa = optarg;
			break;
		case FORCE:
			options->force = true;
			break;
		case HELP:
			options->help = true;
			break;
		default:
			return EXIT_USAGE;
		}
	if (optind < argc) {
		fprintf(stderr, "pmcsim engine: it takes no argument, such "
			"as \"%s\"\n", argv[optind]);
		return EXIT_USAGE;
	}
	if (options->isa && !is_isa(options->isa)) {
		fprintf(stderr, "pmcsim engine: \"%s\" is no instruction set "
			"that can be executed: x86_64, i386, mipsel, mips, "
			"alpha\n", options->isa);
		return EXIT_USAGE;
	}
	if (options->qemu && (options->offline || options->force))
		return complain(EXIT_USAGE, "--qemu goes with --isa only");
	return 0;
}

/* Whether there is an engine for all instruction sets concerned. */
static bool
all_there(const char *only)
{
	const char *isa;
	bool there = true;

	for (unsigned i = 0; there && (isa = pmcsim_engine_isa(i)); i++) {
		char *path = NULL;

		if (only && strcmp(isa, only))
			continue;
		there = !pmcsim_engine_find(isa, &path, NULL);
		free(path);
	}
	return there;
}

/* One line per instruction set; EXIT_OWN if one has no engine. */
static int
show(const char *only)
{
	const char *isa;
	int status = 0;

	for (unsigned i = 0; (isa = pmcsim_engine_isa(i)); i++) {
		struct pmcsim_error error = { "" };
		struct engine_info info;
		char *path = NULL;

		if (only && strcmp(isa, only))
			continue;
		if (pmcsim_engine_find(isa, &path, &error) ||
		    pmcsim_engine_inspect(path, &info)) {
			printf("%-8s none: %s\n", isa, error.text);
			status = EXIT_OWN;
		} else {
			printf("%-8s %s (%s)\n", isa, path,
			       *info.version ? info.version :
			       "version unknown");
		}
		free(path);
	}
	return fflush(stdout) ? complain(EXIT_OWN, strerror(errno)) : status;
}

int
cmd_engine(int argc, char **argv)
{
	struct options options = { NULL, NULL, NULL, false, false };
	struct pmcsim_error error = { "" };
	const char *named = getenv("PMCSIM_QEMU");
	int status = parse(argc, argv, &options);
	struct engine_fetch how = { .say = say };

	if (status)
		return status;
	if (options.help)
		return fputs(usage, stdout) < 0 || fflush(stdout) ? EXIT_OWN
								  : 0;
	how.offline = options.offline;
	if (options.qemu)
		status = pmcsim_engine_adopt(options.qemu, options.isa,
					     &error);
	else if (options.force || options.offline ||
		 (!(named && *named) && !all_there(options.isa)))
		status = pmcsim_engine_fetch(&how, &error);
	if (status)
		return complain(EXIT_OWN, error.text);
	return show(options.isa);
}
