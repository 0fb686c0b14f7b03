/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_search.h"

#include "lib/base/checked.h"
#include "lib/base/luby.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/search_statistics.h"
#include "planner/disjunctive/pairs_log.h"

/* Conflicts before the first restart, times Luby's sequence.  */
#define RESTART_UNIT 100

/* Nogoods that are kept at first, and how many more after each time some are forgotten.  */
#define FIRST_NOGOODS 4000
#define MORE_NOGOODS 300

/* A choice looks at all pairs, which is work for one in so many (pairs_rules.h).  */
#define PAIRS_A_WORK 8

/* The clock is read once in so many choices.  */
#define CLOCK_INTERVAL 64

void pairs_search_init(struct pairs_search *search, const struct pairs_problem *problem)
{
    *search = (struct pairs_search){
        .problem = problem,
        .capacity = -1,
        .refuted = -1,
        .mirror = true,
        .side = memory_zalloc(problem->gaps, sizeof *search->side),
        .most_nogoods = FIRST_NOGOODS,
        .start = memory_alloc(problem->n, sizeof *search->start),
    };
    pairs_bounds_init(&search->bounds, problem);
    pairs_nogoods_init(&search->nogoods, search->bounds.count);
    pairs_rules_init(&search->rules, &search->bounds, &search->nogoods);
    pairs_trace_init(&search->trace, &search->bounds, &search->nogoods);
}

void pairs_search_clear(struct pairs_search *search)
{
    pairs_bounds_clear(&search->bounds);
    pairs_nogoods_clear(&search->nogoods);
    pairs_rules_clear(&search->rules);
    pairs_trace_clear(&search->trace);
    memory_free(search->learned.literal);
    memory_free(search->assumed.literal);
    memory_free(search->side);
    memory_free(search->start);
}

void pairs_search_log(struct pairs_search *search, struct pairs_log *log)
{
    search->log = search->trace.log = log;
}

void pairs_search_count(const struct pairs_search *search, struct search_statistics *sum)
{
    search_statistics_add(sum, STATISTIC_PAIR_CHOICES, search->nodes);
    search_statistics_add(sum, STATISTIC_PAIR_CONFLICTS, search->conflicts);
    search_statistics_add(sum, STATISTIC_PAIR_RESTARTS, search->counted.restarts);
    search_statistics_add(sum, STATISTIC_PAIR_NOGOODS, search->counted.nogoods);
}

/* --- conflicts --- */

/* Rules need not see at once what they could, so a conflict may be one of an earlier level:
 * back to that, of which *RISES are left.  False: it is one of the root.  */
static bool find_level(struct pairs_search *search, size_t *rises)
{
    struct pairs_trace *trace = &search->trace;
    size_t most = 0;

    if (trace->open > 0)
        return true;
    pairs_trace_tidy(trace);
    for (size_t i = 0; i < trace->members; i++) {
        size_t level = pairs_bounds_level(&search->bounds, trace->rise[trace->member[i]]);

        most = level > most ? level : most;
    }
    if (most == 0)
        return false;
    if (most<search->bounds.levels && * rises> search->bounds.level[most])
        *rises = search->bounds.level[most];
    pairs_bounds_back(&search->bounds, most);
    for (size_t i = 0; i < trace->members; i++)
        trace->open += trace->rise[trace->member[i]] >= pairs_trace_level_start(trace);
    return true;
}

/* Moves the members into search->learned: first the one of the last level, then one of the
 * level before.  Returns that level, to which the search goes back.  */
static size_t collect_learned(struct pairs_search *search)
{
    struct pairs_trace *trace = &search->trace;
    struct pairs_literals *learned = &search->learned;

    pairs_trace_collect(trace, learned);
    for (size_t i = 1; i < learned->n && i < 3; i++) /* the latest two to the front */
        for (size_t k = i; k < learned->n; k++)
            if (trace->rise[learned->literal[k].index] >
                trace->rise[learned->literal[i - 1].index]) {
                const struct pairs_literal other = learned->literal[k];

                learned->literal[k] = learned->literal[i - 1];
                learned->literal[i - 1] = other;
            }
    return learned->n < 2
               ? 0
               : pairs_bounds_level(&search->bounds, trace->rise[learned->literal[1].index]);
}

/* Tells the log that the capacity is refuted: BOUNDS have the conflict, or NULL, if it was traced
 * back, or all has been said.  Returns false.  */
static bool refuted(struct pairs_search *search, const struct pairs_bounds *bounds)
{
    if (search->log != NULL)
        pairs_log_refuted(search->log, bounds, &search->nogoods);
    return false;
}

/* Keeps what was learned, if it is of two literals or more, as the reason why one is denied.  */
static void keep_learned(struct pairs_search *search, struct pairs_reason *reason)
{
    size_t name = search->log != NULL ? pairs_log_learned(search->log, &search->learned) : 0;

    if (search->learned.n > 1) {
        reason->rule = PAIRS_CLAUSE;
        reason->first = pairs_nogoods_add(&search->nogoods, &search->learned);
        search->nogoods.nogood[reason->first].name = name;
    }
    if (search->log != NULL)
        pairs_log_trace(search->log);
    search->counted.nogoods++;
}

/* Replaces members until one of the last level is left and, with ORDERS_ONLY, no start.
 * Everything is undone on the way, so that bounds are those of the time when a rule was used.
 * False: the conflict is one of the root.  */
static bool trace_back(struct pairs_search *search)
{
    struct pairs_trace *trace = &search->trace;
    struct pairs_bounds *bounds = &search->bounds;
    size_t rises = bounds->rises;

    if (!find_level(search, &rises))
        return false;
    for (size_t r = bounds->rises; trace->open > 1 || (search->orders_only && trace->starts > 0);) {
        bool start = bounds->rise[--r].index < 2 * search->problem->n;

        if (!pairs_trace_has(trace, r) || !((search->orders_only && start) || trace->open > 1))
            continue;
        pairs_trace_replace(trace, r);
        /* A start of the last level may follow from what is earlier.  */
        if (!find_level(search, &rises))
            return false;
    }
    if (search->orders_only)
        pairs_bounds_redo(bounds, rises);
    return true;
}

/* Asks for the order that a difference has decided, not for a part of it.  */
static void round_learned(struct pairs_search *search)
{
    for (size_t i = 0; i < search->learned.n; i++) {
        struct pairs_literal *literal = &search->learned.literal[i];
        const struct pairs_rise *rise = &search->bounds.rise[search->trace.rise[literal->index]];

        literal->least = pairs_bounds_weakest(&search->bounds, literal->index, rise->now);
    }
}

/* Learns from a conflict and goes back.  False: it is one of the root.  */
static bool learn(struct pairs_search *search)
{
    struct pairs_trace *trace = &search->trace;
    struct pairs_reason reason = {.rule = PAIRS_CHOICE};
    size_t back;
    struct pairs_literal last;

    if (search->bounds.levels == 0)
        return refuted(search, &search->bounds);
    pairs_trace_begin(trace);
    if (!trace_back(search))
        return refuted(search, NULL);
    back = collect_learned(search);
    if (search->orders_only)
        round_learned(search);
    pairs_bounds_back(&search->bounds, back);
    search->rules.head = search->bounds.rises;
    last = search->learned.literal[0];
    keep_learned(search, &reason);
    pairs_trace_grow(trace);
    return pairs_bounds_raise(&search->bounds, last.index ^ 1, 1 - last.least, &reason) ||
           refuted(search, NULL);
}

/* --- choices --- */

/* Whether D lies beyond the first and before the last of PAIR's gaps: one comparison, which is
 * enough for most pairs.  */
static bool is_within(const struct pairs_problem *problem, const struct pairs_pair *pair, int64_t d)
{
    const struct pairs_gap *gap = &problem->gap[pair->gap];
    uint64_t width = (uint64_t)gap[pair->gaps - 1].above - (uint64_t)gap->below;

    return (uint64_t)d - (uint64_t)gap->below - 1 < width - 1;
}

/* The side of a gap to decide for next: false when the least starts are a packing.  */
static bool choose_side(const struct pairs_search *search, struct pairs_literal *literal)
{
    const struct pairs_problem *problem = search->problem;
    const int64_t *bound = search->bounds.bound;
    double best = 0.0;
    bool found = false;

    for (size_t p = 0; p < problem->pairs; p++) {
        const struct pairs_pair *pair = &problem->pair[p];
        size_t a = pair->a, b = pair->b, index = 2 * (problem->n + p);
        int64_t d = bound[2 * b] - bound[2 * a];

        if (!is_within(problem, pair, d))
            continue;
        for (size_t g = pair->gap; g < pair->gap + pair->gaps; g++) {
            const struct pairs_gap *gap = &problem->gap[g];
            int64_t up, down;
            double score;
            bool above;

            if (d <= gap->below || d >= gap->above)
                continue;
            up = -bound[2 * b + 1] - (bound[2 * a] + gap->above);
            down = -bound[2 * a + 1] - (bound[2 * b] - gap->below);
            score = (double)(min64(up, down) + 1) / search->trace.weight[p];
            if (found && score >= best)
                continue;
            best = score;
            found = true;
            above = search->side[g] != 0 ? search->side[g] > 0 : up >= down;
            *literal = above ? (struct pairs_literal){index, gap->above}
                             : (struct pairs_literal){index + 1, -gap->below};
        }
    }
    return found;
}

/* --- the search --- */

/* Keeps the side of each decided gap: choices go there again.  */
static void save_sides(struct pairs_search *search)
{
    const struct pairs_problem *problem = search->problem;

    for (size_t p = 0; p < problem->pairs; p++) {
        const struct pairs_pair *pair = &problem->pair[p];
        size_t index = 2 * (problem->n + p);

        for (size_t g = pair->gap; g < pair->gap + pair->gaps; g++)
            if (search->bounds.bound[index] >= problem->gap[g].above)
                search->side[g] = 1;
            else if (-search->bounds.bound[index + 1] <= problem->gap[g].below)
                search->side[g] = -1;
    }
}

static void assume(struct pairs_search *search, size_t index, int64_t least)
{
    struct pairs_literals *assumed = &search->assumed;

    assumed->literal =
        memory_grow(assumed->literal, &assumed->capacity, assumed->n + 1, sizeof *assumed->literal);
    assumed->literal[assumed->n++] = (struct pairs_literal){index, least};
}

static bool has_twin(const struct pairs_problem *problem, size_t b)
{
    for (size_t c = 0; c < problem->n; c++)
        if (problem->twin[c] == b)
            return true;
    return problem->twin[b] != SIZE_MAX;
}

/* Of two buffers that have no twins, which other symmetries would move, the one is below the
 * other: those with the most room taken together.  */
static void assume_mirror(struct pairs_search *search)
{
    const struct pairs_problem *problem = search->problem;
    size_t best = SIZE_MAX;
    double most = 0.0;

    for (size_t p = 0; p < problem->pairs; p++) {
        const struct pairs_pair *pair = &problem->pair[p];
        double size = (double)problem->size[pair->a] + (double)problem->size[pair->b];
        double places = (double)(problem->first_place[p + 1] - problem->first_place[p]);

        if (size * places <= most || pair->gaps != 1 || has_twin(problem, pair->a) ||
            has_twin(problem, pair->b))
            continue;
        most = size * places;
        best = p;
    }
    if (best != SIZE_MAX)
        assume(search, 2 * (problem->n + best), problem->gap[problem->pair[best].gap].above);
}

static void find_assumptions(struct pairs_search *search)
{
    const struct pairs_problem *problem = search->problem;

    search->assumed.n = 0;
    for (size_t p = 0; p < problem->pairs; p++)
        if (problem->twin[problem->pair[p].b] == problem->pair[p].a)
            assume(search, 2 * (problem->n + p), 0);
    if (search->mirror && problem->symmetric)
        assume_mirror(search);
}

static void begin_log(struct pairs_search *search)
{
    const struct pairs_problem *problem = search->problem;

    pairs_log_begin(search->log, problem, search->capacity);
    for (size_t i = 0; i < search->assumed.n; i++) {
        const struct pairs_literal *literal = &search->assumed.literal[i];
        const struct pairs_pair *pair = &problem->pair[literal->index / 2 - problem->n];

        pairs_log_assume(search->log, literal, problem->twin[pair->b] == pair->a);
    }
}

/* False: CAPACITY is refuted.  */
static bool begin(struct pairs_search *search, int64_t capacity)
{
    const struct pairs_reason reason = {.rule = PAIRS_CHOICE};

    if (capacity == search->capacity)
        return true;
    if (search->capacity < 0)
        find_assumptions(search);
    if (capacity > search->capacity || search->log != NULL)
        pairs_nogoods_reset(&search->nogoods);
    search->capacity = capacity;
    search->restarts = 0;
    if (search->log != NULL)
        begin_log(search);
    if (!pairs_bounds_reset(&search->bounds, capacity))
        return refuted(search, NULL);
    pairs_rules_reset(&search->rules);
    for (size_t i = 0; i < search->assumed.n; i++) {
        const struct pairs_literal *literal = &search->assumed.literal[i];

        if (!pairs_bounds_raise(&search->bounds, literal->index, literal->least, &reason))
            return refuted(search, NULL);
    }
    return true;
}

static void begin_anew(struct pairs_search *search)
{
    search->counted.restarts += search->restarts > 0;
    search->restarts++;
    save_sides(search);
    pairs_bounds_back(&search->bounds, 0);
    search->rules.head = search->bounds.rises;
    if (search->nogoods.n > search->most_nogoods) {
        pairs_nogoods_reduce(&search->nogoods, search->log);
        search->most_nogoods += MORE_NOGOODS;
    }
}

/* What follows without any choice is no longer undone.  */
static void begin_root(struct pairs_search *search)
{
    if (search->log != NULL)
        pairs_log_root(search->log, &search->bounds, &search->nogoods);
    pairs_bounds_root(&search->bounds);
    search->rules.head = 0;
}

/* Until it is decided or CONFLICTS more were met.  */
static enum pairs_result descend(struct pairs_search *search, int64_t conflicts, int64_t nodes,
                                 double deadline)
{
    const struct pairs_reason chosen = {.rule = PAIRS_CHOICE};
    int64_t last = search->conflicts + conflicts;
    struct pairs_literal literal;

    for (;;) {
        bool open = pairs_rules_follow(&search->rules);

        while (!open) {
            search->conflicts++;
            search->rules.work += (int64_t)search->bounds.rises;
            if (!learn(search))
                return PAIRS_REFUTED;
            open = pairs_rules_follow(&search->rules);
        }
        if (search->rules.stopped)
            return PAIRS_STOPPED;
        if (search->bounds.levels == 0)
            begin_root(search);
        if (search->conflicts >= last || search->nodes >= nodes ||
            (++search->nodes % CLOCK_INTERVAL == 0 && timer_now() >= deadline))
            return PAIRS_STOPPED;
        search->rules.work += (int64_t)(search->problem->pairs / PAIRS_A_WORK);
        if (!choose_side(search, &literal))
            return PAIRS_PACKED;
        pairs_bounds_choose(&search->bounds);
        (void)pairs_bounds_raise(&search->bounds, literal.index, literal.least, &chosen);
    }
}

enum pairs_result pairs_search_run(struct pairs_search *search, int64_t capacity, int64_t nodes,
                                   double deadline)
{
    int64_t last = search->nodes + nodes;
    enum pairs_result result = PAIRS_STOPPED;
    bool stopped = search->rules.stopped && capacity == search->capacity;

    if (capacity <= search->refuted)
        return PAIRS_REFUTED;
    search->rules.deadline = deadline;
    if (!begin(search, capacity))
        result = PAIRS_REFUTED;
    while (result == PAIRS_STOPPED && search->nodes < last &&
           search->rules.work < search->rules.work_end && timer_now() < deadline) {
        if (!stopped)
            begin_anew(search);
        stopped = false;
        result = descend(search, RESTART_UNIT * luby(search->restarts), last, deadline);
    }
    if (result == PAIRS_REFUTED)
        search->refuted = capacity;
    for (size_t b = 0; b < search->problem->n && result == PAIRS_PACKED; b++)
        search->start[b] = search->bounds.bound[2 * b];
    return result;
}
