/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves between memories against all plans of small cases.  */
#include <config.h>

#include "memories/moves_solve.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/move_trial.h"
#include "tests/support/tap.h"

enum { MOST_BUFFERS = 3, MOST_ACCESSES = 3, STEPS = 9, MOST_LIVES = 216 };

/* One way for a buffer to live: where it takes room at each step, bit m for memory m.  */
struct way {
    int64_t cost;
    int room[STEPS];
};

/* All ways, but those that take room wherever another does and cost no less.  */
struct ways {
    size_t count;
    struct way way[MOST_LIVES];
};

struct living {
    const struct trial *trial;
    size_t b;
    struct ways *ways;
};

static void keep_way(struct ways *ways, const struct way *way)
{
    size_t kept = 0;

    for (size_t i = 0; i < ways->count; i++) {
        bool within = ways->way[i].cost <= way->cost;

        for (int s = 0; s < STEPS; s++)
            within = within && (ways->way[i].room[s] & ~way->room[s]) == 0;
        if (within)
            return;
    }
    for (size_t i = 0; i < ways->count; i++) {
        bool within = way->cost <= ways->way[i].cost;

        for (int s = 0; s < STEPS; s++)
            within = within && (way->room[s] & ~ways->way[i].room[s]) == 0;
        if (!within)
            ways->way[kept++] = ways->way[i];
    }
    ways->count = kept;
    ways->way[ways->count++] = *way;
}

/* Goes on from access A with the buffer in the memories VALID: two memories, 0 and 1.  */
static void live_on(const struct living *living, size_t a, int valid, struct way way)
{
    const struct trial *trial = living->trial;
    const struct buffer *buffer = &trial->split_problem.instance->buffer[living->b];
    const size_t first = trial->problem.accesses.first[living->b];
    const size_t end = trial->problem.accesses.first[living->b + 1];
    const struct memory *memory = trial->memories.memory;

    if (a == end) {
        keep_way(living->ways, &way);
        return;
    }
    for (int choice = 0; choice < 8; choice++) {
        const int used = choice & 1, held = choice >> 1;
        const struct access *access = &trial->problem.accesses.access[a];
        const int64_t next = a + 1 < end ? access[1].step : buffer->end;
        struct way longer = way;
        int now = a == first || access->writes > 0 ? 1 << used : valid | 1 << used;

        if ((((1 << used) | held) & (moves_allowed(&trial->problem, living->b, 0) ? 0 : 1)) != 0 ||
            (((1 << used) | held) & (moves_allowed(&trial->problem, living->b, 1) ? 0 : 2)) != 0 ||
            (held == 0 && (a + 1 < end || access->step + 1 < next)))
            continue;
        longer.room[access->step] |= 1 << used | held;
        longer.cost += access->reads * memory[used].read + access->writes * memory[used].write;
        if (a > first && (valid >> used & 1) == 0) {
            longer.cost += buffer->size * (memory[1 - used].read + memory[used].write);
            longer.room[access->step] |= 3;
        }
        if ((held & ~now) != 0) {
            longer.cost += buffer->size * (memory[used].read + memory[1 - used].write);
            longer.room[access->step] |= 3;
        }
        for (int64_t s = access->step + 1; s < next; s++)
            longer.room[s] |= held;
        live_on(living, a + 1, held, longer);
    }
}

/* Whether the COUNT ways fit into memory M: by their bytes, and with offsets.  */
static bool ways_fit(const struct trial *trial, const struct way *const *way, size_t m,
                     bool *placed)
{
    const struct instance *instance = trial->split_problem.instance;
    const int64_t capacity = trial->memories.memory[m].capacity;
    struct instance *stays = instance_new("stays");
    size_t count = 0;

    for (int s = 0; s < STEPS; s++) {
        int64_t sum = 0;

        for (size_t b = 0; b < instance->n; b++)
            sum += (way[b]->room[s] >> m & 1) != 0 ? instance->buffer[b].size : 0;
        if (sum > capacity) {
            instance_free(stays);
            return false;
        }
    }
    for (size_t b = 0; b < instance->n; b++)
        for (int s = 0, from; s < STEPS; s++) {
            for (from = s; s < STEPS && (way[b]->room[s] >> m & 1) != 0;)
                s++;
            if (s > from) {
                add_buffer(stays, from, s, instance->buffer[b].size, instance->buffer[b].alignment);
                count++;
            }
        }
    sealed(stays);
    *placed = *placed && (count == 0 || brute_force_optimum(stays) <= capacity);
    instance_free(stays);
    return true;
}

/* The least cost of all combinations, where bytes fit (SUMS) and where offsets do (PLACED).  */
static void try_all(const struct trial *trial, const struct ways *ways, int64_t *sums,
                    int64_t *placed)
{
    const size_t n = trial->split_problem.instance->n;
    size_t all = 1;

    *sums = *placed = SPLIT_NEVER;
    for (size_t b = 0; b < n; b++)
        all *= ways[b].count;
    for (size_t number = 0; number < all; number++) {
        const struct way *way[MOST_BUFFERS];
        int64_t cost = 0;
        bool good = true;
        size_t rest = number;

        for (size_t b = 0; b < n; b++, rest /= ways[b - 1].count) {
            way[b] = &ways[b].way[rest % ways[b].count];
            cost += way[b]->cost;
        }
        if (cost >= *placed || !ways_fit(trial, way, 0, &good) || !ways_fit(trial, way, 1, &good))
            continue;
        *sums = min64(*sums, cost);
        *placed = good ? cost : *placed;
    }
}

struct small {
    struct instance *instance;
    size_t first[MOST_BUFFERS + 1];
    struct access access[MOST_BUFFERS * MOST_ACCESSES];
};

static void draw(struct small *small, struct rng *rng)
{
    const size_t n = (size_t)rng_range(rng, 1, MOST_BUFFERS);
    size_t at = 0;

    small->instance = instance_new("small");
    small->first[0] = 0;
    for (size_t b = 0; b < n; b++) {
        const int64_t begin = rng_range(rng, 0, 3), end = rng_range(rng, begin + 1, STEPS);

        add_buffer(small->instance, begin, end, rng_range(rng, 1, 8), rng_range(rng, 1, 2));
        for (int64_t s = begin; s < end && at < small->first[b] + MOST_ACCESSES; s++)
            if (s == begin || rng_range(rng, 0, 2) == 0)
                small->access[at++] =
                    (struct access){s, rng_range(rng, 0, 60),
                                    rng_range(rng, 0, 2) == 0 ? rng_range(rng, 1, 60) : 0};
        small->first[b + 1] = at;
    }
    sealed(small->instance);
}

struct seen {
    int infeasible, moved, only, contiguity, optimal;
};

static bool small_is_right(const struct small *small, struct rng *rng, struct seen *seen)
{
    const int64_t load = small->instance->load;
    char *fast = memory_printf("fast=%lld,read=%d,write=%d", (long long)rng_range(rng, 0, load),
                               (int)rng_range(rng, 0, 3), (int)rng_range(rng, 0, 3));
    char *slow = memory_printf("slow%s,read=%d,write=%d.5",
                               rng_range(rng, 0, 1) > 0 ? ""
                               : load > 10              ? "=9"
                                                        : "=6",
                               (int)rng_range(rng, 0, 9), (int)rng_range(rng, 0, 9));
    struct ways ways[MOST_BUFFERS] = {0};
    struct error error = {""};
    struct trial trial;
    int64_t sums, placed;
    bool good;

    trial_begin(&trial, small->instance, fast, slow);
    trial_accesses(&trial, small->first, small->instance->n, small->access);
    for (size_t b = 0; b < small->instance->n; b++)
        live_on(&(struct living){&trial, b, &ways[b]}, small->first[b], 0, (struct way){0});
    try_all(&trial, ways, &sums, &placed);
    trial_solve(&trial, 20.0);
    good = trial.plan.cost >= placed && trial.plan.cost <= trial.split.cost &&
           (sums == SPLIT_NEVER || trial.result.bound <= placed) &&
           (!trial.result.program_proven || trial.result.bound == sums) &&
           (trial.result.outcome != SPLIT_OPTIMAL || trial.plan.cost == placed) &&
           (trial.result.outcome == SPLIT_INFEASIBLE) == (sums == SPLIT_NEVER) &&
           (trial.plan.cost == SPLIT_NEVER || moves_verify(&trial.problem, &trial.plan, &error));
    if (!good)
        tap_diag("%s %s: plan %lld, split %lld, bound %lld, sums %lld, placed %lld: %s", fast, slow,
                 (long long)trial.plan.cost, (long long)trial.split.cost,
                 (long long)trial.result.bound, (long long)sums, (long long)placed, error.text);
    seen->infeasible += sums == SPLIT_NEVER;
    seen->moved += trial.plan.cost < trial.split.cost;
    seen->only += trial.split.cost == SPLIT_NEVER && trial.plan.cost != SPLIT_NEVER;
    seen->contiguity += sums < placed;
    seen->optimal += trial.result.outcome == SPLIT_OPTIMAL;
    trial_end(&trial);
    memory_free(fast);
    memory_free(slow);
    return good;
}

static void against_all(void)
{
    const int rounds = tap_tier(300, 3000);
    struct rng *rng = rng_new(446);
    struct seen seen = {0};
    int right = 0;

    for (int round = 0; round < rounds; round++) {
        struct small small;

        draw(&small, rng);
        right += small_is_right(&small, rng, &seen);
        instance_free(small.instance);
    }
    is_int(right, rounds, "between the bound and the least of all plans");
    ok(seen.infeasible > 0, "some do not fit (%d)", seen.infeasible);
    ok(seen.moved > rounds / 40, "some cost less by moves (%d)", seen.moved);
    ok(seen.optimal > rounds / 2, "most are proven (%d)", seen.optimal);
    tap_diag("only with moves %d, contiguity costs %d", seen.only, seen.contiguity);
    rng_free(rng);
}

int main(void)
{
    against_all();
    return tap_done();
}
