noinst_LIBRARIES += runtime/liboperators.a
runtime_liboperators_a_SOURCES = \
	runtime/operators/elementwise.c \
	runtime/operators/matrix.c \
	runtime/operators/move.c \
	runtime/operators/normalise.c \
	runtime/operators/operator.h \
	runtime/operators/operators.c \
	runtime/operators/own.c runtime/operators/own_real.h \
	runtime/operators/recurrent.c \
	runtime/operators/reduce.c \
	runtime/operators/resize.c \
	runtime/operators/select.c \
	runtime/operators/window.c

noinst_LIBRARIES += runtime/libruntime.a
runtime_libruntime_a_SOURCES = \
	runtime/blocked.c runtime/blocked.h \
	runtime/convolution.c runtime/convolution.h \
	runtime/layouts.c runtime/layouts.h \
	runtime/memory.c runtime/memory.h \
	runtime/run.c runtime/run.h \
	runtime/step.c runtime/step.h
