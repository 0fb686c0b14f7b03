/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size-classes: jemalloc's classes of sizes, slabs of small ones and runs of pages.
 *
 * In the order of the trace, each request is rounded up to its class: 8, each multiple of 16 up to
 * 128, then four classes to each doubling: 160, 192, 224, 256, 320, ...  Classes below four pages
 * are small: they come from slabs, runs of pages that they fill without a rest, the lowest free
 * place of the lowest slab that has one.  Larger requests get a run of pages of their own.  A slab
 * with nothing in use goes back.  Runs come from the smallest free stretch of pages that is long
 * enough, the lowest of equal ones, and are joined with free neighbours when they come back.
 *
 *   page=64  (so classes from 256 bytes on are large; in bytes)
 *   step 0   a [0, 2) 10: a slab of 64 for the class 16, a at 0; b [0, 1) 200: class 224 is small,
 *            a slab of 448 (7 pages), b at 64
 *   step 1   b's slab is gone; c [1, 3) 16 at 16; d [1, 2) 260: class 320, 5 pages, at 64
 *   step 2   a's place is free, c keeps the slab; e [2, 3) 9 at 0
 *
 * Source: jemalloc's manual page, jemalloc(3), "Implementation notes", and src/sc.c of 5.3, which
 * has the sizes of slabs; J. Evans, "A scalable concurrent malloc(3) implementation for FreeBSD",
 * BSDCan 2006.  O(log(runs) + slabs with a free place) an event.
 * Guarantee: none is known; rounding takes up to a quarter of a request's size above 64 bytes.
 * Differences: one arena, no caches of threads, nothing decays; the runs of large classes and of
 * slabs come from the best fit, where jemalloc takes the oldest one of some class of lengths; all
 * slabs of a class are one list.  The quantum of 16 bytes is rounded up to the alignment, and the
 * class of 8 is there where the alignment divides it.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/block_heap.h"
#include "solvers/fit/events.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { QUANTUM = 16, TINY = 8, SMALL_PAGES = 4, WORD = 64 };

static const struct param params[] = {
    {"page", PARAM_BYTES, "4KiB", NULL, 1, 1 << 24,
     "the bytes of a page, rounded up to the quantum of 16; classes below four of them are small"},
    TIES_PARAM,
    PARAM_END,
};

/* A run of pages with places for one class.  */
struct slab {
    size_t run; /* in the heap */
    int64_t class, places, free;
    uint64_t *taken; /* a bit a place */
};

struct classes {
    int64_t alignment, quantum, page;
    struct block_heap pages; /* in pages */
    struct free_blocks open; /* slabs with a free place: class, first page, slab */
    struct slab *slab;
    size_t slabs, capacity;
};

/* Where a buffer is.  */
struct tenancy {
    bool small;
    size_t at; /* its slab, or its run */
    int64_t place;
};

static int64_t class_of(const struct classes *classes, int64_t size)
{
    const int64_t quanta = size / classes->quantum + (size % classes->quantum != 0);
    int64_t step = 1;

    if (size <= TINY && classes->quantum == QUANTUM && TINY % classes->alignment == 0)
        return TINY;
    while (quanta > 8 * step)
        step *= 2;
    return (quanta + step - 1) / step * step * classes->quantum;
}

/* --- runs --- */

/* The last stretch is never used up: it has twice what all need together.  */
static size_t take_run(struct classes *classes, int64_t pages)
{
    const size_t run = block_heap_find(&classes->pages, 0, (uint64_t)pages, 0);

    block_heap_take(&classes->pages, run);
    if (classes->pages.block[run].size > (uint64_t)pages)
        block_heap_split(&classes->pages, run, (uint64_t)pages);
    return run;
}

static int64_t run_start(const struct classes *classes, size_t run)
{
    return (int64_t)classes->pages.block[run].start;
}

/* --- slabs --- */

/* Pages of a slab: the least that places of CLASS fill.  */
static int64_t slab_pages(const struct classes *classes, int64_t class)
{
    return class / gcd64(class, classes->page);
}

static struct free_block slab_key(const struct classes *classes, size_t at)
{
    const struct slab *slab = &classes->slab[at];

    return (struct free_block){slab->class, run_start(classes, slab->run), at};
}

static size_t new_slab(struct classes *classes, int64_t class)
{
    const int64_t pages = slab_pages(classes, class);
    const int64_t places = pages * classes->page / class;

    classes->slab =
        memory_grow(classes->slab, &classes->capacity, classes->slabs + 1, sizeof *classes->slab);
    classes->slab[classes->slabs] =
        (struct slab){.run = take_run(classes, pages),
                      .class = class,
                      .places = places,
                      .free = places,
                      .taken = memory_zalloc((size_t)(places + WORD - 1) / WORD, sizeof(uint64_t))};
    free_blocks_add(&classes->open, slab_key(classes, classes->slabs));
    return classes->slabs++;
}

/* The lowest slab of CLASS with a free place.  */
static size_t open_slab(struct classes *classes, int64_t class)
{
    const size_t found = free_blocks_find(&classes->open, class);

    return found < classes->open.count && classes->open.entry[found].size == class ? classes->open
                                                                                         .entry
                                                                                             [found]
                                                                                         .block
                                                                                   : new_slab(
                                                                                         classes,
                                                                                         class);
}

static struct tenancy take_place(struct classes *classes, int64_t class)
{
    const size_t at = open_slab(classes, class);
    struct slab *slab = &classes->slab[at];
    int64_t word = 0, bit;

    while (slab->taken[word] == UINT64_MAX)
        word++;
    bit = __builtin_ctzll(~slab->taken[word]);
    slab->taken[word] |= UINT64_C(1) << bit;
    if (--slab->free == 0)
        free_blocks_remove(&classes->open, slab_key(classes, at));
    return (struct tenancy){true, at, WORD * word + bit};
}

static void give_place(struct classes *classes, size_t at, int64_t place)
{
    struct slab *slab = &classes->slab[at];

    if (slab->free++ == 0)
        free_blocks_add(&classes->open, slab_key(classes, at));
    slab->taken[place / WORD] &= ~(UINT64_C(1) << place % WORD);
    if (slab->free < slab->places)
        return;
    free_blocks_remove(&classes->open, slab_key(classes, at));
    block_heap_release(&classes->pages, slab->run);
    memory_free(slab->taken);
    slab->taken = NULL;
}

/* --- the trace --- */

static struct tenancy allocate(struct classes *classes, int64_t size, int64_t *offset)
{
    const int64_t class = class_of(classes, size);
    struct tenancy tenancy = {.small = false};

    if (class < SMALL_PAGES * classes->page) {
        tenancy = take_place(classes, class);
        *offset = run_start(classes, classes->slab[tenancy.at].run) * classes->page +
                  tenancy.place * class;
    } else {
        tenancy.at = take_run(classes, (class - 1) / classes->page + 1);
        *offset = run_start(classes, tenancy.at) * classes->page;
    }
    return tenancy;
}

static void give_back(struct classes *classes, const struct tenancy *tenancy)
{
    if (tenancy->small)
        give_place(classes, tenancy->at, tenancy->place);
    else
        block_heap_release(&classes->pages, tenancy->at);
}

/* Pages of a run, or a slab, for SIZE bytes.  */
static int64_t run_pages(const struct classes *classes, int64_t size)
{
    const int64_t class = class_of(classes, size);

    return class < SMALL_PAGES * classes->page ? slab_pages(classes, class)
                                               : (class - 1) / classes->page + 1;
}

/* Pages that all buffers would have side by side, each in a slab of its own; INT64_MAX: too many
 * to be told.  */
static int64_t all_pages(const struct classes *classes, const struct instance *instance)
{
    int64_t pages = 0;

    for (size_t b = 0; b < instance->n; b++)
        pages = instance->buffer[b].size > INT64_MAX / 4
                    ? INT64_MAX
                    : capped_add(pages, run_pages(classes, instance->buffer[b].size));
    return pages;
}

static struct classes classes_for(const struct instance *instance, const struct params *given)
{
    struct classes classes = {.alignment = instance->max_alignment};

    classes.quantum = align_up(QUANTUM, classes.alignment);
    classes.page = align_up(params_int(given, "page"), classes.quantum);
    return classes;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct classes classes = classes_for(instance, env->params);
    struct tenancy *tenancy = memory_alloc(instance->n, sizeof *tenancy);
    struct order_key *event = events_sort(instance, env);

    block_heap_init(&classes.pages);
    block_heap_add(&classes.pages, 0, 0, 2 * (uint64_t)all_pages(&classes, instance) + 1);
    for (size_t e = 0; e < 2 * instance->n; e++) {
        const size_t b = event_buffer(event[e]);

        if (event_begins(event[e]))
            tenancy[b] = allocate(&classes, instance->buffer[b].size, &plan->offset[b]);
        else
            give_back(&classes, &tenancy[b]);
    }
    plan->peak = plan_peak(instance, plan);
    block_heap_clear(&classes.pages);
    free_blocks_clear(&classes.open);
    memory_free(classes.slab);
    free(event);
    free(tenancy);
    return OUTCOME_FEASIBLE;
}

static bool applicable(const struct instance *instance, const struct params *given,
                       struct error *reason)
{
    const struct classes classes = classes_for(instance, given);

    if (capped_mul(all_pages(&classes, instance), 4 * classes.page) == INT64_MAX)
        return error_set(reason, "classes that may need more than %" PRId64 " bytes",
                         INT64_MAX / 4);
    return alignment_applicable(instance, given, reason);
}

const struct solver solver_size_classes = {
    .name = "size-classes",
    .title = "Size classes, as jemalloc's",
    .source = "jemalloc(3), implementation notes",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_ONLINE,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
