/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The default costs of events, in clocks: typical, least, most.  They are
 * pmcsim's own: what the models of R10000 and R12000 charge for one event
 * alone (most), with all the overlap that the processor allows (least), and
 * for data that is read in order (typical).  Events that are parts of others
 * and those that the processor does not wait for cost nothing typically, so
 * that they come last in a report.
 *
 * EVENT(number, typical, least, most), first of the R10000, then of those
 * that are different on the R12000.
 */
EVENT(0, 1, 1, 1)		/* cycles */
EVENT(1, 0, 0, 1)		/* issued instructions */
EVENT(2, 1, 1, 1)		/* issued loads */
EVENT(3, 1, 1, 1)		/* issued stores */
EVENT(4, 1, 1, 1)		/* issued store conditionals */
EVENT(5, 1, 1, 1)		/* failed store conditionals */
EVENT(6, 1, 1, 1)		/* branches */
EVENT(7, 6.3, 4.2, 6.3)	/* quadwords from the secondary cache */
EVENT(8, 0, 0, 1)		/* corrected errors */
EVENT(9, 10, 4, 12)		/* primary instruction cache misses */
EVENT(10, 74, 48, 82)		/* secondary instruction cache misses */
EVENT(11, 4, 2, 6)		/* ... in the way not predicted */
EVENT(12, 0, 0, 1)		/* interventions */
EVENT(13, 0, 0, 1)		/* invalidations */
EVENT(14, 0, 0, 1)		/* completion cycles */
EVENT(15, 0, 0, 1)		/* graduated instructions */
EVENT(16, 1, 1, 1)		/* cycles */
EVENT(17, 0, 0, 1)		/* graduated instructions */
EVENT(18, 1, 1, 1)		/* graduated loads */
EVENT(19, 1, 1, 1)		/* graduated stores */
EVENT(20, 1, 1, 1)		/* graduated store conditionals */
EVENT(21, 1, 0.5, 52)		/* graduated floating-point instructions */
EVENT(22, 3.9, 3.1, 4.5)	/* quadwords from the primary data cache */
EVENT(23, 68, 68, 68)		/* TLB misses */
EVENT(24, 5, 2, 8)		/* mispredicted branches */
EVENT(25, 9, 2.8, 9)		/* primary data cache misses */
EVENT(26, 74, 48, 82)		/* secondary data cache misses */
EVENT(27, 4, 2, 6)		/* ... in the way not predicted */
EVENT(28, 0, 0, 1)		/* intervention hits */
EVENT(29, 0, 0, 1)		/* invalidation hits */
EVENT(30, 1, 1, 1)		/* upgrades of clean blocks */
EVENT(31, 1, 1, 1)		/* upgrades of shared blocks */

EVENT_R12000(4, 0, 0, 1)	/* entries of the miss handling table */
EVENT_R12000(16, 1, 1, 1)	/* executed prefetches */
EVENT_R12000(17, 0, 0, 1)	/* ... that missed */
EVENT_R12000(30, 0, 0, 1)	/* entries waiting for memory */

#undef EVENT
#undef EVENT_R12000
