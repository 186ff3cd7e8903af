/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks like a QEMU user emulator from inside.  tests/engine.bats
 * has it linked in three ways: with the symbol that plugins need exported,
 * not exported, and statically.
 */
#include <stdio.h>

void qemu_plugin_register_vcpu_tb_trans_cb(void);

__attribute__((visibility("default"))) void
qemu_plugin_register_vcpu_tb_trans_cb(void)
{
}

int
main(void)
{
	puts("qemu-mips version 7.2.5 (make-believe)");
	qemu_plugin_register_vcpu_tb_trans_cb();
	return 0;
}
