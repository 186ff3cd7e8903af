/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The boards that there are systems for. */
#include "system.h"

#include <stddef.h>
#include <string.h>

/* The board of the 34K's manuals.  No clock in the snapshot may depend on
 * the host, no device is there that nobody needs. */
static const char *const malta_machine[] = {
	"-M", "malta", "-cpu", "34Kf", "-m", "128", "-icount", "shift=2",
	"-rtc", "base=2024-01-01T00:00:00,clock=vm", NULL
};

static const char *const malta_modules[] = {
	"virtio", "virtio_ring", "virtio_pci_modern_dev",
	"virtio_pci_legacy_dev", "virtio_pci", "netfs", "fscache", "9pnet",
	"9pnet_virtio", "9p", NULL
};

static const struct system_board boards[] = {
	{
		.name = "malta",
		.text = "MIPS Malta board with a 34Kf, little-endian",
		.isa = "mipsel",
		.arch = "mipsel",
		.qemu = "qemu-system-mipsel",
		.qemu_package = "qemu-system-mips",
		.kernel_package = "linux-image-4kc-malta",
		.machine = malta_machine,
		.modules = malta_modules,
		.append = "console=ttyS0 nokaslr norandmaps panic=-1 quiet",
		.unmapped_first = 0x80000000u,
		.unmapped_last = 0xbfffffffu,
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
