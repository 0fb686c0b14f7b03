/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/minimalloc/minimalloc_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/minimalloc/minimalloc_problem.h"

/* The clock is looked at once in so many nodes.  */
#define NODES_A_LOOK 64

#define NONE UINT32_MAX

struct minimalloc_trail {
    int64_t *where, old;
};

/* A partition is a range of sections.  Its buffers, numbered by its static order, are
 * a ring of links with the number `count` as its head.  */
struct partition {
    size_t first, last;
    size_t buffer, next, previous; /* where these lists begin in the pool */
    uint32_t count;
};

/* Either a node (parts = 0) or what a node has fallen into.  */
struct minimalloc_frame {
    size_t trail, stack, pool; /* where these were before anything of this frame */
    size_t owner;              /* the frame whose partition the node is in */

    /* A node: the children in the pool from CHILD on, the first DONE of them tried, the
     * last of these placed now if OPEN.  */
    size_t child;
    uint32_t children, done;
    bool open, hatless;
    int64_t least_offset; /* no child may be before this offset and number */
    uint32_t least_number;

    /* Parts: their first sections in the pool from PART on, and where the last one
     * ends; AT is the one being solved.  */
    size_t part;
    uint32_t parts, at;
    struct partition partition;
};

void minimalloc_search_init(struct minimalloc_search *search,
                            const struct minimalloc_problem *problem,
                            struct minimalloc_switches switches)
{
    *search = (struct minimalloc_search){
        .problem = problem,
        .switches = switches,
        /* Siblings that come later must be no lower, or a branch may fail for lack of
         * them and not for good.  */
        .hatless =
            switches.hatless_pruning &&
            (switches.dynamic_ordering || (!switches.canonical_only && !switches.monotonic_floor)),
        .twin = switches.interchangeable ? minimalloc_twins(problem) : NULL,
        .offset = memory_alloc(problem->n, sizeof *search->offset),
        .placed = memory_alloc(problem->n, sizeof *search->placed),
        .stack = memory_alloc(problem->n, sizeof *search->stack),
        .floor = memory_alloc(problem->sections, sizeof *search->floor),
        .total = memory_alloc(problem->sections, sizeof *search->total),
        .cut = memory_alloc(problem->sections, sizeof *search->cut),
        .raised = memory_alloc(problem->sections, sizeof *search->raised),
        .listed = memory_zalloc(problem->sections, sizeof *search->listed),
    };
}

void minimalloc_search_clear(struct minimalloc_search *search, struct search_statistics *sum)
{
    search_statistics_add(sum, STATISTIC_PLACEMENTS, search->placements);
    search_statistics_add(sum, STATISTIC_CONFLICTS, search->failures);
    search_statistics_add(sum, STATISTIC_TREE_NODES, search->nodes);
    free(search->twin);
    free(search->offset);
    free(search->placed);
    free(search->stack);
    free(search->floor);
    free(search->total);
    free(search->cut);
    free(search->raised);
    free(search->listed);
    free(search->trail);
    free(search->frame);
    free(search->pool);
}

/* --- memory of the frames --- */

/* Room for COUNT numbers on top of the pool, which may move.  */
static size_t pool_take(struct minimalloc_search *search, size_t count)
{
    size_t at = search->in_pool;

    search->pool =
        memory_grow(search->pool, &search->pool_capacity, at + count, sizeof *search->pool);
    search->in_pool += count;
    return at;
}

static void set(struct minimalloc_search *search, int64_t *where, int64_t value)
{
    search->trail = memory_grow(search->trail, &search->trail_capacity, search->n_trail + 1,
                                sizeof *search->trail);
    search->trail[search->n_trail++] = (struct minimalloc_trail){where, *where};
    *where = value;
}

/* Back to where things stood before FRAME.  */
static void undo(struct minimalloc_search *search, const struct minimalloc_frame *frame)
{
    while (search->n_stack > frame->stack)
        search->placed[search->stack[--search->n_stack]] = false;
    while (search->n_trail > frame->trail) {
        const struct minimalloc_trail *last = &search->trail[--search->n_trail];

        *last->where = last->old;
    }
}

static struct minimalloc_frame *push(struct minimalloc_search *search)
{
    struct minimalloc_frame *frame;

    search->frame = memory_grow(search->frame, &search->frame_capacity, search->frames + 1,
                                sizeof *search->frame);
    frame = &search->frame[search->frames++];
    *frame = (struct minimalloc_frame){
        .trail = search->n_trail, .stack = search->n_stack, .pool = search->in_pool};
    return frame;
}

static struct minimalloc_frame *top(struct minimalloc_search *search)
{
    return &search->frame[search->frames - 1];
}

static struct partition *partition_of(struct minimalloc_search *search,
                                      const struct minimalloc_frame *node)
{
    return &search->frame[node->owner].partition;
}

/* --- placing --- */

/* Lists the sections of BUFFER for raise_floors.  */
static void list_sections(struct minimalloc_search *search, size_t buffer)
{
    const struct minimalloc_problem *problem = search->problem;

    for (size_t i = problem->span_start[buffer]; i < problem->span_start[buffer + 1]; i++)
        for (size_t s = problem->span[i].first; s <= problem->span[i].last; s++)
            if (!search->listed[s]) {
                search->listed[s] = true;
                search->raised[search->n_raised++] = (uint32_t)s;
            }
}

/* No buffer that is left over starts below its least offset.  */
static void raise_floors(struct minimalloc_search *search)
{
    const struct minimalloc_problem *problem = search->problem;

    for (size_t i = 0; i < search->n_raised; i++) {
        size_t s = search->raised[i];
        int64_t least = INT64_MAX;

        search->listed[s] = false;
        for (size_t k = problem->start[s]; k < problem->start[s + 1]; k++)
            if (!search->placed[problem->member[k]])
                least = min64(least, search->offset[problem->member[k]]);
        if (least != INT64_MAX && least > search->floor[s])
            set(search, &search->floor[s], least);
    }
    search->n_raised = 0;
}

/* Places BUFFER at its least offset: floors and totals of its sections, cuts, and
 * the least offsets of the others.  Says whether one that is left over overlaps it.  */
static bool put(struct minimalloc_search *search, size_t buffer)
{
    const struct minimalloc_problem *problem = search->problem;
    int64_t offset = search->offset[buffer];
    bool hat = false;

    search->placed[buffer] = true;
    search->stack[search->n_stack++] = (uint32_t)buffer;
    for (size_t i = problem->span_start[buffer]; i < problem->span_start[buffer + 1]; i++) {
        const struct minimalloc_span *span = &problem->span[i];

        for (size_t s = span->first; s <= span->last; s++) {
            set(search, &search->total[s], search->total[s] - (span->hi - span->lo));
            if (offset + span->hi > search->floor[s])
                set(search, &search->floor[s], offset + span->hi);
        }
    }
    for (size_t s = problem->first[buffer]; s < problem->last[buffer]; s++)
        set(search, &search->cut[s], search->cut[s] - 1);
    for (size_t i = problem->near_start[buffer]; i < problem->near_start[buffer + 1]; i++) {
        size_t other = problem->near[i].buffer;
        int64_t least = offset + problem->near[i].effective;

        if (search->placed[other])
            continue;
        hat = true;
        if (least <= search->offset[other])
            continue;
        set(search, &search->offset[other],
            align_up(least, problem->instance->buffer[other].alignment));
        if (search->switches.unallocated_floor)
            list_sections(search, other);
    }
    raise_floors(search);
    return hat;
}

/* Whether a section of the partition does not fit any more, now that a buffer was
 * placed at OFFSET.  */
static bool section_fails(const struct minimalloc_search *search, const struct partition *partition,
                          int64_t offset)
{
    int64_t least = search->switches.monotonic_floor ? offset : 0;

    for (size_t s = partition->first; s <= partition->last; s++)
        if (max64(search->floor[s], least) + search->total[s] > search->capacity)
            return true;
    return false;
}

/* --- partitions --- */

/* The numbers of BUFFER[0..count) by the static order, from what the sections
 * hold now; BUFFER is put into that order.  */
static void sort_buffers(const struct minimalloc_search *search, uint32_t *buffer, size_t count)
{
    struct order_key *key = memory_alloc(count, sizeof *key);

    for (size_t i = 0; i < count; i++)
        key[i].index = buffer[i];
    minimalloc_sort(search->problem, search->order, search->total, key, count);
    for (size_t i = 0; i < count; i++)
        buffer[i] = (uint32_t)key[i].index;
    free(key);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return ORDER(*x, *y);
}

/* Begins the part AT of the frame PARTS: its buffers are those of the partition
 * around it, if any, that are left over in its sections.  */
static void begin_partition(struct minimalloc_search *search, size_t parts)
{
    struct minimalloc_frame *frame = &search->frame[parts];
    struct partition part = {0};
    const struct partition *around =
        parts > 0 ? partition_of(search, &search->frame[parts - 1]) : NULL;
    uint32_t most = around != NULL ? around->count : (uint32_t)search->problem->n, count;

    part.first = search->pool[frame->part + 2 * frame->at];
    part.last = search->pool[frame->part + 2 * frame->at + 1];
    search->in_pool = frame->part + 2 * frame->parts;
    part.buffer = pool_take(search, most);
    for (uint32_t i = 0; i < most; i++) {
        size_t b = around != NULL ? search->pool[around->buffer + i] : i;

        if (!search->placed[b] && search->problem->first[b] >= part.first &&
            search->problem->last[b] <= part.last)
            search->pool[part.buffer + part.count++] = (uint32_t)b;
    }
    count = part.count;
    search->in_pool = part.buffer + count;
    part.next = pool_take(search, count + 1);
    part.previous = pool_take(search, count + 1);
    qsort(search->pool + part.buffer, count, sizeof *search->pool, compare_numbers);
    if (search->switches.static_preordering)
        sort_buffers(search, search->pool + part.buffer, count);
    for (uint32_t i = 0; i <= count; i++) {
        search->pool[part.next + i] = i == count ? 0 : i + 1;
        search->pool[part.previous + i] = i == 0 ? count : i - 1;
    }
    frame->partition = part;
}

/* Takes a buffer out of the ring of its partition, or puts it back: in the
 * opposite order of taking.  */
static void unlink_number(struct minimalloc_search *search, const struct partition *part,
                          uint32_t number)
{
    uint32_t *next = search->pool + part->next, *previous = search->pool + part->previous;

    next[previous[number]] = next[number];
    previous[next[number]] = previous[number];
}

static void relink_number(struct minimalloc_search *search, const struct partition *part,
                          uint32_t number)
{
    uint32_t *next = search->pool + part->next, *previous = search->pool + part->previous;

    next[previous[number]] = number;
    previous[next[number]] = number;
}

/* The ring of PART holds its buffers that are left over, in the static order.  */
static void check_ring(const struct minimalloc_search *search, const struct partition *part)
{
    const uint32_t *next = search->pool + part->next, *previous = search->pool + part->previous;
    uint32_t at = part->count;

    for (uint32_t i = 0; i < part->count; i++) {
        if (search->placed[search->pool[part->buffer + i]])
            continue;
        CHECK(next[at] == i && previous[i] == at, "minimalloc",
              "the ring of a partition links what is left over in it");
        at = i;
    }
    CHECK(next[at] == part->count && previous[part->count] == at, "minimalloc",
          "the ring of a partition closes");
}

static bool is_packed(const struct minimalloc_search *search, const struct partition *part)
{
    return search->pool[part->next + part->count] == part->count;
}

/* Whether some two neighbouring sections have no buffer in common that is left over.  */
static bool falls_apart(const struct minimalloc_search *search, const struct partition *part)
{
    for (size_t s = part->first; s < part->last; s++)
        if (search->cut[s] == 0)
            return true;
    return false;
}

/* Pushes the parts that sections FIRST to LAST fall into, as far as something is left
 * over in them.  */
static void push_parts(struct minimalloc_search *search, size_t first, size_t last)
{
    struct minimalloc_frame *frame = push(search);
    size_t begin = first;
    bool any = false;

    frame->part = search->in_pool;
    for (size_t s = first; s <= last; s++) {
        any = any || search->total[s] > 0;
        if (s < last && search->cut[s] > 0)
            continue;
        if (any) {
            size_t at = pool_take(search, 2);

            search->pool[at] = (uint32_t)begin;
            search->pool[at + 1] = (uint32_t)s;
            frame->parts++;
        }
        begin = s + 1;
        any = false;
    }
}

/* --- nodes --- */

/* Whether an earlier buffer that is interchangeable with B has to go first.  */
static bool waits(const struct minimalloc_search *search, uint32_t b)
{
    return search->twin != NULL && search->twin[b] != MINIMALLOC_NO_TWIN &&
           !search->placed[search->twin[b]];
}

/* The children of a node that its rules allow.  */
static void list_children(struct minimalloc_search *search, struct minimalloc_frame *node)
{
    const struct partition *part = partition_of(search, node);
    const uint32_t *next = search->pool + part->next, *buffer = search->pool + part->buffer;
    int64_t least_end = INT64_MAX;
    uint32_t left = 0;

    for (uint32_t i = next[part->count]; i != part->count; i = next[i]) {
        const struct buffer *b = &search->problem->instance->buffer[buffer[i]];

        least_end = min64(least_end, search->offset[buffer[i]] + b->size);
        left++;
    }
    if (!search->switches.check_dominance)
        least_end = INT64_MAX;
    node->child = pool_take(search, left);
    next = search->pool + part->next;
    buffer = search->pool + part->buffer;
    for (uint32_t i = next[part->count]; i != part->count; i = next[i]) {
        int64_t offset = search->offset[buffer[i]];

        if (offset >= least_end || waits(search, buffer[i]))
            continue;
        if (search->switches.canonical_only &&
            (offset < node->least_offset ||
             (offset == node->least_offset && i < node->least_number)))
            continue;
        search->pool[node->child + node->children++] = i;
    }
    search->in_pool = node->child + node->children;
}

/* A node in the partition of OWNER.  */
static void push_node(struct minimalloc_search *search, size_t owner, int64_t least_offset,
                      uint32_t least_number)
{
    struct minimalloc_frame *node = push(search);

    node->owner = owner;
    node->least_offset = least_offset;
    node->least_number = least_number;
    if (!is_packed(search, partition_of(search, node)))
        search->nodes++;
    list_children(search, node);
}

/* The next child of a node: of those not tried the one of least offset, the first in
 * the static order among them.  */
static uint32_t next_child(struct minimalloc_search *search, struct minimalloc_frame *node)
{
    const uint32_t *buffer = search->pool + partition_of(search, node)->buffer;
    uint32_t *child = search->pool + node->child;
    uint32_t best = node->done, number;

    if (search->switches.dynamic_ordering)
        for (uint32_t i = node->done + 1; i < node->children; i++)
            if (search->offset[buffer[child[i]]] < search->offset[buffer[child[best]]])
                best = i;
    /* Those before it move up, so that the rest stay in the static order.  */
    number = child[best];
    memmove(child + node->done + 1, child + node->done, (best - node->done) * sizeof *child);
    child[node->done++] = number;
    return number;
}

/* Takes back the child of NODE that is placed, which has failed.  */
static void take_back(struct minimalloc_search *search, struct minimalloc_frame *node)
{
    const struct partition *part = partition_of(search, node);
    uint32_t number = search->pool[node->child + node->done - 1];

    undo(search, node);
    relink_number(search, part, number);
    CHECK_INVARIANT(check_ring(search, part));
    node->open = false;
}

static void start_part(struct minimalloc_search *search, size_t parts)
{
    begin_partition(search, parts);
    push_node(search, parts, 0, 0);
}

/* Places the next child of the node on top, if there is one; what comes of it is on
 * top then.  False: the node has failed.  */
static bool try_child(struct minimalloc_search *search)
{
    struct minimalloc_frame *node = top(search);
    const struct partition *part = partition_of(search, node);
    size_t owner = node->owner;
    uint32_t number, buffer;
    int64_t offset;

    if (node->open) {
        take_back(search, node);
        if (node->hatless)
            return false;
    }
    if (node->done == node->children)
        return false;
    number = next_child(search, node);
    buffer = search->pool[part->buffer + number];
    offset = search->offset[buffer];
    unlink_number(search, part, number);
    node->open = true;
    search->placements++;
    node->hatless = !put(search, buffer) && search->hatless;
    CHECK_INVARIANT(check_ring(search, part));
    if (offset + search->problem->instance->buffer[buffer].size > search->capacity ||
        (search->switches.section_inference && section_fails(search, part, offset))) {
        search->failures++;
        return true;
    }
    if (search->switches.dynamic_decomposition && !is_packed(search, part) &&
        falls_apart(search, part)) {
        push_parts(search, part->first, part->last);
        start_part(search, search->frames - 1);
    } else
        push_node(search, owner, offset, number);
    return true;
}

/* The partition of the frame PARTS is packed: goes on to the next part, of this frame
 * or of one around it.  False if there is none.  */
static bool next_part(struct minimalloc_search *search, size_t parts)
{
    for (;;) {
        struct minimalloc_frame *frame = &search->frame[parts];

        search->frames = parts + 1;
        if (++frame->at < frame->parts) {
            start_part(search, parts);
            return true;
        }
        if (parts == 0)
            return false;
        parts = search->frame[parts - 1].owner;
    }
}

/* Takes the failed node on top away, and the parts of which it was the root.  */
static bool fail_node(struct minimalloc_search *search)
{
    search->failures++;
    search->frames--;
    if (search->frames - 1 == search->frame[search->frames].owner)
        search->frames--;
    search->in_pool = search->frame[search->frames].pool;
    return search->frames > 0;
}

static void begin(struct minimalloc_search *search, int64_t capacity)
{
    const struct minimalloc_problem *problem = search->problem;

    search->capacity = capacity;
    search->n_trail = search->frames = search->in_pool = search->n_stack = 0;
    memset(search->placed, 0, problem->n * sizeof *search->placed);
    memset(search->offset, 0, problem->n * sizeof *search->offset);
    memset(search->floor, 0, problem->sections * sizeof *search->floor);
    memset(search->cut, 0, problem->sections * sizeof *search->cut);
    memcpy(search->total, problem->total, problem->sections * sizeof *search->total);
    for (size_t b = 0; b < problem->n; b++)
        for (size_t s = problem->first[b]; s < problem->last[b]; s++)
            search->cut[s]++;
}

enum minimalloc_result minimalloc_search_run(struct minimalloc_search *search, int64_t capacity,
                                             const char *order, int64_t nodes, double deadline)
{
    int64_t stop = nodes < INT64_MAX - search->nodes ? search->nodes + nodes : INT64_MAX, look = 0;

    assert(capacity >= 0 && search->n_raised == 0);
    begin(search, capacity);
    if (search->problem->n == 0)
        return MINIMALLOC_FOUND;
    search->order = order;
    push_parts(search, 0, search->problem->sections - 1);
    start_part(search, 0);
    for (;;) {
        struct minimalloc_frame *node = top(search);
        const struct partition *part = partition_of(search, node);

        if (!node->open && is_packed(search, part)) {
            if (!next_part(search, node->owner))
                return MINIMALLOC_FOUND;
            continue;
        }
        if (search->nodes >= stop)
            return MINIMALLOC_STOPPED;
        if (++look % NODES_A_LOOK == 0 && timer_now() >= deadline)
            return MINIMALLOC_STOPPED;
        if (!try_child(search) && !fail_node(search))
            return MINIMALLOC_INFEASIBLE;
    }
}
