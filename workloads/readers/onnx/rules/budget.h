/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory within what a file may take, freed all at once.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_RULES_BUDGET_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_RULES_BUDGET_H

#include <stddef.h>

#include "lib/base/error.h"
#include "lib/graph/elements.h"

/* Inference takes at most this many bytes for each byte of the file, and these
 * more, beside the network itself.  */
#define ONNX_INFER_MULTIPLE 64
#define ONNX_INFER_SPARE (1 << 20)

struct onnx_budget {
    const char *path;
    struct error *error; /* empty while all is well */
    size_t left;         /* bytes that may still be taken */
    size_t blocks, capacity;
    void **block;
    size_t holds, held_capacity;
    struct elements **held;
};

/* Zeroed memory that lives until the budget is cleared; NULL with a message
 * when the file has used up its share, and from then on.  */
void *onnx_take(struct onnx_budget *budget, size_t count, size_t size);

/* The same for BYTES of elements.  */
struct elements *onnx_take_elements(struct onnx_budget *budget, size_t bytes);

/* ELEMENTS, which are none of the share, are held until the budget is cleared; returns them.  */
struct elements *onnx_hold(struct onnx_budget *budget, struct elements *elements);

void onnx_budget_clear(struct onnx_budget *budget);

#endif
