# SPDX-License-Identifier: GPL-3.0-or-later
# Test programs end in .t, test scripts in .sh; both speak TAP.  The tests of a room are in the
# room of the same name here: those of lib/judge in tests/lib/judge.
TEST_EXTENSIONS = .t .sh
# One line a program; the driver's own lines are one an assertion.
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/test-line \
	$(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(T_LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir;

# Tests of the library as it is installed, which need no more than it does.
alone_programs = tests/planner/alone/t_abi.t
alone_scripts = \
	tests/planner/alone/abi.sh \
	tests/planner/alone/amalgamation.sh \
	tests/planner/alone/cpp.sh \
	tests/planner/alone/examples.sh \
	tests/planner/alone/library.sh \
	tests/planner/alone/python.sh
EXTRA_PROGRAMS += $(alone_programs)
CLEANFILES += $(alone_programs)
EXTRA_DIST += $(alone_scripts)
TESTS += $(alone_programs) $(alone_scripts)
tests_planner_alone_t_abi_t_SOURCES = tests/planner/alone/t_abi.c tests/support/tap.c tests/support/tap.h
tests_planner_alone_t_abi_t_LDADD = planner/libarenaplan.a -lm
EXTRA_DIST += tests/planner/alone/bindings.cc tests/planner/alone/bindings.py \
	tests/planner/alone/digest.c tests/planner/alone/arenaplan.abi \
	tests/planner/alone/arenaplan-1.0.abi tests/planner/alone/arenaplan.h-1.0

# Everything: more random instances, and what takes long (compilers, emulators, pictures).
check-all:
	ARENABENCH_TEST_TIER=whole $(MAKE) $(AM_MAKEFLAGS) check

if WHOLE
.PHONY: check-all
# One line a test.  A program's source is the file of its name; what others it needs is said
# below, and all link with what tests share (LDADD).
test_programs = \
	tests/lib/base/t_base.t \
	tests/lib/base/t_file.t \
	tests/lib/base/t_flow.t \
	tests/lib/base/t_memory_scope.t \
	tests/lib/base/t_milp.t \
	tests/lib/base/t_mt32.t \
	tests/lib/base/t_mt64.t \
	tests/lib/base/t_order.t \
	tests/lib/base/t_params.t \
	tests/lib/base/t_portable_math.t \
	tests/lib/base/t_real_inputs.t \
	tests/lib/base/t_sha256.t \
	tests/lib/base/t_small_rng.t \
	tests/lib/base/t_signed_rank.t \
	tests/lib/base/t_sort.t \
	tests/lib/base/t_source_tree.t \
	tests/lib/base/t_statistics.t \
	tests/lib/base/t_wide.t \
	tests/lib/place/t_aligned_bound.t \
	tests/lib/place/t_best_greedy.t \
	tests/lib/place/t_fixed_greedy.t \
	tests/lib/place/t_gap_index.t \
	tests/lib/place/t_sections.t \
	tests/lib/problem/t_clocks_csv.t \
	tests/lib/problem/t_gaps.t \
	tests/lib/problem/t_instance.t \
	tests/lib/problem/t_instance_csv.t \
	tests/lib/problem/t_instance_csv_fixed.t \
	tests/lib/problem/t_instance_fixed.t \
	tests/lib/problem/t_instance_parts.t \
	tests/lib/problem/t_overlaps.t \
	tests/lib/problem/t_pairs_csv.t \
	tests/lib/problem/t_plan_csv.t \
	tests/hazards/t_conflicts.t \
	tests/hazards/t_hazards.t \
	tests/hazards/t_json.t \
	tests/hazards/t_json_trips.t \
	tests/memories/t_library_assign.t \
	tests/memories/t_memory.t \
	tests/traces/t_traces.t \
	tests/memories/t_moves.t \
	tests/memories/t_moves_all.t \
	tests/memories/t_split.t \
	tests/memories/t_traffic.t \
	tests/memories/t_vela.t \
	tests/lib/graph/t_control.t \
	tests/lib/graph/t_conv_shape.t \
	tests/lib/graph/t_fuse.t \
	tests/lib/graph/t_network.t \
	tests/lib/graph/t_reuse.t \
	tests/lib/graph/t_train.t \
	tests/lib/graph/t_train_all.t \
	tests/lib/graph/t_workspace.t \
	tests/lib/lifetimes/t_inplace.t \
	tests/lib/lifetimes/t_inplace_random.t \
	tests/lib/lifetimes/t_inplace_zoo.t \
	tests/lib/lifetimes/t_lifetimes.t \
	tests/lib/lifetimes/t_loops.t \
	tests/lib/lifetimes/t_loops_random.t \
	tests/lib/lifetimes/t_order.t \
	tests/lib/lifetimes/t_streams.t \
	tests/lib/lifetimes/t_time_model.t \
	tests/lib/judge/t_bounds.t \
	tests/lib/judge/t_bounds_apply.t \
	tests/lib/judge/t_bounds_outputs.t \
	tests/lib/judge/t_certificate.t \
	tests/lib/judge/t_certificate_fixed.t \
	tests/lib/judge/t_certificate_rules.t \
	tests/lib/judge/t_loop_content.t \
	tests/lib/judge/t_replay_streams.t \
	tests/lib/judge/t_verify.t \
	tests/planner/dives/t_aligned_plan.t \
	tests/planner/dives/t_evictions.t \
	tests/planner/dives/t_fixed_dives.t \
	tests/planner/dives/t_section_first.t \
	tests/planner/dives/t_section_light.t \
	tests/planner/dives/t_shape_plan.t \
	tests/planner/library/t_arenaplan.t \
	tests/planner/library/t_arenaplan_again.t \
	tests/planner/library/t_arenaplan_assign.t \
	tests/planner/library/t_arenaplan_calls.t \
	tests/planner/library/t_arenaplan_limits.t \
	tests/planner/library/t_arenaplan_memory.t \
	tests/planner/library/t_arenaplan_session.t \
	tests/planner/library/t_recorded.t \
	tests/planner/disjunctive/t_pairs_light.t \
	tests/planner/disjunctive/t_pairs_log.t \
	tests/planner/disjunctive/t_pairs_huge.t \
	tests/planner/disjunctive/t_pairs_nogoods.t \
	tests/planner/disjunctive/t_fixed.t \
	tests/planner/disjunctive/t_pieces.t \
	tests/planner/sections/t_section_fixed.t \
	tests/planner/sections/t_section_minimise.t \
	tests/planner/sections/t_lanes.t \
	tests/planner/sections/t_section_nogoods.t \
	tests/planner/sections/t_section_rules.t \
	tests/workloads/t_area.t \
	tests/workloads/t_builder.t \
	tests/workloads/t_families.t \
	tests/workloads/t_generated_packings.t \
	tests/workloads/t_generators.t \
	tests/workloads/t_networks.t \
	tests/workloads/t_networks_files.t \
	tests/workloads/t_same_instances.t \
	tests/workloads/t_workspace.t \
	tests/workloads/t_zoo.t \
	tests/workloads/readers/t_megengine_dump.t \
	tests/workloads/readers/t_ncnn.t \
	tests/workloads/readers/t_onnx.t \
	tests/workloads/readers/t_onnx_data.t \
	tests/workloads/readers/t_onnx_external.t \
	tests/workloads/readers/t_onnx_given.t \
	tests/workloads/readers/t_onnx_hostile.t \
	tests/workloads/readers/t_onnx_rules.t \
	tests/runtime/t_networks.t \
	tests/workloads/readers/t_onnx_runnable.t \
	tests/runtime/t_bodies.t \
	tests/runtime/t_onnx_models.t \
	tests/runtime/t_arenas.t \
	tests/runtime/t_blocked.t \
	tests/runtime/t_convolution.t \
	tests/runtime/t_double.t \
	tests/runtime/t_exponential.t \
	tests/runtime/t_fused.t \
	tests/runtime/t_groups.t \
	tests/runtime/t_regions.t \
	tests/runtime/t_stream_run.t \
	tests/runtime/t_step.t \
	tests/runtime/t_gradients.t \
	tests/runtime/t_onnx_nodes.t \
	tests/runtime/t_operators.t \
	tests/runtime/t_operators_elementwise.t \
	tests/runtime/t_operators_larger.t \
	tests/runtime/t_operators_random.t \
	tests/runtime/t_wrong_lives.t \
	tests/runtime/t_training.t \
	tests/workloads/readers/t_shapes.t \
	tests/workloads/readers/t_tflite.t \
	tests/workloads/readers/t_tflite_plan.t \
	tests/runtime/t_operators_matrix.t \
	tests/runtime/t_operators_recurrent.t \
	tests/runtime/t_operators_resize.t \
	tests/runtime/t_operators_window.t \
	tests/solvers/t_boxing.t \
	tests/solvers/t_branch_and_bound.t \
	tests/solvers/t_conformance.t \
	tests/solvers/t_exhaustive.t \
	tests/solvers/t_gadgets.t \
	tests/solvers/t_glpk.t \
	tests/solvers/t_glpk_pieces.t \
	tests/solvers/t_golden.t \
	tests/solvers/t_golden_tflite.t \
	tests/solvers/t_learning.t \
	tests/solvers/t_megengine.t \
	tests/solvers/t_minimalloc.t \
	tests/solvers/t_model_ilp.t \
	tests/solvers/t_nnc.t \
	tests/solvers/t_omnimalloc.t \
	tests/solvers/t_online.t \
	tests/solvers/t_order_search.t \
	tests/solvers/t_planted.t \
	tests/solvers/t_pools.t \
	tests/solvers/t_portfolio.t \
	tests/solvers/t_search_statistics.t \
	tests/solvers/t_same_tflite.t \
	tests/solvers/t_shipped.t \
	tests/solvers/t_small_grids.t \
	tests/solvers/t_solvers_groups.t \
	tests/solvers/t_solvers_same.t \
	tests/solvers/t_somas.t \
	tests/solvers/t_supermalloc.t \
	tests/solvers/t_telamalloc.t \
	tests/solvers/t_ties.t \
	tests/solvers/t_tvm.t \
	tests/solvers/t_unit_flow.t \
	tests/solvers/t_xla.t \
	tests/kernels/t_choices.t \
	tests/kernels/t_depthwise.t \
	tests/kernels/t_grouped.t \
	tests/kernels/t_emitted.t \
	tests/kernels/t_kernels.t \
	tests/kernels/t_layer.t \
	tests/kernels/t_layer_taps.t \
	tests/kernels/t_machine.t \
	tests/kernels/t_mgemm.t \
	tests/kernels/t_model.t \
	tests/kernels/t_paper.t \
	tests/kernels/t_pool.t \
	tests/kernels/t_predict.t \
	tests/kernels/t_reference.t \
	tests/kernels/t_tune.t \
	tests/harness/beside/t_beside.t \
	tests/harness/beside/t_libraries.t \
	tests/harness/io/t_kernel_workspace.t \
	tests/harness/io/t_placement.t \
	tests/harness/io/t_process.t \
	tests/harness/io/t_table.t \
	tests/harness/run/t_agreement.t \
	tests/harness/run/t_cgroup.t \
	tests/harness/run/t_comparison.t \
	tests/harness/run/t_contestant.t \
	tests/harness/run/t_cpu_limit.t \
	tests/harness/run/t_identity.t \
	tests/harness/run/t_load.t \
	tests/harness/run/t_native.t \
	tests/harness/run/t_memory_limits.t \
	tests/harness/run/t_nested.t \
	tests/harness/run/t_process_stat.t \
	tests/harness/run/t_reaper.t \
	tests/harness/run/t_runner.t \
	tests/harness/run/t_runner_ends.t \
	tests/harness/run/t_shrink.t \
	tests/harness/run/t_solvers_exec.t \
	tests/harness/run/t_watch.t \
	tests/harness/timing/t_conv_input.t \
	tests/harness/timing/t_execution.t \
	tests/harness/timing/t_session.t \
	tests/harness/suite/t_suite.t \
	tests/harness/suite/t_suite_table.t \
	tests/harness/store/t_facts.t \
	tests/harness/store/t_offsets.t \
	tests/harness/store/t_optima.t \
	tests/harness/store/t_run_table.t \
	tests/harness/store/t_store.t \
	tests/harness/store/t_store_columns.t \
	tests/harness/store/t_store_conflicts.t \
	tests/harness/store/t_store_damage.t \
	tests/harness/store/t_store_merge.t \
	tests/harness/store/t_store_plan.t \
	tests/harness/store/t_store_power.t \
	tests/harness/store/t_store_provenance.t \
	tests/harness/store/t_store_checksum.t \
	tests/harness/sweep/t_conv_sweep.t \
	tests/harness/sweep/t_experiment.t \
	tests/harness/sweep/t_run_sweep.t \
	tests/harness/sweep/t_shard.t \
	tests/harness/sweep/t_sweep.t \
	tests/harness/report/t_cover.t \
	tests/harness/report/t_figure_tex.t \
	tests/harness/report/t_report.t \
	tests/harness/report/t_report_machines.t \
	tests/harness/report/t_statistics_tables.t \
	tests/harness/cli/t_certify.t \
	tests/harness/cli/t_run_files.t \
	tests/harness/cli/t_conv_standing.t \
	tests/harness/cli/t_interrupt.t \
	tests/upstream/t_evidence.t \
	tests/upstream/t_faults.t \
	tests/upstream/t_pools.t \
	tests/upstream/t_upstream.t \
	tests/house/t_checks.t \
	tests/house/t_choices.t \
	tests/oracles/t_brute_force.t

# Of the sources and documents, for which it is all the same how the programs were compiled.
house_scripts = \
	tests/house/bootstrap.sh \
	tests/house/buildinfo.sh \
	tests/house/completion.sh \
	tests/house/contestants.sh \
	tests/house/docs.sh \
	tests/house/failures.sh \
	tests/house/fetch_data.sh \
	tests/house/identity.sh \
	tests/house/includes.sh \
	tests/house/layout.sh \
	tests/house/licences.sh \
	tests/house/mutants.sh \
	tests/house/registry.sh \
	tests/house/run_sweep.sh
test_scripts = \
	tests/lib/judge/check_certificate.sh \
	tests/workloads/machines.sh \
	tests/workloads/readers/files.sh \
	tests/workloads/readers/real_csv.sh \
	tests/kernels/aarch64.sh \
	tests/kernels/disassembly.sh \
	tests/kernels/lowered.sh \
	tests/harness/run/exec.sh \
	tests/harness/run/program.sh \
	tests/harness/store/merge.sh \
	tests/harness/store/optima.sh \
	tests/harness/store/rescue.sh \
	tests/harness/store/results_db.sh \
	tests/harness/sweep/blocking.sh \
	tests/harness/sweep/copies.sh \
	tests/harness/sweep/deaths.sh \
	tests/harness/sweep/fits.sh \
	tests/harness/sweep/folders.sh \
	tests/harness/sweep/killed_writes.sh \
	tests/harness/sweep/kills.sh \
	tests/harness/sweep/rerun.sh \
	tests/harness/sweep/runs.sh \
	tests/harness/sweep/shard.sh \
	tests/harness/sweep/sweep.sh \
	tests/harness/report/diff.sh \
	tests/harness/report/figures.sh \
	tests/harness/report/latex.sh \
	tests/harness/report/reference.sh \
	tests/harness/report/answers.sh \
	tests/harness/report/page.sh \
	tests/harness/report/kernels.sh \
	tests/harness/report/report.sh \
	tests/harness/cli/agree.sh \
	tests/harness/cli/cli.sh \
	tests/harness/cli/fit.sh \
	tests/harness/cli/hazards.sh \
	tests/harness/cli/trace.sh \
	tests/traces/torch.sh \
	tests/harness/cli/compare.sh \
	tests/harness/cli/conv.sh \
	tests/harness/cli/draw.sh \
	tests/harness/cli/export.sh \
	tests/harness/cli/fixed.sh \
	tests/harness/cli/full.sh \
	tests/harness/cli/full_disk.sh \
	tests/harness/cli/lifetimes.sh \
	tests/harness/cli/names.sh \
	tests/harness/cli/loops.sh \
	tests/harness/cli/no_terminal.sh \
	tests/harness/cli/run.sh \
	tests/harness/cli/schedule.sh \
	tests/harness/cli/solve.sh \
	tests/harness/cli/suite.sh \
	tests/harness/cli/verify_stored.sh \
	tests/programs/layers.sh \
	tests/programs/minimalloc.sh \
	tests/programs/slurm.sh \
	tests/programs/templates.sh \
	$(house_scripts)

# What is asked for is linked, no more: automake's rule from NAME.t to NAME.log does it.
EXTRA_PROGRAMS += $(test_programs) $(fuzz_programs) $(script_programs)
CLEANFILES += $(test_programs) $(fuzz_programs) $(script_programs) tests/libtap.a tests/libshared.a
.PHONY: test-programs
test-programs: $(test_programs) $(fuzz_programs) $(script_programs)
EXTRA_DIST += $(test_scripts)
# What is compiled by aarch64.sh, lowered.sh or machines.sh only, and what else tests read.
EXTRA_DIST += tests/harness/run/cgroup.sh tests/harness/run/cgroup_inside.sh
EXTRA_DIST += tests/house/pristine.sh tests/support/command.sh tests/support/experiments.sh \
	tests/support/failures.awk \
	tests/support/browser.sh tests/support/stack.awk tests/support/tap.sh \
	tests/harness/report/axes.awk tests/harness/sweep/jumping_clock.c \
	tests/harness/sweep/killing_write.c \
	tests/kernels/lowered.h tests/kernels/lowered_list.h tests/kernels/mgemm_registry.c \
	tests/support/rng_twister.c
TESTS += $(test_programs) $(test_scripts) $(fuzz_programs)

# What upstream's planners answered, and a line for each of ours that is asked the same.
EXTRA_DIST += tests/upstream/MANIFEST.csv tests/upstream/instances.csv \
	tests/upstream/overwrites.csv tests/upstream/answers
EXTRA_DIST += tests/planner/library/recorded.csv tests/kernels/choices.csv
EXTRA_DIST += tests/runtime/onnx_nodes.csv tests/runtime/operators
.PHONY: check-upstream
check-upstream: $(BUILT_SOURCES)
	@$(MAKE) $(AM_MAKEFLAGS) tests/upstream/t_upstream.t
	@$(AM_TESTS_ENVIRONMENT) tests/upstream/t_upstream.t

# In a virtual machine, whose kernel has control groups of version 2 and nothing else to do.
.PHONY: check-cgroup
check-cgroup: all
	@$(MAKE) $(AM_MAKEFLAGS) tests/harness/run/t_memory_limits.t tests/harness/run/t_reaper.t
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=tests/harness/run/cgroup.sh

# The same instances on 32-bit ARM too, which takes a few seconds more.
.PHONY: check-machines
check-machines:
	MACHINES=all $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=tests/workloads/machines.sh

# On a cluster of one node, which it starts; as root.
.PHONY: check-slurm
check-slurm: all
	@$(AM_TESTS_ENVIRONMENT) ARENABENCH_SLURM=1 sh $(srcdir)/tests/programs/slurm.sh

# A thousand kills of sweeps and their workers, a hundred while kernels are timed, and one at each write to
# the store: half an hour.
KILLS = 1000
.PHONY: check-kills
check-kills: all
	@$(MAKE) $(AM_MAKEFLAGS) tests/harness/store/stored
	@$(AM_TESTS_ENVIRONMENT) KILLS=$(KILLS) sh $(srcdir)/tests/harness/sweep/kills.sh
	@$(AM_TESTS_ENVIRONMENT) STEP=1 sh $(srcdir)/tests/harness/sweep/killed_writes.sh

# The test programs and the fuzz targets below valgrind's memcheck; VALGRIND_TESTS are some of them.
# It is there for values that nobody set; what is lost, LeakSanitizer finds, without taking what a
# forked process leaves for that.  Programs that wait for processes by pidfd_open, which valgrind 3.19
# does not know, are left out, and one test that is wrong there: valgrind takes AVX's comparison EQ_US,
# equal or unordered, for equal, so that the operator Sign makes 1 of what is no number.
VALGRIND_TESTS = $(filter-out tests/harness/run/% tests/harness/timing/% tests/harness/sweep/% \
	tests/harness/beside/% tests/harness/io/t_placement.t tests/harness/io/t_process.t \
	tests/runtime/t_operators_elementwise.t, \
	$(test_programs)) $(fuzz_programs)
VALGRIND = valgrind -q --error-exitcode=97
.PHONY: check-valgrind
check-valgrind: all
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(VALGRIND_TESTS)' \
		T_LOG_COMPILER='$(VALGRIND)'

# In a minimal Debian root, which takes minutes and fetches packages.
.PHONY: check-pristine
check-pristine:
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=tests/house/pristine.sh

EXTRA_LIBRARIES += tests/libtap.a
tests_libtap_a_SOURCES = tests/support/tap.c tests/support/tap.h tests/support/tap_data.c

# Instances, and answers found without the code under test, for several tests to share.  A
# fuzz target takes its main from here.
EXTRA_LIBRARIES += tests/libshared.a
tests_libshared_a_SOURCES = \
	tests/oracles/brute_force.c tests/oracles/brute_force.h \
	tests/oracles/every_capacity.c tests/oracles/every_capacity.h \
	tests/oracles/plain_allocators.c tests/oracles/plain_allocators.h \
	tests/oracles/plain_online.c tests/oracles/plain_online.h \
	tests/oracles/plain_arena.c \
	tests/oracles/plain_glow.c \
	tests/oracles/plain_inductor.c \
	tests/oracles/plain_kierstead.c \
	tests/oracles/plain_nnc.c tests/oracles/plain_nnc.h \
	tests/oracles/plain_objects.c \
	tests/oracles/plain_onednn.c \
	tests/oracles/plain_planners.c tests/oracles/plain_planners.h \
	tests/oracles/plain_pools.h \
	tests/oracles/plain_pushdown.c tests/oracles/plain_pushdown.h \
	tests/oracles/plain_relax.c \
	tests/oracles/plain_sekiyama.c \
	tests/oracles/plain_shipped.c tests/oracles/plain_shipped.h \
	tests/oracles/plain_tflite.h \
	tests/oracles/plain_tvm.c tests/oracles/plain_tvm.h \
	tests/oracles/plain_xla.c tests/oracles/plain_xla.h \
	tests/oracles/reference_planners.c tests/oracles/reference_planners.h \
	tests/support/all_classes.h \
	tests/support/as_recorded.c tests/support/as_recorded.h \
	tests/support/beside_case.c tests/support/beside_case.h \
	tests/support/brackets.c tests/support/brackets.h \
	tests/support/certificate_case.c tests/support/certificate_case.h \
	tests/support/certificates.c tests/support/certificates.h \
	tests/support/conv_case.c tests/support/conv_case.h \
	tests/support/fake_kernel.c tests/support/fake_kernel.h \
	tests/support/fake_solver.h \
	tests/support/dag.c tests/support/dag.h \
	tests/support/drawn_problem.h \
	tests/support/families.c tests/support/families.h \
	tests/support/figure_named.c tests/support/figure_named.h \
	tests/support/figures.c tests/support/figures.h \
	tests/support/fixed_case.c tests/support/fixed_case.h \
	tests/support/golden.c tests/support/golden.h \
	tests/support/hazard_case.c tests/support/hazard_case.h \
	tests/support/instances.c tests/support/instances.h \
	tests/support/library_case.c tests/support/library_case.h \
	tests/support/loop_case.c tests/support/loop_case.h \
	tests/support/move_trial.c tests/support/move_trial.h \
	tests/support/network_text.c tests/support/network_text.h \
	tests/support/onnx_files.c tests/support/onnx_files.h \
	tests/support/onnx_network.c tests/support/onnx_network.h \
	tests/support/onnx_text.c tests/support/onnx_text.h \
	tests/support/operator_case.c tests/support/operator_case.h \
	tests/support/piece_case.c tests/support/piece_case.h \
	tests/support/plain_answers.c tests/support/plain_answers.h \
	tests/support/random_instances.c tests/support/random_instances.h \
	tests/support/real_instances.c tests/support/real_instances.h \
	tests/support/run_solver.c tests/support/run_solver.h \
	tests/support/runs.c tests/support/runs.h \
	tests/support/same_plans.c tests/support/same_plans.h \
	tests/support/scratch.c tests/support/scratch.h \
	tests/support/source_table.c tests/support/source_table.h \
	tests/support/store_answer.c tests/support/store_answer.h \
	tests/support/sweep_case.c tests/support/sweep_case.h \
	tests/support/telling.c tests/support/telling.h \
	tests/support/tflite_models.c tests/support/tflite_models.h \
	tests/support/three_buffers.h \
	tests/support/trained.c tests/support/trained.h \
	tests/support/worst.h \
	tests/fuzz/bytes.h tests/fuzz/fixed_instance.h tests/fuzz/fuzz.h tests/fuzz/fuzz_replay.c

LDADD = tests/libshared.a tests/libtap.a $(PROGRAM_LIBS)

# --- programs of more than their file ---

results_SOURCES = tests/support/sample_results.c tests/support/sample_results.h
tests_harness_report_t_report_t_SOURCES = tests/harness/report/t_report.c $(results_SOURCES)

tests_harness_store_t_store_conflicts_t_SOURCES = tests/harness/store/t_store_conflicts.c \
	tests/harness/store/merge_parts.c tests/harness/store/merge_parts.h
tests_harness_store_t_store_merge_t_SOURCES = tests/harness/store/t_store_merge.c \
	tests/harness/store/merge_parts.c tests/harness/store/merge_parts.h
numbered_SOURCES = tests/harness/store/numbered_tasks.c tests/harness/store/numbered_tasks.h
tests_harness_store_t_store_damage_t_SOURCES = tests/harness/store/t_store_damage.c \
	$(numbered_SOURCES)
tests_harness_store_t_store_power_t_SOURCES = tests/harness/store/t_store_power.c $(numbered_SOURCES) \
	tests/harness/store/t_store_power_disk.c tests/harness/store/t_store_power_disk.h

recorded_SOURCES = tests/upstream/recorded.c tests/upstream/recorded.h
tests_upstream_t_evidence_t_SOURCES = tests/upstream/t_evidence.c $(recorded_SOURCES)
tests_upstream_t_faults_t_SOURCES = tests/upstream/t_faults.c $(recorded_SOURCES)
tests_upstream_t_upstream_t_SOURCES = tests/upstream/t_upstream.c $(recorded_SOURCES)
tests_upstream_t_pools_t_SOURCES = tests/upstream/t_pools.c $(recorded_SOURCES)

# What scripts run beside the program: linked for the script that does.
script_programs = tests/lib/judge/make_certificates tests/harness/report/make_results \
	tests/harness/store/stored
tests/lib/judge/check_certificate.log: tests/lib/judge/make_certificates
tests/harness/cli/full.log tests/harness/report/latex.log tests/harness/report/report.log \
	tests/harness/store/optima.log: tests/harness/report/make_results
# What sources tests/support/experiments.sh.
tests/harness/cli/full_disk.log tests/harness/cli/verify_stored.log $(filter tests/harness/run/exec.log \
	tests/harness/report/% tests/harness/store/% tests/harness/sweep/%, $(test_scripts:.sh=.log)) \
	tests/programs/slurm.log: tests/harness/store/stored
tests/harness/cli/no_terminal.log: tests/harness/cli/t_interrupt.t
# These link what the build has made once more.
tests/kernels/lowered.log: tests/kernels/t_depthwise.t tests/kernels/t_grouped.t tests/kernels/t_kernels.t tests/kernels/t_mgemm.t
tests/house/identity.log: tests/libshared.a tests/libtap.a

# Makes what tests/lib/judge/check_certificate.sh compares.
tests_lib_judge_make_certificates_SOURCES = tests/lib/judge/make_certificates.c
EXTRA_DIST += tests/oracles/check_certificate.py

# Fills the folders that tests/harness/report/report.sh works on.
tests_harness_report_make_results_SOURCES = \
	tests/harness/report/make_results.c $(results_SOURCES)

# What a store says, for tests that compare two.

# --- benchmarks ---

bench_programs += tests/bench/bench_arenaplan tests/bench/bench_planners tests/bench/bench_scaling \
	tests/bench/bench_exact tests/bench/bench_families tests/bench/bench_planned_families \
	tests/bench/bench_section_first tests/bench/bench_kernels tests/bench/bench_merge
bench_SOURCES = tests/bench/bench.c tests/bench/bench.h $(bench_machine_SOURCES)
bench_machine_SOURCES = tests/bench/bench_machine.c tests/bench/bench_machine.h
bench_runs_SOURCES = tests/bench/bench_runs.c tests/bench/bench_runs.h
# With the library as it is installed, and without the planner's objects.
tests_bench_bench_arenaplan_SOURCES = tests/bench/bench.c tests/bench/bench.h \
	tests/bench/bench_arenaplan.c
tests_bench_bench_arenaplan_LDADD = planner/libarenaplan.a lib/libbase.a $(GSL_LIBS) -lm
tests_bench_bench_scaling_SOURCES = tests/bench/bench_scaling.c $(bench_machine_SOURCES)
tests_bench_bench_exact_SOURCES = $(bench_SOURCES) $(bench_runs_SOURCES) \
	tests/bench/bench_exact.c tests/bench/bench_exact.h tests/bench/bench_exact_accelerators.c \
	tests/bench/bench_exact_others.c tests/bench/bench_exact_tight.c
tests_bench_bench_families_SOURCES = $(bench_SOURCES) $(bench_runs_SOURCES) \
	tests/bench/bench_families.c
tests_bench_bench_planned_families_SOURCES = $(bench_SOURCES) $(bench_runs_SOURCES) \
	tests/bench/bench_planned_families.c
tests_bench_bench_section_first_SOURCES = $(bench_SOURCES) $(bench_runs_SOURCES) \
	tests/bench/bench_section_first.c
tests_bench_bench_merge_SOURCES = $(bench_SOURCES) tests/bench/bench_merge.c
tests_bench_bench_kernels_SOURCES = $(bench_SOURCES) \
	tests/bench/bench_goals.c tests/bench/bench_kernels.c tests/bench/bench_kernels.h

# --- fuzz targets ---

# tests/fuzz/fuzz_NAME.c with its corpus in tests/fuzz/corpus/NAME, which `make check` replays;
# `make fuzz-NAME` looks for more with clang's libFuzzer, or AFL++ (FUZZER=afl), FUZZ_SECONDS long.
fuzz_programs = \
	tests/fuzz/fuzz_answer.t \
	tests/fuzz/fuzz_arenaplan.t \
	tests/fuzz/fuzz_beside.t \
	tests/fuzz/fuzz_certificate.t \
	tests/fuzz/fuzz_chip.t \
	tests/fuzz/fuzz_command_line.t \
	tests/fuzz/fuzz_experiment.t \
	tests/fuzz/fuzz_instance_csv.t \
	tests/fuzz/fuzz_layer_table.t \
	tests/fuzz/fuzz_layers.t \
	tests/fuzz/fuzz_megengine.t \
	tests/fuzz/fuzz_memory.t \
	tests/fuzz/fuzz_ncnn.t \
	tests/fuzz/fuzz_npy.t \
	tests/fuzz/fuzz_onnx.t \
	tests/fuzz/fuzz_onnx_run.t \
	tests/fuzz/fuzz_optima.t \
	tests/fuzz/fuzz_plan_csv.t \
	tests/fuzz/fuzz_run_table.t \
	tests/fuzz/fuzz_shell_words.t \
	tests/fuzz/fuzz_spec.t \
	tests/fuzz/fuzz_clocks_csv.t \
	tests/fuzz/fuzz_cuts_csv.t \
	tests/fuzz/fuzz_hazard_json.t \
	tests/fuzz/fuzz_known_costs.t \
	tests/fuzz/fuzz_pairs_csv.t \
	tests/fuzz/fuzz_split_csv.t \
	tests/fuzz/fuzz_store.t \
	tests/fuzz/fuzz_suite.t \
	tests/fuzz/fuzz_suite_times.t \
	tests/fuzz/fuzz_tensor_file.t \
	tests/fuzz/fuzz_trace.t \
	tests/fuzz/fuzz_tflite.t \
	tests/fuzz/fuzz_times_csv.t
tests_fuzz_fuzz_command_line_t_SOURCES = tests/fuzz/fuzz_command_line.c $(command_sources)
fuzz_runs = $(fuzz_programs:tests/fuzz/fuzz_%.t=fuzz-%)

EXTRA_DIST += tests/fuzz/corpus build-aux/fuzz
FUZZ_SECONDS = 60
.PHONY: $(fuzz_runs)
FUZZ_FLAGS = $(STD_CFLAGS) $(DEFS) $(AM_CPPFLAGS) \
	$(GSL_CFLAGS) $(SQLITE_CFLAGS) $(ZLIB_CFLAGS) $(LIBCONFIG_CFLAGS) $(JANSSON_CFLAGS) $(HWLOC_CFLAGS) \
	-DARENABENCH_SRCDIR="$(abs_top_srcdir)" -DARENABENCH_BUILDDIR="$(abs_top_builddir)" \
	-DARENABENCH_PKGDATADIR="$(pkgdatadir)"
FUZZ_LIBS = $(KERNEL_LIBS) $(PROTOBUF_C_LIBS) $(LIBXSMM_LIBS) $(SQLITE_LIBS) $(ZLIB_LIBS) $(LIBCONFIG_LIBS) $(JANSSON_LIBS) $(HWLOC_LIBS) $(GLPK_LIBS) $(GSL_LIBS) -lm
FUZZ_FILES = \
	$(lib_libbase_a_SOURCES) $(memories_libmemories_a_SOURCES) $(hazards_libhazards_a_SOURCES) $(traces_libtraces_a_SOURCES) $(planner_libplanner_a_SOURCES) \
	kernels/layer.c kernels/layout.c kernels/strip.c \
	$(workloads_libworkloads_a_SOURCES) $(nodist_workloads_libworkloads_a_SOURCES) \
	$(ONNX_GENERATED) \
	$(runtime_liboperators_a_SOURCES) $(runtime_libruntime_a_SOURCES) \
	$(nodist_runtime_libruntime_a_SOURCES) \
	$(solvers_libsolvers_a_SOURCES) $(nodist_solvers_libsolvers_a_SOURCES) \
	$(harness_libharness_a_SOURCES) $(nodist_harness_libharness_a_SOURCES) $(command_sources)
$(fuzz_runs): all
	@$(top_srcdir)/build-aux/fuzz $(top_srcdir) `echo $@ | sed 's/^fuzz-//'` $(FUZZ_SECONDS) \
		'$(FUZZ_FLAGS)' '$(FUZZ_LIBS)' $(FUZZ_FILES)
clean-local: clean-fuzz
clean-fuzz:
	rm -rf fuzz analysis
.PHONY: clean-fuzz

# The sources that fuzz targets link with, the kernels' that all machines compile, and what tests
# share, as analysers see them; TOOLS and JOBS are for build-aux/analysis.
EXTRA_DIST += .clang-tidy build-aux/analysis build-aux/analysis.known
.PHONY: analysis
analysis: $(BUILT_SOURCES)
	@$(top_srcdir)/build-aux/analysis $(top_srcdir) '$(FUZZ_FLAGS)' $(FUZZ_FILES) \
		$(kernels_libkernels_a_SOURCES) \
		$(tests_libshared_a_SOURCES) $(tests_libtap_a_SOURCES)
endif
