# SPDX-License-Identifier: GPL-3.0-or-later
# Memories of real parts, for `arenabench fit --chip NAME`.
chipsdir = $(pkgdatadir)/chips
dist_chips_DATA = chips/ethos-u65.chip chips/npu-energy.chip chips/stm32h743.chip
