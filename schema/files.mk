# SPDX-License-Identifier: GPL-2.0-or-later
schemas = \
	schema/pmcsim-counts.v1.json \
	schema/pmcsim-list.v1.json \
	schema/pmcsim-pctr.v1.json \
	schema/pmcsim-perfex.v1.json \
	schema/pmcsim-pfmon.v1.json \
	schema/pmcsim-prof.v1.json \
	schema/pmcsim-sides.v1.json \
	schema/pmcsim-stat.v1.json \
	schema/pmcsim-study.v1.json \
	schema/pmcsim-sweep.v1.json
