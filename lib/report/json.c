/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings of JSON. */
#include "json.h"

#include "pmcsim.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Length of the valid UTF-8 sequence at p, 0 if there is none. */
static size_t
utf8_length(const unsigned char *p)
{
	static const struct {
		unsigned char mask, lead, n;
		unsigned least;
	} kinds[] = {
		{0x80, 0x00, 1, 0},	 {0xe0, 0xc0, 2, 0x80},
		{0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000},
	};

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		unsigned code = *p & (unsigned char)~kinds[k].mask;
		size_t i;

		if ((*p & kinds[k].mask) != kinds[k].lead)
			continue;
		for (i = 1; i < kinds[k].n && (p[i] & 0xc0) == 0x80; i++)
			code = code << 6 | (p[i] & 0x3f);
		if (i < kinds[k].n || code < kinds[k].least ||
		    code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
			return 0;
		return i;
	}
	return 0;
}

void
json_string(const char *text, FILE *out)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n;

	fputc('"', out);
	for (; *p; p += n ? n : 1) {
		n = utf8_length(p);
		if (n == 0)
			fputs("\xef\xbf\xbd", out);
		else if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20 || *p == 0x7f)
			fprintf(out, "\\u%04x", *p);
		else
			fwrite(p, 1, n, out);
	}
	fputc('"', out);
}

void
pmcsim_json_text(const char *text, FILE *out)
{
	if (text)
		json_string(text, out);
	else
		fputs("null", out);
}

void
pmcsim_json_texts(char *const *texts, FILE *out)
{
	if (!texts) {
		fputs("null", out);
		return;
	}
	fputc('[', out);
	for (char *const *t = texts; *t; t++) {
		fputs(t == texts ? "" : ",", out);
		json_string(*t, out);
	}
	fputc(']', out);
}

void
pmcsim_json_doubts(unsigned doubts, FILE *out)
{
	bool some = false;

	fputc('[', out);
	for (unsigned n = 0; pmcsim_doubt_name(n); n++) {
		if (!(doubts >> n & 1))
			continue;
		fputs(some ? ",{\"name\":" : "{\"name\":", out);
		json_string(pmcsim_doubt_name(n), out);
		fputs(",\"text\":", out);
		json_string(pmcsim_doubt_text(n), out);
		fputc('}', out);
		some = true;
	}
	fputc(']', out);
}

/* Four hexadecimal digits as UTF-8; only what json_string writes. */
static const char *
read_escape(const char *p, char **out)
{
	static const char plain[] = "\"\\/", named[] = "bfnrt";
	static const char value[] = "\b\f\n\r\t";
	char digits[5] = "", *end;
	const char *n;
	long code;

	if (*p && strchr(plain, *p)) {
		*(*out)++ = *p;
		return p + 1;
	}
	if (*p && (n = strchr(named, *p))) {
		*(*out)++ = value[n - named];
		return p + 1;
	}
	if (*p != 'u' || strnlen(p + 1, 4) < 4)
		return NULL;
	memcpy(digits, p + 1, 4);
	code = strtol(digits, &end, 16);
	if (*end || !isxdigit((unsigned char)digits[0]) || code == 0)
		return NULL;
	if (code < 0x80) {
		*(*out)++ = (char)code;
	} else if (code < 0x800) {
		*(*out)++ = (char)(0xc0 | code >> 6);
		*(*out)++ = (char)(0x80 | (code & 0x3f));
	} else {
		*(*out)++ = (char)(0xe0 | code >> 12);
		*(*out)++ = (char)(0x80 | (code >> 6 & 0x3f));
		*(*out)++ = (char)(0x80 | (code & 0x3f));
	}
	return p + 5;
}

char *
json_read_string(const char **text)
{
	const char *p = *text;
	char *string, *out;

	if (*p != '"')
		return NULL;
	string = out = malloc(strlen(p) + 1);
	if (!string)
		return NULL;
	for (p++; *p && *p != '"';) {
		if (*p != '\\') {
			*out++ = *p++;
			continue;
		}
		p = read_escape(p + 1, &out);
		if (!p)
			break;
	}
	if (!p || *p != '"') {
		free(string);
		return NULL;
	}
	*out = '\0';
	*text = p + 1;
	return string;
}
