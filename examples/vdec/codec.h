/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small block codec of the MPEG kind, for vdec and vdec-make.
 *
 * A stream is "VDC1", width and height in macroblocks (a byte each), the
 * number of frames (two bytes, high first), then frames.  A frame is the
 * unit 0, a slice per row of macroblocks the units 1, 2, ...; each begins
 * with the start code 00 00 01 and its number.  Inside a unit, 00 00 is
 * followed by a 03 that is not part of it, so that start codes are unique.
 * Unit 0 holds two bytes: 1 if all macroblocks are intra, and the quantiser.
 * A last start code with the number 255 ends the stream.
 */
#ifndef VDEC_CODEC_H
#define VDEC_CODEC_H

#include <stddef.h>
#include <stdint.h>

enum {
	MB = 16,		/* luma pixels of a macroblock's side */
	BLOCKS = 6,		/* of a macroblock: four luma, Cb, Cr */
	MAX_ROWS = 64,
	RL_BITS = 10,		/* longest code of a run and level */
	RL_END = 0xff,		/* runs that mean something else */
	RL_ESCAPE = 0xfe,
	RL_BAD = 0xfd,
	ESCAPE_RUN_BITS = 6,
	ESCAPE_LEVEL_BITS = 12,
};

/* Macroblock modes, coded as that many zeros and a one. */
enum mode { MODE_CODED, MODE_PREDICTED, MODE_INTRA, MODE_SKIPPED, MODE_N };

struct plane {
	uint8_t *pixel;
	int stride;
};

struct frame {
	struct plane plane[3];
	int mb_width, mb_height;
};

/* A bit reader; bits behind the end are zero. */
struct bits {
	const uint8_t *next, *end;
	uint32_t window;	/* the next bits, left-aligned */
	int left;		/* valid bits in it */
};

/* A code of a run of zeros and a level behind it, without the sign. */
struct rl_code {
	uint8_t run, level, length;
};

extern const struct rl_code rl_code[];
extern const unsigned rl_codes;
extern const uint8_t zigzag[64];

/* The bits of code i, right-aligned. */
unsigned rl_bits(unsigned i);

/* The quantiser weight of an intra coefficient, raster order. */
int intra_weight(unsigned position);

/* What decoding the slices of a frame needs; one per thread. */
struct slice {
	struct bits bits;
	const struct frame *reference;
	const struct frame *out;
	int quantiser;
	int intra_only;
	int row;
	int dc[3];		/* predictions */
	int mv[2];
	int16_t block[64];
};

/* Builds the tables; once, before the first slice. */
void codec_init(void);

int frame_new(struct frame *f, int mb_width, int mb_height);
void frame_free(struct frame *f);

/*
 * Decodes a slice of n bytes (without start code and stuffing) into row
 * s->row of s->out.  Returns 0, or -1 if it is damaged.
 */
int decode_slice(struct slice *s, const uint8_t *data, size_t n);

void bits_open(struct bits *b, const uint8_t *data, size_t n);

static inline void
bits_fill(struct bits *b)
{
	while (b->left <= 24) {
		if (b->next < b->end)
			b->window |= (uint32_t)*b->next++ << (24 - b->left);
		b->left += 8;
	}
}

/* The next n bits, 1 to 24, which stay. */
static inline unsigned
bits_show(struct bits *b, int n)
{
	bits_fill(b);
	return b->window >> (32 - n);
}

static inline void
bits_skip(struct bits *b, int n)
{
	b->window <<= n;
	b->left -= n;
}

static inline unsigned
bits_get(struct bits *b, int n)
{
	unsigned value = bits_show(b, n);

	bits_skip(b, n);
	return value;
}

/* A signed number: its size in zeros, a one, then size bits. */
int bits_signed(struct bits *b);

#endif
