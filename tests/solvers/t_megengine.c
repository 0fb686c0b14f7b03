/* MegEngine's three planners: cases worked out by hand, best fit against the
 * plainest way to do it, random overwrite chains past the verifier.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/shipped/chunks.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

static const char *const names[] = {"megengine-best-fit", "megengine-pushdown",
                                    "megengine-interval-move"};

/* The verified plan, or NULL after a failed assertion.  */
static struct plan *solve(const char *name, const struct instance *instance)
{
    const struct solver *solver = solver_find(name)->solver;
    struct solver_env env = {.seed = 1};
    struct plan *plan = plan_new(instance);
    struct error error = {{0}};

    solver->solve(instance, &env, plan);
    if (verify_plan(instance, plan, &error))
        return plan;
    tap_diag("%s: %s", name, error.text);
    plan_free(plan);
    return NULL;
}

/* Offsets by hand, in the order of the buffers, and the peak at the end.  */
static void is_plan(const char *name, const struct instance *instance, const int64_t *want)
{
    struct plan *plan = solve(name, instance);
    bool same = plan != NULL;

    for (size_t b = 0; same && b < instance->n; b++)
        same = plan->offset[b] == want[b];
    ok(same && plan->peak == want[instance->n], "%s: %s by hand, peak %" PRId64, name,
       instance->name, plan != NULL ? plan->peak : -1);
    plan_free(plan);
}

static void grown_block(void)
{
    struct instance *instance = instance_new("a block that grows");

    instance_add(instance, "a", 0, 2, 4, 1);
    instance_add(instance, "b", 0, 1, 2, 1);
    instance_add(instance, "c", 1, 3, 3, 1);
    sealed(instance);
    is_plan("megengine-best-fit", instance, (const int64_t[]){0, 4, 6, 9});
    is_plan("megengine-pushdown", instance, (const int64_t[]){0, 4, 4, 7});
    /* a, then c below it (which pushes a up), then b below a.  */
    is_plan("megengine-interval-move", instance, (const int64_t[]){3, 0, 0, 7});
    instance_free(instance);
}

static void examples_of_the_heads(void)
{
    struct instance *instance = instance_new("pushed up");

    instance_add(instance, "a", 0, 4, 4, 1);
    instance_add(instance, "b", 0, 2, 3, 1);
    instance_add(instance, "c", 2, 4, 3, 1);
    sealed(instance);
    is_plan("megengine-interval-move", instance, (const int64_t[]){3, 0, 0, 7});
    instance_free(instance);
    instance = instance_new("the tighter gap");
    instance_add(instance, "a", 0, 1, 4, 1);
    instance_add(instance, "b", 0, 2, 2, 1);
    instance_add(instance, "c", 0, 1, 3, 1);
    instance_add(instance, "d", 1, 2, 3, 1);
    sealed(instance);
    is_plan("megengine-best-fit", instance, (const int64_t[]){0, 4, 6, 6, 9});
    /* The same gap; d lies above b, as c did.  */
    is_plan("megengine-pushdown", instance, (const int64_t[]){0, 4, 6, 6, 9});
    instance_free(instance);
}

/* The article's example of an overwrite: 20 bytes, of which 10 at offset 6 are
 * overwritten at the last step; then 6 and 4 bytes fit into what is left.  */
static void overwritten_part(void)
{
    static const struct piece chain[] = {{0, 2, 0, 20, true}, {1, 3, 6, 16, true}};
    struct instance *instance = instance_new("an overwrite in the middle");

    instance_add_pieces(instance, "d", chain, 2, 1);
    instance_add_overwrite(instance, 1, 0);
    instance_add(instance, "x", 2, 3, 6, 1);
    instance_add(instance, "y", 2, 3, 4, 1);
    sealed(instance);
    is_plan("megengine-best-fit", instance, (const int64_t[]){0, 0, 16, 20});
    is_plan("megengine-pushdown", instance, (const int64_t[]){0, 0, 16, 20});
    /* The root keeps all of its place as long as the chain lives: y below x
     * below d.  */
    is_plan("megengine-interval-move", instance, (const int64_t[]){10, 4, 0, 30});
    instance_free(instance);
}

/* Alignment 4: best fit rounds the top and may use the padding.  */
static void aligned(void)
{
    struct instance *instance = instance_new("aligned to 4");

    instance_add(instance, "a", 0, 2, 5, 4);
    instance_add(instance, "b", 0, 2, 3, 4);
    instance_add(instance, "c", 1, 2, 2, 4);
    sealed(instance);
    is_plan("megengine-best-fit", instance, (const int64_t[]){0, 8, 12, 14});
    is_plan("megengine-pushdown", instance, (const int64_t[]){0, 8, 12, 14});
    instance_free(instance);
}

/* --- best fit, plainly --- */

struct live {
    const struct instance *instance;
    int64_t *address; /* of each buffer; -1: not alive */
    int64_t top;
};

/* Whether [LOW, HIGH) is free of buffers that are alive.  */
static bool is_free(const struct live *live, int64_t low, int64_t high)
{
    for (size_t b = 0; b < live->instance->n; b++)
        if (live->address[b] >= 0 && live->address[b] < high &&
            low < live->address[b] + live->instance->buffer[b].size)
            return false;
    return true;
}

/* The end of the free stretch at LOW, below the top: where the next one is.  */
static int64_t free_end(const struct live *live, int64_t low)
{
    int64_t end = live->top;

    for (size_t b = 0; b < live->instance->n; b++)
        if (live->address[b] >= low)
            end = min64(end, live->address[b]);
    return end;
}

/* Tries every address at which a free stretch can begin.  */
static void plain_alloc(struct live *live, size_t b)
{
    int64_t alignment = live->instance->max_alignment, size = live->instance->buffer[b].size;
    int64_t best = -1, best_room = INT64_MAX;

    for (size_t other = 0; other <= live->instance->n; other++) {
        int64_t low = 0, start;

        if (other < live->instance->n) {
            if (live->address[other] < 0)
                continue;
            low = live->address[other] + live->instance->buffer[other].size;
        }
        start = align_up(low, alignment);
        if (low >= live->top || !is_free(live, low, low + 1) || start >= free_end(live, low))
            continue;
        if (free_end(live, low) - start >= size &&
            (free_end(live, low) - start < best_room ||
             (free_end(live, low) - start == best_room && start < best))) {
            best = start;
            best_room = free_end(live, low) - start;
        }
    }
    live->address[b] = best >= 0 ? best : live->top;
    live->top = max64(live->top, align_up(live->address[b] + size, alignment));
}

static void plain_best_fit(const struct instance *instance, int64_t *offset)
{
    struct live live = {.instance = instance,
                        .address = memory_alloc(instance->n, sizeof *live.address)};
    int64_t step = INT64_MAX, last = INT64_MIN;

    for (size_t b = 0; b < instance->n; b++) {
        live.address[b] = -1;
        step = min64(step, instance->buffer[b].begin);
        last = max64(last, instance->buffer[b].end);
    }
    for (; step < last; step++) {
        for (size_t b = 0; b < instance->n; b++)
            if (instance->buffer[b].end == step)
                live.address[b] = -1;
        for (size_t b = 0; b < instance->n; b++)
            if (instance->buffer[b].begin == step) {
                plain_alloc(&live, b);
                offset[b] = live.address[b];
            }
    }
    free(live.address);
}

static void best_fit_against_plain(void)
{
    static const enum random_kind kinds[] = {RANDOM_UNIFORM, RANDOM_CHAIN,   RANDOM_TIES,
                                             RANDOM_EQUAL,   RANDOM_ALIGNED, RANDOM_TOUCHING};
    struct rng *rng = rng_new(23);
    int rounds = tap_tier(40, 300);

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int same = 0;

        for (int round = 0; round < rounds; round++) {
            struct instance *instance = random_instance(rng, kinds[k], 30);
            struct plan *plan = solve("megengine-best-fit", instance);
            int64_t *offset = memory_alloc(instance->n, sizeof *offset);

            plain_best_fit(instance, offset);
            same += plan != NULL && memcmp(plan->offset, offset, instance->n * sizeof *offset) == 0;
            free(offset);
            plan_free(plan);
            instance_free(instance);
        }
        is_int(same, rounds, "best fit as done plainly: %s", random_kind_name(kinds[k]));
    }
    rng_free(rng);
}

/* --- random chains --- */

/* Buffers of up to four links, each within the one that it overwrites.  */
static struct instance *random_chains(struct rng *rng, size_t n)
{
    struct instance *instance = instance_new("chains");

    for (size_t b = 0; b < n; b++) {
        size_t links = (size_t)rng_range(rng, 1, 4), first = instance->pieces;
        int64_t begin = rng_range(rng, 0, 20), lo = 0, hi = rng_range(rng, 1, 40);
        struct piece piece[4];
        char *id = memory_printf("b%zu", b);

        for (size_t i = 0; i < links; i++) {
            piece[i] = (struct piece){begin, begin + rng_range(rng, 1, 6), lo, hi, true};
            begin = piece[i].end - 1;
            lo = rng_range(rng, lo, hi - 1);
            hi = rng_range(rng, lo + 1, hi);
        }
        instance_add_pieces(instance, id, piece, links, 1);
        for (size_t i = 1; i < links; i++)
            instance_add_overwrite(instance, first + i, first + i - 1);
        free(id);
    }
    return sealed(instance);
}

static void chains_are_valid(void)
{
    struct rng *rng = rng_new(29);
    int rounds = tap_tier(100, 1000);

    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        int valid = 0, gained = 0;

        for (int round = 0; round < rounds; round++) {
            struct instance *instance = random_chains(rng, (size_t)rng_range(rng, 1, 25));
            struct instance *joined = instance_joined(instance);
            struct plan *plan = solve(names[s], instance), *whole = solve(names[s], joined);

            valid += plan != NULL && whole != NULL && plan->peak >= instance->load;
            gained += plan != NULL && whole != NULL && plan->peak < whole->peak;
            plan_free(plan);
            plan_free(whole);
            instance_free(joined);
            instance_free(instance);
        }
        is_int(valid, rounds, "%s: plans of chains are valid", names[s]);
        if (s < 2)
            ok(gained > rounds / 4, "%s: uses what overwriting leaves: %d of %d", names[s], gained,
               rounds);
        else
            is_int(gained, 0, "%s: takes a chain as its root", names[s]);
    }
    rng_free(rng);
}

static void not_applicable(void)
{
    struct instance *instance = instance_new("6 and 4");
    struct error error = {{0}};

    instance_add(instance, "a", 0, 2, 5, 6);
    instance_add(instance, "b", 0, 2, 3, 4);
    sealed(instance);
    ok(!chunks_applicable(instance, NULL, &error), "alignments that do not divide: %s", error.text);
    instance_free(instance);
}

int main(void)
{
    grown_block();
    examples_of_the_heads();
    overwritten_part();
    aligned();
    best_fit_against_plain();
    chains_are_valid();
    not_applicable();
    return tap_done();
}
