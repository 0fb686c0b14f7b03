/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planted optima of many kinds: a rectangle of steps x height bytes is cut at random into n
 * rectangles, by straight cuts and by pinwheels, and these become the buffers.
 *
 *   skew     how uneven cuts are: of so many draws the one nearest to an edge counts, so
 *            that sizes and lifetimes spread over orders of magnitude, as real ones do
 *   unit     cuts between sizes are at its multiples
 *   slack    per cent of the area that is left out again: random buffers that are not alive
 *            at one step, which stays full
 *   align    each start is aligned as some power of two that divides where the buffer lies
 *   joined   per cent of the rectangles that become a further piece of another buffer: one
 *            that is not alive at the same steps and lies beside it, at the distance that
 *            the two have
 *
 * The rectangles as they were cut are a plan within the height, and one step is full, so
 * load = optimum = height.  The buffers come in random order, which says nothing about the
 * cuts.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/area.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param cuts_params[] = {
    {"n", PARAM_INT, "200", NULL, 1, 1000000, "rectangles before any are left out or joined"},
    {"steps", PARAM_INT, "0", NULL, 0, 1000000000.0,
     "length of the time axis in steps; 0: one a rectangle"},
    {"height", PARAM_INT, "1048576", NULL, 1, 1000000000000.0,
     "height of the rectangle in bytes: the optimum"},
    {"unit", PARAM_INT, "1", NULL, 1, 1000000000.0,
     "sizes are multiples of it; divides the height"},
    {"pinwheels", PARAM_INT, "20", NULL, 0, 100, "per cent of the cuts that are pinwheels"},
    {"skew", PARAM_INT, "1", NULL, 1, 20, "how uneven cuts are; 1: uniform"},
    {"slack", PARAM_INT, "0", NULL, 0, 50, "per cent of the area that is left out"},
    {"align", PARAM_BYTES, "1", NULL, 1, 1048576, "largest alignment of a start in bytes; 1: none"},
    {"joined", PARAM_INT, "0", NULL, 0, 100,
     "per cent of the rectangles that become pieces of other buffers"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* Steps [begin, end), units [low, high).  */
struct cut {
    int64_t begin, end, low, high;
};

struct cutting {
    struct rng *rng;
    int64_t skew;
    struct cut *region;      /* those that can be cut, then free room, then the others */
    size_t open, done, room; /* how many of each there are, and in all */
};

static struct area area(const struct cut *cut)
{
    return area_of(cut->end - cut->begin, cut->high - cut->low);
}

/* A place inside [LOW, HIGH), which has room for one: near one of the edges, by the skew.  */
static int64_t place_inside(struct cutting *cutting, int64_t low, int64_t high)
{
    bool upper = rng_range(cutting->rng, 0, 1) == 1;
    int64_t near = INT64_MAX;

    for (int64_t i = 0; i < cutting->skew; i++)
        near = min64(near, rng_range(cutting->rng, 1, high - low - 1));
    return upper ? high - near : low + near;
}

static void two_places(struct cutting *cutting, int64_t low, int64_t high, int64_t place[2])
{
    int64_t a = place_inside(cutting, low, high), b;

    do
        b = place_inside(cutting, low, high);
    while (a == b);
    place[0] = min64(a, b);
    place[1] = max64(a, b);
}

static void add_region(struct cutting *cutting, struct cut cut)
{
    if (cut.end - cut.begin > 1 || cut.high - cut.low > 1)
        cutting->region[cutting->open++] = cut;
    else
        cutting->region[cutting->room - ++cutting->done] = cut;
}

static void cut_in_two(struct cutting *cutting, struct cut whole)
{
    struct cut part[2] = {whole, whole};
    bool in_time = rng_range(cutting->rng, 0, 1) == 1;

    if (whole.end - whole.begin == 1)
        in_time = false;
    else if (whole.high - whole.low == 1)
        in_time = true;
    if (in_time)
        part[0].end = part[1].begin = place_inside(cutting, whole.begin, whole.end);
    else
        part[0].high = part[1].low = place_inside(cutting, whole.low, whole.high);
    add_region(cutting, part[0]);
    add_region(cutting, part[1]);
}

/* Four around one, in one direction of turning or the other.  */
static void cut_pinwheel(struct cutting *cutting, struct cut whole)
{
    int64_t t[2], h[2];
    bool mirrored = rng_range(cutting->rng, 0, 1) == 1;

    two_places(cutting, whole.begin, whole.end, t);
    two_places(cutting, whole.low, whole.high, h);
    add_region(cutting, (struct cut){t[0], t[1], h[0], h[1]});
    if (mirrored) {
        add_region(cutting, (struct cut){t[0], whole.end, whole.low, h[0]});
        add_region(cutting, (struct cut){whole.begin, t[0], whole.low, h[1]});
        add_region(cutting, (struct cut){whole.begin, t[1], h[1], whole.high});
        add_region(cutting, (struct cut){t[1], whole.end, h[0], whole.high});
    } else {
        add_region(cutting, (struct cut){whole.begin, t[1], whole.low, h[0]});
        add_region(cutting, (struct cut){t[1], whole.end, whole.low, h[1]});
        add_region(cutting, (struct cut){t[0], whole.end, h[1], whole.high});
        add_region(cutting, (struct cut){whole.begin, t[0], h[0], whole.high});
    }
}

/* The larger of two random regions, so that none stays whole and sizes differ all the same.  */
static size_t choose_region(const struct cutting *cutting)
{
    size_t a = (size_t)rng_range(cutting->rng, 0, (int64_t)cutting->open - 1);
    size_t b = (size_t)rng_range(cutting->rng, 0, (int64_t)cutting->open - 1);

    return area_order(area(&cutting->region[b]), area(&cutting->region[a])) > 0 ? b : a;
}

/* Cuts WHOLE into N rectangles, the room of the cutting.  False where it has fewer cells.  */
static bool cut_up(struct cutting *cutting, struct cut whole, int64_t pinwheels)
{
    add_region(cutting, whole);
    while (cutting->open > 0 && cutting->open + cutting->done < cutting->room) {
        size_t at = choose_region(cutting), left;
        struct cut cut = cutting->region[at];
        bool turning = rng_range(cutting->rng, 1, 100) <= pinwheels;

        cutting->region[at] = cutting->region[--cutting->open];
        left = cutting->room - cutting->open - cutting->done;
        if (turning && left >= 5 && cut.end - cut.begin >= 3 && cut.high - cut.low >= 3)
            cut_pinwheel(cutting, cut);
        else
            cut_in_two(cutting, cut);
    }
    return cutting->open + cutting->done == cutting->room;
}

/* Leaves out SLACK per cent of AREA at most, and nothing that is alive at a step drawn from STEPS.
 * Returns how many are left of CUT[0..n), which are in random order.  */
static size_t leave_out(struct rng *rng, struct cut *cut, size_t n, int64_t steps, int64_t slack)
{
    int64_t full = rng_range(rng, 0, steps - 1);
    struct area spare = {0, 0};
    size_t left = 0;

    for (size_t i = 0; i < n; i++)
        spare = area_add(spare, area(&cut[i]));
    spare = area_per_cent(spare, slack);
    for (size_t i = 0; i < n; i++) {
        bool alive = cut[i].begin <= full && full < cut[i].end;

        if (!alive && area_order(area(&cut[i]), spare) <= 0)
            spare = area_sub(spare, area(&cut[i]));
        else
            cut[left++] = cut[i];
    }
    return left;
}

static bool can_join(const struct cut *a, const struct cut *b)
{
    return (a->end <= b->begin || b->end <= a->begin) && a->low < b->high && b->low < a->high;
}

/* How far it is looked for one to join, so that it takes no square of the time.  */
enum { NEAREST = 1000 };

/* Which of CUT[0..n) each one is a further piece of, SIZE_MAX for none.  PER_CENT of them at most,
 * and each buffer has two pieces at most.  The caller frees it.  */
static size_t *join(const struct cut *cut, size_t n, int64_t per_cent)
{
    size_t *with = memory_alloc(n, sizeof *with), most = n * (size_t)per_cent / 100;
    bool *taken = memory_zalloc(n, sizeof *taken);

    for (size_t i = 0; i < n; i++)
        with[i] = SIZE_MAX;
    for (size_t i = 0; i < n && most > 0; i++)
        for (size_t k = i + 1; k < n && k <= i + NEAREST && !taken[i]; k++)
            if (!taken[k] && can_join(&cut[i], &cut[k])) {
                with[k] = i;
                taken[i] = taken[k] = true;
                most--;
            }
    free(taken);
    return with;
}

/* A power of two up to MOST that divides OFFSET.  */
static int64_t draw_alignment(struct rng *rng, int64_t offset, int64_t most)
{
    int64_t alignment = 1;

    while (alignment <= most / 2 && offset % (2 * alignment) == 0 && rng_range(rng, 0, 3) > 0)
        alignment *= 2;
    return alignment;
}

/* A buffer of one rectangle, or of two if OTHER is one.  */
static void add_buffer(struct instance *instance, struct rng *rng, const struct cut *cut,
                       const struct cut *other, const struct params *params)
{
    int64_t unit = params_int(params, "unit"), most = params_int(params, "align");
    int64_t low = other != NULL ? min64(cut->low, other->low) : cut->low;
    int64_t alignment = draw_alignment(rng, low * unit, most);
    struct piece piece[2];
    char id[32];

    snprintf(id, sizeof id, "b%zu", instance->n);
    if (other == NULL) {
        instance_add(instance, id, cut->begin, cut->end, (cut->high - cut->low) * unit, alignment);
        return;
    }
    for (int i = 0; i < 2; i++) {
        const struct cut *of = i == 0 ? cut : other;

        piece[i] = (struct piece){of->begin, of->end, (of->low - low) * unit,
                                  (of->high - low) * unit, false};
    }
    instance_add_pieces(instance, id, piece, 2, alignment);
}

static struct instance *finish(struct cut *cut, size_t n, struct rng *rng,
                               const struct params *params, struct error *error)
{
    struct instance *instance = instance_new("cuts");
    size_t *with = join(cut, n, params_int(params, "joined"));
    size_t *other = memory_alloc(n, sizeof *other);

    for (size_t i = 0; i < n; i++)
        other[i] = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        if (with[i] != SIZE_MAX)
            other[with[i]] = i;
    for (size_t i = 0; i < n; i++)
        if (with[i] == SIZE_MAX)
            add_buffer(instance, rng, &cut[i], other[i] != SIZE_MAX ? &cut[other[i]] : NULL,
                       params);
    free(with);
    free(other);
    return draw_finish(instance, rng, error);
}

static struct instance *cuts(const struct params *params, struct error *error)
{
    int64_t steps = draw_steps(params), height = params_int(params, "height");
    int64_t unit = params_int(params, "unit");
    size_t n = (size_t)params_int(params, "n");
    struct cutting cutting = {.rng = draw_rng(params),
                              .skew = params_int(params, "skew"),
                              .region = memory_alloc(n, sizeof *cutting.region),
                              .room = n};
    struct instance *instance = NULL;

    if (height % unit != 0) {
        error_set(error, "height=%" PRId64 " is not a multiple of unit=%" PRId64, height, unit);
    } else if (!cut_up(&cutting, (struct cut){0, steps, 0, height / unit},
                       params_int(params, "pinwheels"))) {
        error_set(error, "%zu rectangles don't fit in %" PRId64 " steps x %" PRId64 " units", n,
                  steps, height / unit);
    } else {
        rng_shuffle(cutting.rng, cutting.region, n, sizeof *cutting.region);
        n = leave_out(cutting.rng, cutting.region, n, steps, params_int(params, "slack"));
        instance = finish(cutting.region, n, cutting.rng, params, error);
        cutting.rng = NULL;
    }
    if (cutting.rng != NULL)
        rng_free(cutting.rng);
    free(cutting.region);
    return instance;
}

const struct generator generator_cuts = {
    .name = "cuts",
    .title = "straight and pinwheel cuts, skewed, with slack, alignments or pieces: the "
             "optimum is the height",
    .source = "arenabench; cuts as in strip-packing benchmarks",
    .params = cuts_params,
    .instance = cuts,
};
