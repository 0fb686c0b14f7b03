# SPDX-License-Identifier: GPL-3.0-or-later
# The registry's list: solvers/a-b.c defines solver_a_b, registered as a-b.
solver_files = \
	solvers/annealing.c \
	solvers/bfc.c \
	solvers/branch-and-bound.c \
	solvers/buddy.c \
	solvers/dsa-solver.c \
	solvers/duration-size.c \
	solvers/exec.c \
	solvers/executorch.c \
	solvers/first-fit-by-size.c \
	solvers/first-fit-by-start.c \
	solvers/ggml.c \
	solvers/glpk.c \
	solvers/glow.c \
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
	solvers/nntrainer.c \
	solvers/omni.c \
	solvers/onednn.c \
	solvers/onert.c \
	solvers/onnxruntime.c \
	solvers/openvino.c \
	solvers/path-cover.c \
	solvers/portfolio.c \
	solvers/pytorch-caching.c \
	solvers/relax.c \
	solvers/section-first.c \
	solvers/sekiyama.c \
	solvers/size-classes.c \
	solvers/somas.c \
	solvers/squeaky-wheel.c \
	solvers/static-runtime.c \
	solvers/supermalloc.c \
	solvers/tabu-search.c \
	solvers/telamalloc.c \
	solvers/tflite-arena.c \
	solvers/tflite-gpu-best.c \
	solvers/tflite-gpu-breadth.c \
	solvers/tflite-gpu-equality.c \
	solvers/tflite-gpu-in-order.c \
	solvers/tflite-gpu-min-cost-flow.c \
	solvers/tflite-gpu-size-distance.c \
	solvers/tflm.c \
	solvers/tinygrad.c \
	solvers/triton.c \
	solvers/tvm-conflicts.c \
	solvers/tvm-hill-climb.c \
	solvers/tvm-size.c \
	solvers/vela-greedy.c \
	solvers/vela-hill-climb.c \
	solvers/xla-area.c \
	solvers/xla-search.c \
	solvers/xla-spatial.c \
	solvers/xla-temporal.c \
	solvers/xnnpack.c

noinst_LIBRARIES += solvers/libsolvers.a
solvers_libsolvers_a_SOURCES = \
	solvers/evidence.c solvers/evidence.h \
	solvers/find.c \
	solvers/solver.h \
	solvers/boxing/boxing.c solvers/boxing/boxing.h \
	solvers/boxing/boxing_rogue.c \
	solvers/boxing/boxing_theorem2.c \
	solvers/boxing/boxing_unbox.c \
	solvers/fit/alignment.c solvers/fit/alignment.h \
	solvers/fit/block_heap.c solvers/fit/block_heap.h \
	solvers/fit/coverage.c solvers/fit/coverage.h \
	solvers/fit/decoder.c solvers/fit/decoder.h \
	solvers/fit/events.c solvers/fit/events.h \
	solvers/fit/free_blocks.c solvers/fit/free_blocks.h \
	solvers/fit/hops.c solvers/fit/hops.h \
	solvers/fit/interval_index.c solvers/fit/interval_index.h \
	solvers/fit/split_tree.c solvers/fit/split_tree.h \
	solvers/fit/ties.c solvers/fit/ties.h \
	solvers/fit/turns.h \
	solvers/fit/waiting.c solvers/fit/waiting.h \
	solvers/library/callers_problem.c solvers/library/callers_problem.h \
	solvers/library/library_run.c solvers/library/library_run.h \
	solvers/minimalloc/minimalloc_problem.c solvers/minimalloc/minimalloc_problem.h \
	solvers/minimalloc/minimalloc_search.c solvers/minimalloc/minimalloc_search.h \
	solvers/program/answer.c solvers/program/answer.h \
	solvers/program/launch.c solvers/program/launch.h \
	solvers/program/tail.c solvers/program/tail.h \
	solvers/search/dsa_model.c solvers/search/dsa_model.h \
	solvers/search/gsl_anneal.c solvers/search/gsl_anneal.h \
	solvers/search/order_search.c solvers/search/order_search.h \
	solvers/shipped/chunks.c solvers/shipped/chunks.h \
	solvers/shipped/delegate_breadth.c \
	solvers/shipped/delegate_objects.h \
	solvers/shipped/delegate_size_distance.c \
	solvers/shipped/nnc_flow.c solvers/shipped/nnc_flow.h \
	solvers/shipped/tvm.c solvers/shipped/tvm.h \
	solvers/shipped/tvm_climb.c solvers/shipped/tvm_climb.h \
	solvers/shipped/unit_flow.c solvers/shipped/unit_flow.h \
	solvers/shipped/xla.c solvers/shipped/xla.h \
	$(solver_files)
nodist_solvers_libsolvers_a_SOURCES = solvers/registry.c

# The table has a checksum of what each solver is made of.
solvers/registry.c: contestants.list $(top_srcdir)/build-aux/contestant-checksums Makefile
	$(AM_V_GEN)$(MKDIR_P) solvers && $(top_srcdir)/build-aux/contestant-checksums $(top_srcdir) \
		contestants.list solver solvers/solver.h $(solver_files) >$@.new && mv $@.new $@
CLEANFILES += solvers/registry.c
