/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementwise operators of two inputs, broadcast: what arithmetic, comparisons and PRelu share.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_PAIR_H
#define ARENABENCH_RUNTIME_OPERATORS_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

/* COUNT elements in a row; the inputs' steps are 0 (the same element for all) or 1.  */
typedef void pair_run(int64_t count, void *to, const void *from_x, int64_t x_step,
                      const void *from_y, int64_t y_step);

/* Defines one: EXPRESSION of x and y.  OUT may lie on either input.  */
#define PAIR_RUN(name, in_type, out_type, expression)                             \
    static void name(int64_t count, void *to, const void *from_x, int64_t x_step, \
                     const void *from_y, int64_t y_step)                          \
    {                                                                             \
        const in_type *in_x = from_x, *in_y = from_y;                             \
        out_type *out = to;                                                       \
                                                                                  \
        if (x_step == 1 && y_step == 1) {                                         \
            for (int64_t i = 0; i < count; i++) {                                 \
                const in_type x = in_x[i], y = in_y[i];                           \
                                                                                  \
                out[i] = (out_type)(expression);                                  \
            }                                                                     \
        } else if (x_step == 1) {                                                 \
            const in_type y = *in_y;                                              \
                                                                                  \
            for (int64_t i = 0; i < count; i++) {                                 \
                const in_type x = in_x[i];                                        \
                                                                                  \
                out[i] = (out_type)(expression);                                  \
            }                                                                     \
        } else {                                                                  \
            const in_type x = *in_x;                                              \
                                                                                  \
            for (int64_t i = 0; i < count; i++) {                                 \
                const in_type y = in_y[i * y_step];                               \
                                                                                  \
                out[i] = (out_type)(expression);                                  \
            }                                                                     \
        }                                                                         \
    }

/* OUT = RUN(X, Y), with both broadcast to OUT's shape.  */
void pair_broadcast(pair_run *run, const struct tensor *out, const struct tensor *x,
                    const struct tensor *y);

/* The second input of CALL in the shape in which numpy's rules broadcast it.  Before version 7 of
 * the set it is broadcast only if `broadcast` says so, and `axis` says to which dimensions of the
 * first, by default its last ones: ones are put behind then.  False with a reason.  */
bool pair_second(const struct call *call, struct tensor *second);

/* Whether the two inputs can be broadcast to the output, by the rules of the version, and have no
 * attributes beside those of the rules but NAMES.  */
bool pair_shapes(const struct call *call, const char *names);

/* That, and both are of one type among TYPES.  */
bool pair_accepts(const struct call *call, unsigned types, const char *names);

#endif
