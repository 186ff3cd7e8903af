# SPDX-License-Identifier: GPL-2.0-or-later
client_sources = \
	simulator/guest/client.c \
	simulator/guest/client_ia64.c \
	simulator/guest/client_irix.c \
	simulator/guest/client_openbsd.c \
	simulator/guest/client_tru64.c \
	simulator/guest/pmcsim_channel.h \
	simulator/guest/pmcsim_client.h \
	simulator/guest/pmcsim_guest.c \
	simulator/guest/pmcsim_guest.h
perfex_sources = \
	simulator/guest/perfex.c \
	simulator/guest/perfex_costs.h \
	simulator/guest/perfex_costs_line.h
perfex_header = simulator/guest/irix/perfex.h
irix_headers = \
	simulator/guest/irix/sys/hwperfioctl.h \
	simulator/guest/irix/sys/hwperfmacros.h \
	simulator/guest/irix/sys/hwperftypes.h \
	simulator/guest/irix/sys/procfs.h \
	simulator/guest/irix/sys/syssgi.h
region_header = simulator/guest/pmcsim/region.h
ia64_headers = simulator/guest/ia64/pmcsim/ia64.h
openbsd_headers = \
	simulator/guest/openbsd/machine/cpu.h \
	simulator/guest/openbsd/machine/pctr.h

tru64_headers = simulator/guest/tru64/sys/pfcntr.h
