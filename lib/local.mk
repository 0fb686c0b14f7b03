# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += lib/libbase.a
lib_libbase_a_SOURCES = \
	lib/base/bisect.h \
	lib/base/check.c lib/base/check.h \
	lib/base/checked.h \
	lib/base/checksum.c lib/base/checksum.h \
	lib/base/csv.c lib/base/csv.h \
	lib/base/error.c lib/base/error.h \
	lib/base/file.c lib/base/file.h \
	lib/base/glpk_common.c lib/base/glpk_common.h \
	lib/base/glpk_flow.c lib/base/glpk_flow.h \
	lib/base/glpk_milp.c lib/base/glpk_milp.h \
	lib/base/gsl_signed_rank.c lib/base/gsl_signed_rank.h \
	lib/base/luby.c lib/base/luby.h \
	lib/base/memory.c lib/base/memory.h \
	lib/base/memory_process.c \
	lib/base/memory_scope.c lib/base/memory_scope.h \
	lib/base/names.c lib/base/names.h \
	lib/base/mt32.c lib/base/mt32.h \
	lib/base/mt64.c lib/base/mt64.h \
	lib/base/order.c lib/base/order.h \
	lib/base/params.c lib/base/params.h \
	lib/base/people.c lib/base/people.h \
	lib/base/portable_math.c lib/base/portable_math.h \
	lib/base/real_inputs.c lib/base/real_inputs.h \
	lib/base/rng.c lib/base/rng.h \
	lib/base/sets.h \
	lib/base/sha256.c lib/base/sha256.h \
	lib/base/small_rng.c lib/base/small_rng.h \
	lib/base/sort.c lib/base/sort.h \
	lib/base/source_tree.c lib/base/source_tree.h \
	lib/base/statistics.c lib/base/statistics.h \
	lib/base/suggest.c lib/base/suggest.h \
	lib/base/timer.c lib/base/timer.h \
	lib/base/utf8.c lib/base/utf8.h \
	lib/base/weights.h \
	lib/base/wide.h \
	lib/graph/computation.c lib/graph/computation.h \
	lib/graph/control.c lib/graph/control.h \
	lib/graph/conv_shape.c lib/graph/conv_shape.h \
	lib/graph/elements.c lib/graph/elements.h \
	lib/graph/expand.c lib/graph/expand.h \
	lib/graph/fetch.c lib/graph/fetch.h \
	lib/graph/fold.c lib/graph/fold.h \
	lib/graph/fuse.c lib/graph/fuse.h \
	lib/graph/network.c lib/graph/network.h \
	lib/graph/network_check.c \
	lib/graph/reuse.c lib/graph/reuse.h \
	lib/graph/schedule.c lib/graph/schedule.h \
	lib/graph/train.c lib/graph/train.h \
	lib/graph/train_compute.c lib/graph/train_compute.h \
	lib/graph/train_describe.c \
	lib/graph/train_private.h \
	lib/graph/train_rules.c lib/graph/train_rules.h \
	lib/graph/train_segments.c \
	lib/graph/train_state.c \
	lib/graph/window.c lib/graph/window.h \
	lib/graph/workspace.c lib/graph/workspace.h \
	lib/judge/bounds.c lib/judge/bounds.h \
	lib/judge/bounds_w.c \
	lib/judge/certificate.c lib/judge/certificate.h \
	lib/judge/certificate_known.c lib/judge/certificate_known.h \
	lib/judge/certificate_rules.c \
	lib/judge/certificate_symmetry.c \
	lib/judge/certificate_words.h \
	lib/judge/certificate_writer.c lib/judge/certificate_writer.h \
	lib/judge/loop_content.c lib/judge/loop_content.h \
	lib/judge/loop_memory.c \
	lib/judge/loop_replay.c lib/judge/loop_replay.h \
	lib/judge/loop_run.c lib/judge/loop_run.h \
	lib/judge/replay.c \
	lib/judge/replay_layout.c \
	lib/judge/replay_orders.c lib/judge/replay_orders.h \
	lib/judge/replay_private.h \
	lib/judge/verify.c lib/judge/verify.h \
	lib/lifetimes/counting.c lib/lifetimes/counting.h \
	lib/lifetimes/inplace.c lib/lifetimes/inplace.h \
	lib/lifetimes/inplace_rules.c lib/lifetimes/inplace_rules.h \
	lib/lifetimes/lifetimes.c lib/lifetimes/lifetimes.h \
	lib/lifetimes/live.c lib/lifetimes/live.h \
	lib/lifetimes/loop_blocks.c \
	lib/lifetimes/loop_carry.c \
	lib/lifetimes/loop_frames.c \
	lib/lifetimes/loop_layout.h \
	lib/lifetimes/loop_nest.c \
	lib/lifetimes/loop_places.c \
	lib/lifetimes/loop_share.c \
	lib/lifetimes/loop_spans.c \
	lib/lifetimes/loop_views.c \
	lib/lifetimes/loops.c lib/lifetimes/loops.h \
	lib/lifetimes/nest.c lib/lifetimes/nest.h \
	lib/lifetimes/order.c lib/lifetimes/order.h \
	lib/lifetimes/order_optimal.c \
	lib/lifetimes/order_private.h \
	lib/lifetimes/origin.c lib/lifetimes/origin.h \
	lib/lifetimes/overwrite.c lib/lifetimes/overwrite.h \
	lib/lifetimes/streams.c lib/lifetimes/streams.h \
	lib/lifetimes/time_model.c lib/lifetimes/time_model.h \
	$(placing_files) \
	lib/problem/instance.c lib/problem/instance.h \
	lib/problem/instance_axis.c \
	lib/problem/instance_check.c \
	lib/problem/instance_csv.c lib/problem/instance_csv.h \
	lib/problem/instance_fixed.c \
	lib/problem/instance_gaps.c lib/problem/instance_gaps.h \
	lib/problem/instance_private.h \
	lib/problem/instance_shape.c \
	lib/problem/intervals.c lib/problem/intervals.h \
	lib/problem/overlaps.c lib/problem/overlaps.h \
	lib/problem/pairs_csv.c lib/problem/pairs_csv.h \
	lib/problem/pieces.c lib/problem/pieces.h \
	lib/problem/plan.c lib/problem/plan.h \
	lib/problem/plan_check.c \
	lib/problem/buffer_ids.c lib/problem/buffer_ids.h \
	lib/problem/clocks_csv.c lib/problem/clocks_csv.h \
	lib/problem/conflict_graph.c lib/problem/conflict_graph.h \
	lib/problem/conflicts.c lib/problem/conflicts.h \
	lib/problem/plan_csv.c lib/problem/plan_csv.h \
	lib/problem/search_statistics.c lib/problem/search_statistics.h \
	lib/problem/solver_env.c lib/problem/solver_env.h

# The same instance on every processor: no product and sum in one rounding.
$(lib_libbase_a_OBJECTS): AM_CFLAGS += -ffp-contract=off

# Only this file knows where it was built: such a path in the flags of others would
# make equal builds differ.
lib/base/source_tree.$(OBJEXT): AM_CPPFLAGS += \
	-DARENABENCH_SRCDIR='"$(abs_top_srcdir)"' -DARENABENCH_BUILDDIR='"$(abs_top_builddir)"'
