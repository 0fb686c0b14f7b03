/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on small tensors: the examples in operators, as text.  Those of elementwise.txt are in
 * t_operators_elementwise.c, which valgrind is kept from.  */
#include <config.h>

#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

int main(void)
{
    operator_cases("tests/runtime/operators/gradients.txt");
    operator_cases("tests/runtime/operators/grid.txt");
    operator_cases("tests/runtime/operators/matrix.txt");
    operator_cases("tests/runtime/operators/move.txt");
    operator_cases("tests/runtime/operators/normalise.txt");
    operator_cases("tests/runtime/operators/recurrent.txt");
    operator_cases("tests/runtime/operators/reduce.txt");
    operator_cases("tests/runtime/operators/resize.txt");
    operator_cases("tests/runtime/operators/select.txt");
    operator_cases("tests/runtime/operators/signal.txt");
    operator_cases("tests/runtime/operators/window.txt");
    return tap_done();
}
