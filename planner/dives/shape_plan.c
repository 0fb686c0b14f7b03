#include <config.h>

#include "planner/dives/shape_plan.h"

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/section_plan.h"
#include "planner/dives/shape_dives.h"
#include "planner/greedy/dsa_pieces.h"
#include "planner/greedy/fixed_first.h"
#include "planner/greedy/gap_index.h"
#include "planner/greedy/order.h"
#include "planner/greedy/shape_fit.h"

/* shape_place looks at all pairs of buffers: up to so many of these.  */
enum { MOST_PLACED = 5000 };
/* What sections may hold, and starts and ends be sums of, as in section_plan.c.  */
#define MOST_INCIDENCES ((size_t)1 << 24)
#define MOST_TOTAL (INT64_MAX / 16)
/* One part in so many of the limits is for rectangles.  */
enum { RECTANGLES_SHARE = 4 };
/* Of ten dives the last so many follow the best plan.  */
enum { GUIDED_OF_TEN = 3 };
/* From dive to dive.  */
static const struct shape_dive kinds[] = {{4, 15, NULL}, {16, 15, NULL}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct planner {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan, *trial;
    bool given; /* there is a plan */
    int64_t unit;
    int64_t *guide; /* the best plan, in units */
    struct order_key *key;
};

static void take_trial(struct planner *planner)
{
    struct plan *plan = planner->plan;

    if (planner->given && planner->trial->peak >= plan->peak)
        return;
    for (size_t b = 0; b < planner->instance->n; b++)
        plan->offset[b] = planner->trial->offset[b];
    plan->peak = planner->trial->peak;
    planner->given = true;
    if (planner->env->incumbent != NULL)
        planner->env->incumbent(planner->env->context, plan);
}

/* first-fit-by-size of the rectangles around the pieces.  */
static void plan_greedily(struct planner *planner)
{
    const struct instance *instance = planner->instance;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        planner->key[b] =
            (struct order_key){key_descending(buffer->size), ~lifetime_length(buffer), b};
    }
    order_sort(planner->key, instance->n);
    gap_place_rest(instance, planner->key, fixed_first(instance, planner->key, planner->trial),
                   FIT_FIRST, planner->trial);
    take_trial(planner);
}

/* Places all again, each where it fits, in the order of the trial's offsets.  */
static void drop_all(struct planner *planner)
{
    const struct instance *instance = planner->instance;

    if (instance->n > MOST_PLACED)
        return;
    for (size_t b = 0; b < instance->n; b++)
        planner->key[b] = (struct order_key){key_ascending(planner->trial->offset[b]), 0, b};
    order_sort(planner->key, instance->n);
    shape_place(instance, planner->key, planner->trial);
    take_trial(planner);
}

static void take_packing(struct planner *planner, const int64_t *start)
{
    for (size_t b = 0; b < planner->instance->n; b++)
        planner->trial->offset[b] = start[b] * planner->unit;
    planner->trial->peak = plan_peak(planner->instance, planner->trial);
    take_trial(planner);
    drop_all(planner);
}

static bool is_done(const struct planner *planner)
{
    return planner->plan->peak <= planner->instance->load;
}

static void dive(struct planner *planner, struct shape_dives *dives)
{
    int64_t load = planner->instance->load / planner->unit;

    for (uint64_t round = 0; !is_done(planner) && !shape_dives_spent(dives); round++) {
        struct shape_dive kind = kinds[round % KINDS];
        int64_t upper = (planner->plan->peak - 1) / planner->unit + 1;
        int64_t capacity = round % 2 == 0 ? load : load + (upper - load) / 2;

        if (round % 10 >= 10 - GUIDED_OF_TEN) {
            for (size_t b = 0; b < planner->instance->n; b++)
                planner->guide[b] = planner->plan->offset[b] / planner->unit;
            kind.guide = planner->guide;
        }
        if (shape_dives_stage(dives, capacity, upper, kind))
            take_packing(planner, dives->start);
    }
}

/* Where the pieces are hardly less than the rectangles around them, these are planned better.  Not
 * streamed: the plan is one of another instance.  */
static void plan_rectangles(struct planner *planner, const struct section_plan_limits *limits)
{
    struct instance *joined = instance_joined(planner->instance);
    struct section_plan_limits share = {limits->nodes / RECTANGLES_SHARE, limits->deadline, false};
    struct solver_env env = *planner->env;
    double now = timer_now();

    if (joined == NULL)
        return;
    share.deadline = now + (limits->deadline - now) / RECTANGLES_SHARE;
    env.incumbent = NULL;
    env.bound = NULL;
    if (joined->load < planner->plan->peak) {
        planner->trial->nodes = 0;
        if (joined->fixed > 0)
            section_plan_rectangles(joined, &env, &share, false, planner->trial);
        else
            section_plan(joined, &env, &share, false, planner->trial);
        planner->plan->nodes += planner->trial->nodes;
        take_trial(planner);
    }
    instance_free(joined);
}

static void search(struct planner *planner, const struct section_plan_limits *limits)
{
    struct shape_sections *shapes =
        shape_sections_new(planner->instance, planner->unit, MOST_INCIDENCES);
    struct shape_dives dives;

    plan_rectangles(planner, limits);
    if (shapes == NULL || is_done(planner)) {
        shape_sections_free(shapes);
        return;
    }
    shape_dives_init(&dives, shapes, planner->env->seed);
    dives.node_end = max64(0, limits->nodes - planner->plan->nodes);
    dives.deadline = limits->deadline;
    dive(planner, &dives);
    planner->plan->nodes += dives.nodes;
    shape_dives_count(&dives, planner->env->statistics);
    shape_dives_clear(&dives);
    shape_sections_free(shapes);
}

bool shape_plan(const struct instance *instance, const struct solver_env *env,
                const struct section_plan_limits *limits, bool given, struct plan *plan)
{
    struct planner planner = {
        .instance = instance,
        .env = env,
        .plan = plan,
        .trial = plan_new(instance),
        .given = given,
        .unit = dsa_unit(instance),
        .guide = memory_alloc(instance->n, sizeof *planner.guide),
        .key = memory_alloc(instance->n, sizeof *planner.key),
    };

    plan_greedily(&planner);
    if (instance->n <= MOST_PLACED && !is_done(&planner)) {
        shape_place_best(instance, planner.trial);
        take_trial(&planner);
    }
    if (!is_done(&planner) && instance->total <= MOST_TOTAL && instance->load <= MOST_TOTAL &&
        instance->max_alignment <= MOST_TOTAL && instance->n > 0)
        search(&planner, limits);
    CHECK_INVARIANT(plan_check(instance, plan));
    plan_free(planner.trial);
    memory_free(planner.guide);
    memory_free(planner.key);
    return !is_done(&planner) && timer_now() >= limits->deadline;
}
