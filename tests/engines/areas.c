/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves and restores registers by all instructions for that. */
static char area[4096] __attribute__((aligned(64)));

int
main(void)
{
	for (unsigned i = 0; i < 100; i++) {
		__asm__ volatile("fxsave64 %0\n fxrstor64 %0" : "+m"(area));
		/* As dynamic linkers do. */
		__asm__ volatile("mov $0xee, %%eax\n xor %%edx, %%edx\n"
				 "xsave64 %0\n"
				 "mov $0xee, %%eax\n xor %%edx, %%edx\n"
				 "xrstor64 %0" : "+m"(area) : : "eax", "edx");
	}
	return 0;
}
