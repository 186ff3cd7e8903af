/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of the codec, shared by the two directions. */
#include "codec.h"

/* Shorter codes first: the codes are counted up in this order. */
const struct rl_code rl_code[] = {
	{ RL_END, 0, 2 }, { 0, 1, 2 }, { 1, 1, 3 }, { 0, 2, 4 },
	{ 2, 1, 4 }, { 0, 3, 5 }, { 3, 1, 5 }, { 4, 1, 5 },
	{ 1, 2, 6 }, { 5, 1, 6 }, { 6, 1, 6 }, { RL_ESCAPE, 0, 6 },
	{ 7, 1, 7 }, { 0, 4, 7 }, { 2, 2, 7 }, { 8, 1, 7 },
	{ 9, 1, 8 }, { 0, 5, 8 }, { 1, 3, 8 }, { 10, 1, 8 },
	{ 11, 1, 8 }, { 0, 6, 9 }, { 3, 2, 9 }, { 12, 1, 9 },
	{ 13, 1, 9 }, { 0, 7, 10 }, { 1, 4, 10 }, { 4, 2, 10 },
	{ 2, 3, 10 }, { 14, 1, 10 }, { 15, 1, 10 }, { 0, 8, 10 },
};

const unsigned rl_codes = sizeof rl_code / sizeof *rl_code;

const uint8_t zigzag[64] = {
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

unsigned
rl_bits(unsigned i)
{
	unsigned bits = 0;

	for (unsigned k = 0; k < i; k++)
		bits = (bits + 1) << (rl_code[k + 1].length
				      - rl_code[k].length);
	return bits;
}

int
intra_weight(unsigned position)
{
	return 8 + 3 * (int)(position % 8 + position / 8);
}
