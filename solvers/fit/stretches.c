/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/stretches.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"

static bool has_stretches(const struct instance *instance, const struct buffer *buffer)
{
    const struct piece *piece = &instance->piece[buffer->first_piece];

    for (size_t i = 0; i < buffer->pieces; i++)
        if (piece[i].lo != 0 || piece[i].hi != buffer->size ||
            (i > 0 && piece[i].begin < piece[i - 1].end))
            return false;
    return buffer->pieces > 1;
}

struct instance *stretches_cut(const struct instance *instance, size_t *tensor)
{
    struct instance *cut = instance_new(instance->name);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        const struct piece whole = {buffer->begin, buffer->end, 0, buffer->size, true};
        bool stretches = has_stretches(instance, buffer);
        const struct piece *piece = stretches ? &instance->piece[buffer->first_piece] : &whole;

        tensor[b] = cut->n;
        for (size_t i = 0; i < (stretches ? buffer->pieces : 1); i++) {
            char *id = memory_printf("%zu.%zu", b, i);

            instance_add(cut, id, piece[i].begin, piece[i].end, buffer->size, buffer->alignment);
            free(id);
        }
    }
    if (instance_seal(cut, NULL, NULL))
        return cut;
    instance_free(cut);
    return NULL;
}
