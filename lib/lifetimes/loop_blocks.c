/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop's memory as one buffer of the network around it.
 *
 * Loops inside come first, so that their blocks are tensors of the loop around
 * them.  Within a block the larger tensor is placed first, each at the lowest
 * address that is free whenever it is in use.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/problem/instance.h"

struct part {
    size_t tensor;
    int64_t size, offset;
    size_t pieces;
    struct piece *piece;
};

static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return ORDER(y->size, x->size) ?: ORDER(x->tensor, y->tensor);
}

static int compare_offsets(const void *a, const void *b)
{
    const struct part *const *x = a, *const *y = b;

    return ORDER((*x)->offset, (*y)->offset) ?: ORDER((*x)->tensor, (*y)->tensor);
}

/* Both lists of pieces ascend.  */
static bool overlap(const struct part *a, const struct part *b)
{
    for (size_t i = 0, j = 0; i < a->pieces && j < b->pieces;) {
        if (a->piece[i].end <= b->piece[j].begin)
            i++;
        else if (b->piece[j].end <= a->piece[i].begin)
            j++;
        else
            return true;
    }
    return false;
}

/* Places PART[0..count) first fit, larger ones first; returns the size.  */
static int64_t place_parts(struct part *part, size_t count)
{
    const struct part **near = memory_alloc(count, sizeof *near);
    int64_t size = 0;

    qsort(part, count, sizeof *part, compare_parts);
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;

        for (size_t j = 0; j < i; j++)
            if (overlap(&part[i], &part[j]))
                near[n++] = &part[j];
        qsort(near, n, sizeof *near, compare_offsets);
        part[i].offset = 0;
        for (size_t j = 0; j < n; j++) {
            if (near[j]->offset - part[i].offset >= part[i].size)
                break;
            part[i].offset = max64(part[i].offset, near[j]->offset + near[j]->size);
        }
        size = max64(size, part[i].offset + part[i].size);
    }
    free(near);
    return size;
}

/* The loop whose memory frame F's tensors are in: itself, or for a branch the
 * one around it; 0: none.  */
static size_t loop_of(const struct loop_layout *layout, size_t f)
{
    while (f != 0 && !layout->frame[f].control->loop)
        f = layout->frame[f].parent;
    return f;
}

/* The tensors that go into the block of loop F.  False when even one on top of
 * the other they might not fit.  */
static bool collect(const struct loop_layout *layout, size_t f, struct part **part, size_t *count,
                    struct error *error)
{
    size_t capacity = 0;
    int64_t total = 0;

    *part = NULL;
    *count = 0;
    for (size_t i = 0; i < layout->tensors; i++) {
        const struct loop_tensor *tensor = &layout->tensor[i];

        if (tensor->block != SIZE_MAX || tensor->stored || loop_of(layout, tensor->owner) != f)
            continue;
        *part = memory_grow(*part, &capacity, *count + 1, sizeof **part);
        (*part)[*count] = (struct part){.tensor = i, .size = tensor->size};
        (*part)[*count].pieces = loop_group_pieces(layout, i, &(*part)[*count].piece);
        ++*count;
        if (!checked_add(total, tensor->size, &total))
            return error_set(error, "loop '%s': its values add up to more than fits 64 bits",
                             layout->frame[f].path);
    }
    return true;
}

bool loop_make_blocks(struct loop_layout *layout, struct error *error)
{
    bool good = true;

    for (size_t f = layout->frames; f-- > 1 && good;) {
        const struct loop_frame *frame = &layout->frame[f];
        struct part *part;
        size_t count, block;

        if (!frame->control->loop)
            continue;
        good = collect(layout, f, &part, &count, error);
        if (good && count > 0) {
            block =
                loop_add_tensor(layout, loop_of(layout, frame->parent),
                                memory_printf("%sblock", frame->path), place_parts(part, count));
            loop_hold(layout, block, frame->entry, frame->exit + 1);
            for (size_t i = 0; i < count; i++) {
                layout->tensor[part[i].tensor].block = block;
                layout->tensor[part[i].tensor].offset = part[i].offset;
            }
        }
        for (size_t i = 0; i < count; i++)
            free(part[i].piece);
        free(part);
    }
    return good;
}
