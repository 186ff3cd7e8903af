/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vdec: a threaded video decoder, the target of the thread study.
 *
 *	vdec -b STREAM -n THREADS
 *
 * It has the structure of the decoder that MD00548 measures in sections 5.2
 * and 5.3: for each frame, the main thread copies the slices, byte by byte
 * through the bit reader, to a buffer per thread; as soon as a thread's rows
 * are complete it is created; the main thread decodes the last part itself,
 * waits for the others and outputs the frame.  The slices of a frame are
 * dealt out in order: 18 rows for four threads are 5, 5, 4 and 4.
 */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec.h"

enum {
	EXIT_USAGE = 64,
	MAX_THREADS = 18,
	START_CODE = 1,
	HEADER = 8,
	PART_BYTES = 1 << 18,	/* slices of one thread in one frame */
	LINE = 32,		/* bytes of a line of the 34K's D-cache */
};

/* What one thread decodes of a frame. */
struct part {
	pthread_t thread;
	struct slice slice;
	uint8_t *bytes;
	int first, rows;
	size_t start[MAX_ROWS + 1];	/* of its slices in bytes */
	int damaged;
	uint32_t light;		/* sum of its luminance */
};

struct decoder {
	struct bits bits;	/* the stream */
	int width, height, frames;
	struct frame frame[2];
	struct part part[MAX_THREADS];
	int threads;
	uint32_t crc_of[256];	/* of a byte */
	uint32_t crc;		/* of all frames, inverted */
	uint64_t light;		/* of all frames */
};

static _Noreturn void
die(const char *what, const char *why)
{
	fprintf(stderr, "vdec: %s: %s\n", what, why);
	exit(1);
}

static uint32_t
four_pixels(const uint8_t *pixel)
{
	uint32_t four;

	memcpy(&four, __builtin_assume_aligned(pixel, sizeof four),
	       sizeof four);
	return four;
}

/*
 * The sum of the luminance of a part's rows, for the lamp of a display.  By
 * now most of them have left the cache: it waits for memory while threads
 * that decode go on.
 */
static uint32_t
part_light(const struct part *p)
{
	const struct plane *plane = &p->slice.out->plane[0];
	size_t row = (size_t)plane->stride * MB;
	const uint8_t *pixel = plane->pixel + row * p->first;
	const uint8_t *end = pixel + row * p->rows;
	const uint32_t even = 0x00ff00ff;
	uint32_t light = 0;

	for (; pixel < end; pixel += sizeof(uint32_t)) {
		uint32_t four = four_pixels(pixel);
		uint32_t two = (four & even) + (four >> 8 & even);

		light += (two & 0xffff) + (two >> 16);
	}
	return light;
}

static void *
decode_part(void *argument)
{
	struct part *p = argument;

	for (int i = 0; i < p->rows; i++) {
		p->slice.row = p->first + i;
		if (decode_slice(&p->slice, p->bytes + p->start[i],
				 p->start[i + 1] - p->start[i]) < 0)
			p->damaged = 1;
	}
	p->light = part_light(p);
	return NULL;
}

/* The number behind the next start code, or -1 if something else follows. */
static int
unit_number(struct bits *b)
{
	if (bits_show(b, 24) != START_CODE)
		return -1;
	bits_skip(b, 24);
	return (int)bits_get(b, 8);
}

/* Copies a unit up to the next start code, without stuffing. */
static size_t
copy_unit(struct bits *b, uint8_t *to, size_t room)
{
	size_t n = 0;
	unsigned zeros = 0;

	while (bits_show(b, 24) != START_CODE &&
	       (b->next < b->end || b->window != 0)) {
		uint8_t byte = (uint8_t)bits_get(b, 8);

		if (zeros == 2 && byte == 3) {
			zeros = 0;
			continue;
		}
		zeros = byte == 0 ? zeros + 1 : 0;
		if (n == room)
			die("stream", "has a slice that is too long");
		to[n++] = byte;
	}
	return n;
}

static void
copy_part(struct decoder *d, struct part *p)
{
	size_t n = 0;

	for (int i = 0; i < p->rows; i++) {
		if (unit_number(&d->bits) != p->first + i + 1)
			die("stream", "lacks a slice");
		p->start[i] = n;
		n += copy_unit(&d->bits, p->bytes + n, PART_BYTES - n);
	}
	p->start[p->rows] = n;
}

static void
frame_header(struct decoder *d, int *intra_only, int *quantiser)
{
	uint8_t head[2];

	if (unit_number(&d->bits) != 0 ||
	    copy_unit(&d->bits, head, sizeof head) != sizeof head)
		die("stream", "lacks the start of a frame");
	*intra_only = head[0];
	*quantiser = head[1];
}

static void
init_crc(struct decoder *d)
{
	const uint32_t polynomial = 0xedb88320;

	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
		d->crc_of[i] = crc;
	}
	d->crc = ~(uint32_t)0;
}

static uint32_t
line_crc(const struct decoder *d, uint32_t crc, const uint8_t *pixel)
{
	for (const uint8_t *end = pixel + LINE; pixel < end; pixel++)
		crc = d->crc_of[(crc ^ *pixel) & 255] ^ crc >> 8;
	return crc;
}

/*
 * The output of a frame, when all its parts are there: a CRC-32 instead of a
 * file, byte by byte by the main thread alone.  That share of serial work is
 * what the stalls that remain with several threads in Table 7 ask for.  It
 * loads a word of the line after the next and does not wait for it, so that
 * the lines are in the cache when they are read.
 */
static void
output_frame(struct decoder *d, const struct frame *f)
{
	for (int p = 0; p < 3; p++) {
		int side = p == 0 ? MB : MB / 2;
		const uint8_t *pixel = f->plane[p].pixel;
		const uint8_t *end = pixel + f->plane[p].stride
				     * f->mb_height * side;

		for (; pixel < end; pixel += LINE) {
			ptrdiff_t ahead = end - pixel > 2 * LINE ? 2 * LINE
								 : 0;

			__asm__ volatile("" : : "r"(four_pixels(pixel
								+ ahead)));
			d->crc = line_crc(d, d->crc, pixel);
		}
	}
}

static void
decode_frame(struct decoder *d, int number)
{
	int intra_only, quantiser, row = 0, last = d->threads - 1;

	frame_header(d, &intra_only, &quantiser);
	for (int t = 0; t <= last; t++) {
		struct part *p = &d->part[t];
		int e = 0;

		p->slice.out = &d->frame[number % 2];
		p->slice.reference = &d->frame[(number + 1) % 2];
		p->slice.intra_only = intra_only;
		p->slice.quantiser = quantiser;
		p->first = row;
		p->rows = d->height / d->threads
			  + (t < d->height % d->threads);
		row += p->rows;
		copy_part(d, p);
		if (t < last)
			e = pthread_create(&p->thread, NULL, decode_part, p);
		else
			decode_part(p);
		if (e != 0)
			die("thread", strerror(e));
	}
	for (int t = 0; t <= last; t++) {
		struct part *p = &d->part[t];

		if (t < last)
			pthread_join(p->thread, NULL);
		if (p->damaged)
			die("stream", "has a damaged slice");
		d->light += p->light;
	}
	output_frame(d, &d->frame[number % 2]);
}

static uint8_t *
read_stream(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data;
	long end;

	if (f == NULL || fseek(f, 0, SEEK_END) < 0 || (end = ftell(f)) < 0)
		die(path, strerror(errno));
	rewind(f);
	data = malloc((size_t)end + 1);
	if (data == NULL || fread(data, 1, (size_t)end, f) != (size_t)end)
		die(path, strerror(errno));
	fclose(f);
	*size = (size_t)end;
	return data;
}

static void
open_stream(struct decoder *d, const uint8_t *data, size_t n)
{
	if (n < HEADER || memcmp(data, "VDC1", 4) != 0)
		die("stream", "does not begin with VDC1");
	d->width = data[4];
	d->height = data[5];
	d->frames = data[6] << 8 | data[7];
	if (d->width == 0 || d->height == 0 || d->height > MAX_ROWS)
		die("stream", "has an impossible size");
	if (d->threads > d->height)
		d->threads = d->height;
	bits_open(&d->bits, data + HEADER, n - HEADER);
	for (int i = 0; i < 2; i++)
		if (frame_new(&d->frame[i], d->width, d->height) < 0)
			die("frame", strerror(errno));
	for (int t = 0; t < d->threads; t++)
		if ((d->part[t].bytes = malloc(PART_BYTES)) == NULL)
			die("buffer", strerror(errno));
}

static void
usage(void)
{
	fprintf(stderr, "usage: vdec -b STREAM -n THREADS (1 to %d)\n",
		MAX_THREADS);
	exit(EXIT_USAGE);
}

int
main(int argc, char **argv)
{
	static struct decoder d;
	const char *path = NULL;
	char *end = NULL;
	uint8_t *data;
	size_t size;
	int option;

	while ((option = getopt(argc, argv, "b:n:")) != -1) {
		if (option == 'b')
			path = optarg;
		else if (option == 'n')
			d.threads = (int)strtol(optarg, &end, 10);
		else
			usage();
	}
	if (path == NULL || optind != argc || end == NULL || *end != '\0' ||
	    d.threads < 1 || d.threads > MAX_THREADS)
		usage();
	data = read_stream(path, &size);
	codec_init();
	init_crc(&d);
	open_stream(&d, data, size);
	printf("vdec: %d threads\n", d.threads);
	printf("height %d width %d\n", d.height * MB, d.width * MB);
	for (int i = 0; i < d.frames; i++)
		decode_frame(&d, i);
	printf("vdec: %d frames, checksum %08x, light %llu\n", d.frames, ~d.crc,
	       (unsigned long long)d.light);
	for (int i = 0; i < 2; i++)
		frame_free(&d.frame[i]);
	for (int t = 0; t < d.threads; t++)
		free(d.part[t].bytes);
	free(data);
	return 0;
}
