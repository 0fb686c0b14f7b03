/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves between memories: cases worked out by hand, Belady's rule, and what holds of networks
 * whatever the optimum is.  */
#include <config.h>

#include "memories/moves.h"

#include <math.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "memories/moves_place.h"
#include "tests/support/instances.h"
#include "tests/support/move_trial.h"
#include "tests/support/tap.h"

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
    refused(&trial, "buffer 'b@3' is not within memory 'fast'");
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
    const int rounds = tap_tier(20, 100);
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
    const int rounds = tap_tier(10, 80);
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
    visits();
    network("squeezenet1_1", "fast=40%,read=1,write=1");
    network("squeezenet1_1", "fast=0,read=1,write=1");
    network("squeezenet1_1", "fast,read=1,write=1");
    network("densenet121:fuse=all", "fast=30%,read=1,write=1");
    network("mobilenet_v2:inplace=nnc,concat=place", "fast=50%,read=1,write=1");
    return tap_done();
}
