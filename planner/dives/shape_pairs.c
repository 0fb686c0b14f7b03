#include <config.h>

#include "planner/dives/shape_pairs.h"

#include "lib/base/checked.h"
#include "planner/dives/shape_sections.h"

/* A placement of a dive looks at all neighbours; it takes about as long as a propagation does for
 * so many times as much of its work.  */
#define WORK_A_NEIGHBOUR 7

/* Making the pairs of a section takes as long as so much work for each two of its parts.  */
#define WORK_A_SQUARE 2

/* Runs below the best peak before it is asked for less.  */
enum { TRIES = 1 };

/* Pairs of parts in sections: tens of MiB.  */
#define MOST_SQUARES ((size_t)2 << 20)

static size_t squares(const struct shape_sections *shapes)
{
    size_t sum = 0;

    for (size_t s = 0; s < shapes->sections && sum <= MOST_SQUARES; s++) {
        size_t count = shapes->start[s + 1] - shapes->start[s];

        sum += count * count;
    }
    return sum;
}

static double work_a_node(const struct shape_sections *shapes)
{
    double neighbours = (double)shapes->beside[shapes->n] / (double)shapes->n;

    return WORK_A_NEIGHBOUR * (1.0 + neighbours);
}

int64_t shape_pairs_cost(const struct shape_sections *shapes)
{
    size_t count = squares(shapes);

    if (count > MOST_SQUARES)
        return INT64_MAX;
    return (int64_t)(WORK_A_SQUARE * (double)count / work_a_node(shapes)) + 1;
}

void shape_pairs_init(struct shape_pairs *pairs, const struct instance *instance, int64_t unit,
                      const struct shape_sections *shapes, int64_t gain)
{
    *pairs = (struct shape_pairs){
        .problem = pairs_problem_new(instance, unit),
        .gain = gain,
        .asked = -1,
        .nodes = shape_pairs_cost(shapes),
        .work_a_node = work_a_node(shapes),
    };
    pairs_search_init(&pairs->least, pairs->problem);
    pairs_search_init(&pairs->below, pairs->problem);
    pairs_rules_set_light(&pairs->least.rules, true);
    pairs_rules_set_light(&pairs->below.rules, true);
}

void shape_pairs_clear(struct shape_pairs *pairs)
{
    if (pairs->problem == NULL)
        return;
    pairs_search_clear(&pairs->least);
    pairs_search_clear(&pairs->below);
    pairs_problem_free(pairs->problem);
}

static enum pairs_result run(struct shape_pairs *pairs, struct pairs_search *search,
                             int64_t capacity, int64_t nodes, double deadline)
{
    int64_t before = search->rules.work;
    double work = (double)nodes * pairs->work_a_node;
    enum pairs_result result;

    search->rules.work_end = work < (double)(INT64_MAX / 2) ? before + (int64_t)work : INT64_MAX;
    result = pairs_search_run(search, capacity, INT64_MAX / 2, deadline);
    work = (double)(search->rules.work - before) / pairs->work_a_node;
    pairs->nodes += min64(nodes, (int64_t)work + 1);
    pairs->start = search->start;
    return result;
}

bool shape_pairs_ask(struct shape_pairs *pairs, int64_t capacity, int64_t nodes, double deadline)
{
    return capacity > pairs->least.refuted &&
           run(pairs, &pairs->least, capacity, nodes, deadline) == PAIRS_PACKED;
}

bool shape_pairs_ask_below(struct shape_pairs *pairs, int64_t capacity, int64_t upper,
                           int64_t nodes, double deadline)
{
    int64_t low = max64(capacity, pairs->below.refuted) + 1, high = upper - 1;
    enum pairs_result result;

    if (low > high)
        return false;
    if (pairs->asked < low || pairs->asked > high)
        pairs->asked = max64(low, high - pairs->gain);
    result = run(pairs, &pairs->below, pairs->asked, nodes, deadline);
    if (result == PAIRS_PACKED)
        pairs->gain = clipped_add(pairs->gain, pairs->gain);
    else if (pairs->below.restarts > TRIES || result == PAIRS_REFUTED) {
        pairs->gain = min64(pairs->gain, high - low) / 2;
        pairs->asked = -1;
    }
    return result == PAIRS_PACKED;
}

void shape_pairs_count(const struct shape_pairs *pairs, struct search_statistics *sum)
{
    if (pairs->problem == NULL)
        return;
    pairs_search_count(&pairs->least, sum);
    pairs_search_count(&pairs->below, sum);
}
