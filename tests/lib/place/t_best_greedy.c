/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where searches start: no search of ours is above a greedy plan of the registry that it could have
 * asked for, and as many are compared as there is time for.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/judge/verify.h"
#include "lib/place/best_greedy.h"
#include "lib/place/time_parts.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/section_plan.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* --- no search is above a greedy plan --- */

enum { MOST_SPECS = 64 };

/* The solvers that say so, in each setting with their own ties.  */
static size_t list_first_plans(char **spec)
{
    size_t count = 0;

    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        const struct param *param = entry->solver->params;

        if ((entry->solver->capabilities & SOLVER_FIRST_PLAN) == 0)
            continue;
        spec[count++] = memory_strdup(entry->solver->name);
        for (; param != NULL && param->name != NULL; param++)
            for (const struct param_choice *choice = param->choices;
                 choice != NULL && param->choices != ties_choices && choice->word != NULL; choice++)
                spec[count++] =
                    memory_printf("%s:%s=%s", entry->solver->name, param->name, choice->word);
    }
    return count;
}

/* The least peak of all of these; WHO has it.  */
static int64_t least_peak(const struct instance *instance, const char **who)
{
    static char *spec[MOST_SPECS];
    static size_t specs;
    int64_t least = INT64_MAX;

    specs = specs > 0 ? specs : list_first_plans(spec);
    for (size_t s = 0; s < specs; s++) {
        int64_t peak = run_solver_peak(spec[s], instance);

        *who = peak < least ? spec[s] : *who;
        least = peak < least ? peak : least;
    }
    return least;
}

static bool is_at_most(const char *what, int64_t peak, const struct instance *instance,
                       int64_t least, const char *who)
{
    if (peak > least)
        tap_diag("%s of %zu: %s needs %" PRId64 ", %s %" PRId64, instance->name, instance->n, what,
                 peak, who, least);
    return peak <= least;
}

/* Those that know pieces get these, the others the rectangles around them.  */
static bool good_start(const struct instance *instance, int64_t work)
{
    static const char *const searches[] = {"section-first", "branch-and-bound", "portfolio"};
    struct instance *joined = instance_joined(instance);
    struct plan *plan = plan_new(joined);
    const char *who = "nobody";
    int64_t least = least_peak(joined, &who);
    struct error error = {""};
    bool good;

    best_greedy_of_all(joined, INFINITY, plan);
    good = verify_plan(joined, plan, &error) &&
           is_at_most("the start", plan->peak, instance, least, who);
    for (size_t s = 0; s < sizeof searches / sizeof searches[0]; s++) {
        bool shapes = (solver_find(searches[s])->solver->capabilities & SOLVER_SHAPES) != 0;
        struct solver_run run = solver_run(searches[s], shapes ? instance : joined, 1, work);

        good = run.valid && is_at_most(searches[s], run.peak, instance, least, who) && good;
    }
    plan_free(plan);
    instance_free(joined);
    return good;
}

/* INSTANCE with some buffers cut in two pieces.  */
static struct instance *in_pieces(struct rng *rng, const struct instance *instance)
{
    struct instance *cut = instance_new("pieces");

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *whole = &instance->buffer[b];
        int64_t middle = whole->begin + (whole->end - whole->begin) / 2;
        struct piece piece[] = {{whole->begin, middle, 0, whole->size, true},
                                {middle, whole->end, 0, (whole->size + 1) / 2, true}};

        if (middle > whole->begin && rng_range(rng, 0, 1) == 0)
            instance_add_pieces(cut, whole->id, piece, 2, whole->alignment);
        else
            instance_add(cut, whole->id, whole->begin, whole->end, whole->size, whole->alignment);
    }
    return sealed(cut);
}

enum { TIGHT = RANDOM_KINDS, TIGHT_ALIGNED, PIECES, PIECES_ALIGNED, KINDS };
static const char *const further[] = {"tight", "tight, aligned", "pieces", "pieces, aligned"};

static struct instance *draw(struct rng *rng, int kind, size_t most)
{
    struct instance *plain, *made;

    if (kind < RANDOM_KINDS)
        return random_instance(rng, (enum random_kind)kind,
                               (size_t)rng_range(rng, 1, (int64_t)most));
    if (kind == TIGHT || kind == TIGHT_ALIGNED)
        plain = tight_instance(rng, most, rng_range(rng, 4, 30), rng_range(rng, 6, 60));
    else
        plain = random_instance(rng, kind == PIECES ? RANDOM_UNIFORM : RANDOM_ALIGNED,
                                (size_t)rng_range(rng, 1, (int64_t)most));
    if (kind == TIGHT)
        return plain;
    made = kind == TIGHT_ALIGNED ? random_alignments(rng, plain) : in_pieces(rng, plain);
    instance_free(plain);
    return made;
}

/* Ten thousand instances, with few placements, so that it is not the search alone that brings it
 * about.  */
static void no_search_above(void)
{
    struct rng *rng = rng_new(20);
    int64_t rounds = tap_tier(40, 160);

    for (int kind = 0; kind < KINDS; kind++) {
        int64_t good = 0;

        for (int64_t r = 0; r < rounds; r++) {
            struct instance *instance = draw(rng, kind, r % 10 == 0 ? 200 : 40);

            good += good_start(instance, rng_range(rng, 1, 400));
            instance_free(instance);
        }
        is_int(good, rounds, "%s: no greedy plan is below the start or a search",
               kind < RANDOM_KINDS ? random_kind_name((enum random_kind)kind)
                                   : further[kind - RANDOM_KINDS]);
    }
    rng_free(rng);
}

/* Rows of equal sizes, all full, need no search.  */
static void equal_sizes(void)
{
    enum { ROWS = 21 };
    int64_t end[ROWS] = {0};
    struct rng *rng = rng_new(21);
    struct instance *instance = instance_new("equal sizes");
    struct solver_run run;

    instance->nameless = true;
    for (size_t b = 0; b < 4999; b++) {
        size_t row = 0;
        int64_t begin;

        for (size_t r = 1; r < ROWS; r++)
            row = end[r] < end[row] ? r : row;
        begin = end[row];
        end[row] += rng_range(rng, 1, 16);
        instance_add(instance, "", begin, end[row], 256, 1);
    }
    run = solver_run("section-first", sealed(instance), 1, 0);
    ok(run.valid && run.peak == instance->load && run.nodes == 0,
       "equal sizes: at the load without a search (%" PRId64 " of %" PRId64 ")", run.peak,
       instance->load);
    instance_free(instance);
    rng_free(rng);
}

/* --- deadlines --- */

static double long_ago(void *context)
{
    (void)context;
    return 1e300;
}

/* What there is when no time is left: first fit, or rows or a stack, whichever is lower.  */
enum left { FIRST_FIT, ROWS, STACK };

static const char *const left_name[] = {"first fit", "rows", "a stack"};

/* Greedy plans of INSTANCE by what they are: 5 is the stack of the longest lives.  */
static int64_t peak_left(const struct instance *instance, enum left left)
{
    static const size_t number[] = {[FIRST_FIT] = 0, [ROWS] = 1, [STACK] = 5};
    struct plan *plan = plan_new(instance);
    int64_t peak;

    greedy_plan(instance, number[left], NULL, plan);
    peak = plan->peak;
    plan_free(plan);
    return peak;
}

/* Of N buffers that live up to LIFE steps.  */
static struct instance *lives(size_t n, int64_t life)
{
    struct rng *rng = rng_new(22);
    struct instance *instance = instance_new("no time");

    instance->nameless = true;
    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, (int64_t)n);

        instance_add(instance, "", begin, begin + rng_range(rng, 1, life), rng_range(rng, 1, 999),
                     1);
    }
    rng_free(rng);
    return sealed(instance);
}

/* Frees INSTANCE.  */
static void no_time(struct instance *instance, const char *what, enum left left)
{
    const struct timer_source source = {long_ago, NULL}, *before;
    struct plan *plan = plan_new(instance);
    int64_t rows = peak_left(instance, ROWS), stack = peak_left(instance, STACK);
    struct error error = {""};

    before = timer_use(&source);
    greedy_first(instance, 0.0, plan);
    timer_use(before);
    ok(verify_plan(instance, plan, &error) && (left == STACK) == (stack < rows) &&
           peak_left(instance, FIRST_FIT) < (stack < rows ? stack : rows) &&
           plan->peak == peak_left(instance, left),
       "without time %s: %s (%" PRId64 "; rows %" PRId64 ", a stack %" PRId64 ")", what,
       left_name[left], plan->peak, rows, stack);
    plan_free(plan);
    instance_free(instance);
}

/* A clock that is a second further at each look.  */
static double count_looks(void *context)
{
    double *looks = context;

    return ++*looks;
}

/* What the best of the first PLANS greedy plans needs, taken part by part.  */
static int64_t best_of(const struct instance *instance, const size_t *part, size_t parts,
                       size_t plans)
{
    struct plan *plan = plan_new(instance);
    int64_t best = 0;

    for (size_t p = 0; p < parts; p++) {
        int64_t least = INT64_MAX;

        for (size_t i = 0; i < plans; i++) {
            int64_t peak = 0;

            greedy_plan(instance, i, NULL, plan);
            for (size_t b = 0; b < instance->n; b++)
                if (part[b] == p && plan->offset[b] + instance->buffer[b].size > peak)
                    peak = plan->offset[b] + instance->buffer[b].size;
            least = peak < least ? peak : least;
        }
        best = least > best ? least : best;
    }
    plan_free(plan);
    return best;
}

/* With time for MOST plans these are compared and no more, fewer only where the load is reached. */
static bool ends_in_time(const struct instance *instance, size_t most)
{
    size_t *part = memory_alloc(instance->n, sizeof *part);
    size_t parts = time_parts(instance, part), plans = greedy_plans();
    struct plan *plan = plan_new(instance);
    double looks = 0.0;
    struct timer_source source = {count_looks, &looks};
    const struct timer_source *before = timer_use(&source);
    struct error error = {""};
    bool good;

    best_greedy(instance, part, parts, (double)most, plan);
    timer_use(before);
    most = most < plans ? most : plans;
    good = verify_plan(instance, plan, &error) && looks <= (double)most &&
           (plan->peak == instance->load || looks >= (double)most - 1.0) &&
           plan->peak == best_of(instance, part, parts, most);
    if (!good)
        tap_diag("%s of %zu, time for %zu plans: peak %lld after %.0f looks; %s", instance->name,
                 instance->n, most, (long long)plan->peak, looks, error.text);
    plan_free(plan);
    free(part);
    return good;
}

static void in_time(struct rng *rng)
{
    int64_t rounds = tap_tier(40, 160), good = 0, better = 0;

    for (int64_t r = 0; r < rounds; r++) {
        struct instance *instance =
            random_instance(rng, r % 2 == 0 ? RANDOM_UNIFORM : RANDOM_CHAIN, (size_t)(20 + r % 40));
        size_t *part = memory_alloc(instance->n, sizeof *part), parts = time_parts(instance, part);

        good += ends_in_time(instance, 1 + (size_t)r % 15);
        better += best_of(instance, part, parts, 4) < best_of(instance, part, parts, 1);
        free(part);
        instance_free(instance);
    }
    is_int(good, rounds, "as many greedy plans are compared as there is time for, one at least");
    ok(better > rounds / 10, "further ones are better at times (%lld)", (long long)better);
}

/* A clock that is a STEP further at each look.  */
static double count_steps(void *context)
{
    double *step = context;

    step[0] += step[1];
    return step[0];
}

/* The peak of a plan in STEPS looks at a clock with such a STEP, in seconds.  */
static int64_t peak_in_steps(const struct instance *instance, double steps, double step)
{
    double clock[2] = {0.0, step};
    struct timer_source source = {count_steps, clock};
    const struct timer_source *before = timer_use(&source);
    const struct section_plan_limits limits = {INT64_MAX, steps * step, false, false};
    const struct solver_env env = {.seed = 1};
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    int64_t peak;

    section_plan(instance, &env, &limits, false, plan);
    timer_use(before);
    peak = verify_plan(instance, plan, &error) ? plan->peak : INT64_MAX;
    plan_free(plan);
    return peak;
}

/* No plan is above QUICK, a greedy one that is lower than first fit, with STEPS looks at a clock
 * between which a STEP passes.  */
static void none_above(const char *spec, enum left quick, double steps, double step)
{
    struct instance *instance = instance_of(spec);
    int64_t first_fit = peak_left(instance, FIRST_FIT), least = peak_left(instance, quick);
    int64_t peak = peak_in_steps(instance, steps, step);

    ok(least < first_fit && peak <= least,
       "%zu buffers, %g steps of %g ms: %" PRId64 ", first fit %" PRId64 ", %s %" PRId64,
       instance->n, steps, 1e3 * step, peak, first_fit, left_name[quick], least);
    instance_free(instance);
}

/* In time that is too short for a few dives.  */
static void hurried(void)
{
    static const struct {
        const char *network;
        double steps;
    } trial[] = {{"shufflenet_v2_x1_0", 54}, {"resnet50", 50}, {"resnet101", 80}};

    for (size_t i = 0; i < sizeof trial / sizeof *trial; i++) {
        char *spec =
            memory_printf("%s:batch=8,weights=on,train=sgd,update=ready", trial[i].network);

        none_above(spec, STACK, trial[i].steps, 5e-5);
        free(spec);
    }
}

int main(void)
{
    struct rng *rng = rng_new(23);

    no_search_above();
    equal_sizes();
    no_time(lives(4000, 4000), "long lives", ROWS);
    no_time(instance_of("resnet152:batch=8,weights=on,train=adam"), "a step of training", STACK);
    no_time(lives(4000, 40), "short lives", FIRST_FIT);
    in_time(rng);
    hurried();
    rng_free(rng);
    return tap_done();
}
