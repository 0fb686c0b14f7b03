/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inductor: PyTorch Inductor's pool, a tree of splits in time and space.
 *
 * Sizes descending, then lengths of life descending, then in the order of
 * allocation.  A block goes into the first slot that takes it (common/
 * split_tree.h): a slot holds nodes that never live at once, and a node that a
 * block shares with empty space is a pair of slots.  A block that would live
 * together with two nodes of a slot is refused there, though their sum may leave
 * room for it: memory is never used across the border of two slots.
 *
 *   slot 2 |   d d      a [0, 1) 3 bytes, b [1, 2) 2, c [2, 3) 2, d [1, 3) 1: b and
 *   slot 1 | a b c      c use a's slot after it, each in a pair with 1 byte of space.
 *          +------ step d would fit above both, but meets two nodes, and gets a slot
 *                       of its own: the peak is 4, the load 3.
 *
 * Source: PyTorch, torch/_inductor/codegen/memory_planning.py, which is off by
 * default; with memory_pool=combined, where outputs go the same way as the rest.
 * It looks at every node of the slots that it asks; here a binary search finds
 * those that live with the block, and walks keep a stack of their own.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: one device; a length of life counts groups of allocations and
 * frees, as upstream, where steps without either do not exist: here these are the
 * distinct begins and ends of the instance.  Sizes are numbers, not expressions,
 * so the space that nobody takes counts for decisions and not for offsets, as
 * upstream.  The alignment is one for all: the largest one, which the others have
 * to divide; 64 bytes where it ships.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/split_tree.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

/* ALIGN_BYTES in torch/_inductor/utils.py.  */
enum { ALIGN_BYTES = 64 };

/* LENGTH[b]: the distinct begins and ends from b's begin to its end.  */
static size_t *lengths(const struct instance *instance)
{
    size_t n = instance->n, *length = memory_alloc(n, sizeof *length);
    size_t *begin = memory_alloc(n, sizeof *begin);

    time_moments(instance, begin, length);
    for (size_t b = 0; b < n; b++)
        length[b] -= begin[b];
    free(begin);
    return length;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    /* In the order of allocation: by begin, unless the parameter asks otherwise.  */
    enum greedy_measure by = ties_upstream(env) ? BY_BEGIN : BY_NOTHING;
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, by, BY_NOTHING);
    size_t *length = lengths(instance);
    struct split_tree tree;

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = key[i].index;

        key[i] = (struct order_key){~(uint64_t)instance->buffer[b].size, ~length[b], b};
    }
    order_sort(key, instance->n);
    split_tree_init(&tree, instance, instance->max_alignment);
    for (size_t i = 0; i < instance->n; i++)
        split_tree_add(&tree, key[i].index);
    split_tree_to_plan(&tree, plan);
    split_tree_clear(&tree);
    free(length);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_inductor = {
    .name = "inductor",
    .title = "PyTorch Inductor, split pools",
    .source = "PyTorch, _inductor/codegen/memory_planning.py",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = ALIGN_BYTES},
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
