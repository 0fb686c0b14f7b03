/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves between memories: a case worked out by hand, Belady's rule, all plans of small cases, and
 * what holds of networks whatever the optimum is.  */
#include <config.h>

#include "memories/moves_solve.h"

#include <math.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/moves_place.h"
#include "memories/split.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* A problem, and what is made of it.  */
struct trial {
    struct memories memories;
    struct split_problem split_problem;
    struct moves_problem problem;
    struct split split;
    struct move_plan plan;
    struct moves_result result;
};

static void trial_begin(struct trial *trial, const struct instance *instance, const char *fast,
                        const char *slow)
{
    struct error error;

    *trial = (struct trial){.memories = {0}};
    if (!memories_add(&trial->memories, fast, &error) ||
        !memories_add(&trial->memories, slow, &error) ||
        !memories_size(&trial->memories, instance->load, &error))
        tap_bail(error.text);
    memories_default_costs(&trial->memories);
    if (!split_problem_init(&trial->split_problem, instance, &trial->memories, &error) ||
        !moves_problem_init(&trial->problem, &trial->split_problem, &error))
        tap_bail(error.text);
    split_init(&trial->split, &trial->split_problem);
}

/* In place of the accesses that it has.  */
static void trial_accesses(struct trial *trial, const size_t *first, size_t buffers,
                           const struct access *access)
{
    struct accesses *own = &trial->problem.accesses;

    accesses_clear(own);
    own->first = memory_alloc(buffers + 1, sizeof *own->first);
    own->access = memory_alloc(first[buffers], sizeof *own->access);
    for (size_t b = 0; b <= buffers; b++)
        own->first[b] = first[b];
    for (size_t a = 0; a < first[buffers]; a++)
        own->access[a] = access[a];
}

/* The cost of buffer B in memory M if it stays there, by its accesses.  */
static int64_t stay_cost(const struct trial *trial, size_t b, size_t m)
{
    int64_t cost = 0;

    for (size_t a = trial->problem.accesses.first[b]; a < trial->problem.accesses.first[b + 1]; a++)
        cost += moves_access_cost(&trial->problem, a, m);
    return cost;
}

/* Solves it beside the least split, whose costs are those of the accesses.  */
static void trial_solve(struct trial *trial, double seconds)
{
    const struct split_limits limits = {1 << 20, timer_now() + seconds};
    struct split_cuts cuts = {0};

    for (size_t b = 0; b < trial->split_problem.instance->n; b++)
        for (size_t m = 0; m < 2; m++)
            if (moves_allowed(&trial->problem, b, m))
                trial->split_problem.cost[b * 2 + m] = stay_cost(trial, b, m);
    for (size_t b = 0; b < trial->split_problem.instance->n; b++) {
        const int64_t *cost = &trial->split_problem.cost[b * 2];

        trial->split_problem.order[b * 2] = cost[0] > cost[1];
        trial->split_problem.order[b * 2 + 1] = cost[0] <= cost[1];
    }
    split_solve(&trial->split_problem, &limits, &cuts, &trial->split);
    split_cuts_clear(&cuts);
    move_plan_init(&trial->plan, &trial->problem);
    trial->result = moves_solve(&trial->problem, &trial->split, &limits, &trial->plan);
}

static void trial_end(struct trial *trial)
{
    move_plan_clear(&trial->plan);
    split_clear(&trial->split);
    moves_problem_clear(&trial->problem);
    split_problem_clear(&trial->split_problem);
    memories_clear(&trial->memories);
}

/* --- by hand --- */

/* a is used at first and at the end, b in between; there is room for one.  a costs 30 until step 2,
 * 110 to copy out, 110 to copy in, 20 after; b costs 40.  */
static const size_t hand_first[] = {0, 5, 9};
static const struct access hand_access[] = {{0, 0, 10}, {1, 10, 0}, {2, 10, 0},
                                            {8, 10, 0}, {9, 10, 0}, {3, 0, 10},
                                            {4, 10, 0}, {5, 10, 0}, {6, 10, 0}};

static struct instance *hand_begin(struct trial *trial)
{
    struct instance *instance = instance_of_rows("a 0 10 10; b 3 7 10");

    trial_begin(trial, instance, "fast=10,read=1,write=1", "slow,read=10,write=10");
    trial_accesses(trial, hand_first, 2, hand_access);
    trial_solve(trial, 5.0);
    return instance;
}

static void by_hand(void)
{
    struct trial trial;
    struct instance *instance = hand_begin(&trial);
    struct error error = {""};

    is_int(trial.split.cost, 450 * MEMORY_COST_UNIT, "without moves b is in the slow memory");
    is_int(trial.plan.cost, 310 * MEMORY_COST_UNIT, "with moves a goes out of its way");
    is_int((int64_t)trial.plan.copies, 2, "and comes back");
    is_int(trial.plan.copied, 20, "bytes are counted");
    is_int(trial.result.outcome, SPLIT_OPTIMAL, "no plan costs less");
    ok(moves_verify(&trial.problem, &trial.plan, &error), "it is valid %s", error.text);
    trial_end(&trial);
    instance_free(instance);
}

/* The same with two such b's one after the other: a is only written at step 0, so it is copied out
 * once.  */
static void clean_copies(void)
{
    static const size_t first[] = {0, 6, 10, 14};
    static const struct access access[] = {
        {0, 0, 10}, {1, 30, 0}, {7, 30, 0}, {8, 30, 0}, {14, 30, 0}, {15, 30, 0}, {2, 0, 10},
        {3, 90, 0}, {4, 90, 0}, {5, 90, 0}, {9, 0, 10}, {10, 90, 0}, {11, 90, 0}, {12, 90, 0}};
    struct instance *instance = instance_of_rows("a 0 16 10; b 2 6 10; c 9 13 10");
    struct trial trial;

    trial_begin(&trial, instance, "fast=10,read=1,write=1", "slow,read=10,write=10");
    trial_accesses(&trial, first, 3, access);
    trial_solve(&trial, 5.0);
    /* a 160, out 110, in twice 110 each; b and c 280 each.  */
    is_int(trial.plan.cost, (160 + 330 + 560) * MEMORY_COST_UNIT, "a is copied out once");
    is_int((int64_t)trial.plan.copies, 3, "three copies");
    is_int(trial.result.outcome, SPLIT_OPTIMAL, "no plan costs less");
    trial_end(&trial);
    trial_begin(&trial, instance, "fast=10,read=1,write=1", "slow,read=10,write=10");
    trial_accesses(&trial, first, 3, access);
    trial.problem.accesses.access[3].writes = 1;
    trial_solve(&trial, 5.0);
    is_int(trial.plan.cost, (161 + 440 + 560) * MEMORY_COST_UNIT, "again once it was changed");
    trial_end(&trial);
    instance_free(instance);
}

/* --- the judge --- */

/* Whether the judge refuses the plan with WANT in its message.  */
static void refused(const struct trial *trial, const char *want)
{
    struct error error = {""};

    ok(!moves_verify(&trial->problem, &trial->plan, &error) && strstr(error.text, want) != NULL,
       "%s: %s", want, error.text);
}

static void judge(void)
{
    struct trial trial;
    struct instance *instance = hand_begin(&trial);
    struct move_plan *plan = &trial.plan;
    size_t out = 0, b = 0;

    /* By buffer and memory: a fast, a fast, a slow, b fast.  */
    is_int((int64_t)plan->stays, 4, "stays");
    plan->cost++;
    refused(&trial, "the cost is not that of the moves");
    plan->cost--;
    plan->copies--;
    refused(&trial, "buffer 'a' is not where it is read or written");
    plan->copies++;
    plan->copy[out].from = 1;
    plan->copy[out].to = 0;
    refused(&trial, "is copied from memory 'slow', where it is not");
    plan->copy[out] = (struct move_copy){0, 2, true, 0, 0};
    refused(&trial, "makes no sense");
    plan->copy[out].to = 1;
    plan->stay[2].begin++;
    refused(&trial, "buffer 'a' has no room for its copy");
    plan->stay[2].begin--;
    plan->stay[2].end--;
    refused(&trial, "buffer 'a' is nowhere before step 8");
    plan->stay[2].end++;
    plan->stay[1].end--;
    refused(&trial, "buffer 'a' is nowhere before step 9");
    plan->stay[1].end++;
    plan->stay[0].end = 4;
    refused(&trial, "memory 'fast': ");
    plan->stay[0].end = 3;
    plan->stay[3].offset = 1;
    refused(&trial, "buffer 'b@2' is not within memory 'fast'");
    plan->stay[3].offset = 0;
    plan->stay[3].end++;
    refused(&trial, "buffer 'b' is in a memory before or after its life");
    plan->stay[3].end--;
    plan->stay[3].memory = 2;
    refused(&trial, "buffer 'b' is in no memory that it may lie in");
    plan->stay[3].memory = 0;
    b = trial.problem.accesses.first[1];
    plan->used[b + 1] = 1;
    refused(&trial, "step 4: buffer 'b' is not where it is read or written");
    plan->used[b + 1] = 0;
    plan->stays--;
    refused(&trial, "step 3: buffer 'b' is not where it is read or written");
    plan->stays++;
    trial.problem.accesses.access[3].writes = 1; /* a in the slow memory is old from then on */
    plan->cost += MEMORY_COST_UNIT;
    ok(moves_verify(&trial.problem, plan, &(struct error){""}), "a write at the end is no fault");
    trial.problem.accesses.access[3].writes = 0;
    trial.problem.accesses.access[2].writes = 1; /* and copied after it */
    ok(moves_verify(&trial.problem, plan, &(struct error){""}), "nor is one before the copy");
    plan->copy[out].after = false;
    refused(&trial, "buffer 'a' is nowhere before step 8");
    trial_end(&trial);
    instance_free(instance);
}

/* --- Belady --- */

enum { PAGES = 5, REQUESTS = 11, PAGE_BYTES = 10 };

/* The fewest misses of REQUEST with FRAMES pages inside, where a page that is missed need not come
 * in, and any pages are inside at first: by all sets of pages after each request.  */
static int fewest_misses(const int *request, int frames)
{
    int least[1 << PAGES], next[1 << PAGES], best = REQUESTS;

    for (int set = 0; set < 1 << PAGES; set++)
        least[set] = __builtin_popcount((unsigned)set) <= frames ? 0 : REQUESTS;
    for (int t = 0; t < REQUESTS; t++) {
        for (int set = 0; set < 1 << PAGES; set++)
            next[set] = REQUESTS;
        for (int set = 0; set < 1 << PAGES; set++) {
            const int page = 1 << request[t], all = set | page;
            const int misses = least[set] + ((set & page) == 0);

            for (int kept = all;; kept = (kept - 1) & all) {
                if (__builtin_popcount((unsigned)kept) <= frames && misses < next[kept])
                    next[kept] = misses;
                if (kept == 0)
                    break;
            }
        }
        memcpy(least, next, sizeof least);
    }
    for (int set = 0; set < 1 << PAGES; set++)
        best = least[set] < best ? least[set] : best;
    return best;
}

static int next_use(const int *request, int page, int from)
{
    while (from < REQUESTS && request[from] != page)
        from++;
    return from;
}

/* Belady's rule: the page that is used last of all from now on is outside.  */
static int belady_misses(const int *request, int frames)
{
    bool inside[PAGES] = {false};
    int misses = 0, count = 0;

    for (int t = -1; t < REQUESTS; t++) {
        misses += t >= 0 && !inside[request[t]];
        for (int p = 0; p < PAGES; p++)
            if (!inside[p] && (t < 0 || p == request[t])) {
                inside[p] = true;
                count++;
            }
        while (count > frames) {
            int last = -1;

            for (int p = 0; p < PAGES; p++)
                if (inside[p] &&
                    (last < 0 || next_use(request, p, t + 1) > next_use(request, last, t + 1)))
                    last = p;
            inside[last] = false;
            count--;
        }
    }
    return misses;
}

/* Pages that are read, all of one size, which are there from the start: reading one outside costs 1
 * a byte, all else nothing.  */
static int64_t moves_misses(const int *request, int frames, bool *proven)
{
    char *fast = memory_printf("fast=%d,read=0,write=0", frames * PAGE_BYTES);
    struct instance *instance = instance_new("pages");
    struct access access[PAGES + REQUESTS];
    size_t first[PAGES + 1] = {0}, at = 0;
    struct error error = {""};
    struct trial trial;
    int64_t misses;

    for (int p = 0; p < PAGES; p++) {
        add_buffer(instance, 0, REQUESTS + 1, PAGE_BYTES, 1);
        access[at++] = (struct access){0, 0, 0};
        for (int t = 0; t < REQUESTS; t++)
            if (request[t] == p)
                access[at++] = (struct access){t + 1, PAGE_BYTES, 0};
        first[p + 1] = at;
    }
    sealed(instance);
    trial_begin(&trial, instance, fast, "slow,read=1,write=0");
    trial_accesses(&trial, first, PAGES, access);
    trial_solve(&trial, 20.0);
    misses = trial.plan.cost / (PAGE_BYTES * MEMORY_COST_UNIT);
    *proven =
        trial.result.outcome == SPLIT_OPTIMAL && moves_verify(&trial.problem, &trial.plan, &error);
    trial_end(&trial);
    instance_free(instance);
    memory_free(fast);
    return misses;
}

static void belady(void)
{
    const int rounds = tap_tier(30, 300);
    struct rng *rng = rng_new(445);
    int right = 0, rule = 0, proved = 0, some = 0;

    for (int round = 0; round < rounds; round++) {
        const int frames = (int)rng_range(rng, 0, PAGES - 1);
        int request[REQUESTS], fewest;
        bool proven;

        for (int t = 0; t < REQUESTS; t++)
            request[t] = (int)rng_range(rng, 0, PAGES - 1);
        fewest = fewest_misses(request, frames);
        rule += belady_misses(request, frames) == fewest;
        right += moves_misses(request, frames, &proven) == fewest;
        proved += proven;
        some += fewest > 0 && fewest < REQUESTS;
    }
    is_int(rule, rounds, "Belady's rule has the fewest misses of all sets of pages");
    is_int(right, rounds, "and so have moves");
    is_int(proved, rounds, "which is proven");
    ok(some > rounds / 3, "some pages are missed and some are not (%d)", some);
    rng_free(rng);
}

/* --- all plans --- */

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

/* --- visits alone --- */

/* N buffers that are used now and then.  */
static struct instance *used_now_and_then(struct rng *rng, size_t n, size_t *first,
                                          struct access *access)
{
    struct instance *instance = instance_new("visits");
    size_t at = 0;

    first[0] = 0;
    for (size_t b = 0; b < n; b++) {
        const int64_t begin = rng_range(rng, 0, 60), end = begin + rng_range(rng, 1, 40);

        add_buffer(instance, begin, end, rng_range(rng, 1, 40), rng_range(rng, 1, 4));
        for (int64_t s = begin; s < end; s++)
            if (s == begin || rng_range(rng, 0, 5) == 0)
                access[at++] =
                    (struct access){s, rng_range(rng, 0, 200),
                                    rng_range(rng, 0, 3) == 0 ? rng_range(rng, 1, 99) : 0};
        first[b + 1] = at;
    }
    return sealed(instance);
}

/* The cost of the plan of one way, which is valid; else -1.  */
static int64_t visit(const struct trial *trial, enum visit_way way)
{
    const struct split_limits limits = {1 << 20, INFINITY};
    struct error error = {""};
    struct move_plan plan;
    int64_t cost;

    move_plan_init(&plan, &trial->problem);
    moves_by_visits(&trial->problem, &trial->split, way, &limits, &plan);
    cost =
        plan.cost != SPLIT_NEVER && moves_verify(&trial->problem, &plan, &error) ? plan.cost : -1;
    if (cost < 0)
        tap_diag("way %d: %s", (int)way, error.text);
    move_plan_clear(&plan);
    return cost;
}

static void visits(void)
{
    enum { MANY = 30 };
    const int rounds = tap_tier(16, 200);
    struct rng *rng = rng_new(447);
    int good = 0, better[VISIT_WAYS] = {0};

    for (int round = 0; round < rounds; round++) {
        struct access access[MANY * 40];
        size_t first[MANY + 1];
        struct instance *instance = used_now_and_then(rng, MANY, first, access);
        char *fast = memory_printf("fast=%d%%,read=1,write=2,align=2,reserve=8+4",
                                   (int)rng_range(rng, 20, 80));
        struct trial trial;

        trial_begin(&trial, instance, fast,
                    round % 2 == 0 ? "slow,read=8,write=9" : "slow=4000,read=8,write=9");
        trial_accesses(&trial, first, MANY, access);
        trial_solve(&trial, 0.0);
        good += trial.split.cost != SPLIT_NEVER && trial.plan.cost <= trial.split.cost &&
                trial.result.bound <= trial.plan.cost;
        for (int way = 0; way < VISIT_WAYS; way++) {
            const int64_t cost = visit(&trial, (enum visit_way)way);

            good += cost >= trial.result.bound && cost > 0;
            better[way] += cost > 0 && cost < trial.split.cost;
        }
        trial_end(&trial);
        instance_free(instance);
        memory_free(fast);
    }
    is_int(good, rounds * (1 + VISIT_WAYS), "valid, and none below the bound");
    for (int way = 0; way < VISIT_WAYS; way++)
        ok(better[way] > rounds / 2, "way %d is often better than what stays (%d)", way,
           better[way]);
    rng_free(rng);
}

/* --- networks --- */

static void accesses_add_up(const struct trial *trial, const char *spec)
{
    const struct instance *instance = trial->split_problem.instance;
    const struct accesses *accesses = &trial->problem.accesses;
    bool same = true;

    for (size_t b = 0; b < instance->n; b++) {
        int64_t reads = 0, writes = 0, before = instance->buffer[b].begin;

        same = same && accesses->access[accesses->first[b]].step == before;
        for (size_t a = accesses->first[b]; a < accesses->first[b + 1]; a++) {
            reads += accesses->access[a].reads;
            writes += accesses->access[a].writes;
            same = same && accesses->access[a].step >= before &&
                   accesses->access[a].step < instance->buffer[b].end;
            before = accesses->access[a].step + 1;
        }
        same = same && reads == trial->split_problem.traffic.reads[b] &&
               writes == trial->split_problem.traffic.writes[b];
    }
    ok(same, "%s: accesses are in order, within lives, and add up to the traffic", spec);
}

static void network(const char *spec, const char *fast)
{
    struct instance *instance = instance_of(spec);
    struct error error = {""};
    struct trial trial;

    trial_begin(&trial, instance, fast, "slow,read=8,write=8");
    accesses_add_up(&trial, spec);
    trial_solve(&trial, 0.5);
    ok(trial.plan.cost <= trial.split.cost && trial.plan.cost >= trial.result.bound &&
           moves_verify(&trial.problem, &trial.plan, &error),
       "%s, %s: %lld <= %lld <= %lld %s", spec, fast, (long long)trial.result.bound,
       (long long)trial.plan.cost, (long long)trial.split.cost, error.text);
    if (strncmp(fast, "fast=0,", 7) == 0)
        ok(trial.plan.copies == 0 && trial.plan.cost == trial.split.cost,
           "without a fast memory nothing moves");
    if (strncmp(fast, "fast,", 5) == 0)
        ok(trial.plan.copies == 0 && trial.plan.cost * 8 == 8 * trial.result.bound,
           "nor where all is in it");
    trial_end(&trial);
    instance_free(instance);
}

int main(void)
{
    by_hand();
    clean_copies();
    judge();
    belady();
    against_all();
    visits();
    network("squeezenet1_1", "fast=40%,read=1,write=1");
    network("squeezenet1_1", "fast=0,read=1,write=1");
    network("squeezenet1_1", "fast,read=1,write=1");
    network("densenet121:fuse=all", "fast=30%,read=1,write=1");
    network("mobilenet_v2:inplace=nnc,concat=place", "fast=50%,read=1,write=1");
    return tap_done();
}
