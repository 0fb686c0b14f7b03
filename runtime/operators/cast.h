/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of one type as those of another.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_CAST_H
#define ARENABENCH_RUNTIME_OPERATORS_CAST_H

#include <stdbool.h>

#include "runtime/operators/operator.h"

/* Types that there are elements of here: all but complex ones.  */
#define TYPES_CAST (~(TYPE(DTYPE_C64) | TYPE(DTYPE_C128)))

/* As many as TO has.  Reals that no whole number of 64 bits is near become the nearest one, what
 * is no number becomes 0; whole numbers lose the bits for which there is no room.  */
void cast_elements(const struct tensor *to, const struct tensor *from);

/* Runs CALL with its tensors of halves as f32, and rounds what comes out: sums, products and
 * quotients are those of halves then, since f32 has more than twice their bits.  */
bool cast_halves(const struct call *call, bool (*run)(const struct call *call));

#endif
