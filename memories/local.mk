# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += memories/libmemories.a
memories_libmemories_a_SOURCES = \
	memories/accesses.c memories/accesses.h \
	memories/chip.c memories/chip.h \
	memories/curve.c memories/curve.h \
	memories/cuts_check.c memories/cuts_check.h \
	memories/cuts_csv.c memories/cuts_csv.h \
	memories/exact.c memories/exact.h \
	memories/executorch.c \
	memories/heuristics.c memories/heuristics.h \
	memories/master.c memories/master.h \
	memories/memory.c memories/memory.h \
	memories/moves.c memories/moves.h memories/moves_bound.c memories/moves_verify.c \
	memories/moves_place.c memories/moves_place.h memories/moves_visits.c \
	memories/moves_program.c memories/moves_program.h \
	memories/moves_solve.c memories/moves_solve.h \
	memories/placing.c memories/placing.h \
	memories/split.c memories/split.h \
	memories/split_csv.c memories/split_csv.h \
	memories/splitter.h memories/splitters.c \
	memories/traffic.c memories/traffic.h \
	memories/tvm.c memories/tvm.h \
	memories/tvm_climb.c \
	memories/vela.c

nodist_memories_libmemories_a_SOURCES = memories/registry.c
memories/registry.c: contestants.list $(top_srcdir)/build-aux/contestant-checksums Makefile
	$(AM_V_GEN)$(MKDIR_P) memories && $(top_srcdir)/build-aux/contestant-checksums $(top_srcdir) \
		contestants.list splitter_set memories/splitter.h memories/splitters.c >$@.new && mv $@.new $@
CLEANFILES += memories/registry.c
