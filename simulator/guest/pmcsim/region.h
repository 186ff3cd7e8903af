/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regions of a program, to be counted for themselves by pmcsim:
 *
 *	#include <pmcsim/region.h>
 *
 *	PMCSIM_REGION_BEGIN("parse");
 *	...
 *	PMCSIM_REGION_END("parse");
 *
 * See pmcsim-region(3).  Nothing has to be linked.  A marker is a jump over
 * its name, which takes a cycle or so where nothing measures the program; on
 * other processors than those below it is nothing.
 *
 * The name is one string literal of 1 to 63 bytes, or a macro that is one.
 */
#ifndef PMCSIM_REGION_MARKERS_H
#define PMCSIM_REGION_MARKERS_H

#define PMCSIM_REGION_BEGIN(name) PMCSIM_REGION_MARK_("B", name)
#define PMCSIM_REGION_END(name) PMCSIM_REGION_MARK_("E", name)

#if defined(__x86_64__) || defined(__i386__)
#define PMCSIM_REGION_JUMP_ "jmp 771f\n\t"
#define PMCSIM_REGION_MARKERS_HERE_ "771:"
#elif defined(__mips16) || defined(__mips_micromips)
#error "MIPS16 and microMIPS code has no markers of regions"
#elif defined(__mips__)
#define PMCSIM_REGION_JUMP_             \
	".set\tpush\n\t.set\tnoreorder\n\t" \
	"b\t771f\n\tnop\n\t.set\tpop\n\t"
#define PMCSIM_REGION_MARKERS_HERE_ ".balign\t4, 0\n771:"
#elif defined(__alpha__)
#define PMCSIM_REGION_JUMP_ "br\t$31, 771f\n\t"
#define PMCSIM_REGION_MARKERS_HERE_ ".balign\t4, 0\n771:"
#endif

/* The compiler moves no access of memory across it; what else it moves, it may
 * move across any statement.  An asm without operands takes its text as it
 * is. */
#ifdef PMCSIM_REGION_JUMP_
#define PMCSIM_REGION_MARK_(kind, name)                                   \
	do {                                                              \
		(void)sizeof(char[sizeof("" name "") > 1 &&               \
				  sizeof("" name "") <= 64 ? 1 : -1]);    \
		__asm__ __volatile__("" : : : "memory");                  \
		__asm__ __volatile__(PMCSIM_REGION_TEXT_(kind, name));    \
		__asm__ __volatile__("" : : : "memory");                  \
	} while (0)
#define PMCSIM_REGION_TEXT_(kind, name)                \
	PMCSIM_REGION_JUMP_                            \
	".ascii\t\"pmcsim:r" kind "\"\n\t"             \
	".asciz\t" #name "\n\t"                        \
	PMCSIM_REGION_MARKERS_HERE_
#else
#define PMCSIM_REGION_MARK_(kind, name)    \
	do {                               \
		(void)sizeof("" name "");  \
	} while (0)
#endif

#endif
