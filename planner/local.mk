# SPDX-License-Identifier: GPL-3.0-or-later
if WHOLE
noinst_LIBRARIES += planner/libplanner.a
endif
planner_libplanner_a_SOURCES = \
	planner/arenaplan.h \
	planner/dives/aligned_plan.c planner/dives/aligned_plan.h \
	planner/dives/dive_settings.h \
	planner/dives/evictions.c planner/dives/evictions.h \
	planner/dives/incumbent.c planner/dives/incumbent.h \
	planner/dives/pair_turns.c planner/dives/pair_turns.h \
	planner/dives/piece_dives.c \
	planner/dives/plan_ways.h \
	planner/dives/rectangle_dives.c \
	planner/dives/section_classes.c planner/dives/section_classes.h \
	planner/dives/section_counts.c planner/dives/section_counts.h \
	planner/dives/section_dives.c planner/dives/section_dives.h \
	planner/dives/section_light.c planner/dives/section_light.h \
	planner/dives/section_light_check.c \
	planner/dives/section_peel.c planner/dives/section_peel.h \
	planner/dives/section_plan.c planner/dives/section_plan.h \
	planner/dives/shape_dives.c planner/dives/shape_dives.h \
	planner/dives/shape_sections.c planner/dives/shape_sections.h \
	planner/library/arenaplan.c \
	planner/library/assign.c \
	planner/library/assign_bound.c planner/library/assign_bound.h \
	planner/library/assign_improve.c planner/library/assign_improve.h \
	planner/library/assign_model.c planner/library/assign_model.h \
	planner/library/assign_place.c planner/library/assign_place.h \
	planner/library/assign_room.c planner/library/assign_room.h \
	planner/library/call.c planner/library/call.h \
	planner/library/exact.c planner/library/exact.h \
	planner/library/judge.c \
	planner/library/prepare.c planner/library/prepare.h \
	planner/library/layers.h \
	planner/library/prove_with.h \
	planner/library/session.c \
	planner/library/structs.c planner/library/structs.h \
	planner/library/texts.c \
	planner/library/watch.c planner/library/watch.h \
	planner/disjunctive/pairs_bars.c planner/disjunctive/pairs_bars.h \
	planner/disjunctive/pairs_bounds.c planner/disjunctive/pairs_bounds.h \
	planner/disjunctive/pairs_bounds_check.c \
	planner/disjunctive/pairs_certify.c planner/disjunctive/pairs_certify.h \
	planner/disjunctive/pairs_log.c planner/disjunctive/pairs_log.h \
	planner/disjunctive/pairs_minimise.c planner/disjunctive/pairs_minimise.h \
	planner/disjunctive/pairs_nogoods.c planner/disjunctive/pairs_nogoods.h \
	planner/disjunctive/pairs_overload.c planner/disjunctive/pairs_overload.h \
	planner/disjunctive/pairs_problem.c planner/disjunctive/pairs_problem.h \
	planner/disjunctive/pairs_reasons.c planner/disjunctive/pairs_reasons.h \
	planner/disjunctive/pairs_rules.c planner/disjunctive/pairs_rules.h \
	planner/disjunctive/pairs_rules_sections.c \
	planner/disjunctive/pairs_search.c planner/disjunctive/pairs_search.h \
	planner/disjunctive/pairs_trace.c planner/disjunctive/pairs_trace.h \
	planner/disjunctive/proof_file.c planner/disjunctive/proof_file.h \
	planner/disjunctive/proof_sink.h \
	planner/sections/lane_search.c planner/sections/lane_search.h \
	planner/sections/lanes.c planner/sections/lanes.h planner/sections/lanes_private.h \
	planner/sections/lanes_rules.c \
	planner/sections/section_choice.h \
	planner/sections/section_divers.c planner/sections/section_divers.h \
	planner/sections/section_explain.c planner/sections/section_explain.h \
	planner/sections/section_finder.c planner/sections/section_finder.h \
	planner/sections/section_minimise.c planner/sections/section_minimise.h \
	planner/sections/section_nogoods.c planner/sections/section_nogoods.h \
	planner/sections/section_rules.c planner/sections/section_rules.h \
	planner/sections/section_search.c planner/sections/section_search.h \
	planner/sections/section_state.c planner/sections/section_state.h \
	planner/sections/section_state_check.c

# The same plan on every processor: no product and sum in one rounding.
$(planner_libplanner_a_OBJECTS): AM_CFLAGS += -ffp-contract=off

# --- libarenaplan, the library that other programs link ---

# The room of lib that places buffers, whole in both libraries.
placing_files = \
	lib/place/aligned_bound.c lib/place/aligned_bound.h \
	lib/place/best_greedy.c lib/place/best_greedy.h \
	lib/place/dsa_pieces.c lib/place/dsa_pieces.h \
	lib/place/gap_index.c lib/place/gap_index.h \
	lib/place/holes.c lib/place/holes.h \
	lib/place/index_set.c lib/place/index_set.h \
	lib/place/orders.c lib/place/orders.h \
	lib/place/part_runs.c lib/place/part_runs.h \
	lib/place/path_groups.c lib/place/path_groups.h \
	lib/place/sections.c lib/place/sections.h \
	lib/place/shape_fit.c lib/place/shape_fit.h \
	lib/place/skyline.c lib/place/skyline.h \
	lib/place/time_parts.c lib/place/time_parts.h \
	lib/place/time_walk.c lib/place/time_walk.h \
	lib/place/work_limit.h

# It is compiled from one file, which is made of the planner and what that needs of lib;
# planner/alone has what stands there in place of files that need a program around them.
arenaplan_sources = \
	$(filter %.c,$(filter-out planner/disjunctive/pairs_certify.c planner/disjunctive/proof_file.c,\
		$(planner_libplanner_a_SOURCES))) \
	$(filter %.c,$(placing_files)) \
	planner/alone/no_program.c \
	lib/base/check.c \
	lib/base/checksum.c \
	lib/base/error.c \
	lib/base/luby.c \
	lib/base/memory.c \
	lib/base/memory_scope.c \
	lib/base/order.c \
	lib/base/sha256.c \
	lib/base/small_rng.c \
	lib/base/sort.c \
	lib/base/suggest.c \
	lib/base/timer.c \
	lib/problem/instance.c \
	lib/problem/instance_axis.c \
	lib/problem/instance_check.c \
	lib/problem/instance_fixed.c \
	lib/problem/instance_shape.c \
	lib/problem/intervals.c \
	lib/problem/overlaps.c \
	lib/problem/pieces.c \
	lib/problem/plan.c \
	lib/problem/plan_check.c \
	lib/problem/search_statistics.c \
	lib/problem/solver_env.c
EXTRA_DIST += planner/alone/no_program.c \
	build-aux/amalgamate build-aux/amalgamate.awk build-aux/relocatable

# Both files, for programs that take them into their own sources.
planner-amalgamation: amalgamation/arenaplan.c amalgamation/arenaplan.h
amalgamation/arenaplan.c: $(arenaplan_sources) $(filter %.h,$(planner_libplanner_a_SOURCES)) \
		$(wildcard $(top_srcdir)/lib/*/*.h) $(top_srcdir)/build-aux/amalgamate \
		$(top_srcdir)/build-aux/amalgamate.awk Makefile
	$(AM_V_GEN)$(MKDIR_P) amalgamation && here=`pwd` && cd $(top_srcdir) && \
		AWK='$(AWK)' build-aux/amalgamate $(ARENAPLAN_VERSION) $(arenaplan_sources) \
		>"$$here/$@.new" && mv "$$here/$@.new" "$$here/$@"
amalgamation/arenaplan.h: planner/arenaplan.h
	$(AM_V_GEN)$(MKDIR_P) amalgamation && cp $(top_srcdir)/planner/arenaplan.h $@
# The files that it is made of, the headers too: only these are licensed as the library is.
arenaplan-files:
	@cd $(top_srcdir) && AWK='$(AWK)' build-aux/amalgamate --list planner/arenaplan.h $(arenaplan_sources)
CLEANFILES += amalgamation/arenaplan.c amalgamation/arenaplan.h

# One object is in both libraries.  Nothing is contracted to a fused operation, which processors
# have or lack: plans are the same on all.
include_HEADERS = planner/arenaplan.h bindings/cpp/arenaplan.hpp
arenaplandir = $(datadir)/arenaplan
dist_arenaplan_DATA = bindings/python/arenaplan.py
lib_LIBRARIES += planner/libarenaplan.a
nodist_planner_libarenaplan_a_SOURCES = amalgamation/arenaplan.c amalgamation/arenaplan.h
planner_libarenaplan_a_CPPFLAGS =
planner_libarenaplan_a_CFLAGS = -std=c11 -pedantic -Wall -Wextra $(SAN_FLAGS) -fPIC \
	-fvisibility=hidden -ffp-contract=off
arenaplan_object = amalgamation/planner_libarenaplan_a-arenaplan.$(OBJEXT)
$(arenaplan_object): amalgamation/arenaplan.h
arenaplan_shared = planner/libarenaplan.so.$(ARENAPLAN_VERSION)
arenaplan_soname = libarenaplan.so.$(ARENAPLAN_MAJOR)
all-local: $(arenaplan_shared)
$(arenaplan_shared): $(arenaplan_object)
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(SAN_FLAGS) $(LDFLAGS) -shared -Wl,-soname,$(arenaplan_soname) \
		-o $@ $(arenaplan_object) -lm
	$(AM_V_at)rm -f planner/$(arenaplan_soname) && \
		ln -s libarenaplan.so.$(ARENAPLAN_VERSION) planner/$(arenaplan_soname)
CLEANFILES += $(arenaplan_shared) planner/$(arenaplan_soname)
install-exec-local: $(arenaplan_shared)
	$(MKDIR_P) '$(DESTDIR)$(libdir)'
	$(INSTALL_PROGRAM) $(arenaplan_shared) '$(DESTDIR)$(libdir)'
	cd '$(DESTDIR)$(libdir)' && for name in $(arenaplan_soname) libarenaplan.so; do \
		rm -f $$name && ln -s libarenaplan.so.$(ARENAPLAN_VERSION) $$name || exit 1; \
	done
uninstall-hook:
	cd '$(DESTDIR)$(libdir)' && \
		rm -f libarenaplan.so libarenaplan.so.$(ARENAPLAN_VERSION) $(arenaplan_soname)

# How other builds find it, wherever what is installed was moved.
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = planner/arenaplan.pc
arenaplancmakedir = $(libdir)/cmake/arenaplan
nodist_arenaplancmake_DATA = planner/arenaplanConfig.cmake planner/arenaplanConfigVersion.cmake
arenaplan_templates = planner/alone/arenaplan.pc.in planner/alone/arenaplanConfig.cmake.in \
	planner/alone/arenaplanConfigVersion.cmake.in
EXTRA_DIST += $(arenaplan_templates)
CLEANFILES += $(nodist_pkgconfig_DATA) $(nodist_arenaplancmake_DATA)
# `make install prefix=X` may have other folders than configure: looked at each time.
$(nodist_pkgconfig_DATA) $(nodist_arenaplancmake_DATA): planner/%: planner/alone/%.in relocate
	$(AM_V_at)$(MKDIR_P) planner && $(top_srcdir)/build-aux/relocatable '$(ARENAPLAN_VERSION)' '$(prefix)' \
		'$(libdir)' '$(includedir)' <$< >$@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
relocate:

# The library without the program.
install-arenaplan: install-libLIBRARIES install-exec-local install-includeHEADERS \
	install-dist_arenaplanDATA install-nodist_pkgconfigDATA install-nodist_arenaplancmakeDATA

# Several threads of a program's own, under ThreadSanitizer.  Takes longer than a test may.
arenaplan-threads: amalgamation/arenaplan.c amalgamation/arenaplan.h
	$(AM_V_CC)$(CC) -std=c11 -g -O1 -fsanitize=thread -ffp-contract=off -I. -Iamalgamation \
		-o amalgamation/callers amalgamation/arenaplan.c \
		$(top_srcdir)/tests/planner/alone/callers.c -pthread -lm
	amalgamation/callers
CLEANFILES += amalgamation/callers
EXTRA_DIST += tests/planner/alone/callers.c

# What to begin with.
EXTRA_DIST += doc/arenaplan.md examples/CMakeLists.txt examples/Makefile examples/buffer_table.cc \
	examples/static_arena.c examples/tflm_offline_plan.c examples/two_memories.c

# Automake wants one condition for all .PHONY, which is WHOLE elsewhere.
arenaplan_goals = planner-amalgamation arenaplan-files relocate install-arenaplan arenaplan-threads
if WHOLE
.PHONY: $(arenaplan_goals)
else
.PHONY: $(arenaplan_goals)
endif
