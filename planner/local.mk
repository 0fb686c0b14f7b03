noinst_LIBRARIES += planner/libplanner.a
planner_libplanner_a_SOURCES = \
	planner/dives/aligned_plan.c planner/dives/aligned_plan.h \
	planner/dives/pair_turns.c planner/dives/pair_turns.h \
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
	planner/greedy/best_greedy.c planner/greedy/best_greedy.h \
	planner/greedy/dsa_pieces.c planner/greedy/dsa_pieces.h \
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
	planner/pairs/pairs_bounds.c planner/pairs/pairs_bounds.h \
	planner/pairs/pairs_bounds_check.c \
	planner/pairs/pairs_certify.c planner/pairs/pairs_certify.h \
	planner/pairs/pairs_log.c planner/pairs/pairs_log.h \
	planner/pairs/pairs_minimise.c planner/pairs/pairs_minimise.h \
	planner/pairs/pairs_nogoods.c planner/pairs/pairs_nogoods.h \
	planner/pairs/pairs_overload.c planner/pairs/pairs_overload.h \
	planner/pairs/pairs_problem.c planner/pairs/pairs_problem.h \
	planner/pairs/pairs_reasons.c planner/pairs/pairs_reasons.h \
	planner/pairs/pairs_rules.c planner/pairs/pairs_rules.h \
	planner/pairs/pairs_search.c planner/pairs/pairs_search.h \
	planner/pairs/pairs_trace.c planner/pairs/pairs_trace.h \
	planner/sections/section_explain.c planner/sections/section_explain.h \
	planner/sections/section_finder.c planner/sections/section_finder.h \
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
