# Test programs end in .t, test scripts in .sh; both speak TAP.
TEST_EXTENSIONS = .t .sh
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(T_LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir;

# One line a test.
test_programs = \
	tests/t_base.t \
	tests/t_bounds.t \
	tests/t_boxing.t \
	tests/t_branch_and_bound.t \
	tests/t_section_minimise.t \
	tests/t_section_nogoods.t \
	tests/t_piece_nogoods.t \
	tests/t_builder.t \
	tests/t_certificate.t \
	tests/t_conv_input.t \
	tests/t_contestant.t \
	tests/t_control.t \
	tests/t_comparison.t \
	tests/t_conv_sweep.t \
	tests/t_depthwise.t \
	tests/t_cover.t \
	tests/t_exhaustive.t \
	tests/t_small_grids.t \
	tests/t_experiment.t \
	tests/t_flow.t \
	tests/t_fuse.t \
	tests/t_gadgets.t \
	tests/t_gaps.t \
	tests/t_generators.t \
	tests/t_brute_force.t \
	tests/t_best_greedy.t \
	tests/t_conformance.t \
	tests/t_golden.t \
	tests/t_golden_tflite.t \
	tests/t_identity.t \
	tests/t_inplace.t \
	tests/t_inplace_random.t \
	tests/t_inplace_zoo.t \
	tests/t_interrupt.t \
	tests/t_instance.t \
	tests/t_instance_csv.t \
	tests/t_kernels.t \
	tests/t_learning.t \
	tests/t_lifetimes.t \
	tests/t_loops.t \
	tests/t_loops_random.t \
	tests/t_machine.t \
	tests/t_megengine.t \
	tests/t_megengine_dump.t \
	tests/t_mgemm.t \
	tests/t_minimalloc.t \
	tests/t_model.t \
	tests/t_milp.t \
	tests/t_model_ilp.t \
	tests/t_glpk.t \
	tests/t_glpk_pieces.t \
	tests/t_ncnn.t \
	tests/t_network.t \
	tests/t_networks.t \
	tests/t_networks_files.t \
	tests/t_nnc.t \
	tests/t_order.t \
	tests/t_order_search.t \
	tests/t_onnx.t \
	tests/t_onnx_data.t \
	tests/t_onnx_hostile.t \
	tests/t_onnx_rules.t \
	tests/t_params.t \
	tests/t_parent.t \
	tests/t_optima.t \
	tests/t_pieces.t \
	tests/t_plan_csv.t \
	tests/t_planted.t \
	tests/t_pools.t \
	tests/t_portfolio.t \
	tests/t_predict.t \
	tests/t_real_inputs.t \
	tests/t_reaper.t \
	tests/t_report.t \
	tests/t_report_machines.t \
	tests/t_reuse.t \
	tests/t_runner.t \
	tests/t_section_first.t \
	tests/t_section_light.t \
	tests/t_session.t \
	tests/t_runner_ends.t \
	tests/t_shapes.t \
	tests/t_somas.t \
	tests/t_solvers_exec.t \
	tests/t_solvers_groups.t \
	tests/t_solvers_same.t \
	tests/t_same_tflite.t \
	tests/t_statistics.t \
	tests/t_ties.t \
	tests/t_store.t \
	tests/t_store_migrate.t \
	tests/t_store_provenance.t \
	tests/t_sweep.t \
	tests/t_time_model.t \
	tests/t_tflite.t \
	tests/t_tflite_plan.t \
	tests/t_train.t \
	tests/t_train_all.t \
	tests/t_tune.t \
	tests/t_tvm.t \
	tests/t_unit_flow.t \
	tests/t_verify.t \
	tests/t_xla.t \
	tests/t_watch.t \
	tests/t_zoo.t

test_scripts = \
	tests/aarch64.sh \
	tests/blocking.sh \
	tests/compare.sh \
	tests/solve.sh \
	tests/bootstrap.sh \
	tests/buildinfo.sh \
	tests/cli.sh \
	tests/contestants.sh \
	tests/conv.sh \
	tests/disassembly.sh \
	tests/docs.sh \
	tests/exec.sh \
	tests/export.sh \
	tests/fetch_data.sh \
	tests/full.sh \
	tests/identity.sh \
	tests/includes.sh \
	tests/layout.sh \
	tests/loops.sh \
	tests/lowered.sh \
	tests/optima.sh \
	tests/real_csv.sh \
	tests/registry.sh \
	tests/run_sweep.sh \
	tests/report.sh \
	tests/resume.sh \
	tests/sweep.sh

check_PROGRAMS += $(test_programs) $(fuzz_programs)
dist_check_SCRIPTS += $(test_scripts)
# What is compiled by aarch64.sh or lowered.sh only.
EXTRA_DIST += tests/pristine.sh tests/tap.sh tests/rng_plain.c tests/lowered.h \
	tests/lowered_list.h tests/mgemm_registry.c
TESTS += $(test_programs) $(test_scripts) $(fuzz_programs)

# In a minimal Debian root, which takes minutes and fetches packages.
.PHONY: check-pristine
check-pristine:
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=tests/pristine.sh

noinst_LIBRARIES += tests/libtap.a
tests_libtap_a_SOURCES = tests/tap.c tests/tap.h tests/tap_data.c

# Instances, and answers found without the code under test, for several tests
# to share.
noinst_LIBRARIES += tests/liboracles.a
tests_liboracles_a_SOURCES = \
	tests/brute_force.c tests/brute_force.h \
	tests/every_capacity.c tests/every_capacity.h \
	tests/instances.c tests/instances.h \
	tests/loop_case.c tests/loop_case.h \
	tests/conv_case.c tests/conv_case.h \
	tests/onnx_text.c tests/onnx_text.h \
	tests/fake_kernel.c tests/fake_kernel.h \
	tests/figures.c tests/figures.h \
	tests/golden.c tests/golden.h \
	tests/plain_planners.c tests/plain_planners.h \
	tests/plain_kierstead.c \
	tests/plain_inductor.c tests/plain_relax.c tests/plain_sekiyama.c tests/plain_pools.h \
	tests/plain_tvm.c tests/plain_tvm.h \
	tests/plain_arena.c tests/plain_objects.c tests/plain_tflite.h \
	tests/same_plans.c tests/same_plans.h \
	tests/store_answer.c tests/store_answer.h \
	tests/three_buffers.h \
	tests/piece_case.c tests/piece_case.h \
	tests/plain_xla.c tests/plain_xla.h \
	tests/random_instances.c tests/random_instances.h \
	tests/real_instances.c tests/real_instances.h \
	tests/reference_planners.c tests/reference_planners.h \
	tests/run_solver.c tests/run_solver.h \
	tests/tflite_models.c tests/tflite_models.h

# What all tests link with.
TEST_LDADD = tests/liboracles.a tests/libtap.a $(LDADD)

tests_t_base_t_SOURCES = tests/t_base.c
tests_t_base_t_LDADD = $(TEST_LDADD)

tests_t_networks_files_t_SOURCES = tests/t_networks_files.c
tests_t_networks_files_t_LDADD = $(TEST_LDADD)

tests_t_train_t_SOURCES = tests/t_train.c
tests_t_train_t_LDADD = $(TEST_LDADD)

tests_t_train_all_t_SOURCES = tests/t_train_all.c
tests_t_train_all_t_LDADD = $(TEST_LDADD)

tests_t_builder_t_SOURCES = tests/t_builder.c
tests_t_builder_t_LDADD = $(TEST_LDADD)

tests_t_conv_input_t_SOURCES = tests/t_conv_input.c
tests_t_conv_input_t_LDADD = $(TEST_LDADD)

tests_t_onnx_t_SOURCES = tests/t_onnx.c
tests_t_onnx_t_LDADD = $(TEST_LDADD)

tests_t_onnx_data_t_SOURCES = tests/t_onnx_data.c
tests_t_onnx_data_t_LDADD = $(TEST_LDADD)

tests_t_onnx_hostile_t_SOURCES = tests/t_onnx_hostile.c
tests_t_onnx_hostile_t_LDADD = $(TEST_LDADD)

tests_t_onnx_rules_t_SOURCES = tests/t_onnx_rules.c
tests_t_onnx_rules_t_LDADD = $(TEST_LDADD)

tests_t_params_t_SOURCES = tests/t_params.c
tests_t_params_t_LDADD = $(TEST_LDADD)

tests_t_machine_t_SOURCES = tests/t_machine.c
tests_t_machine_t_LDADD = $(TEST_LDADD)

tests_t_parent_t_SOURCES = tests/t_parent.c
tests_t_parent_t_LDADD = $(TEST_LDADD)

tests_t_control_t_SOURCES = tests/t_control.c
tests_t_control_t_LDADD = $(TEST_LDADD)

tests_t_loops_t_SOURCES = tests/t_loops.c
tests_t_loops_t_LDADD = $(TEST_LDADD)

tests_t_loops_random_t_SOURCES = tests/t_loops_random.c
tests_t_loops_random_t_LDADD = $(TEST_LDADD)

tests_t_brute_force_t_SOURCES = tests/t_brute_force.c
tests_t_brute_force_t_LDADD = $(TEST_LDADD)

tests_t_best_greedy_t_SOURCES = tests/t_best_greedy.c
tests_t_best_greedy_t_LDADD = $(TEST_LDADD)

tests_t_conformance_t_SOURCES = tests/t_conformance.c
tests_t_conformance_t_LDADD = $(TEST_LDADD)

tests_t_golden_tflite_t_SOURCES = tests/t_golden_tflite.c
tests_t_golden_tflite_t_LDADD = $(TEST_LDADD)

tests_t_golden_t_SOURCES = tests/t_golden.c
tests_t_golden_t_LDADD = $(TEST_LDADD)

tests_t_solvers_exec_t_SOURCES = tests/t_solvers_exec.c
tests_t_solvers_exec_t_LDADD = $(TEST_LDADD)

tests_t_solvers_groups_t_SOURCES = tests/t_solvers_groups.c
tests_t_solvers_groups_t_LDADD = $(TEST_LDADD)

tests_t_tvm_t_SOURCES = tests/t_tvm.c
tests_t_tvm_t_LDADD = $(TEST_LDADD)

tests_t_unit_flow_t_SOURCES = tests/t_unit_flow.c
tests_t_unit_flow_t_LDADD = $(TEST_LDADD)

tests_t_same_tflite_t_SOURCES = tests/t_same_tflite.c
tests_t_same_tflite_t_LDADD = $(TEST_LDADD)
tests_t_order_search_t_SOURCES = tests/t_order_search.c
tests_t_order_search_t_LDADD = $(TEST_LDADD)

tests_t_somas_t_SOURCES = tests/t_somas.c
tests_t_somas_t_LDADD = $(TEST_LDADD)

tests_t_pools_t_SOURCES = tests/t_pools.c
tests_t_pools_t_LDADD = $(TEST_LDADD)

tests_t_xla_t_SOURCES = tests/t_xla.c
tests_t_xla_t_LDADD = $(TEST_LDADD)
tests_t_boxing_t_SOURCES = tests/t_boxing.c
tests_t_boxing_t_LDADD = $(TEST_LDADD)

tests_t_portfolio_t_SOURCES = tests/t_portfolio.c
tests_t_portfolio_t_LDADD = $(TEST_LDADD)

tests_t_model_ilp_t_SOURCES = tests/t_model_ilp.c
tests_t_model_ilp_t_LDADD = $(TEST_LDADD)

tests_t_solvers_same_t_SOURCES = tests/t_solvers_same.c
tests_t_solvers_same_t_LDADD = $(TEST_LDADD)

tests_t_report_t_SOURCES = tests/t_report.c tests/sample_results.c tests/sample_results.h
tests_t_report_t_LDADD = $(TEST_LDADD)

tests_t_report_machines_t_SOURCES = tests/t_report_machines.c
tests_t_report_machines_t_LDADD = $(TEST_LDADD)

# Fills the folders that tests/report.sh works on.
check_PROGRAMS += tests/make_results
tests_make_results_SOURCES = tests/make_results.c tests/sample_results.c tests/sample_results.h
tests_make_results_LDADD = $(TEST_LDADD)

# The network as tests/fetch_data.sh has it.
check_PROGRAMS += tests/http_server
tests_http_server_SOURCES = tests/http_server.c
tests_http_server_LDADD =

tests_t_real_inputs_t_SOURCES = tests/t_real_inputs.c
tests_t_real_inputs_t_LDADD = $(TEST_LDADD)

tests_t_reuse_t_SOURCES = tests/t_reuse.c
tests_t_reuse_t_LDADD = $(TEST_LDADD)

tests_t_statistics_t_SOURCES = tests/t_statistics.c
tests_t_statistics_t_LDADD = $(TEST_LDADD)

tests_t_ties_t_SOURCES = tests/t_ties.c
tests_t_ties_t_LDADD = $(TEST_LDADD)

tests_t_megengine_dump_t_SOURCES = tests/t_megengine_dump.c
tests_t_megengine_dump_t_LDADD = $(TEST_LDADD)

tests_t_gadgets_t_SOURCES = tests/t_gadgets.c
tests_t_gadgets_t_LDADD = $(TEST_LDADD)

tests_t_planted_t_SOURCES = tests/t_planted.c
tests_t_planted_t_LDADD = $(TEST_LDADD)

tests_t_gaps_t_SOURCES = tests/t_gaps.c
tests_t_gaps_t_LDADD = $(TEST_LDADD)

tests_t_inplace_t_SOURCES = tests/t_inplace.c
tests_t_inplace_t_LDADD = $(TEST_LDADD)

tests_t_inplace_zoo_t_SOURCES = tests/t_inplace_zoo.c
tests_t_inplace_zoo_t_LDADD = $(TEST_LDADD)

tests_t_inplace_random_t_SOURCES = tests/t_inplace_random.c
tests_t_inplace_random_t_LDADD = $(TEST_LDADD)

tests_t_instance_t_SOURCES = tests/t_instance.c
tests_t_instance_t_LDADD = $(TEST_LDADD)

tests_t_network_t_SOURCES = tests/t_network.c
tests_t_network_t_LDADD = $(TEST_LDADD)

tests_t_depthwise_t_SOURCES = tests/t_depthwise.c
tests_t_depthwise_t_LDADD = $(TEST_LDADD)

tests_t_kernels_t_SOURCES = tests/t_kernels.c
tests_t_kernels_t_LDADD = $(TEST_LDADD)

tests_t_model_t_SOURCES = tests/t_model.c
tests_t_model_t_LDADD = $(TEST_LDADD)

tests_t_mgemm_t_SOURCES = tests/t_mgemm.c
tests_t_mgemm_t_LDADD = $(TEST_LDADD)

tests_t_predict_t_SOURCES = tests/t_predict.c
tests_t_predict_t_LDADD = $(TEST_LDADD)

tests_t_tune_t_SOURCES = tests/t_tune.c
tests_t_tune_t_LDADD = $(TEST_LDADD)

tests_t_learning_t_SOURCES = tests/t_learning.c
tests_t_learning_t_LDADD = $(TEST_LDADD)

tests_t_lifetimes_t_SOURCES = tests/t_lifetimes.c
tests_t_lifetimes_t_LDADD = $(TEST_LDADD)

tests_t_time_model_t_SOURCES = tests/t_time_model.c
tests_t_time_model_t_LDADD = $(TEST_LDADD)

tests_t_megengine_t_SOURCES = tests/t_megengine.c
tests_t_megengine_t_LDADD = $(TEST_LDADD)

tests_t_nnc_t_SOURCES = tests/t_nnc.c
tests_t_nnc_t_LDADD = $(TEST_LDADD)

tests_t_optima_t_SOURCES = tests/t_optima.c
tests_t_optima_t_LDADD = $(TEST_LDADD)

tests_t_certificate_t_SOURCES = tests/t_certificate.c
tests_t_certificate_t_LDADD = $(TEST_LDADD)

tests_t_pieces_t_SOURCES = tests/t_pieces.c
tests_t_pieces_t_LDADD = $(TEST_LDADD)

tests_t_glpk_pieces_t_SOURCES = tests/t_glpk_pieces.c
tests_t_glpk_pieces_t_LDADD = $(TEST_LDADD)

tests_t_branch_and_bound_t_SOURCES = tests/t_branch_and_bound.c
tests_t_branch_and_bound_t_LDADD = $(TEST_LDADD)

tests_t_minimalloc_t_SOURCES = tests/t_minimalloc.c
tests_t_minimalloc_t_LDADD = $(TEST_LDADD)

tests_t_exhaustive_t_SOURCES = tests/t_exhaustive.c
tests_t_exhaustive_t_LDADD = $(TEST_LDADD)

tests_t_small_grids_t_SOURCES = tests/t_small_grids.c
tests_t_small_grids_t_LDADD = $(TEST_LDADD)

tests_t_piece_nogoods_t_SOURCES = tests/t_piece_nogoods.c
tests_t_piece_nogoods_t_LDADD = $(TEST_LDADD)

tests_t_section_minimise_t_SOURCES = tests/t_section_minimise.c
tests_t_section_minimise_t_LDADD = $(TEST_LDADD)

tests_t_section_nogoods_t_SOURCES = tests/t_section_nogoods.c
tests_t_section_nogoods_t_LDADD = $(TEST_LDADD)

tests_t_section_first_t_SOURCES = tests/all_classes.h tests/t_section_first.c
tests_t_section_first_t_LDADD = $(TEST_LDADD)
tests_t_section_light_t_SOURCES = tests/all_classes.h tests/t_section_light.c
tests_t_section_light_t_LDADD = $(TEST_LDADD)
tests_t_order_t_SOURCES = tests/t_order.c
tests_t_order_t_LDADD = $(TEST_LDADD)

tests_t_fuse_t_SOURCES = tests/t_fuse.c
tests_t_fuse_t_LDADD = $(TEST_LDADD)

tests_t_zoo_t_SOURCES = tests/t_zoo.c
tests_t_zoo_t_LDADD = $(TEST_LDADD)

tests_t_networks_t_SOURCES = tests/t_networks.c
tests_t_networks_t_LDADD = $(TEST_LDADD)

tests_t_flow_t_SOURCES = tests/t_flow.c
tests_t_flow_t_LDADD = $(TEST_LDADD)

tests_t_bounds_t_SOURCES = tests/t_bounds.c
tests_t_bounds_t_LDADD = $(TEST_LDADD)

tests_t_milp_t_SOURCES = tests/t_milp.c
tests_t_milp_t_LDADD = $(TEST_LDADD)

tests_t_glpk_t_SOURCES = tests/t_glpk.c
tests_t_glpk_t_LDADD = $(TEST_LDADD)

tests_t_verify_t_SOURCES = tests/t_verify.c
tests_t_verify_t_LDADD = $(TEST_LDADD)

tests_t_contestant_t_SOURCES = tests/t_contestant.c
tests_t_contestant_t_LDADD = $(TEST_LDADD)

tests_t_comparison_t_SOURCES = tests/t_comparison.c
tests_t_comparison_t_LDADD = $(TEST_LDADD)

tests_t_runner_t_SOURCES = tests/t_runner.c
tests_t_runner_t_LDADD = $(TEST_LDADD)

tests_t_interrupt_t_SOURCES = tests/t_interrupt.c
tests_t_interrupt_t_LDADD = $(TEST_LDADD)

tests_t_identity_t_SOURCES = tests/t_identity.c
tests_t_identity_t_LDADD = $(TEST_LDADD)

tests_t_reaper_t_SOURCES = tests/t_reaper.c
tests_t_reaper_t_LDADD = $(TEST_LDADD)

tests_t_watch_t_SOURCES = tests/t_watch.c
tests_t_watch_t_LDADD = $(TEST_LDADD)

tests_t_runner_ends_t_SOURCES = tests/t_runner_ends.c
tests_t_runner_ends_t_LDADD = $(TEST_LDADD)

tests_t_session_t_SOURCES = tests/t_session.c
tests_t_session_t_LDADD = $(TEST_LDADD)

tests_t_conv_sweep_t_SOURCES = tests/t_conv_sweep.c
tests_t_conv_sweep_t_LDADD = $(TEST_LDADD)

tests_t_cover_t_SOURCES = tests/t_cover.c
tests_t_cover_t_LDADD = $(TEST_LDADD)

tests_t_store_t_SOURCES = tests/t_store.c
tests_t_store_t_LDADD = $(TEST_LDADD)

tests_t_store_migrate_t_SOURCES = tests/t_store_migrate.c
tests_t_store_migrate_t_LDADD = $(TEST_LDADD)
EXTRA_DIST += tests/store-4.sql

tests_t_store_provenance_t_SOURCES = tests/t_store_provenance.c
tests_t_store_provenance_t_LDADD = $(TEST_LDADD)

tests_t_sweep_t_SOURCES = tests/t_sweep.c
tests_t_sweep_t_LDADD = $(TEST_LDADD)

tests_t_shapes_t_SOURCES = tests/t_shapes.c
tests_t_shapes_t_LDADD = $(TEST_LDADD)

tests_t_ncnn_t_SOURCES = tests/t_ncnn.c
tests_t_ncnn_t_LDADD = $(TEST_LDADD)

tests_t_tflite_t_SOURCES = tests/t_tflite.c
tests_t_tflite_t_LDADD = $(TEST_LDADD)

tests_t_tflite_plan_t_SOURCES = tests/t_tflite_plan.c
tests_t_tflite_plan_t_LDADD = $(TEST_LDADD)

tests_t_instance_csv_t_SOURCES = tests/t_instance_csv.c
tests_t_instance_csv_t_LDADD = $(TEST_LDADD)

tests_t_plan_csv_t_SOURCES = tests/t_plan_csv.c
tests_t_plan_csv_t_LDADD = $(TEST_LDADD)

tests_t_experiment_t_SOURCES = tests/t_experiment.c
tests_t_experiment_t_LDADD = $(TEST_LDADD)

tests_t_generators_t_SOURCES = tests/t_generators.c
tests_t_generators_t_LDADD = $(TEST_LDADD)

bench_programs += tests/bench_planners
tests_bench_planners_SOURCES = tests/bench_planners.c
tests_bench_planners_LDADD = $(TEST_LDADD)
bench_programs += tests/bench_scaling
tests_bench_scaling_SOURCES = tests/bench_machine.c tests/bench_machine.h tests/bench_scaling.c
tests_bench_scaling_LDADD = $(TEST_LDADD)
bench_programs += tests/bench_exact
tests_bench_exact_SOURCES = tests/bench.c tests/bench.h \
	tests/bench_machine.c tests/bench_machine.h tests/bench_runs.c tests/bench_runs.h \
	tests/bench_exact.c tests/bench_exact.h tests/bench_exact_accelerators.c \
	tests/bench_exact_others.c tests/bench_exact_tight.c
tests_bench_exact_LDADD = $(TEST_LDADD)
bench_programs += tests/bench_section_first
tests_bench_section_first_SOURCES = tests/bench.c tests/bench.h \
	tests/bench_machine.c tests/bench_machine.h tests/bench_runs.c tests/bench_runs.h \
	tests/bench_section_first.c
tests_bench_section_first_LDADD = $(TEST_LDADD)
bench_programs += tests/bench_kernels
tests_bench_kernels_SOURCES = tests/bench.c tests/bench.h \
	tests/bench_machine.c tests/bench_machine.h \
	tests/bench_goals.c tests/bench_kernels.c tests/bench_kernels.h
tests_bench_kernels_LDADD = $(TEST_LDADD)

# Fuzz targets: tests/fuzz_NAME.c with its corpus in tests/corpus/NAME, which
# `make check` replays; `make fuzz-NAME` looks for more with clang's libFuzzer,
# FUZZ_SECONDS long.  One word in each list and the two lines below a target.
fuzz_programs = \
	tests/fuzz_certificate.t \
	tests/fuzz_experiment.t \
	tests/fuzz_instance_csv.t \
	tests/fuzz_megengine.t \
	tests/fuzz_ncnn.t \
	tests/fuzz_onnx.t \
	tests/fuzz_optima.t \
	tests/fuzz_plan_csv.t \
	tests/fuzz_tflite.t
fuzz_runs = \
	fuzz-certificate \
	fuzz-experiment \
	fuzz-instance_csv \
	fuzz-megengine \
	fuzz-ncnn \
	fuzz-onnx \
	fuzz-optima \
	fuzz-plan_csv \
	fuzz-tflite
FUZZ_REPLAY = tests/fuzz.h tests/fuzz_replay.c

tests_fuzz_certificate_t_SOURCES = tests/fuzz_certificate.c $(FUZZ_REPLAY)
tests_fuzz_certificate_t_LDADD = $(TEST_LDADD)

tests_fuzz_experiment_t_SOURCES = tests/fuzz_experiment.c $(FUZZ_REPLAY)
tests_fuzz_experiment_t_LDADD = $(TEST_LDADD)

tests_fuzz_instance_csv_t_SOURCES = tests/fuzz_instance_csv.c $(FUZZ_REPLAY)
tests_fuzz_instance_csv_t_LDADD = $(TEST_LDADD)

tests_fuzz_megengine_t_SOURCES = tests/fuzz_megengine.c $(FUZZ_REPLAY)
tests_fuzz_megengine_t_LDADD = $(TEST_LDADD)

tests_fuzz_ncnn_t_SOURCES = tests/fuzz_ncnn.c $(FUZZ_REPLAY)
tests_fuzz_ncnn_t_LDADD = $(TEST_LDADD)

tests_fuzz_onnx_t_SOURCES = tests/fuzz_onnx.c $(FUZZ_REPLAY)
tests_fuzz_onnx_t_LDADD = $(TEST_LDADD)

tests_fuzz_optima_t_SOURCES = tests/fuzz_optima.c $(FUZZ_REPLAY)
tests_fuzz_optima_t_LDADD = $(TEST_LDADD)

tests_fuzz_plan_csv_t_SOURCES = tests/fuzz_plan_csv.c $(FUZZ_REPLAY)
tests_fuzz_plan_csv_t_LDADD = $(TEST_LDADD)

tests_fuzz_tflite_t_SOURCES = tests/fuzz_tflite.c $(FUZZ_REPLAY)
tests_fuzz_tflite_t_LDADD = $(TEST_LDADD)

EXTRA_DIST += tests/corpus build-aux/fuzz
FUZZ_SECONDS = 60
.PHONY: $(fuzz_runs)
FUZZ_FLAGS = $(STD_CFLAGS) $(DEFS) $(AM_CPPFLAGS) \
	$(GSL_CFLAGS) $(SQLITE_CFLAGS) $(LIBCONFIG_CFLAGS) \
	-DARENABENCH_SRCDIR="$(abs_top_srcdir)" -DARENABENCH_BUILDDIR="$(abs_top_builddir)" \
	-DARENABENCH_PKGDATADIR="$(pkgdatadir)"
FUZZ_LIBS = $(KERNEL_LIBS) $(PROTOBUF_C_LIBS) $(LIBXSMM_LIBS) $(SQLITE_LIBS) $(LIBCONFIG_LIBS) $(GLPK_LIBS) $(GSL_LIBS) -lm
FUZZ_FILES = \
	$(lib_libbase_a_SOURCES) $(planner_libplanner_a_SOURCES) \
	$(workloads_libworkloads_a_SOURCES) $(nodist_workloads_libworkloads_a_SOURCES) \
	$(ONNX_GENERATED) \
	$(solvers_libsolvers_a_SOURCES) $(nodist_solvers_libsolvers_a_SOURCES) \
	$(harness_libharness_a_SOURCES) $(nodist_harness_libharness_a_SOURCES)
$(fuzz_runs): all
	@$(top_srcdir)/build-aux/fuzz $(top_srcdir) `echo $@ | sed 's/^fuzz-//'` $(FUZZ_SECONDS) \
		'$(FUZZ_FLAGS)' '$(FUZZ_LIBS)' $(FUZZ_FILES)
clean-local: clean-fuzz
clean-fuzz:
	rm -rf fuzz
.PHONY: clean-fuzz
