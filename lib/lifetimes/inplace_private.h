/* What the files of the in-place pass share.  */
#ifndef ARENABENCH_LIB_LIFETIMES_INPLACE_PRIVATE_H
#define ARENABENCH_LIB_LIFETIMES_INPLACE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/graph/network.h"

struct places;
struct schedule;

/* What both rules ask of an overwrite that operator OP allows by its fact
 * REUSE; see lib/lifetimes/inplace.h.  */
bool inplace_can_overwrite(const struct places *places, const struct network *network,
                           const struct schedule *schedule, size_t op,
                           const struct op_reuse *reuse);

/* The rules: fill in dest, offset and src of the chunks.  */
void inplace_megengine(struct places *places, const struct network *network,
                       const struct schedule *schedule);
void inplace_nnc(struct places *places, const struct network *network,
                 const struct schedule *schedule);

/* Concatenation into place: fills in whole and offset.  */
void inplace_concat(struct places *places, const struct network *network);

#endif
