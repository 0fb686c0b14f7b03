noinst_LIBRARIES += lib/libbase.a
lib_libbase_a_SOURCES = \
	lib/bounds.c lib/bounds.h lib/bounds_w.c \
	lib/builder.c lib/builder.h lib/builder_private.h \
	lib/builder_image.c lib/builder_loop.c lib/builder_matrix.c lib/builder_tensor.c \
	lib/certificate.c lib/certificate.h \
	lib/checked.h \
	lib/checksum.c lib/checksum.h \
	lib/control.c lib/control.h \
	lib/conv_shape.c lib/conv_shape.h \
	lib/csv.c lib/csv.h \
	lib/error.c lib/error.h \
	lib/glpk_common.c lib/glpk_common.h \
	lib/glpk_flow.c lib/glpk_flow.h \
	lib/glpk_milp.c lib/glpk_milp.h \
	lib/expand.c lib/expand.h \
	lib/file.c lib/file.h \
	lib/fuse.c lib/fuse.h \
	lib/inplace.c lib/inplace.h lib/inplace_private.h lib/inplace_rules.c \
	lib/instance.c lib/instance.h lib/instance_load.c lib/instance_private.h \
	lib/instance_shape.c \
	lib/instance_csv.c lib/instance_csv.h lib/instance_gaps.c lib/instance_gaps.h \
	lib/lifetimes.c lib/lifetimes.h \
	lib/live.c lib/live.h \
	lib/loop_blocks.c lib/loop_carry.c lib/loop_content.c lib/loop_content.h lib/loop_frames.c \
	lib/loop_layout.h lib/loop_memory.c lib/loop_places.c lib/loop_replay.c lib/loop_replay.h \
	lib/loop_run.c lib/loop_run.h lib/loop_share.c lib/loop_spans.c lib/loop_views.c \
	lib/loops.c lib/loops.h \
	lib/memory.c lib/memory.h \
	lib/names.c lib/names.h \
	lib/network.c lib/network.h \
	lib/order.c lib/order.h lib/order_optimal.c lib/order_private.h \
	lib/origin.c lib/origin.h \
	lib/overwrite.c lib/overwrite.h \
	lib/params.c lib/params.h \
	lib/pieces.c lib/pieces.h \
	lib/plan.c lib/plan.h \
	lib/plan_csv.c lib/plan_csv.h \
	lib/real_inputs.c lib/real_inputs.h \
	lib/replay.c lib/replay_layout.c lib/replay_private.h \
	lib/reuse.c lib/reuse.h \
	lib/rng.c lib/rng.h \
	lib/schedule.c lib/schedule.h \
	lib/solver_env.h \
	lib/source_tree.c lib/source_tree.h \
	lib/suggest.c lib/suggest.h \
	lib/time_model.c lib/time_model.h \
	lib/timer.c lib/timer.h \
	lib/train.c lib/train.h lib/train_private.h lib/train_segments.c \
	lib/train_rules.c lib/train_rules.h \
	lib/utf8.c lib/utf8.h \
	lib/verify.c lib/verify.h \
	lib/window.c lib/window.h

# Only this file knows where it was built: such a path in the flags of others would
# make equal builds differ.
lib/source_tree.$(OBJEXT): AM_CPPFLAGS += \
	-DARENABENCH_SRCDIR='"$(abs_top_srcdir)"' -DARENABENCH_BUILDDIR='"$(abs_top_builddir)"'
