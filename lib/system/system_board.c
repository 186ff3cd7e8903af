/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The boards that there are systems for. */
#include "system_internal.h"

#include <stddef.h>
#include <string.h>

/* The board of the 34K's manuals.  No clock in the snapshot may depend on
 * the host, no device is there that is not needed. */
static const char *const malta_machine[] = {
	"-M", "malta", "-cpu", "34Kf", "-m", "128", "-icount", "shift=2",
	"-rtc", "base=2024-01-01T00:00:00,clock=vm", NULL
};

static const char *const malta_modules[] = {
	"virtio", "virtio_ring", "virtio_pci_modern_dev",
	"virtio_pci_legacy_dev", "virtio_pci", "netfs", "fscache", "9pnet",
	"9pnet_virtio", "9p", NULL
};

static const char *const malta_libraries[] = {"/lib", "/usr/lib", NULL};

/* A PC with one CPU of QEMU's own kind, as for programs alone. */
static const char *const pc_machine[] = {
	"-M", "pc", "-cpu", "qemu64", "-m", "256", "-icount", "shift=2",
	"-rtc", "base=2024-01-01T00:00:00,clock=vm", NULL
};

static const char *const pc_modules[] = {
	"virtio_ring", "virtio", "virtio_pci_modern_dev",
	"virtio_pci_legacy_dev", "virtio_pci", "netfs", "fscache", "9pnet",
	"9pnet_virtio", "9p", NULL
};

/* As Debian's dynamic linker looks for them, and those that need its cache. */
static const char *const pc_libraries[] = {
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64",
	"/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib/x86_64-linux-gnu",
	"/usr/local/lib", NULL
};

/* Output to see, and addresses that are the same each time. */
#define KERNEL_OPTIONS "console=ttyS0 nokaslr norandmaps panic=-1 quiet"

static const struct system_board boards[] = {
	{
		.name = "malta",
		.text = "MIPS Malta board with a 34Kf, little-endian",
		.isa = ISA_MIPSEL,
		.arch = "mipsel",
		.qemu = "qemu-system-mipsel",
		.qemu_package = "qemu-system-mips",
		.kernel_package = "linux-image-4kc-malta",
		.machine = malta_machine,
		.modules = malta_modules,
		.libraries = malta_libraries,
		.measure = system_measure_mipsel,
		.append = KERNEL_OPTIONS,
		.unmapped_first = 0x80000000u,
		.unmapped_last = 0xbfffffffu,
		.level = "as the kernel's code sets and clears it",
		.refills = true,
	},
	{
		.name = "pc",
		.text = "PC with an x86-64 CPU, for programs of hosts",
		.isa = ISA_X86_64,
		.arch = "amd64",
		.qemu = "qemu-system-x86_64",
		.qemu_package = "qemu-system-x86",
		.kernel_package = "linux-image-amd64",
		.machine = pc_machine,
		.modules = pc_modules,
		.libraries = pc_libraries,
		.measure = system_measure_x86_64,
		.append = KERNEL_OPTIONS " "
			  "mitigations=off nopti init_on_alloc=0 "
			  "randomize_kstack_offset=off idle=halt "
			  "no_timer_check tsc=reliable",
		.level = "from an entry of the kernel to where it lets "
			 "interrupts in",
		.symbol_vectors = true,
	},
};

const struct system_board *
pmcsim_system_board(unsigned n)
{
	return n < sizeof boards / sizeof *boards ? &boards[n] : NULL;
}

const struct system_board *
pmcsim_system_find_board(const char *name)
{
	const struct system_board *board;

	for (unsigned i = 0; (board = pmcsim_system_board(i)); i++)
		if (!strcmp(board->name, name))
			return board;
	return NULL;
}
