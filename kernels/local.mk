# SPDX-License-Identifier: GPL-3.0-or-later
# The registry's list: kernels/a-b.c defines conv_kernel_a_b, registered as a-b.
kernel_files = \
	kernels/mgemm/mgemm.c
if HAVE_OPENBLAS
kernel_files += kernels/peers/im2col-openblas.c
endif
if HAVE_DNNL
kernel_files += \
	kernels/peers/onednn.c \
	kernels/peers/onednn-auto.c \
	kernels/peers/onednn-winograd.c
onednn_files = kernels/peers/onednn_common.c kernels/peers/onednn_common.h
endif
if HAVE_LIBXSMM
kernel_files += kernels/peers/libxsmm.c
endif
if HAVE_XNNPACK
kernel_files += kernels/peers/xnnpack.c
endif

noinst_LIBRARIES += kernels/libkernels.a kernels/libkernels_generic.a
kernels_libkernels_a_SOURCES = \
	kernels/mgemm/depthwise.c kernels/mgemm/depthwise.h \
	kernels/mgemm/pixel.c kernels/mgemm/pixel.h \
	kernels/mgemm/rows.c kernels/mgemm/rows.h \
	kernels/cache.c kernels/cache.h \
	kernels/emitted/emitted.c kernels/emitted/emitted.h \
	kernels/isa.c kernels/isa.h \
	kernels/kernel.c kernels/kernel.h \
	kernels/layer.c kernels/layer.h \
	kernels/layer_table.c kernels/layer_table.h \
	kernels/layout.c kernels/layout.h \
	kernels/model/machine.c kernels/model/machine.h \
	kernels/model/machine_calibrate.c kernels/model/machine_calibrate.h \
	kernels/model/machine_times.c kernels/model/machine_times.h \
	kernels/mgemm/gather.c kernels/mgemm/gather.h \
	kernels/mgemm/mgemm_choose.c kernels/mgemm/mgemm_plan.h \
	kernels/mgemm/mgemm_kept.c kernels/mgemm/mgemm_kept.h \
	kernels/mgemm/mgemm_paper.c kernels/mgemm/mgemm_paper.h \
	kernels/mgemm/mgemm_run.c kernels/mgemm/mgemm_run.h \
	kernels/mgemm/mgemm_sets.c kernels/mgemm/mgemm_sets.h \
	kernels/model/model.c kernels/model/model.h \
	kernels/peers/library.c kernels/peers/library.h \
	kernels/pool.c kernels/pool.h \
	kernels/model/predict.c kernels/model/predict.h \
	kernels/model/probe.c kernels/model/probe.h \
	kernels/reference.c kernels/reference.h \
	kernels/strip.c kernels/strip.h \
	kernels/model/tune.c kernels/model/tune.h \
	$(onednn_files) \
	$(kernel_files)
nodist_kernels_libkernels_a_SOURCES = kernels/registry.c kernels/emitted/registry.c \
	kernels/model/registry.c

# The tables have a checksum of what each kernel, and what ranks settings, is made of.
kernels/registry.c: contestants.list $(top_srcdir)/build-aux/contestant-checksums Makefile
	$(AM_V_GEN)$(MKDIR_P) kernels && $(top_srcdir)/build-aux/contestant-checksums $(top_srcdir) \
		contestants.list conv_kernel kernels/kernel.h $(kernel_files) >$@.new && mv $@.new $@
kernels/model/registry.c: contestants.list $(top_srcdir)/build-aux/contestant-checksums Makefile
	$(AM_V_GEN)$(MKDIR_P) kernels/model && $(top_srcdir)/build-aux/contestant-checksums $(top_srcdir) \
		contestants.list tuner kernels/model/tune.h kernels/model/tune.c >$@.new && mv $@.new $@
# And one has what is counted in the tiles' code.
kernels/emitted/registry.c: $(ISA_LIBS) $(top_srcdir)/build-aux/emitted \
		$(top_srcdir)/build-aux/inner-loops Makefile
	$(AM_V_GEN)$(MKDIR_P) kernels/emitted && AWK='$(AWK)' $(top_srcdir)/build-aux/emitted \
		'$(OBJDUMP)' $(foreach lib,$(ISA_LIBS),\
		$(patsubst kernels/libkernels_%.a,%,$(lib)) $(lib)) >$@.new && mv $@.new $@
CLEANFILES += kernels/registry.c kernels/emitted/registry.c kernels/model/registry.c

# Compiled once for each instruction set.  Sanitizers would instrument every
# load and make the tiles spill; the tests put guard pages around the tensors
# instead.
isa_files = \
	kernels/mgemm/depthwise_set.c kernels/mgemm/grouped3_set.c kernels/mgemm/grouped5_set.c \
	kernels/mgemm/depthwise1_set.c kernels/mgemm/depthwise3_set.c kernels/mgemm/depthwise5_set.c \
	kernels/mgemm/depthwise7_set.c kernels/mgemm/depthwise9_set.c \
	kernels/mgemm/pixel_set.c kernels/mgemm/split3_set.c kernels/mgemm/rows_tile.h \
	kernels/mgemm/mgemm_kept.h kernels/mgemm/mgemm_kept_set.c \
	kernels/mgemm/mgemm_list.h kernels/mgemm/mgemm_point.h kernels/mgemm/mgemm_set.c kernels/mgemm/mgemm_straight.h \
	kernels/mgemm/mgemm_tall.h kernels/mgemm/mgemm_taps.h kernels/mgemm/mgemm_tile.h \
	kernels/model/probe_loops.c kernels/model/probe_set.h kernels/mgemm/vector.h
ISA_CFLAGS = $(STD_CFLAGS) $(WARN_CFLAGS) $(TILE_CFLAGS)
AVX2_CFLAGS = -mavx2 -mfma
AVX512_CFLAGS = -mavx512f
kernels_libkernels_generic_a_SOURCES = $(isa_files)
kernels_libkernels_generic_a_CPPFLAGS = $(AM_CPPFLAGS) -DKERNEL_ISA=generic -DKERNEL_VECTOR=4
kernels_libkernels_generic_a_CFLAGS = $(ISA_CFLAGS)
ISA_LIBS = kernels/libkernels_generic.a

if X86_KERNELS
noinst_LIBRARIES += kernels/libkernels_avx2.a kernels/libkernels_avx512.a
kernels_libkernels_avx2_a_SOURCES = $(isa_files)
kernels_libkernels_avx2_a_CPPFLAGS = $(AM_CPPFLAGS) -DKERNEL_ISA=avx2 -DKERNEL_VECTOR=8
kernels_libkernels_avx2_a_CFLAGS = $(ISA_CFLAGS) $(AVX2_CFLAGS)
kernels_libkernels_avx512_a_SOURCES = $(isa_files)
kernels_libkernels_avx512_a_CPPFLAGS = $(AM_CPPFLAGS) -DKERNEL_ISA=avx512 -DKERNEL_VECTOR=16
kernels_libkernels_avx512_a_CFLAGS = $(ISA_CFLAGS) $(AVX512_CFLAGS)
ISA_LIBS += kernels/libkernels_avx2.a kernels/libkernels_avx512.a
endif
KERNEL_LIBS = kernels/libkernels.a $(ISA_LIBS)

# Lists of layers, found by name.
shapesdir = $(pkgdatadir)/kernels/shapes
dist_shapes_DATA = \
	kernels/shapes/bench15.layers \
	kernels/shapes/depthwise3.layers \
	kernels/shapes/yolov3-tiny.layers
