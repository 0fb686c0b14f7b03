/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/budget.h"

#include <stdlib.h>

#include "lib/base/memory.h"

void *onnx_take(struct onnx_budget *budget, size_t count, size_t size)
{
    size_t bytes;
    void *block;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes + sizeof block > budget->left) {
        error_set(budget->error,
                  "%s: inference needs more than %d times as much memory as the file has bytes",
                  budget->path, ONNX_INFER_MULTIPLE);
        return NULL;
    }
    budget->left -= bytes + sizeof block;
    block = memory_zalloc(count == 0 ? 1 : count, size);
    budget->block =
        memory_grow(budget->block, &budget->capacity, budget->blocks + 1, sizeof *budget->block);
    budget->block[budget->blocks++] = block;
    return block;
}

void onnx_budget_clear(struct onnx_budget *budget)
{
    for (size_t i = 0; i < budget->blocks; i++)
        free(budget->block[i]);
    free(budget->block);
}
