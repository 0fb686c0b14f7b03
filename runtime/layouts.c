/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/layouts.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"
#include "runtime/blocked.h"
#include "runtime/memory.h"

bool layouts_shares(const struct run_memory *memory, const struct network_op *op, size_t i)
{
    const struct op_reuse *reuse = &op->reuse[i];
    const char *input = memory->value[op->input[reuse->input]];
    const char *output = memory->value[op->output[reuse->output]];

    switch (reuse->kind) {
    case REUSE_FORWARD:
        return output == input + reuse->offset;
    case REUSE_PLACE:
        return input == output + reuse->offset;
    case REUSE_NONE:
    case REUSE_OVERWRITE:
        break;
    }
    return false;
}

static bool is_image(const struct value *value)
{
    return value->rank == 4 && value->dtype == DTYPE_F32;
}

/* One pixel: its channels lie side by side in every layout.  */
static bool is_pixel(const struct value *value)
{
    return is_image(value) && value->dim[2] == 1 && value->dim[3] == 1;
}

/* Whether VALUE can lie in blocks of BLOCK channels without growing.  */
static bool fits(const struct value *value, int64_t block)
{
    return is_image(value) && value->dim[1] % block == 0;
}

/* Elementwise operators may stretch a pixel's channels, or a single number, over an image.  */
static bool is_number(const struct value *value)
{
    return value_elements(value) == 1 && value->rank != 4;
}

/* The block in which OP can work on its inputs as they lie: 1 if not.  What is stored is plain,
 * and only normalisations know what to do with it.  */
static int64_t common_block(const struct network *network, const struct layouts *layouts,
                            const struct network_op *op)
{
    size_t images = blocked_images(op);
    int64_t block = 1;

    for (size_t i = 0; i < images; i++) {
        const struct value *value = &network->value[op->input[i]];

        if (is_image(value) && !is_pixel(value) && value->producer != NETWORK_NONE)
            block = layouts->block[op->input[i]];
    }
    for (size_t i = 0; i < images; i++) {
        const struct value *value = &network->value[op->input[i]];
        bool good = is_pixel(value)
                        ? fits(value, block)
                        : value->producer != NETWORK_NONE && layouts->block[op->input[i]] == block;

        if (!good && !is_number(value))
            return 1;
    }
    for (size_t i = 0; i < op->outputs; i++)
        if (!fits(&network->value[op->output[i]], block))
            return 1;
    return images == 0 ? 1 : block;
}

/* What lies in or on another value by bytes has to be plain, unless the operator that says so works
 * on blocks: parts of a concatenation of channels are the same bytes in blocks, if there is one
 * image.  */
static bool must_be_plain(const struct network *network, const struct layouts *layouts,
                          const struct run_memory *memory, size_t o, size_t i)
{
    const struct network_op *op = &network->op[o];
    const struct value *output = &network->value[op->output[op->reuse[i].output]];

    return layouts_shares(memory, op, i) &&
           !(layouts->blocked[o] && op->reuse[i].kind == REUSE_PLACE && output->dim[0] == 1);
}

/* Whether all that OP makes lies, or may be said to lie, in blocks of BLOCK.  */
static bool outputs_lie_in(const struct network *network, const struct layouts *layouts,
                           const struct network_op *op, int64_t block)
{
    for (size_t i = 0; i < op->outputs; i++)
        if (layouts->block[op->output[i]] != block && !is_pixel(&network->value[op->output[i]]))
            return false;
    return true;
}

static bool make_plain(struct layouts *layouts, size_t value)
{
    bool was = layouts->block[value] == 1;

    layouts->block[value] = 1;
    return !was;
}

/* One pass over all operators; whether anything changed.  Values only ever become plain, so there
 * is an end.  */
static bool settle(const struct network *network, const struct run_memory *memory,
                   const int64_t *output_block, struct layouts *layouts)
{
    bool changed = false;

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        int64_t block = output_block[o];

        if (block == 0) {
            block = layouts->blocked[o] ? common_block(network, layouts, op) : 1;
            layouts->blocked[o] = block > 1 && outputs_lie_in(network, layouts, op, block);
            for (size_t i = 0; i < op->outputs && !layouts->blocked[o]; i++)
                changed |= make_plain(layouts, op->output[i]);
        }
        for (size_t i = 0; i < op->reuses; i++)
            if (must_be_plain(network, layouts, memory, o, i)) {
                changed |= make_plain(layouts, op->input[op->reuse[i].input]);
                changed |= make_plain(layouts, op->output[op->reuse[i].output]);
            }
    }
    return changed;
}

/* Everything in blocks that can be.  */
static void begin(const struct network *network, const int64_t *output_block,
                  struct layouts *layouts)
{
    for (size_t v = 0; v < network->n_values; v++)
        layouts->block[v] = 1;
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        int64_t block = output_block[o];

        layouts->blocked[o] = block == 0;
        if (block == 0)
            block = common_block(network, layouts, op);
        for (size_t i = 0; i < op->outputs; i++) {
            const struct value *value = &network->value[op->output[i]];

            if (block > 1 && !value->output && fits(value, block))
                layouts->block[op->output[i]] = block;
        }
    }
}

struct layouts layouts_choose(const struct network *network, const struct run_memory *memory,
                              const int64_t *output_block)
{
    struct layouts layouts = {
        .block = memory_alloc(network->n_values, sizeof *layouts.block),
        .blocked = memory_zalloc(network->n_ops, sizeof *layouts.blocked),
    };

    begin(network, output_block, &layouts);
    while (settle(network, memory, output_block, &layouts))
        ;
    return layouts;
}

int64_t layouts_block(const struct layouts *layouts, const struct network *network,
                      const struct network_op *op)
{
    return common_block(network, layouts, op);
}

void layouts_clear(struct layouts *layouts)
{
    free(layouts->block);
    free(layouts->blocked);
    *layouts = (struct layouts){0};
}
