/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vdec-make: writes the stream that vdec decodes to standard output.
 *
 *	vdec-make [-f FRAMES] [-q QUANTISER] > STREAM
 *
 * A CIF scene made of noise at several scales: a background that pans, an
 * object that moves against it and a patch that flickers.  All arithmetic is
 * on integers, so the stream is the same on every host.  Encoding is not
 * measured; it is written to be short.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec.h"

enum {
	WIDTH = 22, HEIGHT = 18,	/* macroblocks: 352 x 288 */
	SLICE_BYTES = 1 << 16,
	SEARCH = 5,			/* half pixels round a candidate */
	EXIT_USAGE = 64,
};

struct writer {
	uint8_t byte[SLICE_BYTES];
	size_t n;
	unsigned partial, bits;
};

struct encoder {
	struct frame source, frame[2];
	struct slice slice;		/* decodes what was written */
	struct writer out;
	int quantiser;
	int dc[3], mv[2];
};

static void
put(struct writer *w, unsigned value, unsigned n)
{
	while (n-- > 0) {
		w->partial = w->partial << 1 | (value >> n & 1);
		if (++w->bits < 8)
			continue;
		if (w->n == SLICE_BYTES) {
			fputs("vdec-make: slice too long\n", stderr);
			exit(1);
		}
		w->byte[w->n++] = (uint8_t)w->partial;
		w->partial = w->bits = 0;
	}
}

static void
put_signed(struct writer *w, int value)
{
	unsigned size = 0, magnitude = (unsigned)abs(value);

	while (magnitude >> size)
		size++;
	put(w, 1, size + 1);
	if (size > 0)
		put(w, (unsigned)(value > 0 ? value : value + (1 << size) - 1),
		    size);
}

/* Writes the bytes as a unit; they must not end with a zero. */
static void
put_unit(struct writer *w, int number)
{
	unsigned zeros = 0;

	fwrite("\0\0\1", 1, 3, stdout);
	putchar(number);
	for (size_t i = 0; i < w->n; i++) {
		if (zeros == 2 && w->byte[i] <= 3) {
			putchar(3);
			zeros = 0;
		}
		putchar(w->byte[i]);
		zeros = w->byte[i] == 0 ? zeros + 1 : 0;
	}
}

/* ---- The scene ------------------------------------------------------- */

static unsigned
hash(unsigned x, unsigned y, unsigned seed)
{
	unsigned h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ seed * 0xc2b2ae3du;

	h ^= h >> 15;
	h *= 0x2c1b3c6du;
	h ^= h >> 12;
	return h >> 8 & 255;
}

/* Noise between lattice points 1 << scale apart; 0 to 255. */
static int
noise(int x, int y, int scale, unsigned seed)
{
	int size = 1 << scale, fx = x & (size - 1), fy = y & (size - 1);
	unsigned i = (unsigned)(x >> scale), j = (unsigned)(y >> scale);
	int top = (int)hash(i, j, seed) * (size - fx)
		  + (int)hash(i + 1, j, seed) * fx;
	int bottom = (int)hash(i, j + 1, seed) * (size - fx)
		     + (int)hash(i + 1, j + 1, seed) * fx;

	return (top * (size - fy) + bottom * fy) >> (2 * scale);
}

static int
texture(int x, int y, unsigned seed)
{
	return (noise(x, y, 9, seed) * 5 + noise(x, y, 7, seed + 1) * 2
		+ noise(x, y, 5, seed + 2)) / 8;
}

static uint8_t
scene(int p, int x, int y, int time)
{
	int dx = x - 150 - 4 * time, dy = y - 130 - time;
	unsigned seed = 10 * (unsigned)p;

	/* Positions are in sixteenths of a pixel from here on. */
	if (dx * dx + dy * dy * 2 < 70 * 70)
		return (uint8_t)texture(dx * 16 + 4096, dy * 16 + 4096,
					seed + 5);
	if (x > 260 && y < 90)
		seed += 100 + 10 * (unsigned)time;
	return (uint8_t)texture(x * 16 + 4096 + 24 * time,
				y * 16 + 4096 - 8 * time, seed);
}

static void
draw(const struct frame *f, int time)
{
	for (int p = 0; p < 3; p++) {
		int zoom = p == 0 ? 1 : 2, stride = f->plane[p].stride;
		int lines = f->mb_height * MB / zoom;

		for (int i = 0; i < lines * stride; i++)
			f->plane[p].pixel[i] = scene(p, i % stride * zoom,
						     i / stride * zoom, time);
	}
}

/* ---- Macroblocks ----------------------------------------------------- */

/* Cosine transform; 2048 sqrt(2) cos(k pi / 16) as in the decoder. */
static void
dct(const int *pixel, int *out)
{
	static const int c[8] = { 2048, 2841, 2676, 2408, 2048, 1609, 1108,
				  565 };
	int half[64];

	for (int pass = 0; pass < 2; pass++) {
		const int *from = pass == 0 ? pixel : half;
		int *to = pass == 0 ? half : out;

		for (int line = 0; line < 8; line++)
			for (int k = 0; k < 8; k++) {
				int sum = 0;

				for (int i = 0; i < 8; i++) {
					int a = (2 * i + 1) * k % 32;
					int sign = a > 8 && a < 24 ? -1 : 1;

					a = a > 16 ? 32 - a : a;
					a = a > 8 ? 16 - a : a;
					if (a < 8)
						sum += from[8 * line + i]
						       * sign * c[a];
				}
				to[8 * k + line] = (sum + (1 << 11)) / 4096;
			}
	}
	for (int i = 0; i < 64; i++)
		out[i] /= 2;
}

static void
put_coefficient(struct writer *w, unsigned run, int level)
{
	unsigned magnitude = (unsigned)abs(level), i;

	for (i = 0; i < rl_codes; i++)
		if (rl_code[i].run == run && rl_code[i].level == magnitude)
			break;
	if (i < rl_codes) {
		put(w, rl_bits(i), rl_code[i].length);
	} else {
		for (i = 0; rl_code[i].run != RL_ESCAPE;)
			i++;
		put(w, rl_bits(i), rl_code[i].length);
		put(w, run, ESCAPE_RUN_BITS);
		put(w, magnitude, ESCAPE_LEVEL_BITS);
	}
	put(w, level < 0, 1);
}

static void
put_levels(struct writer *w, const int *level, unsigned from)
{
	unsigned run = 0;

	for (unsigned i = from; i < 64; i++) {
		if (level[zigzag[i]] == 0) {
			run++;
			continue;
		}
		put_coefficient(w, run, level[zigzag[i]]);
		run = 0;
	}
	put(w, rl_bits(0), rl_code[0].length);
}

/* Where block i of a macroblock begins in its plane. */
static const uint8_t *
block_at(const struct frame *f, int mb, int row, int i, int *stride)
{
	int p = i < 4 ? 0 : i - 3, side = p == 0 ? MB : MB / 2;
	int x = mb * side, y = row * side;

	if (p == 0) {
		x += i % 2 * 8;
		y += i / 2 * 8;
	}
	*stride = f->plane[p].stride;
	return f->plane[p].pixel + y * *stride + x;
}

static void
put_intra(struct encoder *e, int mb, int row)
{
	for (int i = 0; i < BLOCKS; i++) {
		int pixel[64], level[64], stride, c = i < 4 ? 0 : i - 3, dc;
		const uint8_t *from = block_at(&e->source, mb, row, i,
					       &stride);

		for (int k = 0; k < 64; k++)
			pixel[k] = from[k / 8 * stride + k % 8] - 128;
		dct(pixel, level);
		dc = level[0] / 8;
		put_signed(&e->out, dc - e->dc[c]);
		e->dc[c] = dc;
		for (unsigned k = 1; k < 64; k++)
			level[k] = level[k] * 16
				   / (e->quantiser * intra_weight(k));
		put_levels(&e->out, level, 1);
	}
	e->mv[0] = e->mv[1] = 0;
}

/* A pixel of the reference at a half-pixel position, as the decoder's. */
static int
reference_pixel(const struct plane *p, int x, int y)
{
	const uint8_t *f = p->pixel + (y >> 1) * p->stride + (x >> 1);
	int right = x & 1, down = y & 1 ? p->stride : 0;

	if (right && down)
		return (f[0] + f[1] + f[down] + f[down + 1] + 2) >> 2;
	if (right || down)
		return (f[0] + f[right + down] + 1) >> 1;
	return f[0];
}

static int
difference(const struct encoder *e, int mb, int row, const int *mv)
{
	const struct plane *r = &e->slice.reference->plane[0];
	const struct plane *s = &e->source.plane[0];
	int x = mb * MB * 2 + mv[0], y = row * MB * 2 + mv[1], sum = 0;

	if (x < 0 || y < 0 || x + 2 * MB > 2 * MB * WIDTH - 1 ||
	    y + 2 * MB > 2 * MB * HEIGHT - 1)
		return 1 << 24;
	for (int i = 0; i < MB * MB; i++) {
		int dx = i % MB, dy = i / MB;

		sum += abs(s->pixel[(row * MB + dy) * s->stride + mb * MB + dx]
			   - reference_pixel(r, x + 2 * dx, y + 2 * dy));
	}
	return sum;
}

/* The best vector near standing still and near the scene's two motions. */
static int
search(const struct encoder *e, int mb, int row, int *best)
{
	static const int start[3][2] = { { 0, 0 }, { 3, -1 }, { -8, -2 } };
	int least = difference(e, mb, row, start[0]);

	best[0] = best[1] = 0;
	for (int s = 0; s < 3; s++)
		for (int i = 0; i < SEARCH * SEARCH; i++) {
			int mv[2] = { start[s][0] + i % SEARCH - SEARCH / 2,
				      start[s][1] + i / SEARCH - SEARCH / 2 };
			int d = difference(e, mb, row, mv);

			if (d < least) {
				least = d;
				best[0] = mv[0];
				best[1] = mv[1];
			}
		}
	return least;
}

/* Quantised difference of block i from its prediction; whether any. */
static int
residual(const struct encoder *e, int mb, int row, int i, const int *mv,
	 int *level)
{
	int p = i < 4 ? 0 : i - 3, zoom = p == 0 ? 1 : 2, stride, any = 0;
	const uint8_t *from = block_at(&e->source, mb, row, i, &stride);
	int at = (int)(from - e->source.plane[p].pixel), pixel[64];

	for (int k = 0; k < 64; k++) {
		int x = at % stride + k % 8, y = at / stride + k / 8;

		pixel[k] = from[k / 8 * stride + k % 8]
			   - reference_pixel(&e->slice.reference->plane[p],
					     2 * x + mv[0] / zoom,
					     2 * y + mv[1] / zoom);
	}
	dct(pixel, level);
	for (int k = 0; k < 64; k++) {
		level[k] /= e->quantiser;
		any |= level[k];
	}
	return any != 0;
}

static void
put_inter(struct encoder *e, int mb, int row, const int *mv)
{
	int level[BLOCKS][64];
	unsigned coded = 0;

	for (int i = 0; i < BLOCKS; i++)
		coded |= (unsigned)residual(e, mb, row, i, mv, level[i]) << i;
	memset(e->dc, 0, sizeof e->dc);
	if (coded == 0 && mv[0] == 0 && mv[1] == 0) {
		put(&e->out, 1, MODE_SKIPPED + 1);
		e->mv[0] = e->mv[1] = 0;
		return;
	}
	put(&e->out, 1, (coded ? MODE_CODED : MODE_PREDICTED) + 1);
	for (int i = 0; i < 2; i++) {
		put_signed(&e->out, mv[i] - e->mv[i]);
		e->mv[i] = mv[i];
	}
	if (coded == 0)
		return;
	put(&e->out, coded, BLOCKS);
	for (int i = 0; i < BLOCKS; i++)
		if (coded >> i & 1)
			put_levels(&e->out, level[i], 0);
}

static void
put_slice(struct encoder *e, int row, int intra_only)
{
	const int intra_limit = MB * MB * 12;

	memset(&e->out, 0, sizeof e->out);
	memset(e->dc, 0, sizeof e->dc);
	memset(e->mv, 0, sizeof e->mv);
	for (int mb = 0; mb < WIDTH; mb++) {
		int mv[2];

		if (intra_only) {
			put_intra(e, mb, row);
		} else if (search(e, mb, row, mv) > intra_limit) {
			put(&e->out, 1, MODE_INTRA + 1);
			put_intra(e, mb, row);
		} else {
			put_inter(e, mb, row, mv);
		}
	}
	do
		put(&e->out, 1, 1);
	while (e->out.bits != 0);
	put_unit(&e->out, row + 1);
	e->slice.row = row;
	if (decode_slice(&e->slice, e->out.byte, e->out.n) < 0) {
		fputs("vdec-make: cannot decode its own slice\n", stderr);
		exit(1);
	}
}

static void
put_frame(struct encoder *e, int number)
{
	int intra_only = number == 0;

	draw(&e->source, number);
	e->slice.out = &e->frame[number % 2];
	e->slice.reference = &e->frame[(number + 1) % 2];
	e->slice.intra_only = intra_only;
	e->slice.quantiser = e->quantiser;
	memset(&e->out, 0, sizeof e->out);
	put(&e->out, (unsigned)intra_only, 8);
	put(&e->out, (unsigned)e->quantiser, 8);
	put_unit(&e->out, 0);
	for (int row = 0; row < HEIGHT; row++)
		put_slice(e, row, intra_only);
}

static int
number(const char *text, int min, int max)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end != '\0' || value < min || value > max) {
		fprintf(stderr, "vdec-make: '%s' is not a number from %d to"
			" %d\n", text, min, max);
		exit(EXIT_USAGE);
	}
	return (int)value;
}

int
main(int argc, char **argv)
{
	static struct encoder e = { .quantiser = 4 };
	int frames = 10, option;

	while ((option = getopt(argc, argv, "f:q:")) != -1) {
		if (option == 'f') {
			frames = number(optarg, 1, 65535);
		} else if (option == 'q') {
			e.quantiser = number(optarg, 1, 31);
		} else {
			fputs("usage: vdec-make [-f FRAMES] [-q QUANTISER]"
			      " > STREAM\n", stderr);
			return EXIT_USAGE;
		}
	}
	codec_init();
	if (frame_new(&e.source, WIDTH, HEIGHT) < 0 ||
	    frame_new(&e.frame[0], WIDTH, HEIGHT) < 0 ||
	    frame_new(&e.frame[1], WIDTH, HEIGHT) < 0) {
		perror("vdec-make");
		return 1;
	}
	fwrite("VDC1", 1, 4, stdout);
	putchar(WIDTH);
	putchar(HEIGHT);
	putchar(frames >> 8);
	putchar(frames & 255);
	for (int i = 0; i < frames; i++)
		put_frame(&e, i);
	fwrite("\0\0\1\377", 1, 4, stdout);
	frame_free(&e.source);
	frame_free(&e.frame[0]);
	frame_free(&e.frame[1]);
	if (fflush(stdout) != 0) {
		perror("vdec-make");
		return 1;
	}
	return 0;
}
