/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables that a target starts with.  They lie on its stack and are read
 * by its C library, so that they are part of what is counted.
 */
#include "environment.h"

#include "engine.h"

#include "program/strings.h"

#include <errno.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>

/* Chosen: as short as they can be where programs are found and text is that of
 * one language, whatever the caller's are. */
static char *const clean[] = {
	"PATH=/usr/local/bin:/usr/bin:/bin",
	"LC_ALL=C.UTF-8",
	NULL
};

extern char **environ;

static bool cleaned;		/* none of ours but those that are named */
static struct strings named;	/* words, in their order */
static struct strings chosen;	/* s NULL: ours, as they are */

static size_t
name_length(const char *variable)
{
	return strcspn(variable, "=");
}

/* Puts one in the place of that of its name, or behind the last. */
static void
put(const char *variable)
{
	size_t n = name_length(variable);
	char *copy = strdup(variable);

	for (size_t i = 0; copy && i < chosen.n; i++)
		if (name_length(chosen.s[i]) == n &&
		    !strncmp(chosen.s[i], variable, n)) {
			free(chosen.s[i]);
			chosen.s[i] = copy;
			return;
		}
	strings_own(&chosen, copy);
}

/* One that we do not have is one that the target does not have. */
static void
put_ours(const char *name)
{
	for (char **e = environ; e && *e; e++)
		if (name_length(*e) == strlen(name) &&
		    !strncmp(*e, name, strlen(name)))
			put(*e);
}

/* Ours may have a name twice: they stay as they are. */
static void
make_list(void)
{
	char *const *first = cleaned ? clean : environ;

	strings_free(&chosen);
	strings_add(&chosen, "");	/* a list, even if it stays empty */
	if (chosen.failed)
		return;
	free(chosen.s[--chosen.n]);
	chosen.s[0] = NULL;
	for (; first && *first; first++)
		strings_add(&chosen, *first);
	for (size_t i = 0; i < named.n; i++)
		if (strchr(named.s[i], '='))
			put(named.s[i]);
		else
			put_ours(named.s[i]);
}

int
pmcsim_environment_choose(const char *word, struct pmcsim_error *error)
{
	if (!*word || *word == '=')
		return engine_fail(error, -EINVAL, "\"%s\": neither clean nor "
				   "NAME[=VALUE]", word);
	if (!strcmp(word, "clean"))
		cleaned = true;
	else
		strings_add(&named, word);
	make_list();
	return named.failed || chosen.failed
		       ? engine_fail(error, -ENOMEM, "out of memory") : 0;
}

char *const *
environment_of_target(void)
{
	return chosen.s ? chosen.s : environ;
}

void
pmcsim_environment_hash(char text[PMCSIM_ENVIRONMENT_HASH])
{
	char whole[SHA256_DIGEST_STRING_LENGTH];
	SHA2_CTX hash;

	SHA256Init(&hash);
	for (char *const *e = environment_of_target(); e && *e; e++)
		SHA256Update(&hash, (const uint8_t *)*e, strlen(*e) + 1);
	SHA256End(&hash, whole);
	memcpy(text, whole, PMCSIM_ENVIRONMENT_HASH - 1);
	text[PMCSIM_ENVIRONMENT_HASH - 1] = '\0';
}
