/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What elementwise operators make of the elements of small constants.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_RULES_CALCULATE_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_RULES_CALCULATE_H

#include <stdbool.h>
#include <stdint.h>

/* What a fold function of integers or of reals does; NOTHING: there is none.  */
enum calculation {
    NOTHING,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    MODULO,
    POWER,
    LEAST,
    GREATEST,
    EQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    AND,
    OR,
    XOR,
    NEGATE,
    ABSOLUTE,
    FLOOR,
    CEIL,
    ROUND,
    SQUARE_ROOT,
    NOT,
};

/* Functions of one number get it as A.  A calculation that a type does not have is A itself, or
 * false.  */

/* Wraps as the machine does: what overflows is no shape.  Division by 0 gives 0.  */
int64_t calculate_integer(enum calculation calculation, int64_t a, int64_t b);
double calculate_real(enum calculation calculation, double a, double b);
bool compare_real(enum calculation calculation, double a, double b);

#endif
