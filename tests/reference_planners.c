#include <config.h>

#include "tests/reference_planners.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/plan.h"

/* True when buffer A comes strictly before buffer B in the planner's order.
 * Every sort here is stable, so equal buffers stay in input order.  */
typedef bool comes_before(const struct instance *instance, size_t a, size_t b);

static void merge(const struct instance *instance, comes_before *before, size_t *order,
                  size_t *spare, size_t count)
{
    size_t half = count / 2, left = 0, right = half;

    if (count < 2)
        return;
    merge(instance, before, order, spare, half);
    merge(instance, before, order + half, spare, count - half);
    for (size_t i = 0; i < count; i++) {
        if (right == count || (left < half && !before(instance, order[right], order[left])))
            spare[i] = order[left++];
        else
            spare[i] = order[right++];
    }
    memcpy(order, spare, count * sizeof *order);
}

static size_t *stable_order(const struct instance *instance, comes_before *before)
{
    size_t *order = memory_alloc(instance->n, sizeof *order);
    size_t *spare = memory_alloc(instance->n, sizeof *spare);

    for (size_t b = 0; b < instance->n; b++)
        order[b] = b;
    merge(instance, before, order, spare, instance->n);
    free(spare);
    return order;
}

static bool longer_then_larger(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    if (x->end - x->begin != y->end - y->begin)
        return x->end - x->begin > y->end - y->begin;
    return x->size > y->size;
}

static bool larger(const struct instance *instance, size_t a, size_t b)
{
    return instance->buffer[a].size > instance->buffer[b].size;
}

static bool larger_then_longer(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    if (x->size != y->size)
        return x->size > y->size;
    return x->end - x->begin > y->end - y->begin;
}

static bool earlier(const struct instance *instance, size_t a, size_t b)
{
    return instance->buffer[a].begin < instance->buffer[b].begin;
}

/* The article's second step: on top of whatever came before and overlaps.  */
static void stack(const struct instance *instance, const size_t *order, struct plan *plan)
{
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[order[i]];
        int64_t height = 0;

        for (size_t j = 0; j < i; j++) {
            const struct buffer *other = &instance->buffer[order[j]];

            if (buffers_overlap_in_time(buffer, other))
                height = max64(height, plan->offset[order[j]] + other->size);
        }
        plan->offset[order[i]] = align_up(height, buffer->alignment);
    }
    plan->peak = plan_peak(instance, plan);
}

void reference_duration_size(const struct instance *instance, struct plan *plan)
{
    size_t *order = stable_order(instance, longer_then_larger);

    stack(instance, order, plan);
    free(order);
}

/* The gap scan of the TFLite GPU delegate and of the thesis (algorithm 2) over
 * PLACED[0..count), which stand by offset.  */
static int64_t scan(const struct instance *instance, const struct plan *plan, const size_t *placed,
                    size_t count, size_t b, bool first_fit)
{
    const struct buffer *buffer = &instance->buffer[b];
    int64_t previous = 0, best_offset = -1, best_gap = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        const struct buffer *other = &instance->buffer[placed[i]];
        int64_t offset = plan->offset[placed[i]];

        if (!buffers_overlap_in_time(buffer, other))
            continue;
        if (offset >= previous) {
            int64_t gap = offset - previous;

            if (gap >= buffer->size && gap < best_gap && !(first_fit && best_offset >= 0)) {
                best_gap = gap;
                best_offset = previous;
            }
        }
        previous = max64(previous, align_up(offset + other->size, buffer->alignment));
    }
    return best_offset >= 0 ? best_offset : previous;
}

static void fill_gaps(const struct instance *instance, const size_t *order, bool first_fit,
                      struct plan *plan)
{
    size_t *placed = memory_alloc(instance->n, sizeof *placed);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i], at = i;

        plan->offset[b] = scan(instance, plan, placed, i, b, first_fit);
        for (; at > 0 && plan->offset[placed[at - 1]] > plan->offset[b]; at--)
            placed[at] = placed[at - 1];
        placed[at] = b; /* after those with the same offset */
    }
    free(placed);
    plan->peak = plan_peak(instance, plan);
}

void reference_greedy_by_size(const struct instance *instance, struct plan *plan)
{
    size_t *order = stable_order(instance, larger);

    fill_gaps(instance, order, false, plan);
    free(order);
}

void reference_first_fit_by_size(const struct instance *instance, struct plan *plan)
{
    size_t *order = stable_order(instance, larger_then_longer);

    fill_gaps(instance, order, true, plan);
    free(order);
}

struct group {
    size_t last;    /* the member that joined last */
    size_t largest; /* of equally large members the least index */
};

/* choice=best: is group X nearer in size to buffer B than group Y?  */
static bool nearer(const struct instance *instance, size_t b, const struct group *x,
                   const struct group *y)
{
    int64_t size = instance->buffer[b].size;
    int64_t size_x = instance->buffer[x->largest].size, size_y = instance->buffer[y->largest].size;

    if (llabs(size_x - size) != llabs(size_y - size))
        return llabs(size_x - size) < llabs(size_y - size);
    if (size_x != size_y)
        return size_x < size_y;
    return x->largest < y->largest;
}

size_t reference_groups(const struct instance *instance, size_t choice, size_t *group)
{
    enum { FIRST, LAST, BEST };
    size_t *order = stable_order(instance, earlier), count = 0;
    struct group *groups = memory_alloc(instance->n, sizeof *groups);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i], found = SIZE_MAX;
        const struct buffer *buffer = &instance->buffer[b];

        for (size_t g = 0; g < count; g++) {
            if (instance->buffer[groups[g].last].end > buffer->begin)
                continue;
            if (found == SIZE_MAX || choice == LAST ||
                (choice == BEST && nearer(instance, b, &groups[g], &groups[found])))
                found = g;
        }
        if (found == SIZE_MAX) {
            found = count++;
            groups[found].largest = b;
        } else {
            const struct buffer *largest = &instance->buffer[groups[found].largest];

            if (buffer->size > largest->size ||
                (buffer->size == largest->size && b < groups[found].largest))
                groups[found].largest = b;
        }
        groups[found].last = b;
        group[b] = found;
    }
    free(groups);
    free(order);
    return count;
}

void reference_path_cover(const struct instance *instance, size_t choice, struct plan *plan)
{
    size_t *group = memory_alloc(instance->n, sizeof *group);
    size_t count = reference_groups(instance, choice, group), done = 0;
    size_t *by_begin = stable_order(instance, earlier);
    size_t *order = memory_alloc(instance->n, sizeof *order);

    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < instance->n; i++)
            if (group[by_begin[i]] == g)
                order[done++] = by_begin[i];
    stack(instance, order, plan);
    free(order);
    free(by_begin);
    free(group);
}
