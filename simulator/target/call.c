/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "call.h"

#include "target.h"

#define MAX_NUMBER 600		/* behind the ISA's first one */
#define MIPS_FIRST 4000

/* Numbers by ISA; 0: it has no such call (where 0 is one: see x86-64). */
struct call_row {
	u16 call;		/* enum call */
	u16 x86_64, i386, mips, alpha;
};

static const struct call_row rows[] = {
	{CALL_ACCESS, 21, 33, 33, 33},
	{CALL_BRK, 12, 45, 45, 17},
	{CALL_CHANNEL, 212, 253, 247, 406},
	{CALL_CLONE, 56, 120, 120, 312},
	{CALL_CLOSE, 3, 6, 6, 6},
	{CALL_CLOSE_RANGE, 436, 436, 436, 546},
	{CALL_COPY_FILE_RANGE, 326, 377, 360, 519},
	{CALL_CREAT, 85, 8, 8, 0},
	{CALL_DUP2, 33, 63, 63, 90},
	{CALL_DUP3, 292, 330, 327, 487},
	{CALL_EXECVE, 59, 11, 11, 59},
	{CALL_EXECVEAT, 322, 358, 356, 513},
	{CALL_FACCESSAT, 269, 307, 300, 462},
	{CALL_FACCESSAT, 439, 439, 439, 549},
	{CALL_FSTAT, 5, 108, 108, 91},
	{CALL_FSTAT64, 0, 197, 215, 427},
	{CALL_FSTATAT, 262, 300, 293, 455},
	{CALL_GETRANDOM, 318, 355, 353, 511},
	{CALL_IOCTL, 16, 54, 54, 54},
	{CALL_IPC, 0, 117, 117, 0},
	{CALL_LSTAT, 6, 107, 107, 68},
	{CALL_LSTAT64, 0, 196, 214, 426},
	{CALL_MADVISE, 28, 219, 218, 75},
	{CALL_MMAP, 9, 90, 90, 71},
	{CALL_MMAP2, 0, 192, 210, 0},
	{CALL_MOVE, 0, 0, 175, 102},
	{CALL_MOVE, 0, 0, 178, 101},
	{CALL_MOVE, 44, 369, 180, 133},
	{CALL_MOVE, 45, 371, 176, 125},
	{CALL_MOVE, 46, 370, 179, 114},
	{CALL_MOVE, 47, 372, 177, 113},
	{CALL_MOVE, 78, 141, 141, 305},
	{CALL_MOVE, 217, 220, 219, 377},
	{CALL_MOVE, 327, 378, 361, 520},
	{CALL_MOVE, 328, 379, 362, 521},
	{CALL_MPROTECT, 10, 125, 125, 74},
	{CALL_MREMAP, 25, 163, 167, 341},
	{CALL_MUNMAP, 11, 91, 91, 73},
	{CALL_OPEN, 2, 5, 5, 45},
	{CALL_OPENAT, 257, 295, 288, 450},
	{CALL_PATH, 0, 198, 0, 0},
	{CALL_PATH, 0, 212, 0, 0},
	{CALL_PATH, 0, 268, 255, 528},
	{CALL_PATH, 0, 412, 412, 0},
	{CALL_PATH, 76, 92, 92, 129},
	{CALL_PATH, 80, 12, 12, 12},
	{CALL_PATH, 82, 38, 38, 128},
	{CALL_PATH, 83, 39, 39, 136},
	{CALL_PATH, 84, 40, 40, 137},
	{CALL_PATH, 86, 9, 9, 9},
	{CALL_PATH, 87, 10, 10, 10},
	{CALL_PATH, 88, 83, 83, 57},
	{CALL_PATH, 89, 85, 85, 58},
	{CALL_PATH, 90, 15, 15, 15},
	{CALL_PATH, 92, 182, 202, 16},
	{CALL_PATH, 94, 16, 16, 208},
	{CALL_PATH, 133, 14, 14, 14},
	{CALL_PATH, 137, 99, 99, 328},
	{CALL_PATH, 165, 21, 21, 302},
	{CALL_PATH, 254, 292, 285, 445},
	{CALL_PATH, 258, 296, 289, 451},
	{CALL_PATH, 260, 298, 291, 453},
	{CALL_PATH, 263, 301, 294, 456},
	{CALL_PATH, 264, 302, 295, 457},
	{CALL_PATH, 265, 303, 296, 458},
	{CALL_PATH, 266, 304, 297, 459},
	{CALL_PATH, 267, 305, 298, 460},
	{CALL_PATH, 268, 306, 299, 461},
	{CALL_PATH, 280, 320, 316, 475},
	{CALL_PATH, 316, 353, 351, 510},
	{CALL_POLL, 7, 168, 188, 94},
	{CALL_POLL, 23, 142, 142, 358},
	{CALL_POLL, 270, 308, 301, 463},
	{CALL_POLL, 271, 309, 302, 464},
	{CALL_PREAD, 17, 180, 200, 349},
	{CALL_PREADV, 295, 333, 330, 490},
	{CALL_PWRITE, 18, 181, 201, 350},
	{CALL_PWRITEV, 296, 334, 331, 491},
	{CALL_PRCTL, 157, 172, 192, 348},
	{CALL_READ, 0, 3, 3, 3},
	{CALL_READV, 19, 145, 145, 120},
	{CALL_RIGHTS, 105, 23, 23, 23},
	{CALL_RIGHTS, 105, 213, 23, 23},
	{CALL_RIGHTS, 106, 46, 46, 132},
	{CALL_RIGHTS, 106, 214, 46, 132},
	{CALL_RIGHTS, 113, 70, 70, 126},
	{CALL_RIGHTS, 113, 203, 70, 126},
	{CALL_RIGHTS, 114, 71, 71, 127},
	{CALL_RIGHTS, 114, 204, 71, 127},
	{CALL_RIGHTS, 117, 164, 185, 343},
	{CALL_RIGHTS, 117, 208, 185, 343},
	{CALL_RIGHTS, 119, 170, 190, 371},
	{CALL_RIGHTS, 119, 210, 190, 371},
	{CALL_RIGHTS, 122, 138, 138, 329},
	{CALL_RIGHTS, 122, 215, 138, 329},
	{CALL_RIGHTS, 123, 139, 139, 330},
	{CALL_RIGHTS, 123, 216, 139, 330},
	{CALL_RIGHTS, 126, 185, 205, 369},
	{CALL_RIGHTS, 272, 310, 303, 465},
	{CALL_RIGHTS, 308, 346, 344, 501},
	{CALL_SENDFILE, 40, 187, 207, 370},
	{CALL_SENDFILE, 0, 239, 237, 0},
	{CALL_SETAFFINITY, 203, 241, 239, 395},
	{CALL_SHMAT, 30, 397, 397, 209},
	{CALL_SIGRETURN, 15, 173, 193, 351},
	{CALL_SIGRETURN, 0, 119, 119, 103},
	{CALL_SPLICE, 275, 313, 304, 468},
	{CALL_STAT, 4, 106, 106, 67},
	{CALL_STAT64, 0, 195, 213, 425},
	{CALL_STATX, 332, 383, 366, 522},
	{CALL_VFORK, 58, 190, 0, 66},
	{CALL_WAIT, 61, 114, 114, 365},
	{CALL_WAIT, 247, 284, 278, 438},
	{CALL_WAIT, 0, 7, 7, 7},
	{CALL_WRITE, 1, 4, 4, 4},
	{CALL_WRITEV, 20, 146, 146, 121},
	{CALL_XATTR, 191, 229, 227, 385},
	{CALL_XATTR, 192, 230, 228, 386},
	{CALL_XATTR, 194, 232, 230, 388},
	{CALL_XATTR, 195, 233, 231, 389},
};

static unsigned
number_in(const struct call_row *row)
{
	switch (target.isa) {
	case ISA_X86_64:
		return row->x86_64;
	case ISA_I386:
		return row->i386;
	case ISA_MIPSEL:
	case ISA_MIPS:
		return row->mips;
	default:
		return row->alpha;
	}
}

enum call
call_of(s64 number)
{
	static u8 table[MAX_NUMBER];
	static bool ready;
	bool mips = target.isa == ISA_MIPSEL || target.isa == ISA_MIPS;
	s64 index = mips ? number - MIPS_FIRST : number;

	if (!ready) {
		for (size_t i = 0; i < SIM_COUNT(rows); i++)
			if (number_in(&rows[i]) || rows[i].call == CALL_READ)
				table[number_in(&rows[i])] =
					(u8)rows[i].call;
		ready = true;
	}
	return index >= 0 && index < MAX_NUMBER ? table[index] : CALL_OTHER;
}
