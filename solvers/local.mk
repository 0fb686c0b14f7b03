# The registry's list: solvers/a-b.c defines solver_a_b, registered as a-b.
solver_files = \
	solvers/annealing.c \
	solvers/branch-and-bound.c \
	solvers/duration-size.c \
	solvers/exec.c \
	solvers/executorch.c \
	solvers/first-fit-by-size.c \
	solvers/first-fit-by-start.c \
	solvers/glpk.c \
	solvers/greedy-by-size.c \
	solvers/idealloc.c \
	solvers/inductor.c \
	solvers/iree.c \
	solvers/kierstead.c \
	solvers/linear.c \
	solvers/megengine-best-fit.c \
	solvers/megengine-interval-move.c \
	solvers/megengine-pushdown.c \
	solvers/minimalloc.c \
	solvers/model-ilp.c \
	solvers/naive.c \
	solvers/nnc.c \
	solvers/onnxruntime.c \
	solvers/path-cover.c \
	solvers/portfolio.c \
	solvers/relax.c \
	solvers/section-first.c \
	solvers/sekiyama.c \
	solvers/somas.c \
	solvers/squeaky-wheel.c \
	solvers/tflite-arena.c \
	solvers/tflite-gpu-best.c \
	solvers/tflite-gpu-breadth.c \
	solvers/tflite-gpu-equality.c \
	solvers/tflite-gpu-in-order.c \
	solvers/tflite-gpu-min-cost-flow.c \
	solvers/tflite-gpu-size-distance.c \
	solvers/tflm.c \
	solvers/tvm-conflicts.c \
	solvers/tvm-hill-climb.c \
	solvers/tvm-size.c \
	solvers/xla-area.c \
	solvers/xla-search.c \
	solvers/xla-spatial.c \
	solvers/xla-temporal.c \
	solvers/xnnpack.c

noinst_LIBRARIES += solvers/libsolvers.a
solvers_libsolvers_a_SOURCES = \
	solvers/find.c solvers/solver.h \
	solvers/common/address_set.c solvers/common/address_set.h \
	solvers/common/alignment.c solvers/common/alignment.h \
	solvers/common/best_greedy.c solvers/common/best_greedy.h \
	solvers/common/boxing.c solvers/common/boxing.h \
	solvers/common/boxing_theorem2.c solvers/common/boxing_unbox.c \
	solvers/common/busy_objects.c solvers/common/busy_objects.h \
	solvers/common/chunks.c solvers/common/chunks.h \
	solvers/common/conflicts.c solvers/common/conflicts.h \
	solvers/common/decoder.c solvers/common/decoder.h \
	solvers/common/delegate_breadth.c solvers/common/delegate_objects.h \
	solvers/common/delegate_size_distance.c \
	solvers/common/dsa_model.c solvers/common/dsa_model.h \
	solvers/common/dsa_parts.c solvers/common/dsa_parts.h \
	solvers/common/free_blocks.c solvers/common/free_blocks.h \
	solvers/common/gap_buckets.c solvers/common/gap_buckets.h \
	solvers/common/gap_index.c solvers/common/gap_index.h \
	solvers/common/gsl_anneal.c solvers/common/gsl_anneal.h \
	solvers/common/hops.c solvers/common/hops.h \
	solvers/common/index_set.c solvers/common/index_set.h \
	solvers/common/interval_index.c solvers/common/interval_index.h \
	solvers/common/minimalloc_problem.c solvers/common/minimalloc_problem.h \
	solvers/common/minimalloc_search.c solvers/common/minimalloc_search.h \
	solvers/common/luby.c solvers/common/luby.h \
	solvers/common/order.c solvers/common/order.h \
	solvers/common/order_search.c solvers/common/order_search.h \
	solvers/common/part_runs.c solvers/common/part_runs.h \
	solvers/common/path_groups.c solvers/common/path_groups.h \
	solvers/common/piece_bounds.c solvers/common/piece_bounds.h \
	solvers/common/piece_minimise.c solvers/common/piece_minimise.h \
	solvers/common/piece_nogoods.c solvers/common/piece_nogoods.h \
	solvers/common/piece_problem.c solvers/common/piece_problem.h \
	solvers/common/piece_reasons.c solvers/common/piece_reasons.h \
	solvers/common/piece_refute.c solvers/common/piece_refute.h \
	solvers/common/piece_rules.c solvers/common/piece_rules.h \
	solvers/common/piece_search.c solvers/common/piece_search.h \
	solvers/common/piece_state.c solvers/common/piece_state.h \
	solvers/common/prefix_counts.c solvers/common/prefix_counts.h \
	solvers/common/section_explain.c solvers/common/section_explain.h \
	solvers/common/section_minimise.c solvers/common/section_minimise.h \
	solvers/common/section_memo.c solvers/common/section_memo.h \
	solvers/common/section_nogoods.c solvers/common/section_nogoods.h \
	solvers/common/section_classes.c solvers/common/section_classes.h \
	solvers/common/section_counts.c solvers/common/section_counts.h \
	solvers/common/section_dives.c solvers/common/section_dives.h \
	solvers/common/section_finder.c solvers/common/section_finder.h \
	solvers/common/section_latest.c solvers/common/section_latest.h \
	solvers/common/section_light.c solvers/common/section_light.h \
	solvers/common/section_order.c solvers/common/section_order.h \
	solvers/common/section_peel.c solvers/common/section_peel.h \
	solvers/common/section_plan.c solvers/common/section_plan.h \
	solvers/common/section_problem.c solvers/common/section_problem.h \
	solvers/common/section_rules.c solvers/common/section_rules.h \
	solvers/common/section_search.c solvers/common/section_search.h \
	solvers/common/section_state.c solvers/common/section_state.h \
	solvers/common/section_windows.c solvers/common/section_windows.h \
	solvers/common/shape_fit.c solvers/common/shape_fit.h \
	solvers/common/skyline.c solvers/common/skyline.h \
	solvers/common/skyline_lines.c solvers/common/skyline_lines.h \
	solvers/common/split_tree.c solvers/common/split_tree.h \
	solvers/common/tail.c solvers/common/tail.h \
	solvers/common/ties.c solvers/common/ties.h \
	solvers/common/time_axis.c solvers/common/time_axis.h \
	solvers/common/time_parts.c solvers/common/time_parts.h \
	solvers/common/tvm.c solvers/common/tvm.h \
	solvers/common/unit_flow.c solvers/common/unit_flow.h \
	solvers/common/xla.c solvers/common/xla.h \
	$(solver_files)
nodist_solvers_libsolvers_a_SOURCES = solvers/registry.c

# The table has a checksum of what each solver is made of.
solvers/registry.c: contestants.list $(top_srcdir)/build-aux/contestant-sums Makefile
	$(AM_V_GEN)$(MKDIR_P) solvers && $(top_srcdir)/build-aux/contestant-sums $(top_srcdir) \
		contestants.list solver solvers/solver.h $(solver_files) >$@.new && mv $@.new $@
CLEANFILES += solvers/registry.c
