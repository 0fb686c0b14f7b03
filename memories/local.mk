# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += memories/libmemories.a
memories_libmemories_a_SOURCES = \
	memories/curve.c memories/curve.h \
	memories/exact.c memories/exact.h \
	memories/heuristics.c memories/heuristics.h \
	memories/master.c memories/master.h \
	memories/memory.c memories/memory.h \
	memories/placing.c memories/placing.h \
	memories/split.c memories/split.h \
	memories/split_csv.c memories/split_csv.h \
	memories/traffic.c memories/traffic.h
