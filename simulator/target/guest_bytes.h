/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of the target one behind the other, and numbers as the descriptions of
 * its frames have them (DWARF's, and DW_EH_PE_*). */
#ifndef QEMU_GUEST_BYTES_H
#define QEMU_GUEST_BYTES_H

#include "machine/types.h"

#define ENCODING_OMIT 0xff
#define ENCODING_FORMAT 0x0f	/* what remains of one that is not relative */
#define ENCODING_INDIRECT 0x80

struct guest_bytes {
	u64 at;
	bool bad;		/* something was not there, or is not known */
	u64 from;		/* of what has been read */
	u64 n;
	u8 byte[64];
};

/* From there on. */
struct guest_bytes guest_bytes_at(u64 address);

/* A number of that many bytes, in the target's order. */
u64 guest_number(struct guest_bytes *g, unsigned bytes);

/* Numbers of any length. */
u64 guest_uleb(struct guest_bytes *g);
s64 guest_sleb(struct guest_bytes *g);

/* One that is encoded so; 0: there is none. */
u64 guest_encoded(struct guest_bytes *g, u8 encoding);

#endif
