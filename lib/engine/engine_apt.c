/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Downloading packages of Debian 12 with apt, as any user and on any Debian:
 * sources, lists, status and archives are our own in the work folder;
 * proxies and the like come from the host's configuration, signatures are
 * checked with the distribution's keyring.
 */
#include "engine_fetch.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEYRING "/usr/share/keyrings/debian-archive-keyring.gpg"
#define SUITE "bookworm"
#define MAX_PACKAGES 24

#define OFFLINE_ADVICE "or bring the packages and use " \
	"\"%s --offline DIR\""

/* Where the host gets Debian from. */
struct mirror {
	char main[512];
	char security[512];
};

static int
missing_apt(struct fetch *f, int rc)
{
	return engine_fail(f->error, rc, "apt-get cannot be run (%s): it is "
			   "needed to fetch Debian's packages, " OFFLINE_ADVICE,
			   strerror(-rc), f->command);
}

/* The word up to white space, without a final slash. */
static void
take_word(char *to, size_t size, const char *from)
{
	size_t n = strcspn(from, " \t\n");

	if (n && from[n - 1] == '/')
		n--;
	if (!*to && n < size) {
		memcpy(to, from, n);
		to[n] = '\0';
	}
}

/* The mirrors that the host is configured for, or Debian's own. */
static int
find_mirror(struct fetch *f, struct mirror *mirror)
{
	static const char *const list[] = {
		"apt-get", "indextargets", "--format", "$(REPO_URI)",
		"Created-By: Packages", NULL
	};
	char line[512];
	FILE *output;
	int rc = fetch_run(f, list);

	if (rc == -ENOENT)
		return missing_apt(f, rc);
	output = rc ? NULL : fetch_output(f);
	while (output && fgets(line, sizeof line, output)) {
		char word[512] = "";

		take_word(word, sizeof word, line);
		if (strncmp(word, "http", 4) && strncmp(word, "file:", 5))
			continue;
		if (strstr(word, "debian-security"))
			take_word(mirror->security, sizeof mirror->security,
				  word);
		else if (!fnmatch("*/debian", word, 0))
			take_word(mirror->main, sizeof mirror->main, word);
	}
	if (output)
		fclose(output);
	take_word(mirror->main, sizeof mirror->main,
		  "http://deb.debian.org/debian");
	take_word(mirror->security, sizeof mirror->security,
		  "http://deb.debian.org/debian-security");
	return 0;
}

static int
write_sources(struct fetch *f, const struct mirror *mirror)
{
	char path[PATH_MAX];
	int rc = fetch_path(f, path, "%s/sources.list", f->work);
	FILE *file = rc ? NULL : fopen(path, "we");

	if (rc)
		return rc;
	if (!file)
		return -errno;
	fprintf(file, "deb [arch=%s signed-by=" KEYRING "] %s " SUITE
		" main\n", f->arch, mirror->main);
	fprintf(file, "deb [arch=%s signed-by=" KEYRING "] %s " SUITE
		"-security main\n", f->arch, mirror->security);
	rc = ferror(file);
	return fclose(file) || rc ? -EIO : 0;
}

/* Copies the host's settings about how to acquire files. */
static int
copy_settings(struct fetch *f, FILE *file)
{
	static const char *const dump[] = { "apt-config", "dump", NULL };
	char line[4096];
	FILE *output;
	int rc = fetch_run(f, dump);

	if (rc)
		return rc;
	output = fetch_output(f);
	if (!output)
		return -errno;
	while (fgets(line, sizeof line, output))
		if (!strncmp(line, "Acquire::", 9) &&
		    strncmp(line, "Acquire::IndexTargets", 21))
			fputs(line, file);
	fclose(output);
	return 0;
}

/* Settings that keep apt off the host's state and configuration. */
static int
write_settings(struct fetch *f)
{
	static const char format[] =
		"Dir::Etc::main \"/dev/null\";\n"
		"Dir::Etc::parts \"/dev/null\";\n"
		"Dir::Etc::sourcelist \"%1$s/sources.list\";\n"
		"Dir::Etc::sourceparts \"/dev/null\";\n"
		"Dir::Etc::preferences \"/dev/null\";\n"
		"Dir::Etc::preferencesparts \"/dev/null\";\n"
		"Dir::State \"%1$s/state\";\n"
		"Dir::State::status \"%1$s/status\";\n"
		"Dir::Cache \"%1$s/cache\";\n"
		"Dir::Log \"%1$s\";\n"
		"APT::Architecture \"%2$s\";\n"
		"APT::Architectures { \"%2$s\"; };\n"
		"APT::Sandbox::User \"\";\n"
		"APT::Update::Error-Mode \"any\";\n"
		"Acquire::Languages \"none\";\n"
		"Acquire::Retries \"1\";\n"
		"Acquire::http::Timeout \"20\";\n"
		"Acquire::https::Timeout \"20\";\n";
	char path[PATH_MAX];
	int rc = fetch_path(f, path, "%s/apt.conf", f->work);
	FILE *file = rc ? NULL : fopen(path, "we");

	if (rc)
		return rc;
	if (!file)
		return -errno;
	rc = copy_settings(f, file);
	fprintf(file, format, f->work, f->arch);
	if (ferror(file))
		rc = -EIO;
	return fclose(file) ? -EIO : rc;
}

static int
make_state(struct fetch *f)
{
	static const char *const folders[] = {
		"state", "state/lists", "state/lists/partial", "cache",
		"cache/archives", "cache/archives/partial", "packages"
	};
	char path[PATH_MAX];
	FILE *status;
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof folders / sizeof *folders; i++) {
		rc = fetch_path(f, path, "%s/%s", f->work, folders[i]);
		if (!rc && mkdir(path, 0777))
			rc = -errno;
	}
	if (!rc)
		rc = fetch_path(f, path, "%s/status", f->work);
	if (rc)
		return rc;
	status = fopen(path, "we");
	return !status || fclose(status) ? -errno : 0;
}

/* Runs apt-get or apt-cache with our settings, in the folder packages. */
static int
run_apt(struct fetch *f, const char *program, const char *command,
	const char *option, const char *const *packages)
{
	char settings[PATH_MAX + 32], folder[PATH_MAX];
	const char *argv[MAX_PACKAGES + 8] = { settings, program, "-q",
					       command };
	size_t n = 4;
	int rc = fetch_path(f, folder, "%s/packages", f->work);

	if (rc)
		return rc;
	snprintf(settings, sizeof settings, "APT_CONFIG=%s/apt.conf",
		 f->work);
	if (option)
		argv[n++] = option;
	while (packages && *packages && n < MAX_PACKAGES + 7)
		argv[n++] = *packages++;
	argv[n] = NULL;
	return fetch_run_in(f, folder, argv);
}

/* Adds up the sizes of "apt-get download --print-uris"; the version of the
 * first package. */
static unsigned long long
add_sizes(struct fetch *f, char version[64])
{
	size_t length = strlen(f->package[0]);
	unsigned long long sum = 0, size;
	char line[4096], file[512];
	FILE *output = fetch_output(f);

	while (output && fgets(line, sizeof line, output)) {
		if (sscanf(line, "%*s %511s %llu", file, &size) != 2)
			continue;
		sum += size;
		if (!strncmp(file, f->package[0], length) &&
		    file[length] == '_') {
			char *colon = strstr(file, "%3a");

			sscanf(colon ? colon + 3 : file + length + 1,
			       "%63[^_]", version);
		}
	}
	if (output)
		fclose(output);
	return sum;
}

int
fetch_lists(struct fetch *f)
{
	struct mirror mirror = { "", "" };
	char why[256];
	int rc;

	if (access(KEYRING, R_OK))
		return engine_fail(f->error, -ENOENT, "the keyring " KEYRING
				   " is missing: install the package "
				   "debian-archive-keyring, " OFFLINE_ADVICE,
				   f->command);
	rc = find_mirror(f, &mirror);
	if (rc)
		return rc;
	rc = make_state(f);
	if (!rc)
		rc = write_sources(f, &mirror);
	if (!rc)
		rc = write_settings(f);
	if (rc)
		return engine_fail(f->error, rc, "cannot write into %s: %s",
				   f->work, strerror(-rc));
	fetch_say(f, "reading the package lists of Debian 12 from %s",
		  mirror.main);
	rc = run_apt(f, "apt-get", "update", NULL, NULL);
	if (rc)
		return engine_fail(f->error, rc, "Debian 12's package lists "
				   "cannot be read from %s (%s): check the "
				   "network, " OFFLINE_ADVICE, mirror.main,
				   fetch_why(f, why), f->command);
	return 0;
}

int
fetch_resolve(struct fetch *f, const char *package, char name[128])
{
	const char *const packages[] = { package, NULL };
	char line[512];
	FILE *output;

	*name = '\0';
	if (!run_apt(f, "apt-cache", "depends", NULL, packages) &&
	    (output = fetch_output(f))) {
		while (!*name && fgets(line, sizeof line, output))
			sscanf(line, " Depends: %127[^ :\n]", name);
		fclose(output);
	}
	if (*name)
		return 0;
	return engine_fail(f->error, -ENOENT, "Debian 12 has no package that "
			   "%s stands for", package);
}

static int
cannot_fetch(struct fetch *f, int rc)
{
	char why[256];

	return engine_fail(f->error, rc, "the packages cannot be fetched "
			   "(%s): check the network, " OFFLINE_ADVICE,
			   fetch_why(f, why), f->command);
}

int
fetch_download(struct fetch *f)
{
	char version[64] = "";
	unsigned long long size;
	size_t n = 0;
	int rc = run_apt(f, "apt-get", "download", "--print-uris",
			 f->package);

	if (rc)
		return cannot_fetch(f, rc);
	size = add_sizes(f, version);
	while (f->package[n])
		n++;
	fetch_say(f, "fetching %s %s and %zu package%s that it needs, "
		  "%.1f MB", f->package[0], version, n - 1,
		  n == 2 ? "" : "s", (double)size / 1e6);
	rc = run_apt(f, "apt-get", "download", NULL, f->package);
	return rc ? cannot_fetch(f, rc) : 0;
}
