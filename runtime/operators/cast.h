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

#endif
