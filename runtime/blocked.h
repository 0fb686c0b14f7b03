/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on images whose channels lie in blocks (runtime/layouts.h).  */
#ifndef ARENABENCH_RUNTIME_BLOCKED_H
#define ARENABENCH_RUNTIME_BLOCKED_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

struct network_op;
struct pool;

/* How many of OP's inputs, from the first on, have to lie in the same blocks for it; 0: it cannot
 * work on blocks.  */
size_t blocked_images(const struct network_op *op);

/* Runs OP's call, whose images, in and out, lie in blocks of BLOCK channels; tensors have the plain
 * shapes.  The threads of POOL share it, channel by channel, where that pays; NULL: there are none.
 * What comes out is the same.  */
bool blocked_run(const struct call *call, int64_t block, struct pool *pool);

#endif
