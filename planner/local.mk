noinst_LIBRARIES += planner/libplanner.a
planner_libplanner_a_SOURCES = \
	planner/arenaplan.h \
	planner/dives/aligned_plan.c planner/dives/aligned_plan.h \
	planner/dives/section_classes.c planner/dives/section_classes.h \
	planner/dives/section_counts.c planner/dives/section_counts.h \
	planner/dives/section_dives.c planner/dives/section_dives.h \
	planner/dives/section_light.c planner/dives/section_light.h \
	planner/dives/section_light_check.c \
	planner/dives/section_peel.c planner/dives/section_peel.h \
	planner/dives/section_plan.c planner/dives/section_plan.h \
	planner/dives/shape_dives.c planner/dives/shape_dives.h \
	planner/dives/shape_plan.c planner/dives/shape_plan.h \
	planner/dives/shape_sections.c planner/dives/shape_sections.h \
	planner/greedy/address_set.c planner/greedy/address_set.h \
	planner/greedy/beside.c planner/greedy/beside.h \
	planner/greedy/best_greedy.c planner/greedy/best_greedy.h \
	planner/greedy/dsa_pieces.c planner/greedy/dsa_pieces.h \
	planner/greedy/fixed_first.c planner/greedy/fixed_first.h \
	planner/greedy/gap_buckets.c planner/greedy/gap_buckets.h \
	planner/greedy/gap_check.c planner/greedy/gap_check.h \
	planner/greedy/gap_index.c planner/greedy/gap_index.h \
	planner/greedy/index_set.c planner/greedy/index_set.h \
	planner/greedy/luby.c planner/greedy/luby.h \
	planner/greedy/order.c planner/greedy/order.h \
	planner/greedy/part_runs.c planner/greedy/part_runs.h \
	planner/greedy/path_groups.c planner/greedy/path_groups.h \
	planner/greedy/sections.c planner/greedy/sections.h \
	planner/greedy/shape_fit.c planner/greedy/shape_fit.h \
	planner/greedy/skyline.c planner/greedy/skyline.h \
	planner/greedy/time_axis.c planner/greedy/time_axis.h \
	planner/greedy/time_parts.c planner/greedy/time_parts.h \
	planner/greedy/weights.h \
	planner/library/arenaplan.c \
	planner/library/call.c planner/library/call.h \
	planner/library/exact.c planner/library/exact.h \
	planner/library/judge.c \
	planner/library/overlaps.c planner/library/overlaps.h \
	planner/library/prepare.c planner/library/prepare.h \
	planner/library/layers.h \
	planner/library/prove_logged.h \
	planner/library/session.c \
	planner/library/texts.c \
	planner/library/watch.c planner/library/watch.h \
	planner/pairs/pairs_bounds.c planner/pairs/pairs_bounds.h \
	planner/pairs/pairs_bounds_check.c \
	planner/pairs/pairs_certify.c planner/pairs/pairs_certify.h \
	planner/pairs/pairs_log.c planner/pairs/pairs_log.h \
	planner/pairs/pairs_minimise.c planner/pairs/pairs_minimise.h \
	planner/pairs/pairs_nogoods.c planner/pairs/pairs_nogoods.h \
	planner/pairs/pairs_problem.c planner/pairs/pairs_problem.h \
	planner/pairs/pairs_reasons.c planner/pairs/pairs_reasons.h \
	planner/pairs/pairs_rules.c planner/pairs/pairs_rules.h \
	planner/pairs/pairs_search.c planner/pairs/pairs_search.h \
	planner/pairs/pairs_trace.c planner/pairs/pairs_trace.h \
	planner/pairs/proof_file.c planner/pairs/proof_file.h \
	planner/pairs/proof_sink.h \
	planner/sections/section_explain.c planner/sections/section_explain.h \
	planner/sections/section_finder.c planner/sections/section_finder.h \
	planner/sections/section_holes.c planner/sections/section_holes.h \
	planner/sections/section_memo.c planner/sections/section_memo.h \
	planner/sections/section_minimise.c planner/sections/section_minimise.h \
	planner/sections/section_nogoods.c planner/sections/section_nogoods.h \
	planner/sections/section_problem.c planner/sections/section_problem.h \
	planner/sections/section_problem_check.c \
	planner/sections/section_rules.c planner/sections/section_rules.h \
	planner/sections/section_search.c planner/sections/section_search.h \
	planner/sections/section_state.c planner/sections/section_state.h \
	planner/sections/section_state_check.c \
	planner/sections/section_windows.c planner/sections/section_windows.h

# The same plan on every processor: no product and sum in one rounding.
$(planner_libplanner_a_OBJECTS): AM_CFLAGS += -ffp-contract=off
