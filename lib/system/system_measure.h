/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measuring programs of all instruction sets ask of Linux. */
#ifndef LIB_SYSTEM_MEASURE_H
#define LIB_SYSTEM_MEASURE_H

/* Numbers of the guest's Linux, the same for all instruction sets. */
#define CLOCK_MONOTONIC 1
#define CLOCK_MONOTONIC_COARSE 6	/* goes on with the tick */
#define TIMER_ABSTIME 1

/* How far into a second a command starts: 34 ms, in ns, a multiple of 2^16. */
#define LATER_NS 0x02000000u

/*
 * A program that is one segment, from its header to its code, as the start of
 * a struct image of header, segment and code.
 */
#define MEASURE_FILE(bits, machine, flags, base, align)               \
	.header = {                                                   \
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,       \
			    ELFCLASS##bits, ELFDATA2LSB, EV_CURRENT}, \
		.e_type = ET_EXEC,                                    \
		.e_machine = (machine),                               \
		.e_version = EV_CURRENT,                              \
		.e_entry = (base) + offsetof(struct image, code),     \
		.e_phoff = offsetof(struct image, segment),           \
		.e_flags = (flags),                                   \
		.e_ehsize = sizeof(Elf##bits##_Ehdr),                 \
		.e_phentsize = sizeof(Elf##bits##_Phdr),              \
		.e_phnum = 1,                                         \
	},                                                            \
	.segment = {                                                  \
		.p_type = PT_LOAD,                                    \
		.p_vaddr = (base),                                    \
		.p_paddr = (base),                                    \
		.p_filesz = sizeof(struct image),                     \
		.p_memsz = sizeof(struct image),                      \
		.p_flags = PF_R | PF_X,                               \
		.p_align = (align),                                   \
	}

#endif
