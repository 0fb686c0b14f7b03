/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/oracle.h"

#include <assert.h>
#include <math.h>

#include "hazards/cores.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/conflict_graph.h"
#include "lib/problem/instance.h"
#include "solvers/library/callers_problem.h"

/* Some of a part's buffers, with some pairs hard, as an instance.  */
struct question {
    size_t *keep, count; /* buffers of the part, and their number */
    size_t *index;       /* of a buffer of the part among these; SIZE_MAX: none */
    size_t *buffer_of;   /* of each of these, in the instance */
    struct instance *instance;
};

/* Numbers PAIR[0..COUNT) anew; those of buffers that are left out go.  Returns how many stay.  */
static size_t keep_pairs(const struct question *question, struct conflict_pair *pair, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t a = question->index[pair[i].a], b = question->index[pair[i].b];

        if (a != SIZE_MAX && b != SIZE_MAX)
            pair[kept++] = (struct conflict_pair){pair[i].kind, a, b};
    }
    return kept;
}

/* OUT[i]: node i is left out; NULL: none is.  */
static void question_init(struct question *question, const struct hazard_part *part,
                          const bool *hard, const bool *out)
{
    const size_t n = part->plain->n;
    struct conflict_pair *pair;
    struct instance *plain;
    size_t pairs;

    *question = (struct question){.keep = memory_alloc(n, sizeof(size_t)),
                                  .index = memory_alloc(n, sizeof(size_t)),
                                  .buffer_of = memory_alloc(n, sizeof(size_t))};
    for (size_t b = 0; b < n; b++) {
        question->index[b] = SIZE_MAX;
        if (out != NULL && out[part->node_of[b]])
            continue;
        question->index[b] = question->count;
        question->keep[question->count++] = b;
    }
    pair = hazard_part_pairs(part, hard, &pairs);
    pairs = keep_pairs(question, pair, pairs);
    plain = instance_subset(part->plain, question->keep, question->count);
    question->instance = conflicts_apply(plain, pair, pairs, question->buffer_of, NULL);
    assert(question->instance != NULL); /* hazard_part_init has tried */
    instance_free(plain);
    memory_free(pair);
}

static void question_clear(struct question *question)
{
    memory_free(question->keep);
    memory_free(question->index);
    memory_free(question->buffer_of);
    instance_free(question->instance);
}

static void take_plan(const struct question *question, const struct hazard_part *part,
                      const int64_t *found, int64_t *offset)
{
    for (size_t i = 0; i < question->count; i++)
        offset[part->node_of[question->keep[i]]] = found[question->buffer_of[i]];
}

static struct arenaplan_options options_of(const struct oracle *oracle)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    const double seconds = oracle->deadline - timer_now();

    options.work = oracle->work;
    options.seconds = isinf(seconds) ? 0.0 : fmax(seconds, 1e-6);
    return options;
}

/* OFFSET may be NULL.  */
static enum oracle_answer ask(struct oracle *oracle, const bool *hard, const bool *out,
                              int64_t *offset)
{
    const struct hazard_part *part = oracle->part;
    const struct arenaplan_options options = options_of(oracle);
    enum arenaplan_status status;
    struct callers_problem given;
    struct question question;
    int64_t *found;

    oracle->asked++;
    question_init(&question, part, hard, out);
    if (question.instance->load > part->capacity) {
        question_clear(&question);
        return ORACLE_NEVER;
    }
    found = memory_alloc(question.instance->n, sizeof *found);
    callers_problem_init(&given, question.instance);
    status = part->capacity == INT64_MAX
                 ? arenaplan_plan(&given.problem, &options, found, NULL)
                 : arenaplan_fits(&given.problem, part->capacity, &options, found, NULL);
    if (status <= ARENAPLAN_FEASIBLE && offset != NULL)
        take_plan(&question, part, found, offset);
    callers_problem_clear(&given);
    memory_free(found);
    question_clear(&question);
    if (status <= ARENAPLAN_FEASIBLE)
        return ORACLE_FITS;
    return status == ARENAPLAN_INFEASIBLE ? ORACLE_NEVER : ORACLE_UNKNOWN;
}

enum oracle_answer oracle_ask(struct oracle *oracle, const bool *hard, int64_t *offset)
{
    return ask(oracle, hard, NULL, offset);
}

bool oracle_peak(struct oracle *oracle, int64_t *offset, int64_t *peak, int64_t *bound)
{
    const struct arenaplan_options options = options_of(oracle);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    struct callers_problem given;
    struct question question;
    int64_t *found;

    oracle->asked++;
    question_init(&question, oracle->part, NULL, NULL);
    found = memory_alloc(question.instance->n, sizeof *found);
    callers_problem_init(&given, question.instance);
    arenaplan_prove(&given.problem, &options, found, &result);
    *peak = result.peak;
    *bound = result.lower_bound;
    if (result.status <= ARENAPLAN_FEASIBLE)
        take_plan(&question, oracle->part, found, offset);
    callers_problem_clear(&given);
    memory_free(found);
    question_clear(&question);
    return result.status <= ARENAPLAN_FEASIBLE;
}

/* --- cores --- */

/* Tries to leave out COUNT of ITEM[from...], half of them where all can't be: MARK says which are
 * left out.  */
struct shrink {
    struct oracle *oracle;
    bool *hard, *out;
    size_t *item;
    bool pairs; /* items are pairs that are hard, not nodes */
};

static void leave(struct shrink *shrink, size_t from, size_t count, bool leave_out)
{
    for (size_t i = from; i < from + count; i++)
        if (shrink->pairs)
            shrink->hard[shrink->item[i]] = !leave_out;
        else
            shrink->out[shrink->item[i]] = leave_out;
}

static void shrink_range(struct shrink *shrink, size_t from, size_t count)
{
    if (count == 0 || timer_now() > shrink->oracle->deadline)
        return;
    leave(shrink, from, count, true);
    if (ask(shrink->oracle, shrink->hard, shrink->out, NULL) == ORACLE_NEVER)
        return;
    leave(shrink, from, count, false);
    if (count == 1)
        return;
    shrink_range(shrink, from, count / 2);
    shrink_range(shrink, from + count / 2, count - count / 2);
}

/* Pairs of which a node is left out are none.  */
static void drop_pairs(const struct hazard_part *part, bool *hard, const bool *out)
{
    for (size_t i = 0; i < part->n_costs; i++)
        hard[i] =
            hard[i] && !out[part->node_of[part->cost[i].a]] && !out[part->node_of[part->cost[i].b]];
}

static void shrink_core(struct oracle *oracle, bool *hard)
{
    const struct hazard_part *part = oracle->part;
    struct shrink shrink = {oracle, hard, memory_zalloc(part->nodes, sizeof(bool)),
                            memory_alloc(part->nodes + part->n_costs, sizeof(size_t)), false};
    size_t count = 0;

    for (size_t a = 0; a < part->nodes; a++)
        if (part->node[a].fixed < 0)
            shrink.item[count++] = a;
    shrink_range(&shrink, 0, count);
    drop_pairs(part, hard, shrink.out);
    shrink.pairs = true;
    count = 0;
    for (size_t i = 0; i < part->n_costs; i++)
        if (hard[i])
            shrink.item[count++] = i;
    shrink_range(&shrink, 0, count);
    memory_free(shrink.out);
    memory_free(shrink.item);
}

enum oracle_answer oracle_core(struct oracle *oracle, bool *hard, int64_t *offset)
{
    enum oracle_answer answer = ask(oracle, hard, NULL, offset);

    if (answer == ORACLE_NEVER)
        shrink_core(oracle, hard);
    return answer;
}

/* --- cliques --- */

size_t oracle_cliques(const struct oracle *oracle, const bool *hard, struct cores *cores)
{
    const struct hazard_part *part = oracle->part;
    size_t *member = memory_alloc(part->plain->n, sizeof *member), found = 0, pairs, count;
    struct conflict_pair *pair = hazard_part_pairs(part, hard, &pairs);
    struct conflict_graph graph;

    if (conflict_graph_init(&graph, part->plain, pair, pairs, NULL)) {
        for (int64_t most = part->capacity; (count = conflict_clique(&graph, member, &most)) > 0;
             most = part->capacity) {
            if (most <= part->capacity)
                continue;
            for (size_t k = 0; k < count; k++)
                member[k] = graph.buffer_of[member[k]];
            cores_add_clique(cores, member, count);
            found++;
        }
        conflict_graph_clear(&graph);
    }
    memory_free(pair);
    memory_free(member);
    return found;
}
