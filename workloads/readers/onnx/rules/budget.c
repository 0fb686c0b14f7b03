/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/budget.h"

#include <stdlib.h>

#include "lib/base/memory.h"

/* Takes COUNT times SIZE bytes and EXTRA of the share.  Whoever could not have what he asked for is
 * followed by others who cannot either, so that the message is not lost with him.  */
static bool charge(struct onnx_budget *budget, size_t count, size_t size, size_t extra)
{
    size_t bytes;

    if (!__builtin_mul_overflow(count, size, &bytes) && bytes + extra <= budget->left) {
        budget->left -= bytes + extra;
        return true;
    }
    budget->left = 0;
    return error_set(budget->error,
                     "%s: inference needs more than %d times as much memory as the file has bytes",
                     budget->path, ONNX_INFER_MULTIPLE);
}

void *onnx_take(struct onnx_budget *budget, size_t count, size_t size)
{
    void *block;

    if (!charge(budget, count, size, sizeof block))
        return NULL;
    block = memory_zalloc(count == 0 ? 1 : count, size);
    budget->block =
        memory_grow(budget->block, &budget->capacity, budget->blocks + 1, sizeof *budget->block);
    budget->block[budget->blocks++] = block;
    return block;
}

struct elements *onnx_hold(struct onnx_budget *budget, struct elements *elements)
{
    budget->held = memory_grow(budget->held, &budget->held_capacity, budget->holds + 1,
                               sizeof(struct elements *));
    budget->held[budget->holds++] = elements;
    return elements;
}

struct elements *onnx_take_elements(struct onnx_budget *budget, size_t bytes)
{
    if (!charge(budget, 1, bytes, sizeof(struct elements)))
        return NULL;
    return onnx_hold(budget, elements_new(bytes));
}

void onnx_budget_clear(struct onnx_budget *budget)
{
    for (size_t i = 0; i < budget->blocks; i++)
        free(budget->block[i]);
    free(budget->block);
    for (size_t i = 0; i < budget->holds; i++)
        elements_release(budget->held[i]);
    free(budget->held);
}
