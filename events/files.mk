# SPDX-License-Identifier: GPL-2.0-or-later
event_tables = \
	events/cortex-a53.yaml \
	events/cortex-a72.yaml \
	events/ev4.yaml \
	events/ev5.yaml \
	events/ev56.yaml \
	events/ev6.yaml \
	events/ev67.yaml \
	events/ev7.yaml \
	events/itanium.yaml \
	events/itanium2.yaml \
	events/madison.yaml \
	events/mips34k.yaml \
	events/names/linux.yaml \
	events/os/irix.yaml \
	events/os/linux-cortex-a53.yaml \
	events/os/linux-cortex-a72.yaml \
	events/os/linux-skylake.yaml \
	events/os/linux-u74.yaml \
	events/os/linux-zen3.yaml \
	events/os/linux.yaml \
	events/os/tru64.yaml \
	events/p5.yaml \
	events/p55c.yaml \
	events/p6.yaml \
	events/pca56.yaml \
	events/pii.yaml \
	events/piii.yaml \
	events/r10000.yaml \
	events/r10000v2.yaml \
	events/r12000.yaml \
	events/skylake.yaml \
	events/u74.yaml \
	events/zen3.yaml
