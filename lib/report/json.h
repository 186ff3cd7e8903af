/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings of JSON. */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

/* Writes a string, quotes included; bytes that are not UTF-8 become
 * U+FFFD. */
void json_string(const char *text, FILE *out);

/*
 * Reads the string at *p and moves behind it.  The caller's; NULL when
 * there is none or no memory.
 */
char *json_read_string(const char **p);

#endif
