/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoding of a slice: variable-length codes, inverse quantisation, inverse
 * cosine transform, motion compensation.
 */
#include <stdlib.h>
#include <string.h>

#include "codec.h"

/* sqrt(2) cos(k pi / 16) << 11 */
enum {
	C1 = 2841, C2 = 2676, C3 = 2408, C4 = 2048, C5 = 1609, C6 = 1108,
	C7 = 565,
};

static struct rl_code rl_lookup[1 << RL_BITS];
static int intra_weights[64];

void
codec_init(void)
{
	for (unsigned i = 0; i < 1 << RL_BITS; i++)
		rl_lookup[i] = (struct rl_code){ RL_BAD, 0, RL_BITS };
	for (unsigned i = 0; i < rl_codes; i++) {
		unsigned free_bits = RL_BITS - rl_code[i].length;
		unsigned first = rl_bits(i) << free_bits;

		for (unsigned k = 0; k < 1u << free_bits; k++)
			rl_lookup[first + k] = rl_code[i];
	}
	for (unsigned i = 0; i < 64; i++)
		intra_weights[i] = intra_weight(i);
}

int
frame_new(struct frame *f, int mb_width, int mb_height)
{
	f->mb_width = mb_width;
	f->mb_height = mb_height;
	for (int p = 0; p < 3; p++) {
		int side = p == 0 ? MB : MB / 2;

		f->plane[p].stride = mb_width * side;
		f->plane[p].pixel = calloc((size_t)mb_width * mb_height,
					   (size_t)side * side);
		if (f->plane[p].pixel == NULL)
			return -1;
	}
	return 0;
}

void
frame_free(struct frame *f)
{
	for (int p = 0; p < 3; p++)
		free(f->plane[p].pixel);
}

void
bits_open(struct bits *b, const uint8_t *data, size_t n)
{
	b->next = data;
	b->end = data + n;
	b->window = 0;
	b->left = 0;
}

int
bits_signed(struct bits *b)
{
	int size = 0, value;

	while (size < 12 && bits_get(b, 1) == 0)
		size++;
	if (size == 0)
		return 0;
	value = (int)bits_get(b, size);
	return value >> (size - 1) ? value : value - (1 << size) + 1;
}

static int
saturate(int value)
{
	if (value > 2047)
		return 2047;
	return value < -2048 ? -2048 : value;
}

static uint8_t
to_pixel(int value)
{
	if (value & ~255)
		return value < 0 ? 0 : 255;
	return (uint8_t)value;
}

/* Coefficients from position on, until the end of the block. */
static int
read_coefficients(struct slice *s, unsigned position, int intra)
{
	const int inter_weight = 16;

	for (;;) {
		struct rl_code code = rl_lookup[bits_show(&s->bits, RL_BITS)];
		unsigned run = code.run, where;
		int level = code.level, negative, value, weight;

		bits_skip(&s->bits, code.length);
		if (run == RL_END)
			return 0;
		if (run == RL_BAD)
			return -1;
		if (run == RL_ESCAPE) {
			run = bits_get(&s->bits, ESCAPE_RUN_BITS);
			level = (int)bits_get(&s->bits, ESCAPE_LEVEL_BITS);
		}
		negative = bits_get(&s->bits, 1);
		position += run;
		if (position > 63)
			return -1;
		where = zigzag[position++];
		weight = intra ? intra_weights[where] : inter_weight;
		value = (2 * level + !intra) * s->quantiser * weight >> 5;
		s->block[where] =
			(int16_t)saturate(negative ? -value : value);
	}
}

/* One line of eight, step apart; rounding is added before shift. */
static void
idct_line(int16_t *line, int step, int rounding, int shift)
{
	int s0 = line[0], s1 = line[step], s2 = line[2 * step];
	int s3 = line[3 * step], s4 = line[4 * step], s5 = line[5 * step];
	int s6 = line[6 * step], s7 = line[7 * step];
	int a, b, c, d, even[4], odd[4];

	a = (s0 + s4) * C4 + rounding;
	b = (s0 - s4) * C4 + rounding;
	c = s2 * C2 + s6 * C6;
	d = s2 * C6 - s6 * C2;
	even[0] = a + c;
	even[1] = b + d;
	even[2] = b - d;
	even[3] = a - c;
	odd[0] = s1 * C1 + s3 * C3 + s5 * C5 + s7 * C7;
	odd[1] = s1 * C3 - s3 * C7 - s5 * C1 - s7 * C5;
	odd[2] = s1 * C5 - s3 * C1 + s5 * C7 + s7 * C3;
	odd[3] = s1 * C7 - s3 * C5 + s5 * C3 - s7 * C1;
	for (int i = 0; i < 4; i++) {
		line[i * step] = (int16_t)((even[i] + odd[i]) >> shift);
		line[(7 - i) * step] = (int16_t)((even[i] - odd[i]) >> shift);
	}
}

static void
idct(int16_t *block)
{
	for (int16_t *row = block; row < block + 64; row += 8) {
		if (row[1] | row[2] | row[3] | row[4] | row[5] | row[6]
		    | row[7]) {
			idct_line(row, 1, 128, 8);
			continue;
		}
		for (int i = 7; i >= 0; i--)
			row[i] = (int16_t)(row[0] * 8);
	}
	for (int16_t *column = block; column < block + 8; column++)
		idct_line(column, 8, 8192, 14);
}

static uint8_t *
block_pixel(const struct slice *s, int mb, int block, int *stride)
{
	int p = block < 4 ? 0 : block - 3;
	const struct plane *plane = &s->out->plane[p];
	int side = p == 0 ? MB : MB / 2;
	int x = mb * side, y = s->row * side;

	if (p == 0) {
		x += block % 2 * 8;
		y += block / 2 * 8;
	}
	*stride = plane->stride;
	return plane->pixel + y * plane->stride + x;
}

static void
put_block(const int16_t *block, uint8_t *to, int stride)
{
	for (int y = 0; y < 8; y++, to += stride, block += 8)
		for (int x = 0; x < 8; x++)
			to[x] = to_pixel(block[x] + 128);
}

static void
add_block(const int16_t *block, uint8_t *to, int stride)
{
	for (int y = 0; y < 8; y++, to += stride, block += 8)
		for (int x = 0; x < 8; x++)
			to[x] = to_pixel(to[x] + block[x]);
}

/* A square predicted from half-pixel position (x, y) of the reference. */
static void
predict(const struct plane *from, const struct plane *to, int column,
	int line, int side, int x, int y)
{
	int stride = from->stride;
	const uint8_t *f = from->pixel + (line + (y >> 1)) * stride
			   + column + (x >> 1);
	uint8_t *t = to->pixel + line * stride + column;
	int right = x & 1, down = y & 1 ? stride : 0;

	for (int j = 0; j < side; j++, f += stride, t += stride) {
		if (!right && !down)
			for (int i = 0; i < side; i++)
				t[i] = f[i];
		else if (!down)
			for (int i = 0; i < side; i++)
				t[i] = (uint8_t)((f[i] + f[i + 1] + 1) >> 1);
		else if (!right)
			for (int i = 0; i < side; i++)
				t[i] = (uint8_t)((f[i] + f[i + down] + 1)
						 >> 1);
		else
			for (int i = 0; i < side; i++)
				t[i] = (uint8_t)((f[i] + f[i + 1] + f[i + down]
						  + f[i + down + 1] + 2) >> 2);
	}
}

/* Whether a prediction stays inside the reference. */
static int
inside(int position, int side, int vector, int size)
{
	int first = position * side + (vector >> 1);

	return first >= 0 && first + side + (vector & 1) <= size * side;
}

static int
predict_macroblock(const struct slice *s, int mb)
{
	const struct frame *r = s->reference, *o = s->out;
	int x = s->mv[0], y = s->mv[1];

	if (!inside(mb, MB, x, o->mb_width) ||
	    !inside(s->row, MB, y, o->mb_height))
		return -1;
	predict(&r->plane[0], &o->plane[0], mb * MB, s->row * MB, MB, x, y);
	/* Chroma has half the resolution; vectors round towards zero. */
	x /= 2;
	y /= 2;
	for (int p = 1; p < 3; p++)
		predict(&r->plane[p], &o->plane[p], mb * MB / 2,
			s->row * MB / 2, MB / 2, x, y);
	return 0;
}

static int
intra_macroblock(struct slice *s, int mb)
{
	for (int i = 0; i < BLOCKS; i++) {
		int c = i < 4 ? 0 : i - 3, stride;
		uint8_t *to = block_pixel(s, mb, i, &stride);

		memset(s->block, 0, sizeof s->block);
		s->dc[c] += bits_signed(&s->bits);
		s->block[0] = (int16_t)saturate(s->dc[c] * 8);
		if (read_coefficients(s, 1, 1) < 0)
			return -1;
		idct(s->block);
		put_block(s->block, to, stride);
	}
	s->mv[0] = s->mv[1] = 0;
	return 0;
}

static int
coded_blocks(struct slice *s, int mb)
{
	unsigned coded = bits_get(&s->bits, BLOCKS);

	for (int i = 0; i < BLOCKS; i++) {
		int stride;
		uint8_t *to;

		if (!(coded >> i & 1))
			continue;
		memset(s->block, 0, sizeof s->block);
		if (read_coefficients(s, 0, 0) < 0)
			return -1;
		idct(s->block);
		to = block_pixel(s, mb, i, &stride);
		add_block(s->block, to, stride);
	}
	return 0;
}

static int
decode_macroblock(struct slice *s, int mb)
{
	unsigned mode = MODE_INTRA;

	if (!s->intra_only)
		for (mode = 0; bits_get(&s->bits, 1) == 0;)
			if (++mode == MODE_N)
				return -1;
	if (mode == MODE_INTRA)
		return intra_macroblock(s, mb);
	s->dc[0] = s->dc[1] = s->dc[2] = 0;
	if (mode == MODE_SKIPPED) {
		s->mv[0] = s->mv[1] = 0;
	} else {
		s->mv[0] += bits_signed(&s->bits);
		s->mv[1] += bits_signed(&s->bits);
	}
	if (predict_macroblock(s, mb) < 0)
		return -1;
	return mode == MODE_CODED ? coded_blocks(s, mb) : 0;
}

int
decode_slice(struct slice *s, const uint8_t *data, size_t n)
{
	bits_open(&s->bits, data, n);
	s->dc[0] = s->dc[1] = s->dc[2] = 0;
	s->mv[0] = s->mv[1] = 0;
	for (int mb = 0; mb < s->out->mb_width; mb++)
		if (decode_macroblock(s, mb) < 0)
			return -1;
	return 0;
}
