# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += runtime/liboperators.a
runtime_liboperators_a_CFLAGS = $(AM_CFLAGS) $(LOOP_CFLAGS)
runtime_liboperators_a_SOURCES = \
	runtime/operators/accept.c runtime/operators/accept.h \
	runtime/operators/along.c runtime/operators/along.h \
	runtime/operators/arithmetic.c \
	runtime/operators/attributes.c \
	runtime/operators/attributes.h \
	runtime/operators/boxes.c \
	runtime/operators/cast.c runtime/operators/cast.h \
	runtime/operators/clip.c \
	runtime/operators/col2im.c runtime/operators/col2im_real.h \
	runtime/operators/crop.c \
	runtime/operators/exponential.h runtime/operators/exponential_real.h \
	runtime/operators/fill.c \
	runtime/operators/grid.c runtime/operators/grid_real.h \
	runtime/operators/gradient.c runtime/operators/gradient.h \
	runtime/operators/gradient_loss.c \
	runtime/operators/gradient_loss_real.h \
	runtime/operators/gradient_map.c \
	runtime/operators/gradient_matrix.c \
	runtime/operators/gradient_move.c \
	runtime/operators/gradient_norm.c \
	runtime/operators/gradient_norm_real.h \
	runtime/operators/gradient_reduce.c \
	runtime/operators/gradient_window.c \
	runtime/operators/gradient_window_real.h \
	runtime/operators/index.h \
	runtime/operators/integer.c \
	runtime/operators/logic.c \
	runtime/operators/loss.c runtime/operators/loss_real.h \
	runtime/operators/log_softmax_real.h \
	runtime/operators/matrix.c \
	runtime/operators/matrix.h \
	runtime/operators/matrix_einsum.c \
	runtime/operators/matrix_real.h \
	runtime/operators/matrix_tile.h \
	runtime/operators/matrix_tiles.c runtime/operators/matrix_tiles.h \
	runtime/operators/move.c \
	runtime/operators/ngrams.c \
	runtime/operators/normalise.c runtime/operators/normalise_real.h \
	runtime/operators/numbers.h \
	runtime/operators/operator.h \
	runtime/operators/operators.c \
	runtime/operators/optimise.c \
	runtime/operators/order.c runtime/operators/order.h \
	runtime/operators/own.c runtime/operators/own_real.h \
	runtime/operators/pad.c \
	runtime/operators/pair.c runtime/operators/pair.h \
	runtime/operators/parts.c \
	runtime/operators/quantize.c \
	runtime/operators/recurrent.c \
	runtime/operators/recurrent_real.h \
	runtime/operators/reduce.c runtime/operators/reduce_type.h \
	runtime/operators/reshape.c \
	runtime/operators/resize.c \
	runtime/operators/resize.h \
	runtime/operators/resize_real.h \
	runtime/operators/resize_taps.c \
	runtime/operators/roi.c runtime/operators/roi_real.h \
	runtime/operators/rows.c \
	runtime/operators/scatter.c \
	runtime/operators/select.c \
	runtime/operators/signal.c \
	runtime/operators/softmax.c runtime/operators/softmax_real.h \
	runtime/operators/strided.c runtime/operators/strided.h \
	runtime/operators/sum_real.h \
	runtime/operators/topk.c \
	runtime/operators/unary.c \
	runtime/operators/unique.c \
	runtime/operators/vectors.h \
	runtime/operators/window.c \
	runtime/operators/window.h \
	runtime/operators/window_conv.c \
	runtime/operators/window_conv_real.h \
	runtime/operators/window_max.c \
	runtime/operators/window_max_real.h \
	runtime/operators/window_pool.c \
	runtime/operators/window_pool_real.h

noinst_LIBRARIES += runtime/libruntime.a
runtime_libruntime_a_SOURCES = \
	runtime/blocked.c runtime/blocked.h \
	runtime/changes.c runtime/changes.h \
	runtime/bodies.c runtime/bodies.h \
	runtime/compare.c runtime/compare.h \
	runtime/convolution.c runtime/convolution.h \
	runtime/inputs.c runtime/inputs.h \
	runtime/layouts.c runtime/layouts.h \
	runtime/memory.c runtime/memory.h \
	runtime/regions.c runtime/regions.h \
	runtime/run.c runtime/run.h \
	runtime/stream_steps.c runtime/stream_steps.h \
	runtime/traffic.c runtime/traffic.h \
	runtime/step.c runtime/step.h \
	runtime/wide.c runtime/wide.h

nodist_runtime_libruntime_a_SOURCES = runtime/registry.c
runtime/registry.c: contestants.list $(top_srcdir)/build-aux/contestant-checksums Makefile
	$(AM_V_GEN)$(MKDIR_P) runtime && $(top_srcdir)/build-aux/contestant-checksums $(top_srcdir) \
		contestants.list runner runtime/run.h runtime/run.c >$@.new && mv $@.new $@
CLEANFILES += runtime/registry.c
