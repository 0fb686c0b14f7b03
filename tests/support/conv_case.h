/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One convolution through a kernel, between guard pages, compared with the
 * reference.  */
#ifndef ARENABENCH_TESTS_SUPPORT_CONV_CASE_H
#define ARENABENCH_TESTS_SUPPORT_CONV_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/graph/conv_shape.h"

/* Random tensors of one shape, and what should come out: a value and a bound
 * for every output.  A case serves many kernels.  */
struct conv_case {
    struct conv_shape shape;
    bool relu;
    float *input, *filter, *bias; /* NCHW, K-C-R-S, one a channel */
    int64_t outputs;
    double *value, *bound; /* NCHW */
};

/* One image of as many channels as there are filters, of 3 x 3; PADS: a bit for each side.  */
struct conv_shape conv_case_image(int64_t channels, int64_t groups, int64_t height, int64_t width,
                                  int64_t stride, int pads);

struct conv_case *conv_case_new(const struct conv_shape *shape, bool relu, uint32_t seed);
void conv_case_free(struct conv_case *test);

enum conv_verdict { CONV_RIGHT, CONV_WRONG, CONV_UNSUPPORTED };

/* Runs KERNEL with TEXT as parameters; a fault outside the tensors ends the
 * program.  MESSAGE says what was wrong or why it can't.  */
enum conv_verdict conv_case_run(const struct conv_case *test, const struct conv_kernel *kernel,
                                const char *text, enum isa isa, int threads, struct error *message);

/* Whether mgemm's plan for so many threads makes the same bytes as that for one.  One thread runs
 * both, so that nothing hangs on the machine's processors.  */
bool conv_case_same(const struct conv_case *test, enum isa isa, int threads);

/* The plan of mgemm for LAYER with TEXT as parameters, which the caller clears; false with the
 * reason in ERROR.  */
bool conv_case_plan(struct conv_plan *plan, const char *layer, const char *text, enum isa isa,
                    int threads, struct error *error);

/* "n=1,c=3,..." for messages; the caller frees it.  */
char *conv_case_name(const struct conv_shape *shape);

/* SHAPE through mgemm on each instruction set of the machine: the number of those that were wrong,
 * with a diagnostic each; *CASES grows by all.  A shape that is none counts for nothing.  */
int conv_case_count_wrong(const struct conv_shape *shape, bool relu, int threads, int *cases);

#endif
