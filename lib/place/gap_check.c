/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/gap_check.h"

#include <stdbool.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

const struct gap_steps gap_around_all = {0, SIZE_MAX};

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    return ORDER(x->lo, y->lo);
}

static bool lives_at_all(const struct buffer *buffer, struct gap_steps steps)
{
    return buffer->first <= steps.first && steps.last <= buffer->last;
}

static bool lives_at_some(const struct buffer *buffer, struct gap_steps steps)
{
    return buffer->first <= steps.last && steps.first <= buffer->last;
}

/* The addresses in use by those that live at some of STEPS (ALL: at all of them) and not at all
 * of AROUND; holes below SMALLEST are filled.  The caller frees the spans.  */
static struct span_list in_use(const struct gap_placed *placed, struct gap_steps steps, bool all,
                               struct gap_steps around, int64_t smallest)
{
    struct span_list list = {memory_alloc(placed->count, sizeof *list.span), 0, placed->count};
    size_t kept = 0;

    for (size_t i = 0; i < placed->count; i++) {
        const struct buffer *buffer = &placed->instance->buffer[placed->key[i].index];
        int64_t lo = placed->plan->offset[placed->key[i].index];

        if ((all ? lives_at_all : lives_at_some)(buffer, steps) && !lives_at_all(buffer, around))
            list.span[list.count++] = (struct span){lo, lo + buffer->size};
    }
    if (list.count > 0)
        sort_stable(list.span, list.count, sizeof *list.span, compare_spans);
    for (size_t i = 0; i < list.count; i++)
        if (kept > 0 && list.span[i].lo - list.span[kept - 1].hi < smallest)
            list.span[kept - 1].hi = max64(list.span[kept - 1].hi, list.span[i].hi);
        else
            list.span[kept++] = list.span[i];
    list.count = kept;
    return list;
}

static bool equal(const struct span *a, size_t count, const struct address_set *b)
{
    bool same = count == b->count;

    for (size_t i = 0; i < count && same; i++)
        same = a[i].lo == b->span[i].lo && a[i].hi == b->span[i].hi;
    return same;
}

void gap_check_gaps(const struct gap_placed *placed, const struct buffer *buffer,
                    const struct span_list *gaps)
{
    struct span_list used;
    size_t found = 0;
    int64_t top = 0;

    if (!check_due(placed->count, placed->count))
        return;
    used =
        in_use(placed, (struct gap_steps){buffer->first, buffer->last}, false, gap_around_all, 1);
    for (size_t i = 0; i <= used.count; i++) {
        int64_t end = i < used.count ? used.span[i].lo : INT64_MAX;

        if (end - top >= buffer->size) {
            CHECK(found < gaps->count && gaps->span[found].lo == top && gaps->span[found].hi == end,
                  "gap index", "every gap between placed buffers is found");
            found++;
        }
        top = i < used.count ? used.span[i].hi : top;
    }
    CHECK(found == gaps->count, "gap index", "what is found is a gap between placed buffers");
    memory_free(used.span);
}

void gap_check_sets(const struct gap_placed *placed, struct gap_steps steps,
                    struct gap_steps around, int64_t smallest, const struct address_set *touch,
                    const struct address_set *cover)
{
    struct span_list used = in_use(placed, steps, false, around, smallest);

    CHECK(equal(used.span, used.count, touch), "gap index",
          "a node's touch set is what buffers of some of its steps use");
    memory_free(used.span);
    if (cover == NULL)
        return;
    used = in_use(placed, steps, true, around, smallest);
    CHECK(equal(used.span, used.count, cover), "gap index",
          "a node's cover set is what buffers of all its steps use");
    memory_free(used.span);
}
