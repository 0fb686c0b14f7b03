/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/calculate.h"

#include <math.h>

int64_t calculate_integer(enum calculation calculation, int64_t a, int64_t b)
{
    int64_t result = 0;

    switch (calculation) {
    case ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case SUBTRACT:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case MULTIPLY:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case DIVIDE:
        return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
    case MODULO: /* with the divisor's sign */
        if (b == 0 || b == -1)
            return 0;
        result = a % b;
        return result != 0 && (result < 0) != (b < 0) ? result + b : result;
    case POWER:
        for (result = 1; b > 0 && b < 64; b--)
            result = (int64_t)((uint64_t)result * (uint64_t)a);
        return result;
    case LEAST:
        return a < b ? a : b;
    case GREATEST:
        return a > b ? a : b;
    case EQUAL:
        return a == b;
    case LESS:
        return a < b;
    case LESS_EQUAL:
        return a <= b;
    case GREATER:
        return a > b;
    case GREATER_EQUAL:
        return a >= b;
    case AND:
        return a != 0 && b != 0;
    case OR:
        return a != 0 || b != 0;
    case XOR:
        return (a != 0) != (b != 0);
    case NEGATE:
        return (int64_t)(0 - (uint64_t)a);
    case ABSOLUTE:
        return a < 0 ? (int64_t)(0 - (uint64_t)a) : a;
    case NOT:
        return a == 0;
    default:
        return a;
    }
}

double calculate_real(enum calculation calculation, double a, double b)
{
    switch (calculation) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return a / b;
    case MODULO:
        return fmod(a, b);
    case POWER:
        return pow(a, b);
    case LEAST:
        return fmin(a, b);
    case GREATEST:
        return fmax(a, b);
    case NEGATE:
        return -a;
    case ABSOLUTE:
        return fabs(a);
    case FLOOR:
        return floor(a);
    case CEIL:
        return ceil(a);
    case ROUND:
        return nearbyint(a);
    case SQUARE_ROOT:
        return sqrt(a);
    default:
        return a;
    }
}

bool compare_real(enum calculation calculation, double a, double b)
{
    switch (calculation) {
    case EQUAL:
        return a == b;
    case LESS:
        return a < b;
    case LESS_EQUAL:
        return a <= b;
    case GREATER:
        return a > b;
    case GREATER_EQUAL:
        return a >= b;
    default:
        return false;
    }
}
