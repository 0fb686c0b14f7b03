# SPDX-License-Identifier: GPL-3.0-or-later
# The registries' lists: a file here is a network family, a generator or a file
# format; the build writes workloads/registry.c from these lists.
network_families = \
	workloads/networks/alexnet.c \
	workloads/networks/densenet.c \
	workloads/networks/efficientnet.c \
	workloads/networks/googlenet.c \
	workloads/networks/inception_v3.c \
	workloads/networks/mobilenet_v1.c \
	workloads/networks/mobilenet_v2.c \
	workloads/networks/mobilenet_v3.c \
	workloads/networks/recurrent.c \
	workloads/networks/resnet.c \
	workloads/networks/shufflenet_v2.c \
	workloads/networks/squeezenet.c \
	workloads/networks/transformer.c \
	workloads/networks/unet.c \
	workloads/networks/vgg.c \
	workloads/networks/xception.c \
	workloads/networks/yolo.c

generators = \
	workloads/generators/caches.c \
	workloads/generators/chain.c \
	workloads/generators/chained.c \
	workloads/generators/cuts.c \
	workloads/generators/filled.c \
	workloads/generators/gadget.c \
	workloads/generators/heavy.c \
	workloads/generators/nested.c \
	workloads/generators/pinwheel.c \
	workloads/generators/overlaid.c \
	workloads/generators/planted.c \
	workloads/generators/power.c \
	workloads/generators/random-dag.c \
	workloads/generators/recurrence.c \
	workloads/generators/short.c \
	workloads/generators/staircase.c \
	workloads/generators/steps.c \
	workloads/generators/stretches.c \
	workloads/generators/tight.c \
	workloads/generators/uniform.c

readers = \
	workloads/readers/csv.c \
	workloads/readers/megengine/megengine.c \
	workloads/readers/ncnn/ncnn.c \
	workloads/readers/onnx/onnx.c \
	workloads/readers/tflite/tflite.c

noinst_LIBRARIES += workloads/libworkloads.a
workloads_libworkloads_a_SOURCES = \
	workloads/area.h \
	workloads/copies.c workloads/copies.h \
	workloads/draw.c workloads/draw.h \
	workloads/mobile.c workloads/mobile.h \
	workloads/network_params.c \
	workloads/seeded.c workloads/seeded.h \
	workloads/streamed.c workloads/streamed.h \
	workloads/training.c workloads/training.h \
	workloads/workload.c workloads/workload.h \
	workloads/workload_make.c \
	workloads/workspace.c workloads/workspace.h \
	workloads/zoo.c workloads/zoo.h \
	workloads/builder/builder.c workloads/builder/builder.h \
	workloads/builder/builder_image.c \
	workloads/builder/builder_loop.c \
	workloads/builder/builder_matrix.c \
	workloads/builder/builder_private.h \
	workloads/builder/builder_tensor.c \
	workloads/readers/shapes.c workloads/readers/shapes.h \
	workloads/readers/megengine/dump.c workloads/readers/megengine/dump.h \
	workloads/readers/megengine/dump_write.c workloads/readers/megengine/dump_write.h \
	workloads/readers/ncnn/layers.c workloads/readers/ncnn/layers.h \
	workloads/readers/ncnn/network.c workloads/readers/ncnn/network.h \
	workloads/readers/ncnn/param.c workloads/readers/ncnn/param.h \
	workloads/readers/ncnn/products.c \
	workloads/readers/ncnn/views.c \
	workloads/readers/ncnn/windows.c \
	workloads/readers/onnx/bind.c workloads/readers/onnx/bind.h \
	workloads/readers/onnx/body.c workloads/readers/onnx/body.h \
	workloads/readers/onnx/compute.c workloads/readers/onnx/compute.h \
	workloads/readers/onnx/control.c workloads/readers/onnx/control.h \
	workloads/readers/onnx/file/model.h \
	workloads/readers/onnx/given.c workloads/readers/onnx/given.h \
	workloads/readers/onnx/lengths.c workloads/readers/onnx/lengths.h \
	workloads/readers/onnx/external.c workloads/readers/onnx/external.h \
	workloads/readers/onnx/names.c workloads/readers/onnx/names.h \
	workloads/readers/onnx/node.c workloads/readers/onnx/node.h \
	workloads/readers/onnx/node_types.c workloads/readers/onnx/node_types.h \
	workloads/readers/onnx/onnx.h \
	workloads/readers/onnx/rules/budget.c workloads/readers/onnx/rules/budget.h \
	workloads/readers/onnx/rules/conv.c \
	workloads/readers/onnx/rules/elementwise.c \
	workloads/readers/onnx/rules/infer.c workloads/readers/onnx/rules/infer.h \
	workloads/readers/onnx/rules/matrix.c \
	workloads/readers/onnx/rules/move.c \
	workloads/readers/onnx/rules/norm.c \
	workloads/readers/onnx/rules/resize.c \
	workloads/readers/onnx/rules/rules.c workloads/readers/onnx/rules/rules.h \
	workloads/readers/onnx/rules/select.c \
	workloads/readers/onnx/rules/shape.c \
	workloads/readers/onnx/rules/value.c workloads/readers/onnx/rules/value.h \
	workloads/readers/onnx/scope.c workloads/readers/onnx/scope.h \
	workloads/readers/onnx/tensor_file.c workloads/readers/onnx/tensor_file.h \
	workloads/readers/tflite/flatbuffer.c workloads/readers/tflite/flatbuffer.h \
	workloads/readers/tflite/model.c workloads/readers/tflite/model.h \
	workloads/readers/tflite/network.c workloads/readers/tflite/network.h \
	workloads/readers/tflite/ops.c workloads/readers/tflite/ops.h \
	workloads/readers/tflite/plan.c workloads/readers/tflite/plan.h \
	workloads/readers/tflite/views.c \
	workloads/readers/tflite/windows.c \
	workloads/readers/tflite/writer.c workloads/readers/tflite/writer.h \
	$(network_families) $(generators) $(readers)
nodist_workloads_libworkloads_a_SOURCES = workloads/registry.c

# The same instance on every processor: no product and sum in one rounding.
$(workloads_libworkloads_a_OBJECTS): AM_CFLAGS += -ffp-contract=off

workloads/registry.c: $(top_srcdir)/workloads/local.mk $(top_srcdir)/build-aux/registry
	$(AM_V_GEN)$(MKDIR_P) workloads && $(top_srcdir)/build-aux/registry workloads/workload.h \
		'network_family $(network_families)' 'generator $(generators)' 'reader $(readers)' \
		>$@.new && mv $@.new $@
CLEANFILES += workloads/registry.c

# What protoc-c writes from ONNX's description of its format; only proto.c and scan.c
# include it.  It is not ours to keep to our warnings.
onnx_file = workloads/readers/onnx/file/proto.c \
	workloads/readers/onnx/file/scan.c workloads/readers/onnx/file/scan.h
EXTRA_DIST += workloads/readers/onnx/file/absent.c $(onnx_file)
ONNX_LIBS =
ONNX_GENERATED =
if HAVE_ONNX
ONNX_LIBS += workloads/libonnxproto.a
workloads_libworkloads_a_SOURCES += $(onnx_file)
noinst_LIBRARIES += workloads/libonnxproto.a
workloads_libonnxproto_a_CFLAGS = $(STD_CFLAGS) $(SAN_FLAGS)
ONNX_GENERATED += workloads/readers/onnx/file/onnx.pb-c.c workloads/readers/onnx/file/onnx.pb-c.h
nodist_workloads_libonnxproto_a_SOURCES = \
	workloads/readers/onnx/file/onnx.pb-c.c workloads/readers/onnx/file/onnx.pb-c.h
BUILT_SOURCES += workloads/readers/onnx/file/onnx.pb-c.h
CLEANFILES += workloads/readers/onnx/file/onnx.pb-c.c workloads/readers/onnx/file/onnx.pb-c.h
workloads/readers/onnx/file/onnx.pb-c.c: $(ONNX_PROTO)/onnx.proto
	$(AM_V_GEN)$(MKDIR_P) workloads/readers/onnx/file && \
		$(PROTOC_C) --c_out=workloads/readers/onnx/file -I $(ONNX_PROTO) $(ONNX_PROTO)/onnx.proto
workloads/readers/onnx/file/onnx.pb-c.h: workloads/readers/onnx/file/onnx.pb-c.c
	@test -f $@ || { rm -f $< && $(MAKE) $(AM_MAKEFLAGS) $<; }
# Where no other object has made it before: of one target alone.
workloads/readers/onnx/file/proto.$(OBJEXT) workloads/readers/onnx/file/scan.$(OBJEXT): \
	workloads/readers/onnx/file/onnx.pb-c.h
else
workloads_libworkloads_a_SOURCES += workloads/readers/onnx/file/absent.c
endif
