/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of a device: from the channel to the file that serves them. */
#include "channel.h"

#define MAX_WORDS 2048

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "words of the channel are ours");

s64
device_call_give(struct device_call *call, u64 value)
{
	call->word[0] = value;
	call->n = 1;
	return 0;
}

/* The file whose device a call is for; NULL: none of ours. */
static const struct device_file *
called(int fd, struct device_call *call, char path[DEVICE_PATH])
{
	const struct device_file *file;

	call->fd = fd;
	if (fd < 0)
		return device_file_called();
	file = device_file_of(fd, path);
	if (!file || !file->call)
		return NULL;
	call->path = path;
	call->writable = device_file_writable(fd);
	return file;
}

enum pmcsim_result
channel_device(unsigned operation, struct request *r)
{
	u64 word[MAX_WORDS] = {0};
	struct device_call call = {0};
	char path[DEVICE_PATH];
	const struct device_file *file;

	if (operation != PMCSIM_DEVICE_CALL)
		return PMCSIM_UNKNOWN;
	if (r->length < sizeof *word || r->length >= r->room ||
	    r->length > sizeof word)
		return PMCSIM_INVALID;
	file = called((int)r->value, &call, path);
	if (!file)
		return PMCSIM_UNKNOWN;
	memcpy(word, r->text, r->length);
	call.command = (u32)word[0];
	call.word = word + 1;
	call.room = MAX_WORDS - 1;
	if (call.room > (r->room - 1) / sizeof *word)
		call.room = (r->room - 1) / sizeof *word;
	call.n = r->length / sizeof *word - 1;
	r->value = (u64)file->call(&call);
	r->length = (u32)(call.n * sizeof *word);
	memcpy(r->text, call.word, r->length);
	r->text[r->length] = '\0';
	r->reply = true;
	return PMCSIM_DONE;
}
