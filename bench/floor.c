/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plugin that does nothing: QEMU calls it for each block that is entered
 * and for each access to memory, as it calls ours.  What that costs is the
 * least that any model in such a plugin can cost.
 */
#include "qemu/api.h"

static void
on_block(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
}

static void
on_access(unsigned vcpu, u32 info, u64 va, void *data)
{
	(void)vcpu;
	(void)info;
	(void)va;
	(void)data;
}

/* An instruction that accesses nothing has no call, whatever is asked for. */
static void
translate(struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, API_NO_REGS, tb);
	for (size_t i = 0; i < n; i++)
		qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i),
						 on_access, API_NO_REGS,
						 API_READ_WRITE, tb);
}

static const struct api_handlers handlers = {.translate = translate};

API_EXPORT int
qemu_plugin_install(u64 id, const struct api_info *info, int argc, char **argv)
{
	(void)info;
	(void)argc;
	(void)argv;
	api_register(id, &handlers);
	return 0;
}
