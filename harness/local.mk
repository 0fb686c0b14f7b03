# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += harness/libharness.a
harness_libharness_a_SOURCES = \
	harness/cli/certify.c harness/cli/certify.h \
	harness/cli/compare_rows.c harness/cli/compare_rows.h \
	harness/cli/conv_standing.c harness/cli/conv_standing.h \
	harness/cli/conv_status.c harness/cli/conv_status.h \
	harness/cli/diff_tables.c harness/cli/diff_tables.h \
	harness/cli/explain.c harness/cli/explain.h \
	harness/cli/fit_planners.c harness/cli/fit_planners.h \
	harness/cli/hazard_input.c harness/cli/hazard_input.h \
	harness/cli/hazard_rows.c harness/cli/hazard_rows.h \
	harness/cli/input.c harness/cli/input.h \
	harness/cli/memory_input.c harness/cli/memory_input.h \
	harness/cli/parameters.c harness/cli/parameters.h \
	harness/cli/run_beside.c harness/cli/run_beside.h \
	harness/cli/run_files.c harness/cli/run_files.h \
	harness/cli/run_lengths.c harness/cli/run_lengths.h \
	harness/cli/run_memories.c harness/cli/run_memories.h \
	harness/cli/run_moves.c harness/cli/run_moves.h \
	harness/cli/run_table.c harness/cli/run_table.h \
	harness/cli/split_picture.c harness/cli/split_picture.h \
	harness/cli/stored_plan.c harness/cli/stored_plan.h \
	harness/cli/suite_parts.c harness/cli/suite_parts.h \
	harness/cli/suite_scoring.c \
	harness/cli/suite_tables.c \
	harness/cli/sweep_tasks.c harness/cli/sweep_tasks.h \
	harness/cli/summary.c harness/cli/summary.h \
	harness/cli/verify_stored.c harness/cli/verify_stored.h \
	harness/beside/answer.c harness/beside/answer.h \
	harness/beside/beside.c harness/beside/beside.h \
	harness/io/deflate.c harness/io/deflate.h \
	harness/io/expand.c harness/io/expand.h \
	harness/io/figure.c harness/io/figure.h \
	harness/io/gnuplot.c harness/io/gnuplot.h \
	harness/io/interrupt.c harness/io/interrupt.h \
	harness/io/kernel_workspace.c harness/io/kernel_workspace.h \
	harness/io/left_out.c harness/io/left_out.h \
	harness/io/options.c harness/io/options.h \
	harness/io/nodes.h \
	harness/io/npy.c harness/io/npy.h \
	harness/io/output.c harness/io/output.h \
	harness/io/picture.c harness/io/picture.h \
	harness/io/placement.c harness/io/placement.h \
	harness/io/plan_file.c harness/io/plan_file.h \
	harness/io/process.c harness/io/process.h \
	harness/io/progress.c harness/io/progress.h \
	harness/io/share.c \
	harness/io/shell_words.c harness/io/shell_words.h \
	harness/io/status_line.c harness/io/status_line.h \
	harness/io/table.c harness/io/table.h \
	harness/io/vigil.c harness/io/vigil.h \
	harness/io/watch.h \
	harness/report/cover.c harness/report/cover.h \
	harness/report/diff.c harness/report/diff.h \
	harness/report/diff_values.c \
	harness/report/figure_tex.c harness/report/figure_tex.h \
	harness/report/grid.c harness/report/grid.h harness/report/grid_private.h \
	harness/report/grid_tex.c \
	harness/report/markup.c harness/report/markup.h \
	harness/report/page_answer.c harness/report/page_answer.h \
	harness/report/page_code.c harness/report/page_code.h \
	harness/report/page_runs.c harness/report/page_runs.h \
	harness/report/report.c harness/report/report.h \
	harness/report/report_figures.c \
	harness/report/report_page.c \
	harness/report/report_provenance.c \
	harness/report/report_suite.c harness/report/report_suite.h \
	harness/report/report_tables.c \
	harness/report/runs.c harness/report/runs.h \
	harness/run/agreement.c harness/run/agreement.h \
	harness/run/cgroup.c harness/run/cgroup.h \
	harness/run/cgroup_place.c harness/run/cgroup_private.h \
	harness/run/child.c harness/run/child.h \
	harness/run/children.c harness/run/children.h \
	harness/run/comparison.c harness/run/comparison.h \
	harness/run/contestant.c \
	harness/run/contestants.c harness/run/contestants.h \
	harness/run/duel.c harness/run/duel.h \
	harness/run/identity.c \
	harness/run/limits.c \
	harness/run/load.c harness/run/load.h \
	harness/run/nested.c harness/run/nested.h \
	harness/run/process_stat.c harness/run/process_stat.h \
	harness/run/random_rows.c harness/run/random_rows.h \
	harness/run/reaper.c harness/run/reaper.h \
	harness/run/run.h \
	harness/run/runner.c harness/run/runner.h \
	harness/run/shrink.c harness/run/shrink.h \
	harness/run/stream.c harness/run/stream.h \
	harness/run/tree.c harness/run/tree.h \
	harness/store/facts.c harness/store/facts.h \
	harness/store/offsets.c harness/store/offsets.h \
	harness/store/optima.c harness/store/optima.h \
	harness/store/optima_certify.c harness/store/optima_certify.h \
	harness/store/rows.c harness/store/rows.h \
	harness/store/run_table.c harness/store/run_table.h \
	harness/store/store.c harness/store/store.h \
	harness/store/store_check.c \
	harness/store/store_conv.c harness/store/store_conv.h \
	harness/store/store_execution.c harness/store/store_execution.h \
	harness/store/store_split.h \
	harness/store/store_merge.c harness/store/store_merge.h \
	harness/store/store_merge_experiments.c \
	harness/store/store_merge_private.h \
	harness/store/store_merge_rows.c \
	harness/store/store_open.c \
	harness/store/store_plan.c harness/store/store_plan.h \
	harness/store/store_private.h \
	harness/store/store_provenance.c \
	harness/store/store_report.c harness/store/store_report.h \
	harness/store/store_rescue.c harness/store/store_rescue.h \
	harness/store/store_checksum.c harness/store/store_checksum.h \
	harness/store/store_table.c harness/store/store_table.h \
	harness/store/store_tables.c \
	harness/store/store_verify.c \
	harness/store/store_write.c \
	harness/suite/suite.c harness/suite/suite.h \
	harness/suite/suite_export.c harness/suite/suite_export.h \
	harness/suite/suite_find.c \
	harness/suite/suite_judge.c harness/suite/suite_judge.h \
	harness/suite/suite_score.c harness/suite/suite_score.h \
	harness/suite/suite_submit.c harness/suite/suite_submit.h \
	harness/sweep/conv_record.c harness/sweep/conv_record.h \
	harness/sweep/experiment.c harness/sweep/experiment.h \
	harness/sweep/experiment_adhoc.c harness/sweep/experiment_adhoc.h \
	harness/sweep/experiment_fits.c harness/sweep/experiment_fits.h \
	harness/sweep/experiment_layers.c harness/sweep/experiment_layers.h \
	harness/sweep/experiment_read.c \
	harness/sweep/experiment_set.c harness/sweep/experiment_set.h \
	harness/sweep/planning.c harness/sweep/planning.h \
	harness/sweep/provenance.c harness/sweep/provenance.h \
	harness/sweep/sweep.h \
	harness/sweep/sweep_conv.c \
	harness/sweep/sweep_execution.c harness/sweep/sweep_execution.h \
	harness/sweep/sweep_fit.c harness/sweep/sweep_fit.h \
	harness/sweep/sweep_final.c \
	harness/sweep/sweep_force.c \
	harness/sweep/sweep_layers.c \
	harness/sweep/sweep_plan.c \
	harness/sweep/sweep_record.c \
	harness/sweep/sweep_result.c \
	harness/sweep/sweep_run.c \
	harness/sweep/sweep_sample.c harness/sweep/sweep_sample.h \
	harness/sweep/sweep_shard.c harness/sweep/sweep_shard.h \
	harness/sweep/worker.c harness/sweep/worker.h \
	harness/timing/conv_bench.c harness/timing/conv_bench.h \
	harness/timing/conv_child.c harness/timing/conv_child.h \
	harness/timing/conv_input.c harness/timing/conv_input.h \
	harness/timing/conv_params.c harness/timing/conv_params.h \
	harness/timing/conv_protocol.h \
	harness/timing/conv_sample.c harness/timing/conv_sample.h \
	harness/timing/conv_session.c harness/timing/conv_session.h \
	harness/timing/conv_tune.c harness/timing/conv_tune.h \
	harness/timing/execution.c harness/timing/execution.h \
	harness/timing/execution_kernel.c harness/timing/execution_kernel.h \
	harness/timing/execution_process.c harness/timing/execution_process.h
EXTRA_DIST += harness/io/nodes_absent.c harness/io/nodes_hwloc.c
if HAVE_HWLOC
harness_libharness_a_SOURCES += harness/io/nodes_hwloc.c
else
harness_libharness_a_SOURCES += harness/io/nodes_absent.c
endif
harness_libharness_a_CPPFLAGS = $(AM_CPPFLAGS) -DARENABENCH_PKGDATADIR='"$(pkgdatadir)"'

bin_PROGRAMS += arenabench
command_sources = \
	harness/cli/command_agree.c \
	harness/cli/command_bounds.c \
	harness/cli/command_fit.c \
	harness/cli/command_hazards.c \
	harness/cli/command_compare.c \
	harness/cli/command_conv.c \
	harness/cli/command_diff.c \
	harness/cli/command_draw.c \
	harness/cli/command_lifetimes.c \
	harness/cli/command_list.c \
	harness/cli/command_loops.c \
	harness/cli/command_merge.c \
	harness/cli/command_plans.c \
	harness/cli/command_report.c \
	harness/cli/command_rerun.c \
	harness/cli/command_rescue.c \
	harness/cli/command_run.c \
	harness/cli/command_schedule.c \
	harness/cli/command_solve.c \
	harness/cli/command_suite.c \
	harness/cli/command_sweep.c \
	harness/cli/command_trace.c \
	harness/cli/trace_picture.c harness/cli/trace_picture.h \
	harness/cli/trace_rows.c harness/cli/trace_rows.h \
	harness/cli/command_verify.c \
	harness/cli/commands.c harness/cli/commands.h \
	harness/io/draw_data.c harness/io/draw_data.h \
	harness/io/picture.c harness/io/picture.h \
	harness/io/draw_pieces.c harness/io/draw_pieces.h \
	harness/io/draw_steps.c harness/io/draw_steps.h \
	harness/io/plan_json.c harness/io/plan_json.h
arenabench_SOURCES = $(command_sources) harness/cli/main.c
arenabench_LDADD = $(PROGRAM_LIBS)
nodist_arenabench_SOURCES = harness/io/buildinfo.h

# Checked at every make, rewritten only if something changed.
harness/io/buildinfo.h: force-buildinfo
	$(AM_V_at)$(MKDIR_P) harness/io && $(top_srcdir)/build-aux/buildinfo $(top_srcdir) $@ \
		"$(CC)" "$(STD_CFLAGS) $(SAN_FLAGS) $(CPPFLAGS) $(CFLAGS)" "$(CONFIGURE_ARGUMENTS)"
.PHONY: force-buildinfo
BUILT_SOURCES += harness/io/buildinfo.h
CLEANFILES += harness/io/buildinfo.h

# They say what made the program.
harness/cli/main.$(OBJEXT) harness/sweep/libharness_a-provenance.$(OBJEXT): harness/io/buildinfo.h
